/** Reads a session's output for a model: bounded, from where the model stopped, and with what was left out in numbers. */
import * as z from 'zod'
import type { StreamOffset } from '../../protocol-src/ids.ts'
import type { TerminalSize } from '../../protocol-src/session.ts'
import type { Session } from '../sessions/session.ts'
import { modelText, type ModelText } from './model-text.ts'
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
  readonly maxLines?: number
  /** Keep escape sequences, in a visible form. */
  readonly isRaw?: boolean
}

type Masking = Pick<ToolContext, 'settings'>

/** The newest of the output in a range, cleaned, masked and bounded. */
export function readText(session: Session, wish: OutputWish, { settings }: Masking): OutputFacts {
  const { output } = session.journal
  const to = Math.min(wish.to ?? output.end, output.end)
  const asked = Math.min(wish.from, to)
  const from = Math.max(asked, output.start, to - MAX_READ_BYTES)
  const offset = Math.max(output.start, from - LOOK_BEHIND_BYTES)
  const bytes = bytesOf(session, offset, to)
  const options = {
    maxChars: MAX_TEXT_CHARS,
    maskSecrets: settings().maskSecrets,
    ...(wish.maxLines === undefined ? {} : { maxLines: wish.maxLines }),
    offset,
    from,
    size: session.descriptor.size,
  }
  const clean = modelText(bytes, options)
  const { text, bytesOmitted, notes } =
    wish.isRaw === true ? rawText(session, bytes.subarray(from - offset), clean) : clean
  return {
    text,
    bytesSeen: to - asked,
    bytesOmitted: from - asked + bytesOmitted,
    nextOffset: to,
    notes: [...notes],
  }
}

/** What is on a screen, cleaned, masked and bounded. */
export function screenText(lines: readonly string[], size: TerminalSize, { settings }: Masking): ModelText {
  return modelText(lines.join('\n').trimEnd(), {
    maxChars: MAX_TEXT_CHARS,
    maskSecrets: settings().maskSecrets,
    keep: 'head',
    size: { cols: size.cols, rows: Math.max(size.rows, lines.length) },
  })
}

const MASKED = '[masked '
const RAW_REFUSED = 'Escape sequences are left out, because they could take a masked secret apart.'
const NOT_PLAIN = /[^\n\t\u0020-\u007e\u00a1-\u{10ffff}]|\p{Cf}/gu

function rawText(
  { markNonce }: Session,
  bytes: Uint8Array,
  clean: ModelText,
): Pick<ModelText, 'text' | 'bytesOmitted' | 'notes'> {
  if (clean.text.includes(MASKED)) return { ...clean, notes: [...clean.notes, RAW_REFUSED] }
  const decoded = new TextDecoder().decode(bytes)
  // Whoever knows it can forge the shell's marks.
  const secretless = markNonce === null ? decoded : decoded.replaceAll(markNonce, '…')
  const visible = secretless
    .replaceAll('\\', '\\\\')
    .replaceAll(NOT_PLAIN, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)
  const text = visible.slice(-MAX_TEXT_CHARS)
  return { text, bytesOmitted: Math.round(bytes.length * (1 - text.length / Math.max(1, visible.length))), notes: [] }
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
