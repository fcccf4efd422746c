/** Short messages about what just happened; errors stay until dismissed, the others leave by themselves. */
import type { Message } from '../locales.ts'
import type { Notice } from '../stores/panel-model.ts'
import { createStore, type Store } from '../stores/store.ts'

const PLAIN_MS = 8_000
const MAX_NOTICES = 3

export class Notices implements Store<readonly Notice[]> {
  readonly #store = createStore<readonly Notice[]>([])
  readonly #timers = new Set<ReturnType<typeof setTimeout>>()
  #ids = 0

  getSnapshot = (): readonly Notice[] => this.#store.getSnapshot()
  subscribe = (listener: () => void): (() => void) => this.#store.subscribe(listener)

  add(message: Message, tone: Notice['tone'] = 'plain'): void {
    this.#ids += 1
    const id = this.#ids
    const others = this.getSnapshot().filter((notice) => notice.message.key !== message.key)
    this.#store.set([...others, { id, tone, message }].slice(-MAX_NOTICES))
    if (tone !== 'plain') return
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      this.dismiss(id)
    }, PLAIN_MS)
    this.#timers.add(timer)
  }

  dismiss(id: number): void {
    const rest = this.getSnapshot().filter((notice) => notice.id !== id)
    if (rest.length !== this.getSnapshot().length) this.#store.set(rest)
  }

  dispose(): void {
    for (const timer of this.#timers) clearTimeout(timer)
  }
}
