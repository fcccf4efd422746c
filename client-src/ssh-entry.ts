/** Brings other machines into the app: when their script is loaded, where its dialogs go, and what "+" gets from it. Assembly only. */
import type { ClientContext } from '@deepseek-ai/dsh-client-runtime/client'
import type {} from '@deepseek-ai/dsh-client-locale/client'
import type {} from '@deepseek-ai/dsh-client-ui-layout/client'
import type { SettingKey } from '../protocol-src/settings.ts'
import type { SideFrame } from './connection/host-link.ts'
import { NS } from './locales.ts'
import { SshSlot, type SshModule } from './panel/SshSlot.tsx'
import { PageScript, type PageScriptPorts } from './services/page-script.ts'
import type { SshPart, SshStart, dialogWords, panelWords, startSsh } from './ssh/ssh-script.tsx'
import type { PlusSections } from './stores/plus-sections.ts'
import type { ScriptSource } from './stores/script-state.ts'

/** Dictionary namespace of the dialogs, which comes with their script. */
const WORDS = 'tty-ssh'

declare module '@deepseek-ai/dsh-client-ui-slots' {
  interface LocaleNamespaceMap {
    [WORDS]: keyof typeof dialogWords.zh
  }
}

interface SshExports {
  readonly startSsh: typeof startSsh
  readonly dialogWords: typeof dialogWords
  readonly panelWords: typeof panelWords
}

export interface SshPorts extends Omit<SshStart, 'heard' | 'say' | 'saySsh'> {
  readonly scripts: PageScriptPorts
  readonly plus: PlusSections
  /** More words for the panel. */
  readonly addWords: (more: SshExports['panelWords']) => void
}

export interface SshEntry {
  readonly ssh: ScriptSource<SshModule>
  readonly showHostKeys: () => void
  readonly openList: (setting: SettingKey) => void
}

export function contributeSsh(ctx: ClientContext, { scripts, plus, addWords, ...ports }: SshPorts): SshEntry {
  const heard: SideFrame[] = []
  const ends: (() => void)[] = []
  let shown: Parameters<SshPart['show']>[0] | null = null
  const script = new PageScript<SshPart>(
    'ssh',
    (exports) => {
      const { startSsh: start, dialogWords: words, panelWords: more } = exports as unknown as SshExports
      ends.push(ctx.locale.register(WORDS, { zh: words.zh, en: words.en }))
      addWords(more)
      stopListening()
      const part = start({ ...ports, heard, say: ctx.locale.bind(NS), saySsh: ctx.locale.bind(WORDS) })
      ends.push(plus.add(part.section), part.dispose)
      if (shown !== null) part.show(shown)
      return part
    },
    scripts,
  )
  const stopListening = ports.link.listen((frame) => {
    heard.push(frame)
    script.load()
  })
  const loadLater = (): void => {
    if (ports.link.link.getSnapshot().kind === 'open') script.loadWhenIdle()
  }
  ends.push(stopListening, ports.link.link.subscribe(loadLater))
  ctx.effect(
    () => () => {
      script.dispose()
      for (const end of ends.toReversed()) end()
    },
    'dsh-tty: other machines',
  )
  ctx.slots.inject('shell.overlay', () =>
    ctx.slots.register(
      { name: 'shell.overlay', id: 'tty-ssh', order: 1, locale: NS, inject: () => ({ script }) },
      SshSlot,
    ),
  )
  /** At once, or when it is there. */
  const show: SshPart['show'] = (dialog) => {
    const state = script.state.getSnapshot()
    if (state.kind === 'ready') {
      state.module.show(dialog)
      return
    }
    shown = dialog
    script.load()
    script.retry()
  }
  return {
    ssh: script,
    showHostKeys: () => {
      show({ kind: 'host-keys' })
    },
    openList: (setting) => {
      show({ kind: setting === 'hostKeys' ? 'host-keys' : 'book' })
    },
  }
}
