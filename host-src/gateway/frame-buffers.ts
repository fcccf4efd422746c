/**
 * Buffers for output frames, used again once the kernel has their bytes: a flood would otherwise leave a new 64 KiB of
 * garbage per frame. Shared by all connections, so idle ones hold none.
 */
import { BINARY_HEADER_BYTES } from '../../protocol-src/binary-frame.ts'
import { OUTPUT_FRAME_BYTES } from '../../protocol-src/limits.ts'

const BUFFER_BYTES = BINARY_HEADER_BYTES + OUTPUT_FRAME_BYTES
/** Smaller frames come out of Node's own pool, at next to no cost. */
const SMALL_BYTES = 2 * 1024
const MAX_KEPT = 16

export class FrameBuffers {
  readonly #kept: Buffer[] = []

  /** A buffer of `length` bytes with anything in it. */
  take(length: number): Buffer {
    if (length <= SMALL_BYTES || length > BUFFER_BYTES) return Buffer.allocUnsafe(length)
    return (this.#kept.pop() ?? Buffer.allocUnsafeSlow(BUFFER_BYTES)).subarray(0, length)
  }

  /** Nobody will look at `frame`, which came from `take`, any more. */
  release(frame: Buffer): void {
    if (frame.buffer.byteLength !== BUFFER_BYTES || this.#kept.length >= MAX_KEPT) return
    this.#kept.push(Buffer.from(frame.buffer as ArrayBuffer))
  }
}
