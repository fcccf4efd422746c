/**
 * From the bytes of a terminal to the text a person would read: escape sequences obeyed or dropped, lines as they look after
 * everything printed over them. Knows the grammar of the bytes (https://vt100.net/emu/dec_ansi_parser); `line-grid.ts` knows
 * the cells. Every byte is looked at a bounded number of times.
 */
import { kindOf } from './character-width.ts'
import { CONCEALED, LineGrid, type Cells, type GridSize } from './line-grid.ts'
import { INITIAL_RENDITION, isConcealed, selectRendition, type Rendition } from './rendition.ts'
import { decodeAt } from './utf8.ts'

export interface TerminalText extends Cells {
  /** Whether text was printed that cannot be seen. */
  readonly hasConcealed: boolean
  /** Whether characters were left out that show nothing or turn the direction of text. */
  readonly hasInvisible: boolean
  /** Offset after the last byte that was used: the rest is the beginning of a character. */
  readonly end: number
}

const ESC = 0x1b
const BEL = 0x07
const CAN = 0x18
const SUB = 0x1a
const STRING_TERMINATOR = 0x9c
/** Longer parameters mean nothing. */
const MAX_PARAMETERS = 128
const MAX_REPEATED = 20_000

const ASCII = Array.from({ length: 0x7f }, (_, code) => String.fromCharCode(code))

/** @param offset of the first byte, from which the cells are counted */
export function readTerminalText(bytes: Uint8Array, size: GridSize, offset = 0): TerminalText {
  return new Reader(bytes, size, offset).read()
}

class Reader {
  readonly #bytes: Uint8Array
  readonly #offset: number
  readonly #grid: LineGrid
  #rendition: Rendition = INITIAL_RENDITION
  #isConcealed = false
  #hasConcealed = false
  #hasInvisible = false
  #repeated = 0
  /** The character that was printed just now, for a sequence that repeats it. */
  #last: number | null = null

  constructor(bytes: Uint8Array, size: GridSize, offset: number) {
    this.#bytes = bytes
    this.#offset = offset
    this.#grid = new LineGrid(size)
  }

  read(): TerminalText {
    const bytes = this.#bytes
    let at = 0
    while (at < bytes.length) {
      const byte = bytes[at] as number
      if (byte >= 0x20 && byte < 0x7f) this.#print(byte, ++at)
      else if (byte === ESC) at = this.#escape(at + 1)
      else if (byte < 0x80) this.#control(byte, ++at)
      else {
        const { codePoint, length } = decodeAt(bytes, at)
        if (length === 0) break
        at += length
        if (codePoint < 0xa0) at = this.#introduced(codePoint - 0x40, at)
        else this.#print(codePoint, at)
      }
    }
    const cells = this.#grid.read()
    const { hasConcealed, hasInvisible } = { hasConcealed: this.#hasConcealed, hasInvisible: this.#hasInvisible }
    return { ...cells, hasConcealed, hasInvisible, end: this.#offset + Math.min(at, bytes.length) }
  }

  #print(codePoint: number, at: number): void {
    const character = ASCII[codePoint] ?? String.fromCodePoint(codePoint)
    this.#last = codePoint
    if (codePoint < 0x7f && !this.#isConcealed) return this.#grid.putNarrow(character, this.#offset + at)
    const kind = kindOf(codePoint)
    if (kind === 'invisible') this.#hasInvisible = true
    else if (kind === 'joins') this.#grid.join(character)
    else {
      const cell = this.#isConcealed && codePoint !== 0x20 ? CONCEALED + character : character
      if (cell.length > 1 && this.#isConcealed) this.#hasConcealed = true
      this.#grid.put(cell, codePoint, this.#offset + at)
    }
  }

  #control(byte: number, at: number): void {
    this.#last = null
    if (byte === 0x0d) this.#grid.carriageReturn()
    else if (byte >= 0x0a && byte <= 0x0c) this.#grid.lineFeed(this.#offset + at)
    else if (byte === 0x08) this.#grid.backspace()
    else if (byte === 0x09) this.#grid.tab(this.#offset + at)
  }

  /** After ESC. @returns where to go on */
  #escape(from: number): number {
    let at = from
    let hasIntermediate = false
    for (; at < this.#bytes.length; at++) {
      const byte = this.#bytes[at] as number
      if (byte === ESC || byte >= 0x7f) return at
      if (byte === CAN || byte === SUB) return at + 1
      if (byte >= 0x30) return hasIntermediate ? at + 1 : this.#introduced(byte, at + 1)
      if (byte >= 0x20) hasIntermediate = true
      else this.#control(byte, at + 1)
    }
    return at
  }

  /** After `ESC kind`, or a C1 control, which means the same. */
  #introduced(kind: number, at: number): number {
    if (ASCII[kind] !== '[') this.#last = null
    switch (ASCII[kind]) {
      case '[':
        return this.#controlSequence(at)
      case ']':
        return this.#string(at, BEL)
      case 'P':
      case 'X':
      case '^':
      case '_':
        return this.#string(at, ESC)
      case '7':
        this.#grid.save()
        return at
      case '8':
        this.#grid.restore()
        return at
      case 'D':
        this.#grid.move(1, 0)
        return at
      case 'E':
        this.#grid.lineFeed(this.#offset + at)
        return at
      case 'M':
        this.#grid.move(-1, 0)
        return at
      case 'c':
        this.#grid.leaveAlternate()
        this.#grid.eraseInDisplay(2)
        this.#grid.moveTo(0, 0)
        this.#render(INITIAL_RENDITION)
        return at
      default:
        return at
    }
  }

  /** The payload of a string says nothing to a reader. It ends with ST, ESC, CAN, SUB or `also`. */
  #string(from: number, also: number): number {
    const bytes = this.#bytes
    for (let at = from; at < bytes.length; at++) {
      const byte = bytes[at] as number
      if (byte === ESC) return at
      if (byte === also || byte === CAN || byte === SUB) return at + 1
      if (byte === STRING_TERMINATOR && bytes[at - 1] === 0xc2) return at + 1
    }
    return bytes.length
  }

  #controlSequence(from: number): number {
    let text = ''
    for (let at = from; at < this.#bytes.length; at++) {
      const byte = this.#bytes[at] as number
      if (byte === ESC) return at
      if (byte === CAN || byte === SUB) return at + 1
      if (byte < 0x20) this.#control(byte, at + 1)
      else if (byte < 0x40) text += text.length < MAX_PARAMETERS ? (ASCII[byte] as string) : ''
      else if (byte < 0x7f) {
        this.#obey(text, ASCII[byte] as string, at + 1)
        return at + 1
      } else if (byte > 0x7f) return at
    }
    return this.#bytes.length
  }

  #obey(text: string, final: string, at: number): void {
    if (/^\?[\d;]*$/.test(text)) this.#mode(text.slice(1), final)
    else if (final === 'b') this.#repeat(Number.parseInt(text, 10) || 1, at)
    else if (/^[\d;:]*$/.test(text)) this.#obeyPlain(text, final)
    this.#last = null
  }

  #mode(text: string, final: string): void {
    if (!text.split(';').some((mode) => mode === '1049' || mode === '1047' || mode === '47')) return
    if (final === 'h') this.#grid.enterAlternate()
    else if (final === 'l') this.#grid.leaveAlternate()
  }

  #obeyPlain(text: string, final: string): void {
    const grid = this.#grid
    const [first = 0, second = 0] = text.split(';').map((each) => Math.min(Number.parseInt(each, 10) || 0, 9999))
    const count = Math.max(1, first)
    switch (final) {
      case 'm':
        return this.#render(selectRendition(this.#rendition, text))
      case 'A':
        return grid.move(-count, 0)
      case 'B':
      case 'e':
        return grid.move(count, 0)
      case 'C':
      case 'a':
        return grid.move(0, count)
      case 'D':
        return grid.move(0, -count)
      case 'E':
        grid.move(count, 0)
        return grid.carriageReturn()
      case 'F':
        grid.move(-count, 0)
        return grid.carriageReturn()
      case 'G':
      case '`':
        return grid.moveTo(null, count - 1)
      case 'd':
        return grid.moveTo(count - 1, null)
      case 'H':
      case 'f':
        return grid.moveTo(count - 1, Math.max(1, second) - 1)
      case 'J':
        return grid.eraseInDisplay(first)
      case 'K':
        return grid.eraseInLine(first)
      case 'X':
        return grid.eraseCharacters(count)
      case 'P':
        return grid.deleteCharacters(count)
      case '@':
        return grid.insertCharacters(count)
      case 'L':
        return grid.insertLines(count)
      case 'M':
        return grid.deleteLines(count)
      case 's':
        return grid.save()
      case 'u':
        return grid.restore()
      default:
    }
  }

  /** More than MAX_REPEATED of the same in all is no text. */
  #repeat(count: number, at: number): void {
    const character = this.#last
    if (character === null) return
    const times = Math.min(count, MAX_REPEATED - this.#repeated)
    this.#repeated += times
    for (let left = times; left > 0; left--) this.#print(character, at)
  }

  #render(rendition: Rendition): void {
    this.#rendition = rendition
    this.#isConcealed = isConcealed(rendition)
  }
}
