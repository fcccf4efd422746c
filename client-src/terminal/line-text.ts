/** A line of text as a program wrote it, over the rows it was wrapped to, and where in them each part of it is. */
import type { IBuffer } from '@xterm/xterm'

export interface LineText {
  /** First row in the buffer. */
  readonly row: number
  /** Of each row. */
  readonly rows: readonly string[]
  readonly text: string
}

/** Columns `start` to `end` (not included) of one row. */
export interface RowPart {
  readonly row: number
  readonly start: number
  readonly end: number
}

/** The line that begins at `row`, at most `maxRows` of it. */
export function lineFrom(buffer: IBuffer, row: number, maxRows = Infinity): LineText {
  const rows: string[] = []
  for (let at = row; rows.length < maxRows; at += 1) {
    const line = buffer.getLine(at)
    if (line === undefined || (at > row && !line.isWrapped)) break
    rows.push(line.translateToString(buffer.getLine(at + 1)?.isWrapped !== true))
  }
  return { row, rows, text: rows.join('') }
}

/** Where the characters from `from` to `to` are on the screen. */
export function partsOf(buffer: IBuffer, line: LineText, [from, to]: readonly [number, number]): RowPart[] {
  const parts: RowPart[] = []
  let before = 0
  for (const [at, { length }] of line.rows.entries()) {
    const [start, end] = [Math.max(from - before, 0), Math.min(to - before, length)]
    const row = line.row + at
    if (start < end) parts.push({ row, start: columnOf(buffer, row, start), end: columnOf(buffer, row, end) })
    before += length
  }
  return parts
}

/** A cell may hold several characters, and a character take two cells. */
function columnOf(buffer: IBuffer, row: number, index: number): number {
  const line = buffer.getLine(row)
  let column = 0
  for (let done = 0; line !== undefined && done < index; column += 1) {
    const cell = line.getCell(column)
    if (cell === undefined) break
    if (cell.getWidth() > 0) done += cell.getChars().length || 1
  }
  // Behind a wide character is its second half.
  return line?.getCell(column)?.getWidth() === 0 ? column + 1 : column
}
