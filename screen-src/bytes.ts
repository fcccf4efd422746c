/** Reading and writing small binary formats. Whole numbers are variable-length: seven bits per byte, lowest first. */

/** Bytes that do not mean what they should. */
export class FormatError extends Error {
  override readonly name = 'FormatError'
}

export class ByteWriter {
  bytes: Uint8Array
  /** Where the next byte goes. Whoever writes into `bytes` directly moves it along. */
  at = 0

  constructor(capacity: number) {
    this.bytes = new Uint8Array(capacity)
  }

  /** Make room, so that `count` bytes may be written directly. */
  reserve(count: number): void {
    if (this.at + count <= this.bytes.length) return
    const grown = new Uint8Array(Math.max(this.bytes.length * 2, this.at + count))
    grown.set(this.bytes.subarray(0, this.at))
    this.bytes = grown
  }

  /** @param value 0 to 2^32 - 1 */
  unsigned(value: number): void {
    this.reserve(5)
    let rest = value >>> 0
    while (rest > 0x7f) {
      this.bytes[this.at++] = (rest & 0x7f) | 0x80
      rest >>>= 7
    }
    this.bytes[this.at++] = rest
  }

  /** @param value -2^31 to 2^31 - 1 */
  signed(value: number): void {
    this.unsigned(((value << 1) ^ (value >> 31)) >>> 0)
  }

  /** UTF-16 units, so that nothing is lost that a string can hold. */
  text(value: string): void {
    this.unsigned(value.length)
    this.reserve(value.length * 3)
    for (let at = 0; at < value.length; at++) this.unsigned(value.charCodeAt(at))
  }

  list<T>(values: readonly T[], write: (value: T) => void): void {
    this.unsigned(values.length)
    for (const value of values) write(value)
  }

  /** A copy of what was written. */
  finish(): Uint8Array {
    return this.bytes.slice(0, this.at)
  }
}

export class ByteReader {
  readonly bytes: Uint8Array
  at = 0

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }

  byte(): number {
    if (this.at >= this.bytes.length) throw new FormatError('the bytes end too early')
    return this.bytes[this.at++] as number
  }

  /** @throws FormatError above `max` or past the end */
  unsigned(max = 0xffffffff): number {
    let value = 0
    let scale = 1
    for (let count = 0; ; count++) {
      const byte = this.byte()
      value += (byte & 0x7f) * scale
      if (byte < 0x80) break
      if (count === 4) throw new FormatError('a number is longer than 32 bits')
      scale *= 128
    }
    if (value > max) throw new FormatError(`${String(value)} is more than ${String(max)}`)
    return value
  }

  signed(): number {
    const value = this.unsigned()
    return (value >>> 1) ^ -(value & 1)
  }

  text(maxLength: number): string {
    const length = this.unsigned(Math.min(maxLength, this.bytes.length - this.at))
    let text = ''
    for (let at = 0; at < length; at++) text += String.fromCharCode(this.unsigned(0xffff))
    return text
  }

  /** A list cannot be longer than the bytes that are left: every entry takes one at least. */
  list<T>(maxLength: number, read: () => T): T[] {
    const length = this.unsigned(Math.min(maxLength, this.bytes.length - this.at))
    const values: T[] = []
    for (let at = 0; at < length; at++) values.push(read())
    return values
  }

  end(): void {
    if (this.at !== this.bytes.length) throw new FormatError('there are bytes after the end')
  }
}
