/** The output that one viewer got: checked to be without gap or repeat, with a running digest of every byte. */
import { createHash, type Hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { StreamPosition } from '../../protocol-src/ids.ts'

export class OutputRecord {
  /** Offset of the first byte of this record. */
  from: number
  /** Offset of the byte that must come next. */
  next: number
  /** CRC-32 of all bytes since `from`. */
  crc = 0
  /** How often the viewer had to start anew. */
  resyncs = 0
  /** What went wrong, if anything: a gap or a repeat. Tests assert that it stays empty. */
  readonly faults: string[] = []
  #hash: Hash = createHash('sha256')
  #parts: Buffer[] = []
  #keepBytes: number
  #change: number

  /** @param keepBytes how many of the last bytes are kept for `bytes` and `text`; the digests cover all of them */
  constructor(from: StreamPosition, keepBytes = 32 * 1024 * 1024) {
    this.from = from.offset
    this.next = from.offset
    this.#change = from.change
    this.#keepBytes = keepBytes
  }

  get length(): number {
    return this.next - this.from
  }

  /** Digest of all bytes since `from`. */
  get sha256(): string {
    return this.#hash.copy().digest('hex')
  }

  /** The last bytes, as far as they are kept. */
  get bytes(): Buffer {
    const all = Buffer.concat(this.#parts)
    this.#parts = [all]
    return all
  }

  get text(): string {
    return this.bytes.toString('utf8')
  }

  take(bytes: Buffer, offset: number): void {
    if (offset !== this.next) this.faults.push(`expected offset ${this.next}, got ${offset} (${bytes.length} bytes)`)
    this.next = offset + bytes.length
    this.crc = crc32(bytes, this.crc)
    this.#hash.update(bytes)
    this.#parts.push(Buffer.from(bytes))
    let kept = this.#parts.reduce((sum, part) => sum + part.length, 0)
    for (
      let head = this.#parts[0];
      head !== undefined && kept - head.length >= this.#keepBytes;
      head = this.#parts[0]
    ) {
      this.#parts.shift()
      kept -= head.length
    }
  }

  /** Where a viewer with this record is. */
  get position(): StreamPosition {
    return { offset: this.next, change: this.#change }
  }

  /** A change of size or driver came. */
  moved(at: StreamPosition): void {
    if (at.offset !== this.next || at.change !== this.#change + 1)
      this.faults.push(`expected change ${this.#change + 1} at ${this.next}, got ${at.change} at ${at.offset}`)
    this.#change = at.change
  }

  restart(from: StreamPosition): void {
    this.resyncs += 1
    this.from = from.offset
    this.next = from.offset
    this.#change = from.change
    this.crc = 0
    this.#hash = createHash('sha256')
    this.#parts = []
  }
}

/** Digest of bytes, to compare with a record. */
export const sha256Of = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex')
