/**
 * Decides when gathered output goes out: at once after a silence, so that the echo of a key never waits for a timer, then
 * every COALESCE_MS or OUTPUT_FRAME_BYTES.
 */
import { COALESCE_MS, OUTPUT_FRAME_BYTES } from '../../protocol-src/limits.ts'

export class OutputPump {
  readonly #flush: () => void
  #pendingBytes = 0
  #lastFlushMs = -Infinity
  #timer: NodeJS.Timeout | undefined

  /** @param flush must not throw */
  constructor(flush: () => void) {
    this.#flush = flush
  }

  /** Note that `bytes` of output wait. */
  gathered(bytes: number): void {
    this.#pendingBytes += bytes
    if (this.#pendingBytes >= OUTPUT_FRAME_BYTES) {
      this.flushNow()
      return
    }
    if (this.#timer !== undefined) return
    if (performance.now() - this.#lastFlushMs >= COALESCE_MS) this.flushNow()
    else {
      this.#timer = setTimeout(() => {
        this.flushNow()
      }, COALESCE_MS)
    }
  }

  flushNow(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#pendingBytes = 0
    this.#flush()
    this.#lastFlushMs = performance.now()
  }

  dispose(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }
}
