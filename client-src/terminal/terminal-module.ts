/**
 * The emulator's own script, lib/terminal.js: what the page gets when it loads it. The rest of the client takes types from
 * this room and nothing else, so that no emulator is loaded before the first terminal is shown.
 */
import type { ITheme } from '@xterm/xterm'
import '@xterm/xterm/css/xterm.css'
import type { ViewSettings } from './options.ts'
import { TerminalView, type ViewPorts } from './terminal-view.ts'
import { bodyToken, terminalTheme, type Scheme } from './theme.ts'

export interface TerminalModule {
  /** A new terminal in the page's present colours. */
  readonly createView: (ports: ViewPorts, settings: ViewSettings, fallback: Scheme) => TerminalView
  /** The page's present colours. @param fallback scheme when the app's ground cannot be read */
  readonly pageTheme: (fallback: Scheme) => ITheme
}

export const pageTheme: TerminalModule['pageTheme'] = (fallback) => terminalTheme(bodyToken, fallback)

export const createView: TerminalModule['createView'] = (ports, settings, fallback) =>
  new TerminalView(ports, settings, pageTheme(fallback))
