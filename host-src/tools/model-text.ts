/**
 * The one place that every text for the model goes through: terminal bytes or text of ours become what a person would read,
 * secrets of clear shape are masked, and what is left is bounded. It changes what is shown, never what a program gets.
 */
import type { TerminalSize } from '../../protocol-src/session.ts'
import { LOOK_BEHIND_BYTES, readable, type Readable } from './readable-text.ts'
import { boundPieces, offsetAfter, textOf, type TextBounds } from './text-pieces.ts'

export interface ModelTextOptions extends TextBounds {
  readonly maskSecrets: boolean
  /** Offset of the first byte of the input in its stream, 0 unless said. */
  readonly offset?: number | undefined
  /** Offset at which what is shown begins; what lies before it is only context. That of the input unless said. */
  readonly from?: number | undefined
  /** The terminal's size: without it nothing is known to have wrapped. */
  readonly size?: TerminalSize | undefined
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

/** Bytes of escape sequences and overwritten text that a character of the result may cost. */
const BYTES_PER_CHAR = 8
const MIN_WORK_BYTES = 128 * 1024
const CONCEALED_NOTE = 'Text that was printed invisibly is left blank.'
const INVISIBLE_NOTE = 'Characters that show nothing or turn the direction of text are left out.'

export function modelText(input: Uint8Array | string, options: ModelTextOptions): ModelText {
  const bytes = typeof input === 'string' ? new TextEncoder().encode(input) : input
  const { offset = 0, from = offset, keep } = options
  const end = Math.max(from, offset + bytes.length)
  const work = workOf(bytes, { ...options, offset, from })
  const read = readable(work.bytes, { ...options, offset: work.offset, from: work.from })
  const shown = boundPieces(read.pieces, options)
  const isCut = shown.end < read.pieces.length
  const nextOffset = isCut ? offsetAfter(read.pieces, shown.end, from) : Math.max(from, read.end)
  const shownFrom = Math.max(work.from, read.pieces[shown.first - 1]?.end ?? from)
  return {
    text: textOf(read.pieces.slice(shown.first, shown.end)),
    bytesSeen: end - from,
    bytesOmitted: keep === 'head' ? end - nextOffset : Math.min(end, shownFrom) - from,
    nextOffset,
    notes: notesOn(read),
  }
}

export function notesOn({ hasConcealed, hasInvisible }: Pick<Readable, 'hasConcealed' | 'hasInvisible'>): string[] {
  return [...(hasConcealed ? [CONCEALED_NOTE] : []), ...(hasInvisible ? [INVISIBLE_NOTE] : [])]
}

/** What of the input is worth reading: its beginning or end, as far as the text may reach. */
function workOf(
  bytes: Uint8Array,
  { maxChars, keep, offset, from }: TextBounds & { offset: number; from: number },
): { bytes: Uint8Array; offset: number; from: number } {
  const most = Math.max(MIN_WORK_BYTES, maxChars * BYTES_PER_CHAR)
  const start = Math.max(0, from - offset)
  if (keep === 'head') return { bytes: bytes.subarray(0, start + most), offset, from }
  const shown = Math.max(start, bytes.length - most)
  const begin = Math.max(0, shown - LOOK_BEHIND_BYTES)
  return { bytes: bytes.subarray(begin), offset: offset + begin, from: Math.max(from, offset + shown) }
}
