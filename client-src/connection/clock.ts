/** Time as a port, so that backoff and heartbeats can be tested without waiting. */
export interface Clock {
  /** Milliseconds; only differences mean something. */
  now(): number
  /** Run `task` once after `delayMs`; the result cancels it. */
  after(delayMs: number, task: () => void): () => void
}

export const browserClock: Clock = {
  now: () => performance.now(),
  after(delayMs, task) {
    const id = setTimeout(task, delayMs)
    return () => {
      clearTimeout(id)
    }
  },
}
