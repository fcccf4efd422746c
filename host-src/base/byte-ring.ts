/**
 * The last bytes of a stream, addressed by absolute offset. Appending copies into slabs, so that a burst of small reads
 * costs no allocation each; whole slabs are dropped from the front when the capacity is exceeded.
 */
import type { StreamOffset } from '../../protocol-src/ids.ts'

const FIRST_SLAB_BYTES = 4 * 1024
const SLAB_BYTES = 64 * 1024

interface Slab {
  readonly start: StreamOffset
  readonly bytes: Uint8Array
  used: number
}

export class ByteRing {
  readonly #capacityBytes: number
  readonly #slabs: Slab[] = []
  /** The slab dropped last: a full ring goes on in it, so that a flood leaves no garbage. */
  #spare: Uint8Array | null = null
  #end: StreamOffset = 0
  #start: StreamOffset = 0

  /** @param capacityBytes kept at least, as far as they were written; at most one slab (64 KiB) more is held */
  constructor(capacityBytes: number) {
    this.#capacityBytes = capacityBytes
  }

  /** Offset of the oldest byte held. */
  get start(): StreamOffset {
    return this.#start
  }

  /** Offset after the newest byte. */
  get end(): StreamOffset {
    return this.#end
  }

  append(chunk: Uint8Array): void {
    let rest = chunk
    while (rest.length > 0) {
      let slab = this.#slabs.at(-1)
      if (slab === undefined || slab.used === slab.bytes.length) {
        const size = Math.min(SLAB_BYTES, slab === undefined ? FIRST_SLAB_BYTES : slab.bytes.length * 2)
        slab = { start: this.#end, bytes: this.#takeSpare(size) ?? new Uint8Array(size), used: 0 }
        this.#slabs.push(slab)
      }
      const part = rest.subarray(0, slab.bytes.length - slab.used)
      slab.bytes.set(part, slab.used)
      slab.used += part.length
      this.#end += part.length
      rest = rest.subarray(part.length)
    }
    while (this.#slabs.length > 1) {
      const second = this.#slabs[1]
      if (second === undefined || this.#end - second.start < this.#capacityBytes) break
      this.#spare = this.#slabs.shift()?.bytes ?? null
      this.#start = second.start
    }
  }

  #takeSpare(size: number): Uint8Array | null {
    const spare = this.#spare
    if (spare?.length !== size) return null
    this.#spare = null
    return spare
  }

  /**
   * A view of up to `maxBytes` from `from`, without a copy; shorter at a slab's end, so read again until empty.
   * The view is valid until the next append.
   * @throws RangeError when `from` is not held
   */
  read(from: StreamOffset, maxBytes: number): Uint8Array {
    if (from < this.#start || from > this.#end)
      throw new RangeError(`offset ${String(from)} is not held (${String(this.#start)} to ${String(this.#end)})`)
    if (from === this.#end) return new Uint8Array(0)
    let low = 0
    let high = this.#slabs.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((this.#slabs[middle] as Slab).start <= from) low = middle
      else high = middle - 1
    }
    const slab = this.#slabs[low] as Slab
    const at = from - slab.start
    return slab.bytes.subarray(at, Math.min(slab.used, at + maxBytes))
  }
}
