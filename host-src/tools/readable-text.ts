/** What a person would read of terminal bytes, with what must not be shown replaced: the way of every text to the model. */
import type { TerminalSize } from '../../protocol-src/session.ts'
import { CONCEALED } from './line-grid.ts'
import { findSecrets } from './secret-spans.ts'
import { readTerminalText, type TerminalText } from './terminal-text.ts'
import type { TextPiece } from './text-pieces.ts'

/**
 * How much before a window to read with it: a secret, a line or an escape sequence that begins there is then known for what
 * it is. Longer than any private key.
 */
export const LOOK_BEHIND_BYTES = 24 * 1024

export interface ReadableOptions {
  /** Offset of the first byte in its stream. */
  readonly offset: number
  /** Offset at which what is shown begins; what lies before it is context. */
  readonly from: number
  readonly maskSecrets: boolean
  /** Without it nothing is known to have wrapped. */
  readonly size?: TerminalSize | undefined
  /** What else is replaced. */
  readonly alsoReplace?: ((text: SearchText) => readonly Replacement[]) | undefined
}

/** A text to search: one UTF-16 unit for each cell. What is no plain character is U+FFFC. */
export interface SearchText {
  readonly text: string
  /** Indices of line breaks before which the row was full. */
  readonly fullRows: readonly number[]
  /** Offset after the last byte of each cell. */
  readonly ends: readonly number[]
  /** Index after which the next character goes. */
  readonly cursor: number
}

export interface Replacement {
  readonly from: number
  readonly to: number
  /** What is shown instead. */
  readonly text: string
}

export interface Readable {
  readonly pieces: TextPiece[]
  /** Offset after the last byte that was used: the rest is the beginning of a character. */
  readonly end: number
  readonly hasConcealed: boolean
  readonly hasInvisible: boolean
}

/** Rows of a screen whose size is not known. */
export const DEFAULT_ROWS = 24
const JOINER = '\u200d'

export function readable(bytes: Uint8Array, options: ReadableOptions): Readable {
  const { size, offset, from } = options
  const read = readTerminalText(bytes, { cols: size?.cols, rows: size?.rows ?? DEFAULT_ROWS }, offset)
  const search: SearchText = { text: searchable(read), fullRows: read.fullRows, ends: read.ends, cursor: read.cursor }
  const replacements = [...(options.maskSecrets ? masks(search) : []), ...(options.alsoReplace?.(search) ?? [])]
  const start = from <= offset ? 0 : read.ends.findIndex((end) => end > from)
  const pieces = start === -1 ? [] : piecesOf(read, start, inOrder(replacements))
  return { pieces, end: read.end, hasConcealed: read.hasConcealed, hasInvisible: read.hasInvisible }
}

/** What takes the place of a secret. */
export function maskOf(name: string): string {
  return `[masked ${name}]`
}

function masks({ text, fullRows }: SearchText): Replacement[] {
  return findSecrets(text, fullRows).map(({ from, to, name }) => ({ from, to, text: maskOf(name) }))
}

/** One UTF-16 unit for each cell. */
export function searchable({ cells }: Pick<TerminalText, 'cells'>): string {
  return cells.map((cell) => (cell.length === 1 ? cell : baseOf(cell))).join('')
}

function baseOf(cell: string): string {
  const base = cell.startsWith(CONCEALED) ? cell.slice(CONCEALED.length) : cell
  return (base[0] as string) < '\u007f' ? (base[0] as string) : '\ufffc'
}

/** Without overlaps: the one that begins first stays whole. */
function inOrder(replacements: readonly Replacement[]): Replacement[] {
  const result: Replacement[] = []
  for (const next of [...replacements].sort((one, other) => one.from - other.from)) {
    const from = Math.max(next.from, result.at(-1)?.to ?? 0)
    if (next.to > from) result.push({ ...next, from })
  }
  return result
}

function piecesOf({ cells, ends }: TerminalText, start: number, replacements: readonly Replacement[]): TextPiece[] {
  const pieces: TextPiece[] = []
  const ahead = replacements.filter(({ to }) => to > start).reverse()
  for (let at = start; at < cells.length;) {
    const next = ahead.at(-1)
    if (next !== undefined && next.from <= at) {
      pieces.push({ text: next.text, end: ends[next.to - 1] as number })
      at = next.to
      ahead.pop()
      continue
    }
    let text = shown(cells[at] as string)
    // What is joined with the next is one character with it.
    while (text.endsWith(JOINER) && at + 1 < cells.length) text += shown(cells[++at] as string)
    pieces.push({ text, end: ends[at] as number })
    at++
  }
  return pieces
}

function shown(cell: string): string {
  return cell.startsWith(CONCEALED) ? ' ' : cell
}
