/** Where what belongs to other machines goes: dialogs over everything, the line of a terminal. Both come with their script. */
import type { ReactNode } from 'react'
import type { Translate } from '../locales.ts'
import type { ConnectionModel } from '../stores/panel-model.ts'
import type { ScriptSource } from '../stores/script-state.ts'
import { useScript } from './ScriptWait.tsx'
import { useStore } from './use-store.ts'

/** What lib/ssh.js makes, once it is started. */
export interface SshModule {
  readonly Dialogs: (props: { t: Translate }) => ReactNode
  readonly Bar: (props: { t: Translate; connection: ConnectionModel }) => ReactNode
}

/** As high as the line itself. */
const BAR_PX = 29

export function SshSlot({ t, script }: { t: Translate; script: ScriptSource<SshModule> }) {
  const state = useStore(script.state)
  return state.kind === 'ready' ? <state.module.Dialogs t={t} /> : null
}

export function SshBar({
  t,
  ssh,
  connection,
}: {
  t: Translate
  ssh: ScriptSource<SshModule>
  connection: ConnectionModel
}) {
  const state = useScript(ssh)
  if (state.kind !== 'ready') return <div style={{ flex: 'none', height: BAR_PX }} />
  return <state.module.Bar t={t} connection={connection} />
}
