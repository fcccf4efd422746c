/**
 * Rows of cells under a cursor: what lines look like after everything that was printed over them. Knows what a terminal does
 * to its cells, nothing of the bytes that say so. A cell knows which byte ended it; what scrolled off the screen is kept.
 */
import { widthOf } from './character-width.ts'
import { LineRow } from './line-row.ts'

/** Cells of rows in reading order. `\n` stands between lines; rows that wrapped are one line. */
export interface Cells {
  readonly cells: readonly string[]
  readonly ends: readonly number[]
  /** Indices of those `\n` before which the row was full: a program may have broken one line there by itself. */
  readonly fullRows: readonly number[]
  /** Index of the cell after which the next character goes. */
  readonly cursor: number
}

export interface GridSize {
  /** Undefined when it is not known: then nothing wraps. */
  readonly cols: number | undefined
  readonly rows: number
}

/** Marks a cell that is on the screen and cannot be seen; the character follows. */
export const CONCEALED = '\0'

const TAB_WIDTH = 8
/** How far the cursor goes to the right where the width is not known. */
const MAX_COLS = 1000
/** What all padding together may come to, so that few bytes cannot ask for much memory. */
const MAX_PADDING = 1_000_000
const MAX_JOINED = 8

export class LineGrid {
  readonly #size: GridSize
  #rows: LineRow[] = [new LineRow()]
  #row = 0
  #col = 0
  /** First row of the screen. */
  #top = 0
  #saved = { row: 0, col: 0 }
  /** While the alternate screen is shown: where its rows begin, and what is behind it. */
  #behind: { rows: number; row: number; col: number; top: number } | null = null
  #padding = 0

  constructor(size: GridSize) {
    this.#size = size
  }

  /** Put a character that takes one column: most go to the end of a row. */
  putNarrow(cell: string, end: number): void {
    const row = this.#current()
    if (this.#col !== row.length || this.#col > this.#lastCol()) return this.put(cell, 0x20, end)
    row.append(cell, end)
    this.#col++
  }

  put(cell: string, codePoint: number, end: number): void {
    const width = widthOf(codePoint)
    const { cols } = this.#size
    if (cols !== undefined && this.#col + width > cols) {
      // The column that is too few belongs to what is before it.
      if (this.#col < cols) this.#overwrite(this.#current(), '', end)
      this.#wrap()
    }
    const row = this.#current()
    this.#overwrite(row, cell, end)
    if (width === 2) this.#overwrite(row, '', end)
  }

  /** Something drawn with the character before the cursor. */
  join(text: string): void {
    this.#current().join(this.#col, text, MAX_JOINED)
  }

  tab(end: number): void {
    const row = this.#current()
    const stop = Math.min((Math.floor(this.#col / TAB_WIDTH) + 1) * TAB_WIDTH, this.#lastCol())
    if (this.#col >= row.length && stop > this.#col) {
      this.#overwrite(row, '\t', end)
      while (this.#col < stop) this.#overwrite(row, '', end)
    }
    this.#col = Math.max(this.#col, stop)
  }

  lineFeed(end: number): void {
    this.#current().breakEnd = end
    this.#goTo(this.#row + 1, 0, { canScroll: true })
    this.#current().isWrapped = false
  }

  carriageReturn(): void {
    this.#col = 0
  }

  backspace(): void {
    this.#col = Math.max(0, Math.min(this.#col, this.#lastCol()) - 1)
  }

  /** Move by so many rows and columns, within the screen. */
  move(rows: number, cols: number): void {
    this.#goTo(this.#row + rows, Math.min(this.#col, this.#lastCol()) + cols)
  }

  /** Go to a place on the screen, counted from 0; `null` leaves it. */
  moveTo(row: number | null, col: number | null): void {
    this.#goTo(row === null ? this.#row : this.#top + row, col ?? this.#col)
  }

  /** The place in the text, as xterm.js has it: it scrolls with what is there. */
  save(): void {
    this.#saved = { row: this.#row, col: this.#col }
  }

  restore(): void {
    this.#goTo(this.#saved.row, this.#saved.col)
  }

  /** Erase in line: 0 from the cursor, 1 to it, 2 all. */
  eraseInLine(which: number): void {
    const row = this.#current()
    if (which === 0) row.truncate(this.#col)
    else if (which === 1) row.blank(0, this.#col + 1)
    else if (which === 2) row.truncate(0)
    if (which === 2 || (which === 0 && this.#col === 0)) row.isWrapped = false
  }

  /** Erase in display: as in line. A whole screen that is erased stays above, as if it had scrolled. */
  eraseInDisplay(which: number): void {
    if (which === 0) {
      this.eraseInLine(0)
      this.#rows.length = this.#row + 1
    } else if (which === 1) {
      for (const row of this.#rows.slice(this.#top, this.#row)) row.truncate(0)
      this.eraseInLine(1)
    } else if (which === 2) this.#newPage()
  }

  eraseCharacters(count: number): void {
    this.#leaveMargin()
    this.#current().blank(this.#col, this.#col + count)
  }

  deleteCharacters(count: number): void {
    this.#leaveMargin()
    this.#current().remove(this.#col, count)
  }

  insertCharacters(count: number): void {
    this.#leaveMargin()
    const row = this.#current()
    const width = Math.min(count, this.#lastCol() - this.#col + 1)
    if (!row.canShift(this.#col) || !this.#takePadding(width)) return
    row.insert(this.#col, width)
    row.truncate(this.#lastCol() + 1)
  }

  insertLines(count: number): void {
    const room = this.#top + this.#size.rows - this.#row
    this.#rows.splice(this.#row, 0, ...Array.from({ length: Math.min(count, room) }, () => new LineRow()))
    this.#rows.length = Math.min(this.#rows.length, this.#top + this.#size.rows)
    this.#col = 0
  }

  deleteLines(count: number): void {
    this.#rows.splice(this.#row, count)
    this.#goTo(this.#row, 0)
  }

  enterAlternate(): void {
    if (this.#behind !== null) return
    this.#behind = { rows: this.#rows.length, row: this.#row, col: this.#col, top: this.#top }
    const row = this.#row - this.#top
    this.#top = this.#rows.length
    this.#goTo(this.#top + row, this.#col)
  }

  /** What was on the alternate screen is gone. */
  leaveAlternate(): void {
    if (this.#behind === null) return
    const { rows, row, col, top } = this.#behind
    this.#behind = null
    this.#rows.length = Math.min(rows, this.#rows.length)
    this.#top = top
    this.#row = row
    this.#col = col
  }

  read(): Cells {
    const cells: string[] = []
    const ends: number[] = []
    const fullRows: number[] = []
    let last = 0
    let cursor = 0
    for (const [index, row] of this.#rows.entries()) {
      const next = this.#rows[index + 1]
      if (index === this.#row)
        cursor = cells.length + row.cells.slice(0, this.#col).filter((cell) => cell !== '').length
      const length = next?.isWrapped === true ? row.length : row.printedLength
      const rowEnds = row.endsAfter(last)
      for (let at = 0; at < length; at++) {
        const cell = row.cells[at] as string
        if (cell === '') continue
        last = rowEnds[at] as number
        cells.push(cell)
        ends.push(last)
      }
      if (next === undefined) continue
      if (next.isWrapped) {
        // What was erased at the end of a row that goes on is blank.
        for (let col = length; col <= this.#lastCol(); col++) {
          cells.push(' ')
          ends.push(last)
        }
        continue
      }
      if (this.#size.cols !== undefined && row.length >= this.#size.cols - 1) fullRows.push(cells.length)
      if (row.breakEnd > 0) last = row.breakEnd
      cells.push('\n')
      ends.push(last)
    }
    return { cells, ends, fullRows, cursor: Math.min(cursor, cells.length) }
  }

  #current(): LineRow {
    return this.#rows[this.#row] as LineRow
  }

  /** A cursor that waits to wrap stands on the last column for what changes cells. */
  #leaveMargin(): void {
    this.#col = Math.min(this.#col, this.#lastCol())
  }

  #lastCol(): number {
    return (this.#size.cols ?? MAX_COLS) - 1
  }

  #wrap(): void {
    this.#goTo(this.#row + 1, 0, { canScroll: true })
    this.#current().isWrapped = true
  }

  #goTo(row: number, col: number, { canScroll = false } = {}): void {
    const bottom = this.#top + this.#size.rows - 1
    if (canScroll && row > bottom) this.#top++
    this.#row = canScroll ? row : Math.max(this.#top, Math.min(row, bottom))
    this.#col = Math.max(0, Math.min(col, this.#lastCol()))
    while (this.#rows.length <= this.#row) this.#rows.push(new LineRow())
  }

  #newPage(): void {
    if (this.#rows.slice(this.#top).every(({ length }) => length === 0)) return
    const row = this.#row - this.#top
    this.#top = this.#rows.length
    this.#goTo(this.#top + row, this.#col)
  }

  /** Put one column at the cursor and go on. */
  #overwrite(row: LineRow, cell: string, end: number): void {
    const missing = this.#col - row.length
    if (missing > 0) {
      if (this.#takePadding(missing)) row.pad(this.#col)
      else this.#col = row.length
    }
    if (this.#col === row.length) row.append(cell, end)
    else row.set(this.#col, cell, end)
    this.#col++
  }

  #takePadding(cells: number): boolean {
    if (this.#padding + cells > MAX_PADDING) return false
    this.#padding += cells
    return true
  }
}
