/**
 * Tells a client which of its input was taken. The answer to a key waits a moment: the echo, which a person looks at, goes
 * first and finds the socket free. Larger input is answered at once, because its client waits before it sends more.
 */
import type { AttachmentHandle } from '../../protocol-src/ids.ts'
import type { Disposable } from '../base/lifecycle.ts'

/** Long enough for a program's echo, far below what a client could mistake for a loss. */
const DELAY_MS = 5
const LARGE_BYTES = 1024

export class InputAcks implements Disposable {
  readonly #send: (handle: AttachmentHandle, seq: number) => void
  /** The newest number of each attachment that was not told yet. */
  readonly #due = new Map<AttachmentHandle, number>()
  #timer: NodeJS.Timeout | undefined

  constructor(send: (handle: AttachmentHandle, seq: number) => void) {
    this.#send = send
  }

  /** Input up to `seq` was taken; the last of it had `bytes`. */
  taken(handle: AttachmentHandle, seq: number, bytes: number): void {
    if (bytes >= LARGE_BYTES) {
      this.#due.delete(handle)
      this.#send(handle, seq)
      return
    }
    this.#due.set(handle, seq)
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      const due = [...this.#due]
      this.#due.clear()
      for (const [number, last] of due) this.#send(number, last)
    }, DELAY_MS)
  }

  dispose(): void {
    clearTimeout(this.#timer)
    this.#due.clear()
  }
}
