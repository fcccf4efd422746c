/** Browser storage that may be forbidden, full or damaged: reading then gives nothing, writing does nothing. */

/** Prefix of every key, because all plugins and profiles of one origin share a storage. */
const PREFIX = 'dsh-tty.'
/** Longer values were not written by us. */
const MAX_STORED_CHARS = 256 * 1024

export interface SafeStorage {
  /** The parsed JSON under `key`, or undefined when there is none that can be read. */
  read(key: string): unknown
  /** Store `value` as JSON; lost without notice where the browser refuses. */
  write(key: string, value: unknown): void
}

/** Keeps nothing. */
export const NO_STORAGE: SafeStorage = { read: () => undefined, write: () => {} }

/** @param open gets the storage; called each time, because even naming it may throw */
export function safeStorage(open: () => Storage): SafeStorage {
  return {
    read(key) {
      try {
        const text = open().getItem(PREFIX + key)
        return text === null || text.length > MAX_STORED_CHARS ? undefined : (JSON.parse(text) as unknown)
      } catch {
        // Forbidden, or not JSON: the same as never stored.
        return undefined
      }
    },
    write(key, value) {
      try {
        open().setItem(PREFIX + key, JSON.stringify(value))
      } catch {
        // Forbidden or full: the page works without what it would restore.
      }
    },
  }
}
