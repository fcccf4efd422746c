/**
 * Terminal output as it was printed, with its escape sequences in a visible form, for a model that asks for it. What must not be
 * shown is found twice: in what a person would read, and in what was printed, because that may have been painted over since.
 * The payload of strings (titles, clipboards, the marks of a shell with their nonce) is never shown.
 */
import { kindOf } from './character-width.ts'
import type { ModelText, ModelTextOptions } from './model-text.ts'
import { DEFAULT_ROWS, maskOf, searchable } from './readable-text.ts'
import { findSecrets } from './secret-spans.ts'
import { readTerminalText } from './terminal-text.ts'
import { boundPieces, offsetAfter, textOf, type TextPiece } from './text-pieces.ts'
import { decodeAt } from './utf8.ts'

/** One character, control or sequence. */
interface Token {
  readonly from: number
  readonly to: number
  /** How it is shown. */
  readonly shown: string
  /** What a search sees of it: one UTF-16 unit, or nothing. */
  readonly searched: string
  /** Part of the blank and carriage return with which a line editor ends a row. */
  readonly endsRow?: boolean
}

const ESC = 0x1b
const SPACE = 0x20
const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
const SHOWN_CONTROLS: Readonly<Record<number, string>> = { 7: '\\a', 8: '\\b', 9: '\t', 10: '\n', 13: '\\r', 27: '\\e' }
const STRING_KINDS = new Set(['P', 'X', ']', '^', '_'])

/** @param options as of `modelText` */
export function rawModelText(bytes: Uint8Array, options: ModelTextOptions): ModelText {
  const { offset = 0, from = offset, maskSecrets, keep } = options
  const tokens = [...tokensOf(bytes)]
  const masks = maskSecrets ? masksOf(bytes, tokens, options) : new Map<number, string>()
  const pieces = piecesOf(tokens, masks, offset).filter(({ end }) => end > from)
  const shown = boundPieces(pieces, options)
  const end = Math.max(from, offset + bytes.length)
  const isCut = shown.end < pieces.length
  const nextOffset = isCut ? offsetAfter(pieces, shown.end, from) : Math.max(from, offset + (tokens.at(-1)?.to ?? 0))
  return {
    text: textOf(pieces.slice(shown.first, shown.end)),
    bytesSeen: end - from,
    bytesOmitted: keep === 'head' ? end - nextOffset : (pieces[shown.first - 1]?.end ?? from) - from,
    nextOffset,
    notes: [],
  }
}

function piecesOf(tokens: readonly Token[], masks: ReadonlyMap<number, string>, offset: number): TextPiece[] {
  const pieces: TextPiece[] = []
  let isMasked = false
  for (const { from, to, shown, searched } of tokens) {
    const name = masks.get(from)
    const end = offset + to
    if (name !== undefined) {
      pieces.push({ text: isMasked ? '' : maskOf(name), end })
      isMasked = true
      // Sequences within a secret go with it.
    } else if (isMasked && searched === '') pieces.push({ text: '', end })
    else {
      pieces.push({ text: shown, end })
      isMasked = false
    }
  }
  return pieces
}

/** Names of secrets, by the index at which a token begins that is part of one. */
function masksOf(
  bytes: Uint8Array,
  tokens: readonly Token[],
  { size, offset = 0 }: ModelTextOptions,
): Map<number, string> {
  const masks = new Map<number, string>()
  const all = tokens.filter(({ searched }) => searched !== '')
  for (const seen of [all, all.filter(({ endsRow }) => endsRow !== true)]) {
    for (const { from, to, name } of findSecrets(seen.map(({ searched }) => searched).join(''), []))
      for (const token of seen.slice(from, to)) masks.set(token.from, name)
  }
  const read = readTerminalText(bytes, { cols: size?.cols, rows: size?.rows ?? DEFAULT_ROWS }, offset)
  // Of what a secret is made is plain ASCII: one byte a cell.
  for (const { from, to, name } of findSecrets(searchable(read), read.fullRows))
    for (const end of read.ends.slice(from, to)) masks.set(end - offset - 1, name)
  return masks
}

function* tokensOf(bytes: Uint8Array): Generator<Token> {
  for (let at = 0; at < bytes.length;) {
    const from = at
    const byte = bytes[at] as number
    if (byte === ESC) {
      at = endOfSequence(bytes, at + 2, bytes[at + 1])
      yield sequence(bytes, from, at)
    } else if (byte < 0x20 || byte === 0x7f) {
      at++
      yield control(bytes, from)
    } else {
      const { codePoint, length } = decodeAt(bytes, at)
      if (length === 0) return
      at += length
      if (codePoint >= 0x80 && codePoint < 0xa0) {
        // The same as ESC and a letter.
        at = endOfSequence(bytes, at, codePoint - 0x40)
        yield sequence(bytes, from, at)
      } else yield character(codePoint, from, { to: at, endsRow: byte === SPACE && endsRow(bytes, at) })
    }
  }
}

/** Whether the carriage return is at `at` with which, and a blank, a line editor goes from a full row to the next. */
function endsRow(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === CARRIAGE_RETURN && bytes[at + 1] !== LINE_FEED && bytes[at - 1] === SPACE
}

function control(bytes: Uint8Array, from: number): Token {
  const byte = bytes[from] as number
  const to = from + 1
  const next = bytes[to]
  if (byte === CARRIAGE_RETURN && next === LINE_FEED) return { from, to, shown: '', searched: '' }
  const isSeen = byte === LINE_FEED || byte === 0x08 || byte === 0x09 || byte === CARRIAGE_RETURN
  return {
    from,
    to,
    shown: shownControl(byte),
    searched: isSeen ? String.fromCharCode(byte) : '',
    endsRow: endsRow(bytes, from),
  }
}

function character(codePoint: number, from: number, { to, endsRow }: { to: number; endsRow: boolean }): Token {
  const text = String.fromCodePoint(codePoint)
  const kind = kindOf(codePoint)
  if (kind === 'invisible') return { from, to, shown: `\\u{${codePoint.toString(16)}}`, searched: '' }
  const isSeen = kind === 'plain'
  return {
    from,
    to,
    shown: text === '\\' ? '\\\\' : text,
    searched: isSeen ? (text.length === 1 ? text : '\ufffc') : '',
    endsRow,
  }
}

function sequence(bytes: Uint8Array, from: number, to: number): Token {
  const isShort = bytes[from] === ESC
  const [kind = '', ...rest] = isShort
    ? [...bytes.subarray(from + 1, to)].map((byte) => String.fromCharCode(byte))
    : [(bytes[from + 1] as number) - 0x40, ...bytes.subarray(from + 2, to)].map((byte) => String.fromCharCode(byte))
  return { from, to, shown: `\\e${kind}${STRING_KINDS.has(kind) ? '…' : rest.join('')}`, searched: '' }
}

function shownControl(byte: number): string {
  return SHOWN_CONTROLS[byte] ?? `\\x${byte.toString(16).padStart(2, '0')}`
}

/** The index after a sequence. @param from after its kind */
function endOfSequence(bytes: Uint8Array, from: number, kind = 0): number {
  const letter = String.fromCharCode(kind)
  if (STRING_KINDS.has(letter)) return endOfString(bytes, from, letter === ']')
  if (letter === '[') return endWhere(bytes, from, (byte) => byte >= 0x40)
  if (kind >= 0x20 && kind < 0x30) return endWhere(bytes, from, (byte) => byte >= 0x30)
  return kind < 0x20 || kind > 0x7e ? from - 1 : from
}

function endWhere(bytes: Uint8Array, from: number, isFinal: (byte: number) => boolean): number {
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at] as number
    if (byte < 0x20 || byte > 0x7e) return at
    if (isFinal(byte)) return at + 1
  }
  return bytes.length
}

/** With the ST or BEL that ends it. */
function endOfString(bytes: Uint8Array, from: number, endsWithBell: boolean): number {
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at] as number
    if (byte === 0x9c && bytes[at - 1] === 0xc2) return at + 1
    if (byte === 0x18 || byte === 0x1a || (byte === 0x07 && endsWithBell)) return at + 1
    if (byte === ESC) return bytes[at + 1] === 0x5c ? at + 2 : at
  }
  return bytes.length
}
