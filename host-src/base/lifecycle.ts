/** Ownership: what is disposed with what, and events whose listeners cannot hurt each other. */
import { messageOf } from './errors.ts'
import type { Logger } from './logger.ts'

export interface Disposable {
  dispose(): void
}

export type Unsubscribe = () => void
export type Event<T> = (listener: (value: T) => void) => Unsubscribe

/** Disposes what it was given, last in first out, once; what is added after that is disposed at once. */
export class DisposableStore implements Disposable {
  readonly #held = new Set<Disposable>()
  #isDisposed = false

  get isDisposed(): boolean {
    return this.#isDisposed
  }

  add<T extends Disposable>(disposable: T): T {
    if (this.#isDisposed) disposable.dispose()
    else this.#held.add(disposable)
    return disposable
  }

  /** Hold a function to be run at disposal. */
  defer(run: () => void): void {
    this.add({ dispose: run })
  }

  dispose(): void {
    if (this.#isDisposed) return
    this.#isDisposed = true
    const failures: unknown[] = []
    for (const disposable of [...this.#held].reverse()) {
      try {
        disposable.dispose()
      } catch (error) {
        failures.push(error)
      }
    }
    this.#held.clear()
    if (failures.length > 0) throw new AggregateError(failures, 'disposal failed')
  }
}

/** Announces facts. A listener that throws is logged and the others still hear. */
export class Emitter<T> implements Disposable {
  readonly #listeners = new Set<(value: T) => void>()
  readonly #logger: Logger

  constructor(logger: Logger) {
    this.#logger = logger
  }

  readonly event: Event<T> = (listener) => {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  get listenerCount(): number {
    return this.#listeners.size
  }

  fire(value: T): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(value)
      } catch (error) {
        this.#logger.error('listener.failed', { message: messageOf(error) })
      }
    }
  }

  dispose(): void {
    this.#listeners.clear()
  }
}
