/**
 * The newest bytes of a stream in memory, by absolute offset. Appending copies into blocks, so that a burst of small reads
 * costs no allocation each; blocks grow from small, so that an idle session holds almost nothing. Drops only when told.
 */
import type { StreamOffset } from '../../protocol-src/ids.ts'

const FIRST_BLOCK_BYTES = 4 * 1024
const BLOCK_BYTES = 512 * 1024

interface Block {
  readonly start: StreamOffset
  readonly bytes: Uint8Array
  used: number
}

export class HotBytes {
  readonly #blocks: Block[] = []
  #end: StreamOffset
  /** A full-sized block that was dropped, to be filled again: a flood then makes no garbage. */
  #spare: Uint8Array | null = null

  /** @param at offset of the first byte to come */
  constructor(at: StreamOffset) {
    this.#end = at
  }

  /** Offset of the oldest byte held; `end` when none is. */
  get start(): StreamOffset {
    return this.#blocks[0]?.start ?? this.#end
  }

  get end(): StreamOffset {
    return this.#end
  }

  append(chunk: Uint8Array): void {
    let rest = chunk
    while (rest.length > 0) {
      let block = this.#blocks.at(-1)
      if (block === undefined || block.used === block.bytes.length) {
        block = { start: this.#end, bytes: this.#nextBytes(block), used: 0 }
        this.#blocks.push(block)
      }
      const part = rest.subarray(0, block.bytes.length - block.used)
      block.bytes.set(part, block.used)
      block.used += part.length
      this.#end += part.length
      rest = rest.subarray(part.length)
    }
  }

  /**
   * A view of up to `maxBytes` from `from`, shorter at a block's end; valid until the next append or drop.
   * @param from from `start` up to, not including, `end`
   */
  read(from: StreamOffset, maxBytes: number): Uint8Array {
    let low = 0
    let high = this.#blocks.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((this.#blocks[middle] as Block).start <= from) low = middle
      else high = middle - 1
    }
    const block = this.#blocks[low]
    if (block === undefined || from < block.start || from >= this.#end)
      throw new RangeError(`offset ${String(from)} is not in memory (${String(this.start)} to ${String(this.#end)})`)
    const at = from - block.start
    return block.bytes.subarray(at, Math.min(block.used, at + maxBytes))
  }

  /** Drop whole blocks whose bytes all lie before `offset`. */
  dropBefore(offset: StreamOffset): void {
    let count = 0
    while (count < this.#blocks.length) {
      const block = this.#blocks[count] as Block
      if (block.start + block.used > offset) break
      // The last block may still have room; it goes only when it is full or everything goes.
      if (count === this.#blocks.length - 1 && block.used < block.bytes.length) break
      if (block.bytes.length === BLOCK_BYTES) this.#spare = block.bytes
      count++
    }
    if (count > 0) this.#blocks.splice(0, count)
  }

  /** Drop everything, and the memory kept for what is to come. */
  clear(): void {
    this.#blocks.length = 0
    this.#spare = null
  }

  #nextBytes(last: Block | undefined): Uint8Array {
    const size = Math.min(BLOCK_BYTES, last === undefined ? FIRST_BLOCK_BYTES : last.bytes.length * 2)
    if (size === BLOCK_BYTES && this.#spare !== null) {
      const spare = this.#spare
      this.#spare = null
      return spare
    }
    // Not from Node's shared pool: its 8 KiB parts would keep one another alive.
    return Buffer.allocUnsafeSlow(size)
  }
}
