/**
 * When the journal works: a batch is written at the latest FLUSH_MS after its first record, and soon after a lot of output;
 * housekeeping comes a while after a batch. Neither timer keeps the process alive, and none runs while nothing happens.
 */

/** Longest time between a record and its commit: what a crash may lose. */
const FLUSH_MS = 100
/** Output beyond which a batch is written at the end of the turn. */
const FLUSH_BYTES = 4 * 1024 * 1024

export interface BatchWork {
  /** Write what was gathered; calls `reset`. Must not throw. */
  flush(): void
  /** Housekeeping. Must not throw. */
  rest(): void
}

export class BatchTimer {
  readonly #work: BatchWork
  #flushTimer: NodeJS.Timeout | undefined
  #flushSoon: NodeJS.Immediate | undefined
  #restTimer: NodeJS.Timeout | undefined
  #bytes = 0
  #isStopped = false

  constructor(work: BatchWork) {
    this.#work = work
  }

  /** There is something to write, `bytes` of output among it. */
  gathered(bytes: number): void {
    if (this.#isStopped) return
    this.#bytes += bytes
    this.#flushTimer ??= setTimeout(() => {
      this.#work.flush()
    }, FLUSH_MS).unref()
    if (this.#bytes >= FLUSH_BYTES)
      this.#flushSoon ??= setImmediate(() => {
        this.#work.flush()
      })
  }

  /** Everything gathered is being written. */
  reset(): void {
    clearTimeout(this.#flushTimer)
    clearImmediate(this.#flushSoon)
    this.#flushTimer = undefined
    this.#flushSoon = undefined
    this.#bytes = 0
  }

  /** Do housekeeping in `ms`, unless it comes sooner already. */
  restIn(ms: number): void {
    if (this.#isStopped) return
    this.#restTimer ??= setTimeout(() => {
      this.#restTimer = undefined
      this.#work.rest()
    }, ms).unref()
  }

  stop(): void {
    this.#isStopped = true
    this.reset()
    clearTimeout(this.#restTimer)
  }
}
