/** The tabs of this page: bookmarks of sessions, their order and the active one, kept over a reload. */
import * as z from 'zod'
import { sessionIdSchema, type SessionId } from '../../protocol-src/ids.ts'
import { titleSchema, type LaunchSpec } from '../../protocol-src/session.ts'
import type { SafeStorage } from './storage.ts'
import { createStore, type Store } from './store.ts'

/** Identifies a tab within this page load; never stored. */
export type TabKey = string & { readonly __brand: 'TabKey' }

export interface Tab {
  readonly key: TabKey
  /** The session shown, or null while it is being opened or after opening failed. */
  readonly sid: SessionId | null
  /** Session that the next one in this tab runs again. */
  readonly retryOf: SessionId | null
  /** What to start (again); null for a restored tab until the host described its session. */
  readonly spec: LaunchSpec | null
  /** Name given by a person. */
  readonly title: string | null
  /** Tells tabs of the same target apart; the smallest free number from 1. */
  readonly ordinal: number
}

export interface TabsState {
  readonly tabs: readonly Tab[]
  readonly active: TabKey | null
}

const STORAGE_KEY = 'tabs'
const VERSION = 1
const MAX_RESTORED_TABS = 64

const storedTabSchema = z.object({
  sid: sessionIdSchema,
  title: titleSchema.nullable(),
  ordinal: z.int().min(1).max(9999),
})
const storedSchema = z.object({
  v: z.literal(VERSION),
  tabs: z.array(z.unknown()),
  active: z.string().nullable().catch(null),
})

/** Tabs that a stored value names; damaged entries and repeated sessions are left out. */
function restoredTabs(stored: unknown, nextKey: () => TabKey): TabsState {
  const parsed = storedSchema.safeParse(stored)
  if (!parsed.success) return { tabs: [], active: null }
  const tabs: Tab[] = []
  for (const entry of parsed.data.tabs.slice(0, MAX_RESTORED_TABS)) {
    const tab = storedTabSchema.safeParse(entry)
    if (!tab.success || tabs.some(({ sid }) => sid === tab.data.sid)) continue
    tabs.push({ key: nextKey(), spec: null, retryOf: null, ...tab.data })
  }
  const active = tabs.find(({ sid }) => sid === parsed.data.active) ?? tabs.at(-1)
  return { tabs, active: active?.key ?? null }
}

export class TabStore implements Store<TabsState> {
  readonly #storage: SafeStorage
  readonly #store
  #keys = 0

  /** @param storage of this page only: two pages keep their own tabs */
  constructor(storage: SafeStorage) {
    this.#storage = storage
    this.#store = createStore<TabsState>(restoredTabs(storage.read(STORAGE_KEY), () => this.#nextKey()))
  }

  getSnapshot = (): TabsState => this.#store.getSnapshot()
  subscribe = (listener: () => void): (() => void) => this.#store.subscribe(listener)

  find(key: TabKey): Tab | undefined {
    return this.getSnapshot().tabs.find((tab) => tab.key === key)
  }

  findBySession(sid: SessionId): Tab | undefined {
    return this.getSnapshot().tabs.find((tab) => tab.sid === sid)
  }

  /** Add a tab, at the end unless it belongs after another one. The first one becomes active in any case. */
  add(
    tab: { sid: SessionId | null; spec: LaunchSpec | null; title?: string | null },
    isActive: boolean,
    after?: TabKey,
  ): TabKey {
    const { tabs, active } = this.getSnapshot()
    const key = this.#nextKey()
    const ordinals = new Set(tabs.map(({ ordinal }) => ordinal))
    let ordinal = 1
    while (ordinals.has(ordinal)) ordinal += 1
    const added: Tab = { key, sid: tab.sid, retryOf: null, spec: tab.spec, title: tab.title ?? null, ordinal }
    const at = tabs.findIndex((each) => each.key === after)
    const next = at < 0 ? [...tabs, added] : tabs.toSpliced(at + 1, 0, added)
    this.#change({ tabs: next, active: isActive || active === null ? key : active })
    return key
  }

  /** The tab shows `sid` from now on. */
  bind(key: TabKey, sid: SessionId, spec?: LaunchSpec): void {
    this.#replace(key, (tab) => ({ ...tab, sid, retryOf: null, spec: spec ?? tab.spec }))
  }

  /** The tab waits for a session that runs its last one again. */
  unbind(key: TabKey, spec: LaunchSpec): void {
    this.#replace(key, (tab) => ({ ...tab, sid: null, retryOf: tab.sid ?? tab.retryOf, spec }))
  }

  rename(key: TabKey, title: string | null): void {
    this.#replace(key, (tab) => (tab.title === title ? tab : { ...tab, title }))
  }

  activate(key: TabKey): void {
    const state = this.getSnapshot()
    if (state.active !== key && this.find(key) !== undefined) this.#change({ ...state, active: key })
  }

  /** Put a tab at another place among the others. */
  move(key: TabKey, to: number): void {
    const { tabs, active } = this.getSnapshot()
    const from = tabs.findIndex((tab) => tab.key === key)
    const tab = tabs[from]
    const place = Math.max(0, Math.min(tabs.length - 1, to))
    if (tab === undefined || place === from) return
    this.#change({ tabs: tabs.toSpliced(from, 1).toSpliced(place, 0, tab), active })
  }

  /** Remove a tab; when it was active its right neighbour becomes so, or else the left one. */
  remove(key: TabKey): void {
    const { tabs, active } = this.getSnapshot()
    const at = tabs.findIndex((tab) => tab.key === key)
    if (at < 0) return
    const rest = tabs.filter((tab) => tab.key !== key)
    const heir = rest[at] ?? rest[at - 1]
    this.#change({ tabs: rest, active: active === key ? (heir?.key ?? null) : active })
  }

  #nextKey(): TabKey {
    this.#keys += 1
    return `tab-${String(this.#keys)}` as TabKey
  }

  #replace(key: TabKey, change: (tab: Tab) => Tab): void {
    const state = this.getSnapshot()
    const tabs = state.tabs.map((tab) => (tab.key === key ? change(tab) : tab))
    if (tabs.some((tab, index) => tab !== state.tabs[index])) this.#change({ ...state, tabs })
  }

  #change(next: TabsState): void {
    this.#store.set(next)
    const active = next.tabs.find((tab) => tab.key === next.active)?.sid ?? null
    const tabs = next.tabs.flatMap(({ sid, title, ordinal }) => (sid === null ? [] : [{ sid, title, ordinal }]))
    this.#storage.write(STORAGE_KEY, { v: VERSION, tabs, active })
  }
}
