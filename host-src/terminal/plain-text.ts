/**
 * Output as text, as a person would read it off the terminal afterwards: no sequences, lines as they were last overwritten.
 * Lines alone: movement between lines is left out, and so is what stood on the alternate screen.
 */
import { MAX_COLS } from '../../protocol-src/limits.ts'

const STRING_BODY = '[^\\u0007\\u001b\\u0018\\u001a\\u009c]*'
/** One sequence, one control character, or a run of anything else. */
const TOKEN = new RegExp(
  [
    '(?:\\u001b\\[|\\u009b)(?<params>[0-?]*)[ -/]*(?<final>[@-~])?',
    // OSC ends with BEL; in the other strings that is a byte like any other, and they end with ST.
    `(?:\\u001b\\]|\\u009d)${STRING_BODY}(?:\\u0007|\\u001b\\\\|[\\u0018\\u001a\\u009c])?`,
    '(?:\\u001b[PX^_]|[\\u0090\\u0098\\u009e\\u009f])[^\\u001b\\u0018\\u001a\\u009c]*(?:\\u001b\\\\|[\\u0018\\u001a\\u009c])?',
    '\\u001b[ -/]*[0-~]?',
    '(?<control>[\\u0000-\\u001f\\u007f-\\u009f])',
    '(?<text>[^\\u0000-\\u001f\\u007f-\\u009f]+)',
  ].join('|'),
  'gu',
)
const ALTERNATE_SCREEN = /^\?(?:47|1047|1049)$/
const WIDE =
  /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Emoji_Presentation}\uff01-\uff60\uffe0-\uffe6]/u
const COMBINING = /\p{M}|\u200d/u
const TAB_CELLS = 8

/** One logical line: rows that wrapped into each other, a character for each cell. */
class Line {
  readonly #cols: number
  #cells: string[] = []
  #at = 0
  /** The last cell of a row was just written: the next character is the first of the next row. */
  #isPending = false

  constructor(cols: number) {
    this.#cols = cols
  }

  print(text: string): void {
    for (const character of text) {
      if (COMBINING.test(character) && this.#at > 0) {
        this.#cells[this.#at - 1] += character
        continue
      }
      this.#put(character)
      if (WIDE.test(character)) this.#put('')
    }
  }

  control(character: string): void {
    switch (character) {
      case '\r':
        this.#move(-(this.#column + 1))
        return
      case '\b':
        this.#move(-1)
        return
      case '\t':
        this.#move(TAB_CELLS - (this.#column % TAB_CELLS))
        return
      default:
    }
  }

  sequence(final: string, params: string): void {
    const first = Number.parseInt(params, 10)
    const count = Math.min(MAX_COLS, Number.isNaN(first) || first === 0 ? 1 : first)
    switch (final) {
      case 'C':
        this.#move(count)
        return
      case 'D':
        this.#move(-count)
        return
      case 'G':
      case '`':
        this.#move(count - 1 - this.#column)
        return
      case 'K':
        this.#erase(first)
        return
      case 'P':
        this.#delete(count)
        return
      case 'X':
        this.#blank(this.#at, Math.min(this.#cells.length, this.#at + count))
        return
      case '@':
        this.#insert(count)
        return
      default:
    }
  }

  get text(): string {
    return Array.from(this.#cells, (cell: string | undefined) => cell ?? ' ').join('')
  }

  /** Of the cursor in its row. */
  get #column(): number {
    return this.#isPending ? this.#cols - 1 : this.#at % this.#cols
  }

  get #rowStart(): number {
    return (this.#isPending ? this.#at - 1 : this.#at) - this.#column
  }

  #put(cell: string): void {
    this.#cells[this.#at] = cell
    this.#at += 1
    this.#isPending = this.#at % this.#cols === 0
  }

  /** Within the row. */
  #move(by: number): void {
    this.#at = this.#rowStart + Math.min(this.#cols - 1, Math.max(0, this.#column + by))
    this.#isPending = false
  }

  #erase(mode: number): void {
    const rowEnd = Math.min(this.#cells.length, this.#rowStart + this.#cols)
    if (mode === 1) this.#blank(this.#rowStart, this.#at + 1)
    else if (mode === 2) this.#blank(this.#rowStart, rowEnd)
    else this.#blank(this.#at, rowEnd)
  }

  /** What is pushed over the end of the row is gone. */
  #insert(count: number): void {
    const rowEnd = this.#rowStart + this.#cols
    const room = Math.min(count, rowEnd - this.#at)
    if (room <= 0 || this.#at >= this.#cells.length) return
    if (this.#cells.length >= rowEnd) this.#cells.splice(rowEnd - room, room)
    this.#cells.splice(this.#at, 0, ...blanks(room))
  }

  /** The rest of the row moves up; the rows after it stay where they are. */
  #delete(count: number): void {
    const rowEnd = this.#rowStart + this.#cols
    const gone = Math.min(count, rowEnd - this.#at)
    if (gone <= 0) return
    if (this.#cells.length > rowEnd) this.#cells.splice(rowEnd, 0, ...blanks(gone))
    this.#cells.splice(this.#at, gone)
  }

  #blank(from: number, to: number): void {
    // What is erased at the end of a line is not there any more, and nobody printed blanks in its place.
    if (to >= this.#cells.length) {
      this.#cells.length = Math.min(from, this.#cells.length)
      return
    }
    for (let at = from; at < to; at += 1) this.#cells[at] = ' '
  }
}

const blanks = (count: number): string[] => Array.from({ length: count }, () => ' ')

/**
 * @param cols width of the terminal, by which lines wrap
 * @returns lines that end with a newline each, except the last
 */
export function plainText(output: string, cols: number): string {
  const lines: string[] = []
  let line = new Line(cols)
  let isAlternate = false
  for (const { groups = {} } of output.matchAll(TOKEN)) {
    const { text, control, final, params = '' } = groups
    if (final !== undefined && ALTERNATE_SCREEN.test(params) && /[hl]/.test(final)) isAlternate = final === 'h'
    else if (isAlternate) continue
    else if (text !== undefined) line.print(text)
    else if (control === '\n') {
      lines.push(line.text)
      line = new Line(cols)
    } else if (control !== undefined) line.control(control)
    else if (final !== undefined) line.sequence(final, params)
  }
  return [...lines, line.text].join('\n')
}
