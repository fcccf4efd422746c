/** One row of cells and what is done to it. Knows nothing of cursors, screens and other rows. */

/** The end of a cell in which nothing was printed. */
const PADDING = -1
/** Longer rests of a row are not shifted: a row has no such length where the width is known. */
const MAX_SHIFTED = 1000

export class LineRow {
  /** One string per column; empty in the columns that a wide character or a tab takes beside its first. */
  readonly cells: string[] = []
  /** Offset after the byte that made the cell. */
  readonly #ends: number[] = []
  /** Whether it goes on from the row before it, which was full. */
  isWrapped = false
  /** Offset after the line feed that left it. */
  breakEnd = 0

  get length(): number {
    return this.cells.length
  }

  /** Without the padding at its end. */
  get printedLength(): number {
    let length = this.length
    while (length > 0 && this.#ends[length - 1] === PADDING) length--
    return length
  }

  append(cell: string, end: number): void {
    this.cells.push(cell)
    this.#ends.push(end)
  }

  /** @param at at most the length */
  set(at: number, cell: string, end: number): void {
    // The second column of a wide character belongs to the first, which was set just now.
    if (cell !== '') this.#split(at)
    this.#split(at + 1)
    this.cells[at] = cell
    this.#ends[at] = end
  }

  pad(length: number): void {
    while (this.length < length) this.append(' ', PADDING)
  }

  truncate(length: number): void {
    if (this.length <= length) return
    this.#split(length)
    this.cells.length = length
    this.#ends.length = length
  }

  blank(from: number, to: number): void {
    this.#split(from)
    this.#split(to)
    for (let at = from; at < Math.min(to, this.length); at++) {
      this.cells[at] = ' '
      this.#ends[at] = PADDING
    }
  }

  remove(at: number, count: number): void {
    if (!this.canShift(at)) return
    this.#split(at)
    this.#split(at + count)
    this.cells.splice(at, count)
    this.#ends.splice(at, count)
  }

  insert(at: number, count: number): void {
    if (!this.canShift(at)) return
    this.#split(at)
    this.cells.splice(at, 0, ...Array<string>(count).fill(' '))
    this.#ends.splice(at, 0, ...Array<number>(count).fill(PADDING))
  }

  /** Whether there is something from `at` on that can be shifted. */
  canShift(at: number): boolean {
    return at < this.length && this.length - at <= MAX_SHIFTED
  }

  /** Something drawn with the character that ends before `at`. */
  join(at: number, text: string, maxLength: number): void {
    let first = Math.min(at, this.length) - 1
    while (first > 0 && this.cells[first] === '') first--
    const before = this.cells[first] ?? ''
    if (before !== '' && before !== '\t' && before.length < maxLength) this.cells[first] = before + text
  }

  /** The ends of the cells; padding came with what stands behind it. @param before the end of what is before the row */
  endsAfter(before: number): readonly number[] {
    if (!this.#ends.includes(PADDING)) return this.#ends
    let next = this.#ends.findLast((end) => end !== PADDING) ?? before
    return this.#ends
      .toReversed()
      .map((end) => (next = end === PADDING ? next : end))
      .toReversed()
  }

  /** What takes several columns and lies on both sides of `at` becomes blank: half of it is about to go. */
  #split(at: number): void {
    const { cells } = this
    if (at <= 0 || cells[at] !== '') return
    let first = at
    while (first > 0 && cells[first] === '') first--
    let end = at
    while (cells[end] === '') end++
    cells.fill(' ', first, end)
  }
}
