/**
 * Finds the end of a program's output: the fence that is printed into its terminal once it has ended. Before that everything
 * passes; then what may be the beginning of the fence is held back until it is known.
 */
const NOTHING = Buffer.alloc(0)

export interface TmuxFencePorts {
  readonly fence: string
  /** Output of the program. Valid only during the call. */
  readonly give: (bytes: Uint8Array) => void
  /** Everything was given. */
  readonly seen: () => void
}

export class TmuxFence {
  readonly #ports: TmuxFencePorts
  readonly #fence: Buffer
  /** Null before it is looked for. */
  #held: Buffer | null = null
  #isSeen = false

  constructor(ports: TmuxFencePorts) {
    this.#ports = ports
    this.#fence = Buffer.from(ports.fence, 'latin1')
  }

  /** From now on the fence may come. */
  lookOut(): void {
    this.#held = NOTHING
  }

  pass(bytes: Uint8Array): void {
    if (this.#isSeen) return
    if (this.#held === null) {
      this.#ports.give(bytes)
      return
    }
    const text = Buffer.concat([this.#held, bytes])
    const at = text.indexOf(this.#fence)
    this.#isSeen = at !== -1
    const end = this.#isSeen ? at : Math.max(0, text.length - this.#fence.length + 1)
    this.#held = this.#isSeen ? NOTHING : text.subarray(end)
    if (end > 0) this.#ports.give(text.subarray(0, end))
    if (this.#isSeen) this.#ports.seen()
  }

  /** It does not come any more: what was held back is output. */
  giveUp(): void {
    const held = this.#held ?? NOTHING
    this.#held = null
    if (held.length > 0) this.#ports.give(held)
  }
}
