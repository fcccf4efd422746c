/** Every control frame the host may send, as JSON text. Terminal output travels in binary frames (binary-frame.ts). */
import * as z from 'zod'
import { wireErrorSchema } from './errors.ts'
import { attachmentHandleSchema, hostInstanceIdSchema, sessionIdSchema, streamOffsetSchema } from './ids.ts'
import { clientSettingsSchema } from './settings.ts'
import {
  closeReasonSchema,
  exitStatusSchema,
  sessionDescriptorSchema,
  terminalSizeSchema,
  terminationSchema,
} from './session.ts'

const re = z.int().min(1)
const sid = sessionIdSchema

/** What each request gets in `ok.result`; requests not named here get `{}`. */
export const replySchemas = {
  open: z.strictObject({ session: sessionDescriptorSchema }),
  attach: z.strictObject({
    session: sessionDescriptorSchema,
    handle: attachmentHandleSchema,
    /**
     * `delta`: the bytes from `from` on continue what the client has. `replay`: the client starts with an empty terminal
     * at `from`; what came before is no longer held.
     */
    mode: z.enum(['delta', 'replay']),
    from: streamOffsetSchema,
    /** Everything before it is history: device queries in it were meant for an earlier viewer and get no answer. */
    liveFrom: streamOffsetSchema,
    /** The last input number that the host took from this client for this session. */
    inputSeq: z.int().min(0),
    /** Whether this viewer drives the size and answers device queries. */
    driver: z.boolean(),
  }),
  close: z.strictObject({ termination: terminationSchema }),
  list: z.strictObject({ sessions: z.array(sessionDescriptorSchema) }),
} as const
export type ReplyOf<T extends keyof typeof replySchemas> = z.output<(typeof replySchemas)[T]>

export const hostFrameSchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('welcome'),
    protocol: z.int(),
    host: z.strictObject({ instance: hostInstanceIdSchema, version: z.string(), platform: z.string() }),
    settings: clientSettingsSchema,
    sessions: z.array(sessionDescriptorSchema),
  }),
  z.strictObject({ type: z.literal('ok'), re, result: z.record(z.string(), z.unknown()) }),
  /** `re` is absent when the error belongs to no request (a bad frame, refused input). */
  z.strictObject({ type: z.literal('error'), re: re.optional(), sid: sid.optional(), error: wireErrorSchema }),
  /** The whole list, pushed after every change of it. */
  z.strictObject({ type: z.literal('sessions'), sessions: z.array(sessionDescriptorSchema) }),
  /** The client settings in force, pushed after every change. */
  z.strictObject({ type: z.literal('settings'), settings: clientSettingsSchema }),
  /** The size in force and whether this attachment set it. */
  z.strictObject({
    type: z.literal('size'),
    handle: attachmentHandleSchema,
    size: terminalSizeSchema,
    driver: z.boolean(),
  }),
  /**
   * The viewer fell so far behind that bytes it never got are no longer held: it starts anew with an empty terminal at
   * `from`. Bytes before `liveFrom` are history. Output frames that follow start at `from`.
   */
  z.strictObject({
    type: z.literal('resync'),
    handle: attachmentHandleSchema,
    from: streamOffsetSchema,
    liveFrom: streamOffsetSchema,
  }),
  /** Input up to and including `seq` reached the session. */
  z.strictObject({ type: z.literal('inputAck'), handle: attachmentHandleSchema, seq: z.int().min(0) }),
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
  z.strictObject({ type: z.literal('pong'), n: z.int().min(0) }),
])
export type HostFrame = z.output<typeof hostFrameSchema>
export type HostFrameType = HostFrame['type']
