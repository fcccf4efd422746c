/** The pane that another plugin has beside a terminal, at most one on the page, and how large a person made it. */
import * as z from 'zod'
import type { SafeStorage } from './storage.ts'
import { createStore, type Store } from './store.ts'
import type { TabKey } from './tab-store.ts'

export type PaneSide = 'right' | 'bottom'

export interface Pane {
  /** Tells the panes of a page apart. */
  readonly id: number
  /** It is shown beside this tab's terminal, and goes with the tab. */
  readonly tab: TabKey
  readonly title: string
  readonly hint: string | null
  readonly side: PaneSide
  /** CSS pixels; null: a part of the room. */
  readonly size: number | null
  readonly min: number
  readonly isCollapsed: boolean
  /** The plugin's. */
  readonly element: HTMLElement
}

export type PaneRequest = Omit<Pane, 'id' | 'isCollapsed'> & {
  /** Called once, before the pane goes. Must not throw. */
  readonly onClose: () => void
}

const STORAGE_KEY = 'panes'
const VERSION = 1

const size = z.number().min(1).max(20_000).optional().catch(undefined)
const storedSchema = z.object({ v: z.literal(VERSION), right: size, bottom: size })

export class PaneStore implements Store<Pane | null> {
  readonly #storage: SafeStorage
  readonly #store = createStore<Pane | null>(null)
  #onClose = (): void => {}
  #ids = 0

  /** @param storage of the browser: a size holds for every page */
  constructor(storage: SafeStorage) {
    this.#storage = storage
  }

  getSnapshot = (): Pane | null => this.#store.getSnapshot()
  subscribe = (listener: () => void): (() => void) => this.#store.subscribe(listener)

  /** Show a pane in the place of the one that is there. A size that a person chose counts for more than the one asked for. */
  open({ onClose, ...request }: PaneRequest): number {
    this.close()
    this.#ids += 1
    const chosen = this.#sizes()[request.side]
    this.#onClose = onClose
    this.#store.set({ ...request, id: this.#ids, isCollapsed: false, size: chosen ?? request.size })
    return this.#ids
  }

  isOpen(id: number): boolean {
    return this.getSnapshot()?.id === id
  }

  /** Of a pane that is there no more, nothing. */
  change(id: number, change: Partial<Pick<Pane, 'title' | 'hint' | 'isCollapsed'>>): void {
    const pane = this.getSnapshot()
    if (pane?.id === id) this.#store.set({ ...pane, ...change })
  }

  /** A person chose a size. */
  resize(id: number, size: number): void {
    const pane = this.getSnapshot()
    if (pane?.id !== id) return
    this.#store.set({ ...pane, size })
    this.#storage.write(STORAGE_KEY, { v: VERSION, ...this.#sizes(), [pane.side]: size })
  }

  /** @param id only this pane; whichever there is when absent */
  close(id?: number): void {
    const pane = this.getSnapshot()
    if (pane === null || (id !== undefined && pane.id !== id)) return
    const onClose = this.#onClose
    this.#onClose = () => {}
    onClose()
    // A plugin may have opened its next one meanwhile.
    if (this.isOpen(pane.id)) this.#store.set(null)
  }

  #sizes(): { right?: number | undefined; bottom?: number | undefined } {
    const stored = storedSchema.safeParse(this.#storage.read(STORAGE_KEY))
    return stored.success ? { right: stored.data.right, bottom: stored.data.bottom } : {}
  }
}
