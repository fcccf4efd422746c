/** Reads a session's output for a model: bounded, from where the model stopped, and with what was left out in numbers. */
import * as z from 'zod'
import type { StreamOffset } from '../../protocol-src/ids.ts'
import type { Session } from '../sessions/session.ts'
import type { VisibleScreen } from '../terminal/screen-messages.ts'
import { modelText, type ModelText } from './model-text.ts'
import { rawModelText } from './raw-text.ts'
import { LOOK_BEHIND_BYTES } from './readable-text.ts'
import type { ToolContext } from './tool.ts'

/** Longest text of one result. */
export const MAX_TEXT_CHARS = 16_000
/** Output looked at for one result: what lies before it is counted, not read. */
const MAX_READ_BYTES = 256 * 1024

/** What every result with output says of it. */
export const outputFields = {
  text: z.string(),
  /** Bytes of output that `text` is about. */
  bytesSeen: z.int().min(0),
  /** How many of them are not in `text`. */
  bytesOmitted: z.int().min(0),
  /** Where the next read continues. */
  nextOffset: z.int().min(0),
  /** What else is not in `text`, and why. */
  notes: z.array(z.string()),
}
export type OutputFacts = z.output<z.ZodObject<typeof outputFields>>

export interface OutputWish {
  readonly from: StreamOffset
  /** The end of the output when absent. */
  readonly to?: StreamOffset | undefined
  readonly maxLines?: number | undefined
  /** Keep escape sequences, in a visible form. */
  readonly isRaw?: boolean
  /** The oldest of the range, to be read on from `nextOffset`; the newest of it when absent. */
  readonly keep?: 'head'
}

type Masking = Pick<ToolContext, 'settings'>

/** Output in a range, cleaned, masked and bounded. */
export function readText(session: Session, wish: OutputWish, { settings }: Masking): OutputFacts {
  const { output } = session.journal
  const { keep, maxLines } = wish
  const end = Math.min(wish.to ?? output.end, output.end)
  const asked = Math.min(wish.from, end)
  const from = Math.max(asked, output.start, keep === 'head' ? 0 : end - MAX_READ_BYTES)
  const to = keep === 'head' ? Math.min(end, from + MAX_READ_BYTES) : end
  const offset = Math.max(output.start, from - LOOK_BEHIND_BYTES)
  const options = {
    maxChars: MAX_TEXT_CHARS,
    maskSecrets: settings().maskSecrets,
    offset,
    from,
    size: session.descriptor.size,
    ...(keep === undefined ? {} : { keep }),
    ...(maxLines === undefined ? {} : { maxLines }),
  }
  const read = wish.isRaw === true ? rawModelText : modelText
  const { text, bytesOmitted, nextOffset, notes } = read(bytesOf(session, offset, to), options)
  return {
    text,
    bytesSeen: (keep === 'head' ? nextOffset : end) - asked,
    bytesOmitted: from - asked + (keep === 'head' ? 0 : bytesOmitted),
    nextOffset: keep === 'head' ? nextOffset : end,
    notes: [...notes],
  }
}

/** What is on a screen, cleaned, masked and bounded. */
export function screenText(
  { above, lines, size }: Pick<VisibleScreen, 'above' | 'lines' | 'size'>,
  { settings }: Masking,
): ModelText {
  return modelText([...above, ...lines].join('\n').trimEnd(), {
    maxChars: MAX_TEXT_CHARS,
    maskSecrets: settings().maskSecrets,
    keep: 'head',
    // A secret that begins above the screen goes on in it.
    from: Buffer.byteLength(above.map((line) => `${line}\n`).join('')),
    size,
  })
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

/**
 * A result as the model reads it. The first line is the tool's own; everything after it was printed by programs, so that
 * nothing that they print can pass for a fact.
 * @param facts what is known, each without a line break
 */
export function resultText(
  facts: readonly string[],
  { text, bytesOmitted, notes }: Pick<OutputFacts, 'text' | 'notes'> & { bytesOmitted?: number },
): string {
  const omitted =
    bytesOmitted === undefined || bytesOmitted === 0 ? [] : [`${String(bytesOmitted)} earlier bytes are not shown`]
  const first = `[${[...facts, ...omitted, ...notes].join('; ')}]`
  const body = text.replace(/\n$/, '')
  return body === '' ? first : `${first}\n${body}`
}
