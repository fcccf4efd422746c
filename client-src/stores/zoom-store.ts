/** How much larger or smaller than set the letters of terminals are in this browser. Knows no terminals. */
import * as z from 'zod'
import type { SafeStorage } from './storage.ts'
import { createStore, type Store } from './store.ts'

const KEY = 'zoom'
const VERSION = 1
const [MIN_PX, MAX_PX] = [8, 32]

const storedSchema = z.object({ v: z.literal(VERSION), by: z.number().int().min(-MAX_PX).max(MAX_PX) })

export class ZoomStore implements Store<number> {
  readonly #storage: SafeStorage
  /** Pixels more than set. */
  readonly #by

  constructor(storage: SafeStorage) {
    this.#storage = storage
    const stored = storedSchema.safeParse(storage.read(KEY))
    this.#by = createStore(stored.success ? stored.data.by : 0)
  }

  getSnapshot = (): number => this.#by.getSnapshot()
  subscribe = (listener: () => void): (() => void) => this.#by.subscribe(listener)

  /** The size to draw, for the one that is set. */
  sizeOf(set: number): number {
    return Math.max(MIN_PX, Math.min(MAX_PX, set + this.getSnapshot()))
  }

  /** One step from what is drawn now, or back to what is set. */
  change(step: 1 | -1 | 'reset', set: number): void {
    const from = this.sizeOf(set)
    const to = step === 'reset' ? set : Math.max(MIN_PX, Math.min(MAX_PX, from + step))
    this.#by.set(to - set)
    this.#storage.write(KEY, { v: VERSION, by: to - set })
  }
}
