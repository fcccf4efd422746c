/** A session's output by offset, and where in it a replay may begin. */
import type { StreamOffset } from '../../protocol-src/ids.ts'
import { ByteRing } from '../base/byte-ring.ts'
import { GroundScanner } from '../terminal/ground-scanner.ts'

const CUT_EVERY_BYTES = 32 * 1024

export class OutputLog {
  readonly #ring: ByteRing
  readonly #scanner = new GroundScanner()
  /** Offsets at which the stream is between sequences and characters, ascending, about CUT_EVERY_BYTES apart. */
  readonly #safeCuts: StreamOffset[] = []

  constructor(capacityBytes: number) {
    this.#ring = new ByteRing(capacityBytes)
  }

  /** Offset after the newest byte. */
  get end(): StreamOffset {
    return this.#ring.end
  }

  append(chunk: Uint8Array): void {
    const before = this.#ring.end
    this.#ring.append(chunk)
    const safe = this.#scanner.feed(chunk)
    if (safe >= 0 && before + safe >= (this.#safeCuts.at(-1) ?? -CUT_EVERY_BYTES) + CUT_EVERY_BYTES)
      this.#safeCuts.push(before + safe)
    while ((this.#safeCuts[0] ?? Infinity) < this.#ring.start) this.#safeCuts.shift()
  }

  holds(from: StreamOffset): boolean {
    return from >= this.#ring.start && from <= this.#ring.end
  }

  /** The oldest offset from which an empty terminal may be fed: never inside an escape sequence or a character. */
  get replayStart(): StreamOffset {
    return this.#ring.start === 0 ? 0 : (this.#safeCuts[0] ?? this.#ring.end)
  }

  /** A view of up to `maxBytes` from `from`, valid until the next append. @throws RangeError when `from` is not held */
  read(from: StreamOffset, maxBytes: number): Uint8Array {
    return this.#ring.read(from, maxBytes)
  }
}
