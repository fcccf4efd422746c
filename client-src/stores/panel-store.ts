/** Where the panel is and how large: remembered for every page, except whether it is open, which each page knows itself. */
import * as z from 'zod'
import type { SafeStorage } from './storage.ts'
import { createStore, type Store } from './store.ts'

/** CSS pixels, relative to the window. */
export interface Rect {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export interface PanelState {
  readonly open: boolean
  readonly place: 'docked' | 'floating'
  /** Covers the window; `place` is where it goes back to. */
  readonly maximised: boolean
  readonly dockHeight: number
  /** Null until the window was moved or resized: then it opens in the middle. */
  readonly rect: Rect | null
}

export type PanelMode = PanelState['place'] | 'maximised'
export const modeOf = (state: PanelState): PanelMode => (state.maximised ? 'maximised' : state.place)

const GEOMETRY_KEY = 'panel'
const OPEN_KEY = 'open'
const VERSION = 1

/** Room for the tab bar and five rows. */
export const MIN_DOCK_HEIGHT = 150
/** What stays of the app above the dock. */
export const MIN_APP_HEIGHT = 120
export const MIN_WINDOW: Readonly<{ width: number; height: number }> = { width: 300, height: 180 }
const DEFAULT_DOCK_HEIGHT = 320
const DEFAULT_WINDOW = { width: 860, height: 520 }

const pixels = z.number().min(-20_000).max(20_000)
const storedSchema = z.object({
  v: z.literal(VERSION),
  place: z.enum(['docked', 'floating']).catch('docked'),
  maximised: z.boolean().catch(false),
  dockHeight: pixels.catch(DEFAULT_DOCK_HEIGHT),
  rect: z.object({ x: pixels, y: pixels, width: pixels, height: pixels }).nullable().catch(null),
})

/** The height the dock gets in a window of that height. */
export function dockHeightIn(windowHeight: number, wanted: number): number {
  return Math.round(Math.max(MIN_DOCK_HEIGHT, Math.min(windowHeight - MIN_APP_HEIGHT, wanted)))
}

/** The rectangle the floating window gets: wholly inside the browser window as far as that has room. */
export function windowRectIn(view: { width: number; height: number }, wanted: Rect | null): Rect {
  const margin = 8
  const widest = Math.max(MIN_WINDOW.width, view.width - 2 * margin)
  const highest = Math.max(MIN_WINDOW.height, view.height - 2 * margin)
  const width = Math.round(Math.min(widest, Math.max(MIN_WINDOW.width, wanted?.width ?? DEFAULT_WINDOW.width)))
  const height = Math.round(Math.min(highest, Math.max(MIN_WINDOW.height, wanted?.height ?? DEFAULT_WINDOW.height)))
  const x = Math.round(wanted?.x ?? (view.width - width) / 2)
  const y = Math.round(wanted?.y ?? (view.height - height) / 2)
  return {
    x: Math.max(0, Math.min(view.width - width, x)),
    y: Math.max(0, Math.min(view.height - height, y)),
    width,
    height,
  }
}

export class PanelStore implements Store<PanelState> {
  readonly #shared: SafeStorage
  readonly #page: SafeStorage
  readonly #store

  /** @param storages `shared` is of the browser, `page` of this page only */
  constructor(storages: { shared: SafeStorage; page: SafeStorage }) {
    this.#shared = storages.shared
    this.#page = storages.page
    const { place, maximised, dockHeight, rect } = storedSchema
      .catch(storedSchema.parse({ v: VERSION }))
      .parse(this.#shared.read(GEOMETRY_KEY))
    this.#store = createStore<PanelState>({
      open: this.#page.read(OPEN_KEY) === true,
      place,
      maximised,
      dockHeight,
      rect,
    })
  }

  getSnapshot = (): PanelState => this.#store.getSnapshot()
  subscribe = (listener: () => void): (() => void) => this.#store.subscribe(listener)

  setOpen(open: boolean): void {
    if (open === this.getSnapshot().open) return
    this.#store.set({ ...this.getSnapshot(), open })
    this.#page.write(OPEN_KEY, open)
  }

  /** Dock or float; leaves the maximised state. */
  setPlace(place: PanelState['place']): void {
    this.#changeGeometry({ place, maximised: false })
  }

  setMaximised(maximised: boolean): void {
    this.#changeGeometry({ maximised })
  }

  setDockHeight(dockHeight: number): void {
    this.#changeGeometry({ dockHeight })
  }

  setRect(rect: Rect): void {
    this.#changeGeometry({ rect })
  }

  #changeGeometry(change: Partial<Omit<PanelState, 'open'>>): void {
    this.#store.set({ ...this.getSnapshot(), ...change })
    const { place, maximised, dockHeight, rect } = this.getSnapshot()
    this.#shared.write(GEOMETRY_KEY, { v: VERSION, place, maximised, dockHeight, rect })
  }
}
