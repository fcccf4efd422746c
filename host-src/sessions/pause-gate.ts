/** Whether a session's output is read: not while there is a reason against it. */

export type PauseReason =
  /** Every viewer has more than it can parse. */
  | 'viewers'
  /** More output waits for the screen than may be kept for it. */
  | 'backlog'

export class PauseGate {
  readonly #apply: (isPaused: boolean) => void
  readonly #reasons = new Set<PauseReason>()
  #isOpenForGood = false

  constructor(apply: (isPaused: boolean) => void) {
    this.#apply = apply
  }

  set(reason: PauseReason, holds: boolean): void {
    if (this.#reasons.has(reason) === holds) return
    const wasPaused = this.#isPaused
    if (holds) this.#reasons.add(reason)
    else this.#reasons.delete(reason)
    if (this.#isPaused !== wasPaused) this.#apply(this.#isPaused)
  }

  /** Let everything through from now on. */
  open(): void {
    const wasPaused = this.#isPaused
    this.#isOpenForGood = true
    if (wasPaused) this.#apply(false)
  }

  get #isPaused(): boolean {
    return this.#reasons.size > 0 && !this.#isOpenForGood
  }
}
