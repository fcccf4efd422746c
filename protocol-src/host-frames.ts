/** Every control frame the host may send, as JSON text. Terminal output travels in binary frames (binary-frame.ts). */
import * as z from 'zod'
import { commandRecordSchema } from './command.ts'
import { wireErrorSchema } from './errors.ts'
import {
  attachmentHandleSchema,
  hostInstanceIdSchema,
  markNonceSchema,
  sessionIdSchema,
  streamOffsetSchema,
  streamPositionSchema,
} from './ids.ts'
import { phaseReportSchema, questionSchema } from './question.ts'
import { clientSettingsSchema } from './settings.ts'
import { importPreviewSchema } from './ssh-import.ts'
import { hostKeyRecordSchema, publicEntrySchema } from './ssh.ts'
import {
  closeReasonSchema,
  exitStatusSchema,
  sessionDescriptorSchema,
  terminalSizeSchema,
  terminationSchema,
} from './session.ts'

/** The connection book, and what a page may offer to do with it. */
export const bookSchema = z.strictObject({
  entries: z.array(publicEntrySchema),
  /** The host has a store for secrets. */
  canStore: z.boolean(),
  /** Entries may name a command as the way to their machine. */
  hasProxyCommand: z.boolean(),
})

export type Book = z.output<typeof bookSchema>

const hostKeysReplySchema = z.strictObject({ records: z.array(hostKeyRecordSchema) })

const re = z.int().min(1)
const sid = sessionIdSchema

/**
 * Where a viewer starts. It does not drive until a `size` frame in the stream says so.
 *
 * `delta`: what follows continues what the viewer has. `snapshot`: the viewer takes its terminal's state from the snapshot
 * frames that come next, up to `snapshotEnd`. `replay`: it starts with an empty terminal.
 */
const streamStart = {
  mode: z.enum(['delta', 'snapshot', 'replay']),
  from: streamPositionSchema,
  /** In force at `from`. */
  size: terminalSizeSchema,
  /** Everything before it is history: device queries in it were meant for an earlier viewer and get no answer. */
  liveFrom: streamOffsetSchema,
  /** Bytes before `from` that are in nothing the viewer gets, because they are no longer held. */
  lostBytes: streamOffsetSchema,
}
export const streamStartSchema = z.strictObject(streamStart)
export type StreamStart = z.output<typeof streamStartSchema>

/** What became of the wish to keep history on disk; `degraded`: it is kept in memory, because of `reason`. */
export const journalHealthSchema = z.discriminatedUnion('mode', [
  z.strictObject({ mode: z.literal('disk') }),
  z.strictObject({ mode: z.literal('memory-by-setting') }),
  z.strictObject({
    mode: z.literal('degraded'),
    reason: z.enum([
      /** Another host owns the directory. */
      'locked',
      'no-space',
      'no-access',
      /** The file was written by a newer version of this plugin. */
      'newer-version',
      /** The file is not a sound database. */
      'damaged',
      /** Anything else; the host's log says what. */
      'failed',
    ]),
  }),
])
export type JournalHealth = z.output<typeof journalHealthSchema>
export type DegradedReason = Extract<JournalHealth, { mode: 'degraded' }>['reason']

/** One record of a session's journal; the hash covers the one before it. */
export const historyRecordSchema = z.strictObject({
  seq: z.int().min(1),
  id: z.string(),
  at: z.number(),
  type: z.string(),
  data: z.record(z.string(), z.unknown()),
  hash: z.string(),
})
export type HistoryRecord = z.output<typeof historyRecordSchema>

/** What each request gets in `ok.result`; requests not named here get `{}`. */
export const replySchemas = {
  open: z.strictObject({ session: sessionDescriptorSchema }),
  attach: z.strictObject({
    session: sessionDescriptorSchema,
    handle: attachmentHandleSchema,
    start: streamStartSchema,
    /** The last input number that the host took from this client for this session. */
    inputSeq: z.int().min(0),
    /** By which the viewer tells the marks of the shell from what programs print; null where no shell has one. */
    markNonce: markNonceSchema.nullable(),
  }),
  close: z.strictObject({ termination: terminationSchema }),
  list: z.strictObject({ sessions: z.array(sessionDescriptorSchema) }),
  /** `lastSeq` is that of the newest record, so that a reader knows whether there is more. */
  history: z.strictObject({ records: z.array(historyRecordSchema), lastSeq: z.int().min(0) }),
  /** Ascending. */
  commands: z.strictObject({ commands: z.array(commandRecordSchema) }),
  verify: z.union([
    z.strictObject({ ok: z.literal(true), seq: z.int().min(0), hash: z.string() }),
    z.strictObject({ ok: z.literal(false), seq: z.int().min(0), reason: z.string() }),
  ]),
  /** With `timedOut` the session goes on; `exit` is null then. */
  wait: z.strictObject({ timedOut: z.boolean(), running: z.boolean(), exit: exitStatusSchema.nullable() }),
  hash: z.strictObject({ position: streamPositionSchema, hash: z.string() }),
  book: bookSchema,
  hostKeys: hostKeysReplySchema,
  forgetHostKey: hostKeysReplySchema,
  readSshFiles: importPreviewSchema,
  /** `error` is null when the login succeeded. */
  testConnection: z.strictObject({ phases: z.array(phaseReportSchema), error: wireErrorSchema.nullable() }),
} as const
export type ReplyOf<T extends keyof typeof replySchemas> = z.output<(typeof replySchemas)[T]>

export const hostFrameSchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('welcome'),
    protocol: z.int(),
    host: z.strictObject({ instance: hostInstanceIdSchema, version: z.string(), platform: z.string() }),
    settings: clientSettingsSchema,
    journal: journalHealthSchema,
    sessions: z.array(sessionDescriptorSchema),
  }),
  z.strictObject({ type: z.literal('ok'), re, result: z.record(z.string(), z.unknown()) }),
  /** `re` is absent when the error belongs to no request (a bad frame, refused input). */
  z.strictObject({ type: z.literal('error'), re: re.optional(), sid: sid.optional(), error: wireErrorSchema }),
  /** The whole list, pushed after every change of it. */
  z.strictObject({ type: z.literal('sessions'), sessions: z.array(sessionDescriptorSchema) }),
  /** The client settings in force, pushed after every change. */
  z.strictObject({ type: z.literal('settings'), settings: clientSettingsSchema }),
  /** The connection book, pushed after every change. */
  z.strictObject({ type: z.literal('bookChanged'), book: bookSchema }),
  /** How the journal is kept, pushed when that changes. */
  z.strictObject({ type: z.literal('journal'), journal: journalHealthSchema }),
  /**
   * From here in the stream on, `size` is in force, and this viewer drives it (and answers device queries) or not. To be
   * applied after everything before it was parsed and before anything after it is.
   */
  z.strictObject({
    type: z.literal('size'),
    handle: attachmentHandleSchema,
    at: streamPositionSchema,
    size: terminalSizeSchema,
    driver: z.boolean(),
  }),
  /** The viewer fell far behind and starts anew. */
  z.strictObject({ type: z.literal('resync'), handle: attachmentHandleSchema, start: streamStartSchema }),
  /** The state is complete: so many snapshot frames came, and this is the hash of what they hold. The stream follows. */
  z.strictObject({
    type: z.literal('snapshotEnd'),
    handle: attachmentHandleSchema,
    parts: z.int().min(1),
    hash: z.string(),
  }),
  /** Input up to and including `seq` reached the session. */
  z.strictObject({ type: z.literal('inputAck'), handle: attachmentHandleSchema, seq: z.int().min(0) }),
  /** A command of a session that this client looks at started or ended. */
  z.strictObject({ type: z.literal('command'), sid, command: commandRecordSchema }),
  /** After the last byte of output, once. */
  z.strictObject({
    type: z.literal('exited'),
    handle: attachmentHandleSchema,
    exit: exitStatusSchema,
    offset: streamOffsetSchema,
  }),
  /** The session was released; its id is gone. */
  z.strictObject({
    type: z.literal('closed'),
    sid,
    reason: closeReasonSchema,
    termination: terminationSchema.nullable(),
  }),
  /** Something on the way to a machine is for the person to decide; sent again to a client that comes back. */
  z.strictObject({
    type: z.literal('ask'),
    ask: z.int().min(1),
    /** The session that waits for it; absent for a test. */
    sid: sid.optional(),
    question: questionSchema,
    /** Time that is left for it. */
    timeoutMs: z.int().min(0),
  }),
  /** Nobody waits for an answer any more. */
  z.strictObject({ type: z.literal('askEnded'), ask: z.int().min(1) }),
  z.strictObject({ type: z.literal('pong'), n: z.int().min(0) }),
])
export type HostFrame = z.output<typeof hostFrameSchema>
export type HostFrameType = HostFrame['type']
