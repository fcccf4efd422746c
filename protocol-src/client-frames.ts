/**
 * Every control frame a client may send, as JSON text. A frame with `id` is a request and gets exactly one reply, `ok` or
 * `error`, with the same number in `re`. Terminal input travels in binary frames (binary-frame.ts).
 */
import * as z from 'zod'
import {
  attachmentHandleSchema,
  clientIdSchema,
  sessionIdSchema,
  streamOffsetSchema,
  streamPositionSchema,
} from './ids.ts'
import { MAX_COMMANDS, MAX_HISTORY_RECORDS, MAX_WAIT_MS } from './limits.ts'
import { answerSchema } from './question.ts'
import { launchSpecSchema, terminalSizeSchema, titleSchema } from './session.ts'
import { importChoiceSchema } from './ssh-import.ts'
import {
  bookNameSchema,
  entryDraftSchema,
  fingerprintSchema,
  hostKeyRecordSchema,
  hostRefSchema,
  sshPortSchema,
} from './ssh.ts'

const id = z.int().min(1).max(Number.MAX_SAFE_INTEGER)
const sid = sessionIdSchema

export const clientFrameSchema = z.discriminatedUnion('type', [
  /** First frame of a connection; answered by `welcome` or by `error` and a close. */
  z.strictObject({
    type: z.literal('hello'),
    protocol: z.int(),
    client: z.strictObject({ kind: z.enum(['panel', 'cli']), id: clientIdSchema }),
  }),
  /** Start a session. `retryOf` names the session that this one runs again; it stays as it is, with its own facts. */
  z.strictObject({
    type: z.literal('open'),
    id,
    spec: launchSpecSchema,
    size: terminalSizeSchema,
    retryOf: sessionIdSchema.optional(),
  }),
  /**
   * Look at a session. `resumeFrom` is where this client's terminal is, or null when it is empty.
   * `size` is what this viewer could show; it reaches the program only while this viewer drives the size.
   */
  z.strictObject({
    type: z.literal('attach'),
    id,
    sid,
    size: terminalSizeSchema,
    resumeFrom: streamPositionSchema.nullable(),
    /** Send output only: a snapshot was not what it said. */
    noSnapshot: z.boolean().optional(),
  }),
  z.strictObject({ type: z.literal('detach'), id, sid }),
  z.strictObject({ type: z.literal('resize'), id, sid, size: terminalSizeSchema }),
  /** The viewer's terminal has parsed everything before `offset`. Never answered. */
  z.strictObject({ type: z.literal('ack'), handle: attachmentHandleSchema, offset: streamOffsetSchema }),
  z.strictObject({ type: z.literal('close'), id, sid }),
  z.strictObject({ type: z.literal('rename'), id, sid, title: titleSchema.nullable() }),
  z.strictObject({ type: z.literal('list'), id }),
  /** Keep a session from agents, or show it to them again. */
  z.strictObject({ type: z.literal('hide'), id, sid, hidden: z.boolean() }),
  /** The person will not answer what an agent asks in a session. */
  z.strictObject({ type: z.literal('decline'), id, sid, request: z.int().min(1) }),
  /** The connection book; `bookChanged` tells of changes from then on. */
  z.strictObject({ type: z.literal('book'), id }),
  /** Put an entry into the book, in the place of the one named `replaces` when that is not null. */
  z.strictObject({ type: z.literal('saveHost'), id, draft: entryDraftSchema, replaces: bookNameSchema.nullable() }),
  z.strictObject({ type: z.literal('removeHost'), id, name: bookNameSchema }),
  /** The keys by which machines are known. */
  z.strictObject({ type: z.literal('hostKeys'), id }),
  /** Forget one key of a machine, as it is recorded, or all with null. Answered as `hostKeys`. */
  z.strictObject({
    type: z.literal('forgetHostKey'),
    id,
    host: hostKeyRecordSchema.shape.host,
    port: sshPortSchema,
    fingerprint: fingerprintSchema.nullable(),
  }),
  /** What there is to take over from the SSH files of the host's user. */
  z.strictObject({ type: z.literal('readSshFiles'), id }),
  z.strictObject({ type: z.literal('importSsh'), id, choice: importChoiceSchema }),
  /** What the person says to a question of the host. It may be a secret. */
  z.strictObject({ type: z.literal('answer'), id, ask: z.int().min(1), answer: answerSchema }),
  /** Try a connection; answered when it is through. `test` is the client's own number for it. */
  z.strictObject({ type: z.literal('testConnection'), id, test: id, host: hostRefSchema }),
  z.strictObject({ type: z.literal('cancelTest'), id, test: id }),
  /** Records of a session's journal with a greater `seq` than `after`. */
  z.strictObject({
    type: z.literal('history'),
    id,
    sid,
    after: z.int().min(0),
    limit: z.int().min(1).max(MAX_HISTORY_RECORDS),
  }),
  /** The newest commands of a session that are still kept, those with a smaller `id` than `before` when it is there. */
  z.strictObject({
    type: z.literal('commands'),
    id,
    sid,
    before: z.int().min(1).optional(),
    limit: z.int().min(1).max(MAX_COMMANDS),
  }),
  /** Recompute a session's chain of records. */
  z.strictObject({ type: z.literal('verify'), id, sid }),
  /** Wait for the end of the program. A time-out ends the wait, not the session. */
  z.strictObject({ type: z.literal('wait'), id, sid, timeoutMs: z.int().min(0).max(MAX_WAIT_MS) }),
  /** The hash of the host's own screen of a session, at the newest point where it can be taken. */
  z.strictObject({ type: z.literal('hash'), id, sid }),
  /** Round trip through the host's session owner; answered by `pong` with the same number. */
  z.strictObject({ type: z.literal('ping'), n: z.int().min(0) }),
])
export type ClientFrame = z.output<typeof clientFrameSchema>
export type ClientFrameInput = z.input<typeof clientFrameSchema>
export type ClientFrameType = ClientFrame['type']
/** Frames that get a reply. */
export type ClientRequest = Extract<ClientFrame, { id: number }>
