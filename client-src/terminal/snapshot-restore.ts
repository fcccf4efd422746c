/** Takes a state that comes in parts into a terminal: the screen is painted before the scrollback is put above it. */
import type { Terminal } from '@xterm/xterm'
import { hashState } from '../../screen-src/hash.ts'
import { prependHistory, restore } from '../../screen-src/restore.ts'

/** A page that is seen and paints nothing all the same: then the scrollback does not wait any longer. */
const PAINT_LIMIT_MS = 1_000

export interface RestorePorts {
  /** Run a step when everything written so far was parsed. */
  readonly inOrder: (step: () => void) => void
  /** The state is in the terminal; `isExact` when it is the one that was meant. */
  readonly done: (isExact: boolean) => void
}

export class SnapshotRestore {
  readonly #terminal: Terminal
  readonly #ports: RestorePorts
  readonly #history: Uint8Array[] = []
  /** Of the whole state; null until all parts came. */
  #hash: string | null = null
  #isCancelled = false
  #isScreenThere = false

  constructor(terminal: Terminal, ports: RestorePorts) {
    this.#terminal = terminal
    this.#ports = ports
  }

  /** Parts come in order, the screen first. */
  take(part: number, bytes: Uint8Array): void {
    if (part === 0) {
      this.#ports.inOrder(() => {
        this.#attempt(() => {
          restore(this.#terminal, bytes)
          this.#isScreenThere = true
          this.#next()
        })
      })
      return
    }
    this.#history.push(bytes)
  }

  /** No more parts come. @param hash what the terminal must have in the end */
  complete(hash: string): void {
    this.#hash = hash
    this.#next()
  }

  /** Something newer replaces it: touch the terminal no more. */
  cancel(): void {
    this.#isCancelled = true
  }

  #next(): void {
    const hash = this.#hash
    if (!this.#isScreenThere || hash === null) return
    if (this.#history.length === 0) this.#finish(hash)
    else
      afterPaint(() => {
        this.#attempt(() => {
          for (const part of this.#history) prependHistory(this.#terminal, part)
          this.#finish(hash)
        })
      })
  }

  #finish(hash: string): void {
    this.#end(hashState(this.#terminal) === hash)
  }

  #attempt(step: () => void): void {
    if (this.#isCancelled) return
    try {
      step()
    } catch {
      // Bytes that are no state, or a state that this terminal cannot take: there is another way to get it.
      this.#end(false)
    }
  }

  #end(isExact: boolean): void {
    this.#isCancelled = true
    this.#ports.done(isExact)
  }
}

function afterPaint(step: () => void): void {
  let isDone = false
  const once = (): void => {
    if (isDone) return
    isDone = true
    clearTimeout(timer)
    step()
  }
  // A page in the background paints nothing.
  const timer = setTimeout(once, document.hidden ? 0 : PAINT_LIMIT_MS)
  requestAnimationFrame(() => {
    // A task of its own: the frame is painted before it.
    setTimeout(once, 0)
  })
}
