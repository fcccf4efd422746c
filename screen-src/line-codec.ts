/**
 * Lines as bytes. A line is: flags, its length if it is not the screen's, the number of cells up to the last one that was
 * touched, runs of attributes that cover them, and what is in them: ASCII as itself, everything else behind a code.
 */
import { AttributeTable } from './attribute-table.ts'
import { FormatError, type ByteReader, type ByteWriter } from './bytes.ts'
import type { LineState } from './terminal-state.ts'
import { CODE_POINT_MASK, HAS_EXTENDED, IS_COMBINED, NULL_CONTENT, WIDTH_SHIFT } from './xterm-internals.ts'

const IS_WRAPPED = 1
const HAS_LENGTH = 2
const IS_ABSENT = 4

/** The cell before it once more: how many times. */
const REPEAT = 0x80
const NARROW = 0x81
const WIDE = 0x82
const ANY_WIDTH = 0x83
const COMBINED = 0x84
/** The second half of a wide character. */
const HALF = 0x85

const ASCII_CONTENT = 1 << WIDTH_SHIFT
const MIN_REPEATS = 3

/** Bounds of what a decoder accepts; an emulator within the protocol's limits stays far below. */
export const MAX_LINE_CELLS = 4096
export const MAX_CELL_TEXT = 4096

const blankCells = new Uint32Array(MAX_LINE_CELLS * 3)
for (let at = 0; at < blankCells.length; at += 3) blankCells[at] = NULL_CONTENT

export class LineEncoder {
  readonly #writer: ByteWriter
  readonly #cols: number
  readonly #attributes = new AttributeTable()

  constructor(writer: ByteWriter, cols: number) {
    this.#writer = writer
    this.#cols = cols
  }

  write(line: LineState | null): void {
    const writer = this.#writer
    if (line === null) {
      writer.unsigned(IS_ABSENT)
      return
    }
    const { cells, length } = line
    let count = length
    while (
      count > 0 &&
      cells[count * 3 - 3] === NULL_CONTENT &&
      cells[count * 3 - 2] === 0 &&
      cells[count * 3 - 1] === 0
    )
      count -= 1
    writer.unsigned((line.isWrapped ? IS_WRAPPED : 0) | (length === this.#cols ? 0 : HAS_LENGTH))
    if (length !== this.#cols) writer.unsigned(length)
    writer.unsigned(count)
    if (count === 0) return
    this.#writeRuns(line, count)
    this.#writeContent(line, count)
  }

  #writeRuns({ cells, extended }: LineState, count: number): void {
    const writer = this.#writer
    let start = 0
    while (start < count) {
      const fg = cells[start * 3 + 1] as number
      const bg = cells[start * 3 + 2] as number
      const own = (bg & HAS_EXTENDED) === 0 ? undefined : extended?.get(start)
      const { ext, link } = own ?? NO_EXTENDED
      let end = start + 1
      while (end < count && cells[end * 3 + 1] === fg && cells[end * 3 + 2] === bg) {
        if ((bg & HAS_EXTENDED) !== 0) {
          const other = extended?.get(end) ?? NO_EXTENDED
          if (other.ext !== ext || other.link !== link) break
        }
        end += 1
      }
      const known = this.#attributes.size
      const number = this.#attributes.numberOf(fg, bg, ext, link)
      writer.unsigned(number)
      if (number === known) {
        writer.unsigned(fg)
        writer.unsigned(bg)
        if ((bg & HAS_EXTENDED) !== 0) {
          writer.unsigned(ext)
          writer.unsigned(link)
        }
      }
      writer.unsigned(end - start)
      start = end
    }
  }

  #writeContent({ cells, combined }: LineState, count: number): void {
    const writer = this.#writer
    writer.reserve(count * 6 + 16)
    let { bytes } = writer
    let out = writer.at
    let at = 0
    while (at < count) {
      const content = cells[at * 3] as number
      const codePoint = content & CODE_POINT_MASK
      const width = content >>> WIDTH_SHIFT
      if ((content & IS_COMBINED) !== 0) {
        bytes[out++] = COMBINED
        bytes[out++] = width
        writer.at = out
        writer.text((combined[at] ?? '').slice(0, MAX_CELL_TEXT))
        writer.reserve((count - at) * 6 + 16)
        ;({ bytes } = writer)
        out = writer.at
        at += 1
        continue
      }
      if (width === 1 && codePoint < 0x80) bytes[out++] = codePoint
      else if (content === 0) bytes[out++] = HALF
      else {
        if (width === 1) bytes[out++] = NARROW
        else if (width === 2) bytes[out++] = WIDE
        else {
          bytes[out++] = ANY_WIDTH
          bytes[out++] = width
        }
        let rest = codePoint
        while (rest > 0x7f) {
          bytes[out++] = (rest & 0x7f) | 0x80
          rest >>>= 7
        }
        bytes[out++] = rest
      }
      at += 1
      let same = at
      while (same < count && cells[same * 3] === content) same += 1
      if (same - at < MIN_REPEATS) continue
      bytes[out++] = REPEAT
      writer.at = out
      writer.unsigned(same - at)
      out = writer.at
      at = same
    }
    writer.at = out
  }
}

const NO_EXTENDED = { ext: 0, link: 0 }

export class LineDecoder {
  readonly #reader: ByteReader
  readonly #cols: number
  readonly #attributes = new AttributeTable()
  #cellsLeft: number

  /** @param maxCells how many cells all lines together may have, so that few bytes cannot claim much memory */
  constructor(reader: ByteReader, { cols, maxCells }: { cols: number; maxCells: number }) {
    this.#reader = reader
    this.#cols = cols
    this.#cellsLeft = maxCells
  }

  /** @throws FormatError */
  read(): LineState | null {
    const reader = this.#reader
    const flags = reader.unsigned(7)
    if (flags === IS_ABSENT) return null
    if ((flags & IS_ABSENT) !== 0) throw new FormatError('a line that does not exist has properties')
    const length = (flags & HAS_LENGTH) === 0 ? this.#cols : reader.unsigned(MAX_LINE_CELLS)
    this.#cellsLeft -= length
    if (this.#cellsLeft < 0) throw new FormatError('there are more cells than a terminal may have')
    const count = reader.unsigned(length)
    const cells = blankCells.slice(0, length * 3)
    const extended = count === 0 ? null : this.#readRuns(cells, count)
    const combined = count === 0 ? {} : this.#readContent(cells, count)
    return { length, isWrapped: (flags & IS_WRAPPED) !== 0, cells, combined, extended }
  }

  #readRuns(cells: Uint32Array, count: number): LineState['extended'] {
    const reader = this.#reader
    const attributes = this.#attributes
    let extended: Map<number, { ext: number; link: number }> | null = null
    let start = 0
    while (start < count) {
      const number = reader.unsigned(attributes.size)
      if (number === attributes.size) {
        const fg = reader.unsigned()
        const bg = reader.unsigned()
        const hasExtended = (bg & HAS_EXTENDED) !== 0
        attributes.add({
          fg,
          bg,
          ext: hasExtended ? reader.unsigned() : 0,
          link: hasExtended ? reader.unsigned(0x3fffffff) : 0,
        })
      }
      const length = reader.unsigned(count - start)
      if (length === 0) throw new FormatError('a run of attributes is empty')
      const fg = attributes.fg(number)
      const bg = attributes.bg(number)
      const end = start + length
      if (fg !== 0 || bg !== 0)
        for (let at = start; at < end; at++) {
          cells[at * 3 + 1] = fg
          cells[at * 3 + 2] = bg
        }
      if ((bg & HAS_EXTENDED) !== 0) {
        const own = attributes.extended(number)
        extended ??= new Map()
        for (let at = start; at < end; at++) extended.set(at, own)
      }
      start = end
    }
    return extended
  }

  #readContent(cells: Uint32Array, count: number): Record<number, string> {
    const reader = this.#reader
    const { bytes } = reader
    const combined: Record<number, string> = {}
    let at = 0
    while (at < count) {
      const code = bytes[reader.at++]
      if (code === undefined) throw new FormatError('the bytes end too early')
      if (code < 0x80) cells[at * 3] = ASCII_CONTENT | code
      else if (code === REPEAT) {
        const times = reader.unsigned(count - at)
        if (at === 0) throw new FormatError('there is nothing to repeat')
        const content = cells[at * 3 - 3] as number
        if ((content & IS_COMBINED) !== 0) throw new FormatError('joined text does not repeat')
        for (const end = at + times; at < end; at++) cells[at * 3] = content
        continue
      } else if (code === NARROW || code === WIDE) {
        const codePoint = reader.unsigned(0x10ffff)
        cells[at * 3] = ((code - REPEAT) << WIDTH_SHIFT) | codePoint
      } else if (code === HALF) cells[at * 3] = 0
      else if (code === ANY_WIDTH) {
        const width = reader.unsigned(3)
        cells[at * 3] = (width << WIDTH_SHIFT) | reader.unsigned(0x10ffff)
      } else if (code === COMBINED) {
        const width = reader.unsigned(3)
        combined[at] = reader.text(MAX_CELL_TEXT)
        cells[at * 3] = (width << WIDTH_SHIFT) | IS_COMBINED
      } else throw new FormatError(`a cell has an unknown code: ${String(code)}`)
      at += 1
    }
    return combined
  }
}
