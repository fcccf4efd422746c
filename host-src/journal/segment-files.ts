/**
 * A session's output in append-only files named by the offset of their first byte: `<directory>/<startOffset>.seg`.
 * Contiguous by construction; whole files go, from the front. Decides nothing about how much is kept.
 */
import { join } from 'node:path'
import type { StreamOffset } from '../../protocol-src/ids.ts'
import type { FilePort } from './file-port.ts'

const SUFFIX = '.seg'

interface Segment {
  readonly start: StreamOffset
  length: number
}

export class SegmentFiles {
  readonly #directory: string
  readonly #files: FilePort
  readonly #segments: Segment[] = []
  /** Dropped, but still to be unlinked. */
  readonly #doomed: Segment[] = []
  /** Of the last segment, while it is written. */
  #fd: number | null = null
  #isMade = false
  #end: StreamOffset

  /** @param at offset of the first byte to come */
  constructor(directory: string, files: FilePort, at: StreamOffset = 0) {
    this.#directory = directory
    this.#files = files
    this.#end = at
  }

  /**
   * Find what an earlier run left. Bytes at and after `end`, which no record names, are left out, and with `cut` removed.
   * Files before a hole are left out. `end` is less than asked for when the files hold less.
   * @throws Node's system error
   */
  static recover(directory: string, files: FilePort, { end, cut }: { end: StreamOffset; cut: boolean }): SegmentFiles {
    const found = new SegmentFiles(directory, files, end)
    const starts = files
      .list(directory)
      .filter((name) => /^\d+\.seg$/.test(name))
      .map((name) => Number(name.slice(0, -SUFFIX.length)))
      .sort((a, b) => a - b)
    for (const start of starts) {
      const segment = { start, length: files.size(found.#pathOf(start)) }
      const last = found.#segments.at(-1)
      if (start >= end) {
        if (cut) files.removeFile(found.#pathOf(start))
      } else {
        if (start + segment.length > end) {
          segment.length = end - start
          if (cut) files.truncate(found.#pathOf(start), segment.length)
        }
        if (last !== undefined && last.start + last.length !== start) found.#segments.length = 0
        if (segment.length > 0) found.#segments.push(segment)
      }
    }
    const last = found.#segments.at(-1)
    found.#end = last === undefined ? end : last.start + last.length
    found.#isMade = found.#segments.length > 0
    return found
  }

  /** Offset of the oldest byte held; `end` when none is. */
  get start(): StreamOffset {
    return this.#segments[0]?.start ?? this.#end
  }

  get end(): StreamOffset {
    return this.#end
  }

  /**
   * Write at the end, into a new file when the last one holds `segmentBytes` or more.
   * @throws Node's system error; `end` then counts what was written before it
   */
  append(bytes: Uint8Array, segmentBytes: number): void {
    const segment = this.#writable(segmentBytes)
    let rest = bytes
    while (rest.length > 0) {
      this.#fd ??= this.#files.openAppend(this.#pathOf(segment.start))
      const taken = this.#files.write(this.#fd, rest)
      segment.length += taken
      this.#end += taken
      rest = rest.subarray(taken)
    }
  }

  /**
   * A copy of up to `maxBytes` from `from`, shorter at a file's end.
   * @param from from `start` up to, not including, `end`
   * @throws Node's system error, and RangeError when the file is shorter than it was
   */
  read(from: StreamOffset, maxBytes: number): Uint8Array {
    const segment = this.#segments.findLast(({ start }) => start <= from)
    if (segment === undefined || from >= this.#end) throw new RangeError(`offset ${String(from)} is in no file`)
    const bytes = Buffer.allocUnsafeSlow(Math.min(maxBytes, segment.start + segment.length - from))
    const isOpen = this.#fd !== null && segment === this.#segments.at(-1)
    const fd = isOpen && this.#fd !== null ? this.#fd : this.#files.openRead(this.#pathOf(segment.start))
    try {
      const count = this.#files.read(fd, bytes, from - segment.start)
      if (count === 0) throw new RangeError(`the file at offset ${String(segment.start)} was cut`)
      return bytes.subarray(0, count)
    } finally {
      if (!isOpen) this.#files.close(fd)
    }
  }

  /** Stop holding whole files whose bytes all lie before `offset`. They are unlinked by `sweep`. */
  dropBefore(offset: StreamOffset): void {
    const keepFrom = this.#segments.findIndex(({ start, length }) => start + length > offset)
    const count = keepFrom === -1 ? this.#segments.length : keepFrom
    if (count === 0) return
    if (count === this.#segments.length) this.rest()
    this.#doomed.push(...this.#segments.splice(0, count))
  }

  /** Unlink what was dropped. @throws Node's system error */
  sweep(): void {
    // From the front, so that a crash in between leaves no hole.
    for (let segment = this.#doomed[0]; segment !== undefined; segment = this.#doomed[0]) {
      this.#files.removeFile(this.#pathOf(segment.start))
      this.#doomed.shift()
    }
  }

  /** Hold no open file; the next append opens it again. */
  rest(): void {
    if (this.#fd === null) return
    const fd = this.#fd
    this.#fd = null
    this.#files.close(fd)
  }

  /** Remove the directory with all files. @throws Node's system error */
  removeAll(): void {
    this.rest()
    this.#segments.length = 0
    this.#doomed.length = 0
    this.#isMade = false
    this.#files.removeDirectory(this.#directory)
  }

  #writable(segmentBytes: number): Segment {
    const last = this.#segments.at(-1)
    if (last !== undefined && last.length < segmentBytes) return last
    this.rest()
    if (!this.#isMade) {
      this.#files.makeDirectory(this.#directory)
      this.#isMade = true
    }
    const next = { start: this.#end, length: 0 }
    this.#segments.push(next)
    return next
  }

  #pathOf(start: StreamOffset): string {
    return join(this.#directory, `${String(start)}${SUFFIX}`)
  }
}
