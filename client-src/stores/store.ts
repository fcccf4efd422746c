/** The one observable primitive of the client: a value, and who wants to know when it is replaced. */

export type Unsubscribe = () => void

export interface Store<T> {
  /** The same object until the next change. */
  getSnapshot(): T
  subscribe(listener: () => void): Unsubscribe
}

export interface WritableStore<T> extends Store<T> {
  /** Replace the value; listeners hear of it unless it is the same value. */
  set(next: T): void
}

export function createStore<T>(initial: T): WritableStore<T> {
  let value = initial
  const listeners = new Set<() => void>()
  return {
    getSnapshot: () => value,
    subscribe(listener) {
      // A wrapper per subscription: the same function may subscribe twice and leave once.
      const entry = (): void => {
        listener()
      }
      listeners.add(entry)
      return () => {
        listeners.delete(entry)
      }
    },
    set(next) {
      if (Object.is(value, next)) return
      value = next
      for (const listener of [...listeners]) if (listeners.has(listener)) listener()
    },
  }
}
