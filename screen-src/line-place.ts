/**
 * A place in the text of the normal buffer that stays where it is: xterm.js moves the marker with its line, and what is
 * counted from there are cells of text, which keep their number when lines are wrapped anew.
 */
import type { LinePlace } from './terminal-state.ts'
import {
  CODE_POINT_MASK,
  IS_COMBINED,
  WIDTH_SHIFT,
  type Buffer,
  type CircularList,
  type Core,
  type Marker,
} from './xterm-internals.ts'

export interface Place {
  /** The buffer of the marker; a reset makes another one and leaves the markers behind. */
  readonly buffer: Buffer
  readonly marker: Marker
  /** Cells of text from the beginning of the marker's line. */
  readonly cells: number
}

/** Where the cursor is; null in the alternate screen, whose lines have no past. */
export function placeAtCursor(core: Core): Place | null {
  const { active, normal } = core._bufferService.buffers
  return active === normal
    ? placeAt(normal, wholeLine(normal, { row: normal.ybase + normal.y, column: normal.x }))
    : null
}

/** The beginning of the line above the cursor, as far as it is on the screen. */
export function placeAboveCursor(core: Core): Place | null {
  const { active, normal } = core._bufferService.buffers
  if (active !== normal) return null
  return placeAt(normal, wholeLine(normal, { row: normal.ybase + Math.max(0, normal.y - 1), column: 0 }, true))
}

export function placeAt(buffer: Buffer, { line, cells }: LinePlace): Place {
  return { buffer, marker: buffer.addMarker(line), cells }
}

/** Where it is now; null when its line was erased, pushed out or reset. */
export function linePlace(core: Core, place: Place | null): LinePlace | null {
  if (place === null || place.buffer !== core._bufferService.buffers.normal || place.marker.line < 0) return null
  return { line: place.marker.line, cells: place.cells }
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
function wholeLine(buffer: Buffer, { row, column }: { row: number; column: number }, isBeginning = false): LinePlace {
  let line = row
  let cells = column
  while (line > buffer.ybase && buffer.lines.get(line)?.isWrapped === true) {
    line -= 1
    if (!isBeginning) cells += textCells(buffer.lines, line)
  }
  return { line, cells }
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
