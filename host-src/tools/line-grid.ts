/**
 * Rows of cells under a cursor: what lines look like after everything that was printed over them. Knows what a terminal does
 * to its cells, nothing of the bytes that say so. A cell knows which byte ended it; what scrolled off the screen is kept.
 */
import { widthOf } from './character-width.ts'

interface Row {
  /** One string per column; empty in the columns that a wide character or a tab takes beside its first. */
  readonly cells: string[]
  /** Offset after the byte that made the cell, `PADDING` where nothing was printed. */
  readonly ends: number[]
  /** Whether it goes on from the row before it, which was full. */
  isWrapped: boolean
  /** Offset after the line feed that left it. */
  breakEnd: number
}

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

const PADDING = -1
const TAB_WIDTH = 8
/** How far the cursor goes to the right where the width is not known. */
const MAX_COLS = 1000
/** What all padding together may come to, so that few bytes cannot ask for much memory. */
const MAX_PADDING = 1_000_000
/** Longer rests of a row are not shifted: a row has no such length where the width is known. */
const MAX_SHIFTED = 1000
const MAX_JOINED = 8

export class LineGrid {
  readonly #size: GridSize
  #rows: Row[] = [emptyRow()]
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

  get isAlternate(): boolean {
    return this.#behind !== null
  }

  /** Put a character that takes one column: most go to the end of a row. */
  putNarrow(cell: string, end: number): void {
    const { cells, ends } = this.#current()
    if (this.#col !== cells.length || this.#col > this.#lastCol()) return this.put(cell, 0x20, end)
    cells.push(cell)
    ends.push(end)
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
    const { cells } = this.#current()
    let at = Math.min(this.#col, cells.length) - 1
    while (at > 0 && cells[at] === '') at--
    const before = cells[at]
    if (before !== undefined && before !== '' && before !== '\t' && before.length < MAX_JOINED)
      cells[at] = before + text
  }

  tab(end: number): void {
    const row = this.#current()
    const stop = Math.min((Math.floor(this.#col / TAB_WIDTH) + 1) * TAB_WIDTH, this.#lastCol())
    if (this.#col >= row.cells.length && stop > this.#col) {
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
    if (which === 0) this.#truncate(row, this.#col)
    else if (which === 1) this.#blank(row, 0, this.#col + 1)
    else if (which === 2) this.#truncate(row, 0)
    if (which === 2 || (which === 0 && this.#col === 0)) row.isWrapped = false
  }

  /** Erase in display: as in line. A whole screen that is erased stays above, as if it had scrolled. */
  eraseInDisplay(which: number): void {
    if (which === 0) {
      this.eraseInLine(0)
      this.#rows.length = this.#row + 1
    } else if (which === 1) {
      for (let at = this.#top; at < this.#row; at++) this.#truncate(this.#rows[at] as Row, 0)
      this.eraseInLine(1)
    } else if (which === 2) this.#newPage()
  }

  eraseCharacters(count: number): void {
    this.#leaveMargin()
    this.#blank(this.#current(), this.#col, this.#col + count)
  }

  deleteCharacters(count: number): void {
    this.#leaveMargin()
    const row = this.#current()
    if (row.cells.length - this.#col > MAX_SHIFTED) return
    this.#split(row, this.#col)
    this.#split(row, this.#col + count)
    row.cells.splice(this.#col, count)
    row.ends.splice(this.#col, count)
  }

  insertCharacters(count: number): void {
    this.#leaveMargin()
    const row = this.#current()
    if (row.cells.length - this.#col > MAX_SHIFTED || this.#col >= row.cells.length) return
    this.#split(row, this.#col)
    const width = Math.min(count, this.#lastCol() - this.#col + 1)
    if (!this.#takePadding(width)) return
    row.cells.splice(this.#col, 0, ...Array<string>(width).fill(' '))
    row.ends.splice(this.#col, 0, ...Array<number>(width).fill(PADDING))
    if (row.cells.length > this.#lastCol() + 1) this.#truncate(row, this.#lastCol() + 1)
  }

  insertLines(count: number): void {
    const room = this.#top + this.#size.rows - this.#row
    this.#rows.splice(this.#row, 0, ...Array.from({ length: Math.min(count, room) }, emptyRow))
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
      const length = next?.isWrapped === true ? row.cells.length : printedLength(row)
      const rowEnds = endsOf(row, last)
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
      if (this.#size.cols !== undefined && row.cells.length >= this.#size.cols - 1) fullRows.push(cells.length)
      if (row.breakEnd > 0) last = row.breakEnd
      cells.push('\n')
      ends.push(last)
    }
    return { cells, ends, fullRows, cursor: Math.min(cursor, cells.length) }
  }

  #current(): Row {
    return this.#rows[this.#row] as Row
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
    while (this.#rows.length <= this.#row) this.#rows.push(emptyRow())
  }

  #newPage(): void {
    if (this.#rows.slice(this.#top).every(({ cells }) => cells.length === 0)) return
    const row = this.#row - this.#top
    this.#top = this.#rows.length
    this.#goTo(this.#top + row, this.#col)
  }

  /** Put one column at the cursor and go on. */
  #overwrite(row: Row, cell: string, end: number): void {
    const { cells, ends } = row
    const at = this.#col
    if (at > cells.length) {
      if (this.#takePadding(at - cells.length)) this.#pad(row, at)
      else this.#col = cells.length
    } else if (at < cells.length) {
      if (cell !== '') this.#split(row, at)
      this.#split(row, at + 1)
    }
    cells[this.#col] = cell
    ends[this.#col] = end
    this.#col++
  }

  #pad(row: Row, length: number): void {
    while (row.cells.length < length) {
      row.cells.push(' ')
      row.ends.push(PADDING)
    }
  }

  #takePadding(cells: number): boolean {
    if (this.#padding + cells > MAX_PADDING) return false
    this.#padding += cells
    return true
  }

  #truncate(row: Row, length: number): void {
    if (row.cells.length <= length) return
    this.#split(row, length)
    row.cells.length = length
    row.ends.length = length
  }

  #blank(row: Row, from: number, to: number): void {
    this.#split(row, from)
    this.#split(row, to)
    for (let at = from; at < Math.min(to, row.cells.length); at++) {
      row.cells[at] = ' '
      row.ends[at] = PADDING
    }
  }

  /** What takes several columns and lies on both sides of `at` becomes blank: half of it is about to go. */
  #split(row: Row, at: number): void {
    const { cells } = row
    if (at <= 0 || cells[at] !== '') return
    let first = at
    while (first > 0 && cells[first] === '') first--
    let end = at
    while (cells[end] === '') end++
    cells.fill(' ', first, end)
  }
}

function emptyRow(): Row {
  return { cells: [], ends: [], isWrapped: false, breakEnd: 0 }
}

/** Without the padding at its end. */
function printedLength({ cells, ends }: Row): number {
  let length = cells.length
  while (length > 0 && ends[length - 1] === PADDING) length--
  return length
}

/** The ends of its cells; padding came with what stands behind it. */
function endsOf({ ends }: Row, before: number): readonly number[] {
  if (!ends.includes(PADDING)) return ends
  let next = ends.findLast((end) => end !== PADDING) ?? before
  return ends
    .toReversed()
    .map((end) => (next = end === PADDING ? next : end))
    .toReversed()
}
