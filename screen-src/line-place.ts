/**
 * Places in the text of the normal buffer that stay where they are: their lines are followed as xterm.js moves them, and
 * what is counted from there are cells of text, which keep their number when lines are wrapped anew. xterm.js's own markers
 * would do, but each of them is told of every line that leaves the scrollback; here one number says it for all.
 */
import type { LinePlace } from './terminal-state.ts'
import {
  CODE_POINT_MASK,
  IS_COMBINED,
  WIDTH_SHIFT,
  type Buffer,
  type BufferLine,
  type CircularList,
  type Core,
} from './xterm-internals.ts'

export interface Place {
  /** Counted from the first line there ever was in its buffer; GONE when it was erased or deleted. */
  line: number
  /** Cells of text from the beginning of the line. */
  readonly cells: number
}

const GONE = -1

export class Places {
  readonly #core: Core
  /** The buffer that is followed; a reset makes another one. */
  #buffer: Buffer | null = null
  /** Lines that left it at the top. */
  #trimmed = 0
  #places = new Set<Place>()

  constructor(core: Core) {
    this.#core = core
  }

  /**
   * Where the cursor is; null in the alternate screen, whose lines have no past.
   * @param back so many cells before it, in the same line
   */
  atCursor(back = 0): Place | null {
    const { active, normal } = this.#core._bufferService.buffers
    if (active !== normal) return null
    const { line, cells } = wholeLine(normal, { row: normal.ybase + normal.y, column: normal.x })
    return this.at({ line, cells: Math.max(0, cells - back) })
  }

  /** The beginning of the line above the cursor, as far as it is on the screen. */
  aboveCursor(): Place | null {
    const { active, normal } = this.#core._bufferService.buffers
    if (active !== normal) return null
    const { line } = wholeLine(normal, { row: normal.ybase + Math.max(0, normal.y - 1), column: 0 })
    return this.at({ line, cells: 0 })
  }

  at({ line, cells }: LinePlace): Place {
    this.#follow()
    const place = { line: line + this.#trimmed, cells }
    this.#places.add(place)
    return place
  }

  /** Where it is now; null when its line was erased, pushed out or reset. */
  now(place: Place | null): LinePlace | null {
    if (place === null || this.#buffer !== this.#core._bufferService.buffers.normal || !this.#places.has(place))
      return null
    const line = place.line - this.#trimmed
    return place.line === GONE || line < 0 ? null : { line, cells: place.cells }
  }

  /**
   * In place of one on an empty row: the first row with text below it, above the cursor. Not for what is above the screen,
   * where a row may be empty because it has not arrived.
   */
  belowEmptyRows(place: Place): Place {
    const { normal } = this.#core._bufferService.buffers
    const now = this.now(place)
    if (now === null) return place
    const { row } = cellOf(this.#core, now)
    const cursor = normal.ybase + normal.y
    let line = row
    while (line >= normal.ybase && line < cursor && isEmpty(normal.lines.get(line))) line += 1
    if (line === row || line === cursor) return place
    this.drop(place)
    return this.at({ line, cells: 0 })
  }

  drop(place: Place | null | undefined): void {
    if (place !== null && place !== undefined) this.#places.delete(place)
  }

  #follow(): void {
    const buffer = this.#core._bufferService.buffers.normal
    if (buffer === this.#buffer) return
    this.#buffer = buffer
    this.#trimmed = 0
    // Those of a buffer that is gone are nowhere.
    const places = new Set<Place>()
    this.#places = places
    buffer.lines.onTrim((amount) => {
      if (places === this.#places) this.#trimmed += amount
    })
    buffer.lines.onInsert(({ index, amount }) => {
      const first = index + this.#trimmed
      for (const place of places) if (place.line >= first) place.line += amount
    })
    buffer.lines.onDelete(({ index, amount }) => {
      const first = index + this.#trimmed
      for (const place of places) {
        if (place.line < first) continue
        place.line = place.line < first + amount ? GONE : place.line - amount
      }
    })
    const clearMarkers = buffer.clearMarkers.bind(buffer)
    buffer.clearMarkers = (row) => {
      const line = row + this.#trimmed
      for (const place of places) if (place.line === line) place.line = GONE
      clearMarkers(row)
    }
  }
}

/** Row and column of a place, counted from the oldest line. The column may be that after the last one. */
export function cellOf(core: Core, { line, cells }: LinePlace): { row: number; column: number } {
  const { lines } = core._bufferService.buffers.normal
  let row = line
  let column = cells
  for (;;) {
    const length = textCells(lines, row)
    if (column < length || lines.get(row + 1)?.isWrapped !== true) return { row, column }
    column -= length
    row += 1
  }
}

/**
 * From the first row of the line, because only that one survives when the line is wrapped anew. Not further than the
 * screen: what is above may not have arrived, and would cost as many steps as it has rows.
 */
function wholeLine(buffer: Buffer, { row, column }: { row: number; column: number }): LinePlace {
  let line = row
  let cells = column
  while (line > buffer.ybase && buffer.lines.get(line)?.isWrapped === true) {
    line -= 1
    cells += textCells(buffer.lines, line)
  }
  return { line, cells }
}

function isEmpty(line: BufferLine | undefined): boolean {
  if (line === undefined) return false
  for (let at = 0; at < line.length * 3; at += 3) {
    const content = line._data[at] ?? 0
    if ((content & IS_COMBINED) !== 0 || ![0, 0x20].includes(content & CODE_POINT_MASK)) return false
  }
  return true
}

/** Cells of a row that hold text: a wide character that found no room at its end left one unused. */
export function textCells(lines: CircularList, row: number): number {
  const line = lines.get(row)
  const next = lines.get(row + 1)
  if (line === undefined) return 0
  const last = line._data[(line.length - 1) * 3] ?? 0
  const isUnused = (last & (CODE_POINT_MASK | IS_COMBINED)) === 0 && last >> WIDTH_SHIFT === 1
  return isUnused && next?.isWrapped === true && (next._data[0] ?? 0) >> WIDTH_SHIFT === 2
    ? line.length - 1
    : line.length
}
