/**
 * The one place that every text for the model goes through: terminal bytes or text of ours become what a person would read,
 * secrets of clear shape are masked, and what is left is bounded. It changes what is shown, never what a program gets.
 */
import type { TerminalSize } from '../../protocol-src/session.ts'
import { CONCEALED } from './line-grid.ts'
import { findSecrets, type SecretSpan } from './secret-spans.ts'
import { readTerminalText, type TerminalText } from './terminal-text.ts'

/**
 * How much before a window to give with it: a secret, a line or an escape sequence that begins there is then known for what
 * it is. Longer than any private key.
 */
export const LOOK_BEHIND_BYTES = 24 * 1024

export interface ModelTextOptions {
  /** In UTF-16 units of the result. */
  readonly maxChars: number
  readonly maskSecrets: boolean
  readonly maxLines?: number
  /** Which end stays when not everything fits; `tail` unless said. */
  readonly keep?: 'head' | 'tail'
  /** Offset of the first byte of the input in its stream, 0 unless said. */
  readonly offset?: number
  /** Offset at which what is to be shown begins; what lies before it is only context. The offset of the input unless said. */
  readonly from?: number
  /** The terminal's size: without it nothing is known to have wrapped. */
  readonly size?: TerminalSize
}

export interface ModelText {
  readonly text: string
  /** Bytes from `from` to the end of the input: those that the text is about. */
  readonly bytesSeen: number
  /** How many of them the text leaves out because of its bounds. */
  readonly bytesOmitted: number
  /** Where to go on reading without seeing anything twice. */
  readonly nextOffset: number
  /** Sentences for the model about what is not in the text and why. */
  readonly notes: readonly string[]
}

/** Rows of a screen whose size is not known. */
const DEFAULT_ROWS = 24
/** Bytes of escape sequences and overwritten text that a character of the result may cost. */
const BYTES_PER_CHAR = 16
const MIN_WORK_BYTES = 256 * 1024
const CONCEALED_NOTE = 'Text that was printed invisibly is left blank.'
const INVISIBLE_NOTE = 'Characters that show nothing or turn the direction of text are left out.'

export function modelText(input: Uint8Array | string, options: ModelTextOptions): ModelText {
  const bytes = typeof input === 'string' ? new TextEncoder().encode(input) : input
  const work = workOf(bytes, options)
  const read = readTerminalText(work.bytes, gridSize(options), work.offset)
  const secrets = options.maskSecrets ? findSecrets(searchText(read), read.fullRows) : []
  const pieces = piecesFrom(read, firstAfter(read, work.from), secrets)
  const { first, end } = bounded(pieces, options)
  const asked = options.from ?? options.offset ?? 0
  const last = Math.max(asked, (options.offset ?? 0) + bytes.length)
  const isHead = options.keep === 'head'
  const nextOffset = isHead && end < pieces.length ? offsetBefore(pieces, end, asked) : Math.max(asked, read.end)
  const shownFrom = Math.max(work.from, first === 0 ? asked : (pieces[first - 1]?.end ?? asked))
  return {
    text: pieces
      .slice(first, end)
      .map(({ text }) => text)
      .join(''),
    bytesSeen: last - asked,
    bytesOmitted: isHead ? last - nextOffset : Math.min(last, shownFrom) - asked,
    nextOffset,
    notes: [...(read.hasConcealed ? [CONCEALED_NOTE] : []), ...(read.hasInvisible ? [INVISIBLE_NOTE] : [])],
  }
}

/** One UTF-16 unit for each cell, so that an index of it is one of the cells; what is no plain ASCII character never matters. */
export function searchText({ cells }: TerminalText): string {
  return cells.map((cell) => (cell.length === 1 ? cell : baseOf(cell))).join('')
}

export function gridSize({ size }: Pick<ModelTextOptions, 'size'>): { cols: number | undefined; rows: number } {
  return { cols: size?.cols, rows: size?.rows ?? DEFAULT_ROWS }
}

/** What a cell shows. */
export function shownCell(cell: string): string {
  return cell.startsWith(CONCEALED) ? ' ' : cell
}

function baseOf(cell: string): string {
  if (cell.startsWith(CONCEALED)) return cell[1] as string
  const first = cell[0] as string
  return first < '\u007f' ? first : '\ufffc'
}

/** What of the input is worth reading: its beginning or end, as far as the text may reach. */
function workOf(
  bytes: Uint8Array,
  { maxChars, keep, offset = 0, from = offset }: ModelTextOptions,
): { bytes: Uint8Array; offset: number; from: number } {
  const most = Math.max(MIN_WORK_BYTES, maxChars * BYTES_PER_CHAR)
  const start = Math.max(0, from - offset)
  if (keep === 'head') return { bytes: bytes.subarray(0, start + most), offset, from }
  const shown = Math.max(start, bytes.length - most)
  const begin = Math.max(0, shown - LOOK_BEHIND_BYTES)
  return { bytes: bytes.subarray(begin), offset: offset + begin, from: offset + shown }
}

function firstAfter({ ends }: TerminalText, from: number): number {
  const at = ends.findIndex((end) => end > from)
  return at === -1 ? ends.length : at
}

interface Piece {
  readonly text: string
  /** Offset after its last byte. */
  readonly end: number
}

/** What is shown, in pieces that are shown whole or not at all. */
function piecesFrom({ cells, ends }: TerminalText, start: number, secrets: readonly SecretSpan[]): Piece[] {
  const pieces: Piece[] = []
  let nextSecret = secrets.findIndex(({ to }) => to > start)
  for (let at = start; at < cells.length; ) {
    const secret = nextSecret === -1 ? undefined : secrets[nextSecret]
    if (secret !== undefined && secret.from <= at) {
      pieces.push({ text: `[masked ${secret.name}]`, end: ends[secret.to - 1] as number })
      at = secret.to
      nextSecret++
    } else {
      let text = shownCell(cells[at] as string)
      // An emoji that is joined with the next is one with it.
      while (text.endsWith('\u200d') && at + 1 < cells.length) text += shownCell(cells[++at] as string)
      pieces.push({ text, end: ends[at] as number })
      at++
    }
  }
  return pieces
}

function bounded(pieces: readonly Piece[], options: ModelTextOptions): { first: number; end: number } {
  const { maxChars, maxLines = Infinity } = options
  const isHead = options.keep === 'head'
  let chars = 0
  let breaks = 0
  let taken = 0
  for (; taken < pieces.length; taken++) {
    const { text } = pieces[isHead ? taken : pieces.length - 1 - taken] as Piece
    // The break that ends the last line is no further line.
    if (text === '\n' && (isHead || taken > 0) && ++breaks >= maxLines) {
      if (isHead && chars + 1 <= maxChars) taken++
      break
    }
    if (chars + text.length > maxChars) break
    chars += text.length
  }
  if (isHead) return { first: 0, end: taken }
  const first = pieces.length - taken
  return { first: first === 0 ? 0 : lineStart(pieces, first), end: pieces.length }
}

/** A tail begins with a whole line where that costs little of it. */
function lineStart(pieces: readonly Piece[], first: number): number {
  if (pieces[first - 1]?.text === '\n') return first
  const limit = first + Math.floor((pieces.length - first) / 4)
  for (let at = first; at < limit; at++) if (pieces[at]?.text === '\n') return at + 1
  return first
}

/** Before everything that is left out at the end. */
function offsetBefore(pieces: readonly Piece[], end: number, asked: number): number {
  let lowest = Infinity
  for (const piece of pieces.slice(end)) if (piece.end > asked) lowest = Math.min(lowest, piece.end)
  const shown = pieces[end - 1]?.end ?? asked
  return lowest === Infinity ? shown : Math.max(Math.min(shown, lowest - 1), Math.min(asked + 1, lowest))
}
