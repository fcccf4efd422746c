/**
 * The catalogue of what can happen to a session, as it is written down. A payload is typed by its event's name and
 * validated when it is written and when it is read. There is no place for typed text: `input` counts bytes.
 */
import * as z from 'zod'
import { persistNameSchema, sessionIdSchema, streamOffsetSchema } from '../../protocol-src/ids.ts'
import { commandRecordSchema } from '../../protocol-src/command.ts'
import { MAX_PATH_CHARS } from '../../protocol-src/limits.ts'
import {
  closeReasonSchema,
  exitReasonSchema,
  exitStatusSchema,
  ownerSchema,
  terminalSizeSchema,
  terminationSchema,
  titleSchema,
} from '../../protocol-src/session.ts'
import { hostRefSchema } from '../../protocol-src/ssh.ts'

const nothing = z.strictObject({})
const path = z.string().max(MAX_PATH_CHARS)
/** Number of viewers after the event. */
const viewers = z.strictObject({ viewers: z.int().min(0) })

export const journalEventSchemas = {
  /** Always the first event. `run` is a shell's path, or the arguments of a command session. */
  opened: z.strictObject({
    kind: z.enum(['local', 'ssh']),
    target: z.string(),
    run: z.union([z.strictObject({ shell: z.string() }), z.strictObject({ argv: z.array(z.string()).min(1) })]),
    /** Of another machine; without secrets. */
    host: hostRefSchema.optional(),
    cwd: path.nullable(),
    size: terminalSizeSchema,
    owner: ownerSchema,
    retryOf: sessionIdSchema.nullable(),
    /** Under what it was to outlive the host. */
    persist: persistNameSchema.optional(),
  }),
  /** Bytes `from` up to, not including, `to` of the output; the bytes themselves are in the output store. */
  output: z
    .strictObject({ from: streamOffsetSchema, to: streamOffsetSchema, sha256: z.string().regex(/^[0-9a-f]{64}$/) })
    .refine(({ from, to }) => from < to, 'an output range is not empty'),
  resized: terminalSizeSchema,
  /** `forced`: although a person may have been typing. */
  input: z.strictObject({
    source: z.enum(['user', 'agent', 'plugin']),
    bytes: z.int().min(1),
    forced: z.literal(true).optional(),
  }),
  cwd: z.strictObject({ path }),
  prompt: nothing,
  /** Its directory is that of the last `cwd`; the times are those of the records. */
  commandStarted: commandRecordSchema.pick({ id: true, text: true, truncated: true, outputFrom: true, promptAt: true }),
  commandFinished: commandRecordSchema.pick({ id: true, exitCode: true, outputTo: true }),
  /** Nobody will be told how this command ends: another program took the place of its shell, or no mark is believed. */
  commandLost: commandRecordSchema.pick({ id: true }),
  /** The nonce of the marks was printed at `at`, so that none is believed any more. */
  marksDistrusted: z.strictObject({ at: streamOffsetSchema }),
  /** A later run of the host took it over: output goes on where it was. */
  adopted: nothing,
  /** The person's name for it; null: none any more. */
  renamed: z.strictObject({ title: titleSchema.nullable() }),
  attached: viewers,
  detached: viewers,
  hidden: nothing,
  shown: nothing,
  /** At most once. Unless the reason is `process`, nobody saw how the process ended, and both status fields are null. */
  exited: exitStatusSchema.extend({ reason: exitReasonSchema }),
  terminated: terminationSchema,
  /** Always the last event. */
  released: z.strictObject({ reason: closeReasonSchema }),
} as const

export type JournalEventType = keyof typeof journalEventSchemas
export type JournalEventMap = { readonly [T in JournalEventType]: z.output<(typeof journalEventSchemas)[T]> }

export const JOURNAL_EVENT_TYPES = Object.keys(journalEventSchemas) as readonly JournalEventType[]

export function isJournalEventType(type: string): type is JournalEventType {
  return Object.hasOwn(journalEventSchemas, type)
}

/**
 * The payload as the catalogue knows it.
 * @throws ZodError when it is not one of `type`, also for fields that the type does not have
 */
export function parseEvent<T extends JournalEventType>(type: T, data: unknown): JournalEventMap[T] {
  return journalEventSchemas[type].parse(data) as JournalEventMap[T]
}
