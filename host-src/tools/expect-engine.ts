/**
 * A wait for a text, as a machine that is told what happens and answers with the outcome once there is one. It matches what
 * the model would read: cleaned, masked, and without the echo of what was just typed. It knows no clock and no session.
 */
import type { StreamOffset } from '../../protocol-src/ids.ts'
import type { TerminalSize } from '../../protocol-src/session.ts'
import { findEcho, sentLines, type SentLine, type SentText } from './echo-spans.ts'
import type { ExpectPattern } from './expect-pattern.ts'
import { notesOn, type ModelText } from './model-text.ts'
import { LOOK_BEHIND_BYTES, readable, type Readable, type Replacement, type SearchText } from './readable-text.ts'
import { boundPieces, textOf, type TextPiece } from './text-pieces.ts'

/** A session's output, as far as it is held. */
export interface OutputSource {
  readonly start: StreamOffset
  readonly end: StreamOffset
  /** Up to `maxBytes` from `from`; empty only at `end`, null when `from` is not held. */
  read(from: StreamOffset, maxBytes: number): Uint8Array | null
}

/** A command of the session's shell that has ended. */
export interface EndedCommand {
  readonly outputFrom: StreamOffset
  readonly outputTo: StreamOffset
  readonly exitCode: number | null
}

export interface ExpectOptions {
  readonly pattern: ExpectPattern
  readonly output: OutputSource
  /** What the model has not read begins here. */
  readonly from: StreamOffset
  readonly sent: SentText | null
  /** The command that ended since it was typed, when none runs and the model was not told of its end. */
  readonly ended: EndedCommand | null
  readonly size: TerminalSize
  readonly maskSecrets: boolean
  /** Longest text of the outcome. */
  readonly maxChars: number
}

export interface ExpectOutcome extends ModelText {
  readonly matched: boolean
  /** What matched, as far as MAX_MATCH_CHARS. */
  readonly match?: string
  /** `buffered`: it was there before; `last`: in the output of a command that was over; `live`: it came during the wait. */
  readonly matchedFrom?: 'live' | 'last' | 'buffered'
  /** Nothing but the echo of what was typed would have matched. */
  readonly echoOnly?: true
  readonly timedOut?: true
  readonly interruptedBy?: 'user'
  /** The command is over. */
  readonly commandEnded?: true
  /** The session is over. */
  readonly exited?: true
  readonly exitCode?: number
}

/** How much is looked at: the newest. */
export const EXPECT_WINDOW_BYTES = 64 * 1024
const MAX_MATCH_CHARS = 2000
/** New output is looked at once there is this share of the window; less waits for `look`. */
const SHARE = 8
const SMALL_BYTES = 512
/** A pattern of this size may need long for a window: what is printed never has to wait for it. */
const LARGE_PATTERN = 64
const MIN_PAUSE_MS = 50
/** Stands for an echo: no text has it, no pattern asks for it, and a match of nothing else is none. */
const ECHO = '\uffff'
/** How many matches of nothing but echo are passed over. */
const MAX_PASSED_OVER = 16

type Reason = Pick<ExpectOutcome, 'timedOut' | 'interruptedBy' | 'commandEnded' | 'exited' | 'exitCode'>

interface Found {
  readonly readable: Readable
  /** First piece, and that after the last, of the match. */
  readonly first: number
  readonly end: number
}

export class ExpectWait {
  readonly #options: ExpectOptions
  readonly #from: StreamOffset
  readonly #typed: readonly SentLine[]
  #hasBegun = false
  /** Up to where the output was looked at. */
  #seen: StreamOffset

  constructor(options: ExpectOptions) {
    this.#options = options
    this.#from = Math.min(options.from, options.ended?.outputFrom ?? options.from)
    this.#seen = this.#from
    this.#typed = options.sent === null ? [] : sentLines(options.sent.text)
  }

  /** How long after something was printed to `look`: the longer, the more a look may cost. */
  get pauseMs(): number {
    const { size } = this.#options.pattern
    return Math.max(MIN_PAUSE_MS, Math.round((size * size) / LARGE_PATTERN))
  }

  /** Whether there is output that was not looked at yet: call `look` after a pause. */
  get isDue(): boolean {
    return this.#options.output.end > this.#seen
  }

  /** Look at what is there before waiting. Null: wait. */
  begin(): ExpectOutcome | null {
    const { ended } = this.#options
    this.#hasBegun = true
    const found = this.#find({ hasEcho: false })
    if (found !== null) {
      const at = found.readable.pieces[found.end - 1]?.end ?? 0
      const isInLast = ended !== null && at > ended.outputFrom && at <= ended.outputTo
      return this.#matched(found, isInLast ? 'last' : 'buffered', isInLast ? codeOf(ended) : {})
    }
    return ended === null ? null : this.#settled({ commandEnded: true, ...codeOf(ended) })
  }

  /** More was printed. */
  printed(): ExpectOutcome | null {
    if (this.#options.pattern.size > LARGE_PATTERN) return null
    const fresh = this.#options.output.end - this.#seen
    const window = Math.min(this.#options.output.end - this.#from, EXPECT_WINDOW_BYTES)
    return fresh * SHARE >= window || window <= SMALL_BYTES ? this.look() : null
  }

  /** Look at everything that was printed. */
  look(): ExpectOutcome | null {
    const found = this.#find({ hasEcho: false })
    return found === null ? null : this.#matched(found, 'live', {})
  }

  /** The command that ran is over, and all it printed is there. */
  commandEnded(exitCode: number | null): ExpectOutcome {
    return this.#ended({ commandEnded: true, ...codeOf({ exitCode }) })
  }

  /** The session's process is gone, and all it printed is there. Also for a session that was over before. */
  exited(exitCode: number | null): ExpectOutcome {
    return this.#ended({ exited: true, ...codeOf({ exitCode }) })
  }

  userTyped(): ExpectOutcome {
    return this.look() ?? this.#settled({ interruptedBy: 'user' })
  }

  timedOut(): ExpectOutcome {
    return this.look() ?? this.#settled({ timedOut: true })
  }

  #ended(reason: Reason): ExpectOutcome {
    const found = this.#find({ hasEcho: false })
    if (found === null) return this.#settled(reason)
    return this.#matched(found, this.#hasBegun ? 'live' : 'buffered', reason)
  }

  #matched(
    { readable: read, first, end }: Found,
    matchedFrom: 'live' | 'last' | 'buffered',
    reason: Reason,
  ): ExpectOutcome {
    const { output, maxChars } = this.#options
    const shown = withoutEcho(read.pieces.slice(0, end))
    const bounds = boundPieces(shown, { maxChars })
    const nextOffset = read.pieces[end - 1]?.end ?? this.#from
    const shownFrom = shown[bounds.first - 1]?.end ?? Math.max(this.#from, output.end - EXPECT_WINDOW_BYTES)
    return {
      matched: true,
      match: textOf(withoutEcho(read.pieces.slice(first, end))).slice(0, MAX_MATCH_CHARS),
      matchedFrom,
      ...reason,
      text: textOf(shown.slice(bounds.first, bounds.end)),
      bytesSeen: nextOffset - this.#from,
      bytesOmitted: Math.max(0, Math.min(shownFrom, nextOffset) - this.#from),
      nextOffset,
      notes: notesOn(read),
    }
  }

  /** Over without a match. A time-out and an interruption consume nothing; an end leaves nothing to come. */
  #settled(reason: Reason): ExpectOutcome {
    const { pieces, ...read } = this.#read({ hasEcho: false })
    const { output, maxChars } = this.#options
    const shown = withoutEcho(pieces)
    const bounds = boundPieces(shown, { maxChars })
    const isOver = reason.exited === true || reason.commandEnded === true
    const shownFrom = shown[bounds.first - 1]?.end ?? Math.max(this.#from, output.end - EXPECT_WINDOW_BYTES)
    const isEcho = this.#typed.length > 0 && this.#find({ hasEcho: true }) !== null
    return {
      matched: false,
      ...(isEcho ? { echoOnly: true } : {}),
      ...reason,
      text: textOf(shown.slice(bounds.first)),
      bytesSeen: output.end - this.#from,
      bytesOmitted: shownFrom - this.#from,
      nextOffset: isOver ? Math.max(this.#options.from, output.end) : this.#options.from,
      notes: notesOn(read),
    }
  }

  /** @param options.hasEcho look at the echo too */
  #find(options: { hasEcho: boolean }): Found | null {
    const read = this.#read(options)
    this.#seen = this.#options.output.end
    const text = textOf(read.pieces)
    let at = 0
    for (let tries = 0; tries < MAX_PASSED_OVER && at <= text.length; tries++) {
      const match = this.#options.pattern.find(text, at)
      if (match === null) return null
      const matched = text.slice(match.start, match.end)
      if (matched === '' || /[^\s\uffff]/.test(matched) || !matched.includes(ECHO))
        return { readable: read, ...pieceRange(read.pieces, match) }
      at = match.end
    }
    return null
  }

  #read({ hasEcho }: { hasEcho: boolean }): Readable {
    const { output, size, maskSecrets, sent } = this.#options
    const from = Math.max(this.#from, output.start, output.end - EXPECT_WINDOW_BYTES)
    // The echo is found from where it begins.
    const context = Math.min(from, sent?.at ?? from)
    const offset = Math.max(output.start, from - EXPECT_WINDOW_BYTES, Math.min(context, from - LOOK_BEHIND_BYTES), 0)
    const alsoReplace =
      sent === null || sent.at < offset || hasEcho
        ? undefined
        : (search: SearchText): Replacement[] =>
            findEcho(search, this.#typed, sent.at).map((span) => ({ ...span, text: ECHO }))
    return readable(bytesOf(output, offset), { offset, from, maskSecrets, size, alsoReplace })
  }
}

function withoutEcho(pieces: readonly TextPiece[]): TextPiece[] {
  return pieces.map((piece) => (piece.text === ECHO ? { ...piece, text: '' } : piece))
}

function pieceRange(
  pieces: readonly TextPiece[],
  { start, end }: { start: number; end: number },
): { first: number; end: number } {
  let at = 0
  let first = -1
  let index = 0
  for (; index < pieces.length && at < end; index++) {
    at += (pieces[index] as TextPiece).text.length
    if (first === -1 && at > start) first = index
  }
  return { first: first === -1 ? index : first, end: index }
}

function bytesOf(output: OutputSource, from: StreamOffset): Uint8Array {
  const parts: Uint8Array[] = []
  for (let at = from; at < output.end;) {
    const part = output.read(at, output.end - at)
    if (part === null || part.length === 0) break
    parts.push(Uint8Array.from(part))
    at += part.length
  }
  return Buffer.concat(parts)
}

function codeOf({ exitCode }: { exitCode: number | null }): Pick<ExpectOutcome, 'exitCode'> {
  return exitCode === null ? {} : { exitCode }
}
