/** The emulator, loaded when the first terminal is shown, once for all tabs. */
import type { TerminalModule } from '../terminal/terminal-module.ts'
import { PageScript, type PageScriptPorts } from './page-script.ts'

export type Emulator = PageScript<TerminalModule>

export const emulatorScript = (ports: PageScriptPorts): Emulator =>
  new PageScript(
    'terminal',
    ({ createView, pageTheme }) => {
      if (typeof createView === 'function' && typeof pageTheme === 'function')
        return { createView, pageTheme } as TerminalModule
      throw new TypeError('It is not the emulator.')
    },
    ports,
  )
