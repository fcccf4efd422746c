/** Where the pane of another plugin is, beside the terminal to whose tab it belongs; what it is drawn with comes with the first. */
import type { ReactNode } from 'react'
import type { Translate } from '../locales.ts'
import type { Pane } from '../stores/pane-store.ts'
import type { ScriptSource } from '../stores/script-state.ts'
import type { Store } from '../stores/store.ts'
import type { TabKey } from '../stores/tab-store.ts'
import type { Kit } from './kit.ts'
import { ScriptWait } from './ScriptWait.tsx'
import { useStore } from './use-store.ts'
import css from './PaneSlot.module.css'

export interface PaneActions {
  readonly resize: (id: number, size: number) => void
  readonly collapse: (id: number, isCollapsed: boolean) => void
  readonly close: (id: number) => void
}

export interface PaneFrameProps {
  readonly kit: Kit
  readonly t: Translate
  readonly pane: Pane
  readonly actions: PaneActions
}

/** What the panel needs to know of panes. */
export interface Panes {
  readonly pane: Store<Pane | null>
  readonly script: ScriptSource<{ readonly PaneFrame: (props: PaneFrameProps) => ReactNode }>
  readonly actions: PaneActions
}

export function PaneSlot({ kit, t, tab, panes }: { kit: Kit; t: Translate; tab: TabKey; panes: Panes }) {
  const { script, actions } = panes
  const pane = useStore(panes.pane)
  const state = useStore(script.state)
  if (pane === null || pane.tab !== tab) return null
  if (state.kind === 'ready') return <state.module.PaneFrame kit={kit} t={t} pane={pane} actions={actions} />
  return (
    <div className={css['wait']} data-tty-pane={pane.side}>
      <ScriptWait t={t} source={script} />
    </div>
  )
}
