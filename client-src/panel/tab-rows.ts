/** What can be done with a tab and with those around it, and what would be lost. Pure. */
import type { TabModel } from '../stores/panel-model.ts'
import type { TabKey } from '../stores/tab-store.ts'

export type TabRowId =
  | 'close'
  | 'closeOthers'
  | 'closeLeft'
  | 'closeRight'
  | 'clearExited'
  | 'hide'
  | 'show'
  | 'duplicate'
  | 'restart'
  | 'rename'

export interface TabRow {
  readonly id: TabRowId
  /** The tabs that it is about. */
  readonly keys: readonly TabKey[]
}

/** Rows that would do nothing are absent. */
export function tabRows(tabs: readonly TabModel[], key: TabKey): readonly TabRow[] {
  const at = tabs.findIndex((tab) => tab.key === key)
  const tab = tabs[at]
  if (tab === undefined) return []
  const open = (some: readonly TabModel[]): TabKey[] =>
    some.filter(({ isClosing }) => !isClosing).map((each) => each.key)
  const own = open([tab])
  const hasSession = own.length > 0 && tab.sid !== null
  const rows: TabRow[] = [
    { id: 'close', keys: own },
    { id: 'closeOthers', keys: open(tabs.filter((each) => each !== tab)) },
    { id: 'closeLeft', keys: open(tabs.slice(0, at)) },
    { id: 'closeRight', keys: open(tabs.slice(at + 1)) },
    { id: 'clearExited', keys: open(tabs.filter(({ life }) => life === 'over')) },
    { id: tab.isHidden ? 'show' : 'hide', keys: hasSession && !tab.isAgent ? own : [] },
    { id: 'duplicate', keys: hasSession ? own : [] },
    { id: 'restart', keys: hasSession ? own : [] },
    { id: 'rename', keys: own },
  ]
  return rows.filter(({ keys }) => keys.length > 0)
}

/** What ending them would end. */
export interface Loss {
  readonly live: number
  /** Of those, opened by an agent. */
  readonly agents: number
}

export function lossOf(tabs: readonly TabModel[], keys: readonly TabKey[]): Loss {
  const live = tabs.filter(({ key, life, isClosing }) => keys.includes(key) && life === 'live' && !isClosing)
  return { live: live.length, agents: live.filter(({ isAgent }) => isAgent).length }
}
