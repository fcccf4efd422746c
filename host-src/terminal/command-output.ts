/**
 * What a command printed, as text for people and models: read from the store by the offsets between its marks, without
 * sequences, and without what shells print of their own before the next prompt.
 */
import type { StreamOffset } from '../../protocol-src/ids.ts'
import { MAX_COLS } from '../../protocol-src/limits.ts'
import { plainText } from './plain-text.ts'

/** Where output is read; as much of it as is still held. */
export interface OutputSource {
  readonly start: StreamOffset
  readonly end: StreamOffset
  read(from: StreamOffset, maxBytes: number): Uint8Array | null
}

export interface OutputRange {
  readonly from: StreamOffset
  /** Not included; null for all there is. */
  readonly to: StreamOffset | null
}

export interface TextLimits {
  /** Width of the terminal. */
  readonly cols: number
  /** Of output that is read; of more, its first or its last part. */
  readonly maxBytes: number
  readonly keep: 'first' | 'last'
}

export interface OutputText {
  /** Lines end with a newline, the last one does not. */
  readonly text: string
  /** Whether there was more: beyond the limit, or no longer held. */
  readonly truncated: boolean
}

const ATTRIBUTES = '(?:\\u001b\\[[0-9;]*m|\\u001b\\(B)'
/** Longer than any of them. */
const FILLER_CHARS = MAX_COLS + 100

/**
 * What zsh and fish print after every command, so that the prompt begins on a line of its own: a sign, blanks up to the
 * width of the terminal, and back. A sign of the user's own is known by its attributes; without those, only by the width.
 */
const fillerOf = (cols: number): RegExp =>
  new RegExp(
    [
      `${ATTRIBUTES}{1,4}[^\\u001b\\r\\n]{0,8}${ATTRIBUTES}{1,4} {8,}\\r \\r$`,
      `(?:[%#] {${String(cols - 1)}}|(?<! ) {${String(cols)}})\\r \\r$`,
      `${ATTRIBUTES}{0,4}(?:[⏎¶]|\\^J)${ATTRIBUTES}{0,4} *\\r(?:[⏎¶]|\\^J) *\\r(?:\\u001b\\[K)?$`,
    ].join('|'),
    'u',
  )

/** The text of the output in a range. Never throws; what is no longer held is left out. */
export function textOfOutput(source: OutputSource, range: OutputRange, limits: TextLimits): OutputText {
  const to = Math.min(range.to ?? source.end, source.end)
  const held = Math.min(to, Math.max(range.from, source.start))
  const isOver = to - held > limits.maxBytes
  const [first, last] = !isOver
    ? [held, to]
    : limits.keep === 'first'
      ? [held, held + limits.maxBytes]
      : [to - limits.maxBytes, to]
  const bytes = readAll(source, first, last)
  const isCutBefore = first > range.from
  const isCutAfter = last < to || bytes.length < last - first
  const raw = wholeLines(bytes, { isCutBefore, isCutAfter }).toString('utf8')
  const text = plainText(isCutAfter ? raw : withoutFiller(raw, limits.cols), limits.cols)
  return { text: text.replace(/\n$/, ''), truncated: isCutBefore || isCutAfter }
}

function withoutFiller(raw: string, cols: number): string {
  return raw.slice(0, -FILLER_CHARS) + raw.slice(-FILLER_CHARS).replace(fillerOf(cols), '')
}

function readAll(source: OutputSource, from: StreamOffset, to: StreamOffset): Buffer {
  const parts: Uint8Array[] = []
  for (let at = from; at < to;) {
    const part = source.read(at, to - at)
    if (part === null || part.length === 0) break
    // A view is good until the next append only, and a file's part until the next read.
    parts.push(Uint8Array.from(part))
    at += part.length
  }
  return Buffer.concat(parts)
}

/** A cut may have gone through a character or a sequence: those of another line are out of its reach. */
function wholeLines(bytes: Buffer, { isCutBefore, isCutAfter }: { isCutBefore: boolean; isCutAfter: boolean }): Buffer {
  const from = isCutBefore ? bytes.indexOf(0x0a) + 1 : 0
  const lastNewline = isCutAfter ? bytes.lastIndexOf(0x0a) : -1
  return bytes.subarray(from, lastNewline < from ? bytes.length : lastNewline + 1)
}
