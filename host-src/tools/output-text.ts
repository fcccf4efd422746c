/** Reads a session's output for a model: bounded, from where the model stopped, and with what was left out in numbers. */
import * as z from 'zod'
import type { StreamOffset } from '../../protocol-src/ids.ts'
import type { Session } from '../sessions/session.ts'
import { modelText } from './model-text.ts'
import type { ToolContext } from './tool.ts'

/** Longest text of one result. */
export const MAX_TEXT_CHARS = 16_000
/** Output looked at for one result: what lies before it is counted, not read. */
const MAX_READ_BYTES = 256 * 1024

/** What every result with output says of it. */
export const outputFields = {
  text: z.string(),
  /** Bytes of output that `text` stands for. */
  bytesSeen: z.int().min(0),
  /** Bytes before them that are not in `text`. */
  bytesOmitted: z.int().min(0),
  /** Where the next read continues. */
  nextOffset: z.int().min(0),
}
export type OutputFacts = z.output<z.ZodObject<typeof outputFields>>

export interface OutputWish {
  readonly from: StreamOffset
  /** The end of the output when absent. */
  readonly to?: StreamOffset
  readonly maxLines?: number
  readonly raw?: boolean
}

/** The newest of the output in a range, cleaned, masked and bounded. */
export function readText(session: Session, wish: OutputWish, { settings }: Pick<ToolContext, 'settings'>): OutputFacts {
  const { output } = session.journal
  const to = Math.min(wish.to ?? output.end, output.end)
  const from = Math.min(wish.from, to)
  const bytes = bytesOf(session, Math.max(from, output.start, to - MAX_READ_BYTES), to)
  const tail = wish.maxLines === undefined ? bytes : lastLines(bytes, wish.maxLines)
  const options = { maxChars: MAX_TEXT_CHARS, maskSecrets: settings().maskSecrets, raw: wish.raw === true }
  const { text, bytesOmitted } = modelText(tail, options)
  const bytesSeen = Math.max(0, tail.length - bytesOmitted)
  return { text, bytesSeen, bytesOmitted: to - from - bytesSeen, nextOffset: to }
}

function bytesOf(session: Session, from: StreamOffset, to: StreamOffset): Uint8Array {
  const parts: Uint8Array[] = []
  for (let at = from; at < to;) {
    const part = session.journal.output.read(at, to - at)
    if (part === null || part.length === 0) break
    parts.push(Uint8Array.from(part))
    at += part.length
  }
  return Buffer.concat(parts)
}

const LINE_FEED = 0x0a

/** The last lines; one that is not ended yet counts as one. */
function lastLines(bytes: Uint8Array, count: number): Uint8Array {
  let at = bytes.length
  if (bytes[at - 1] === LINE_FEED) at -= 1
  for (let lines = 0; lines < count; lines += 1) {
    at = bytes.lastIndexOf(LINE_FEED, at - 1)
    if (at <= 0) return at === 0 && lines + 1 === count ? bytes.subarray(1) : bytes
  }
  return bytes.subarray(at + 1)
}

/** What was left out, for the model; empty when nothing was. */
export function omittedInWords({ bytesOmitted }: Pick<OutputFacts, 'bytesOmitted'>): string {
  return bytesOmitted === 0 ? '' : `[${String(bytesOmitted)} earlier bytes are not shown]\n`
}
