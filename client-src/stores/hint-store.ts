/** Whether the first hint is still to be shown in this browser. */
import * as z from 'zod'
import type { SafeStorage } from './storage.ts'
import { createStore, type Store } from './store.ts'

const KEY = 'hint'
const storedSchema = z.object({ v: z.literal(1), seen: z.literal(true) })

export class HintStore implements Store<boolean> {
  readonly #storage: SafeStorage
  readonly #isDue

  constructor(storage: SafeStorage) {
    this.#storage = storage
    this.#isDue = createStore(!storedSchema.safeParse(storage.read(KEY)).success)
  }

  getSnapshot = (): boolean => this.#isDue.getSnapshot()
  subscribe = (listener: () => void): (() => void) => this.#isDue.subscribe(listener)

  dismiss(): void {
    this.#isDue.set(false)
    this.#storage.write(KEY, { v: 1, seen: true })
  }
}
