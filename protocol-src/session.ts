/** What a session is, as both ends speak of it. */
import * as z from 'zod'
import { shellActivity } from './command.ts'
import { persistNameSchema, sessionIdSchema, streamOffsetSchema } from './ids.ts'
import {
  MAX_COLS,
  MAX_COMMAND_CHARS,
  MAX_PATH_CHARS,
  MAX_REQUEST_CHARS,
  MAX_ROWS,
  MAX_TITLE_CHARS,
  MIN_COLS,
  MIN_ROWS,
} from './limits.ts'
import { sshHopSchema, sshPhaseSchema } from './question.ts'
import { hostRefSchema } from './ssh.ts'

const clamped = (min: number, max: number) =>
  z
    .int()
    .min(-0x8000_0000)
    .max(0x7fff_ffff)
    .transform((value) => Math.min(max, Math.max(min, value)))

/** Character cells. Whole numbers outside the range are clamped; anything else is a bad frame, never a default. */
export const terminalSizeSchema = z.strictObject({
  cols: clamped(MIN_COLS, MAX_COLS),
  rows: clamped(MIN_ROWS, MAX_ROWS),
})
export type TerminalSize = z.output<typeof terminalSizeSchema>

const pathSchema = z
  .string()
  .min(1)
  .max(MAX_PATH_CHARS)
  .refine((path) => !path.includes('\0'), 'a path has no NUL')
export const titleSchema = z.string().trim().min(1).max(MAX_TITLE_CHARS)

const commandSchema = z
  .string()
  .min(1)
  .max(MAX_COMMAND_CHARS)
  .refine((text) => !text.includes('\0'), 'a command has no NUL')
/** The session that is kept under this name, or a new one; false: an ordinary one, whatever the setting says. */
export const persistWishSchema = z.union([persistNameSchema, z.literal(false)])

/** What to start. `command` makes a command session: run it, end with it. */
export const launchSpecSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('local'),
    cwd: pathSchema.optional(),
    command: commandSchema.optional(),
    persist: persistWishSchema.optional(),
  }),
  /** On another machine: an entry of the connection book, or what somebody filled in and did not save. */
  z.strictObject({
    kind: z.literal('ssh'),
    host: hostRefSchema,
    cwd: pathSchema.optional(),
    command: commandSchema.optional(),
    persist: persistWishSchema.optional(),
  }),
])
export type LaunchSpec = z.output<typeof launchSpecSchema>
export type SessionKind = LaunchSpec['kind']

/** By which a plugin of the host names itself. */
export const pluginNameSchema = z.string().trim().min(1).max(MAX_TITLE_CHARS)

export const ownerSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('user') }),
  z.strictObject({ kind: z.literal('agent'), agentId: z.string() }),
  z.strictObject({ kind: z.literal('plugin'), plugin: pluginNameSchema }),
])
export type Owner = z.infer<typeof ownerSchema>

/** Forward only. `closed` sessions are in no list. */
export const sessionPhaseSchema = z.enum(['starting', 'running', 'exited', 'closed'])
export type SessionPhase = z.infer<typeof sessionPhaseSchema>

/** How the root process ended: one of the two is not null, or neither when nobody saw the end. `signal` is a name such as `SIGKILL`. */
export const exitStatusSchema = z.strictObject({ exitCode: z.int().nullable(), signal: z.string().nullable() })
export type ExitStatus = z.infer<typeof exitStatusSchema>

/**
 * What was seen when the session was ended: `verified` only when the whole process tree was observed to be gone.
 * `killed` are the pids that needed SIGKILL; `survivors` are still there.
 */
export const terminationSchema = z.strictObject({
  verified: z.boolean(),
  killed: z.array(z.int()),
  survivors: z.array(z.strictObject({ pid: z.int(), command: z.string() })),
  /** Why nothing could be seen, on another machine. */
  reason: z.enum(['connection lost', 'not observable']).optional(),
})
export type Termination = z.infer<typeof terminationSchema>

/** Something the person should know about how the session started; worded by the client. */
export const sessionNoticeSchema = z.discriminatedUnion('code', [
  z.strictObject({ code: z.literal('CWD_FALLBACK'), requested: z.string(), used: z.string() }),
  /** It was to outlive the host and cannot: it is an ordinary session. */
  z.strictObject({
    code: z.literal('PERSIST_UNAVAILABLE'),
    /** `locked`: another host uses the same directory. `remote`: on another machine. */
    reason: z.enum(['missing', 'too-old', 'locked', 'failed', 'remote']),
    version: z.string().nullable(),
  }),
  /** It outlives the host, but this tmux cannot do everything. */
  z.strictObject({
    code: z.literal('PERSIST_LIMITED'),
    version: z.string(),
    missing: z.array(z.enum(['quiet-control', 'exit-signal'])).min(1),
  }),
  /** Output from a time without a host is not there: more of it came than is kept. */
  z.strictObject({ code: z.literal('OUTPUT_LOST') }),
])
export type SessionNotice = z.infer<typeof sessionNoticeSchema>

/**
 * `host stopped`: the session was running when the host died, and nobody saw how it ended. `connection lost`: the way to its
 * machine is gone; what ran there may go on.
 */
export const exitReasonSchema = z.enum(['process', 'host stopped', 'connection lost'])
export type ExitReason = z.infer<typeof exitReasonSchema>

export const closeReasonSchema = z.enum(['user', 'agent', 'plugin', 'orphaned', 'evicted', 'cancelled', 'shutdown'])
/** Who or what released the session. */
export type CloseReason = z.infer<typeof closeReasonSchema>

/** Something an agent asks the person to type into a session. `isSecret`: its program does not show what is typed. */
export const userRequestSchema = z.strictObject({
  id: z.int().min(1),
  prompt: z.string().min(1).max(MAX_REQUEST_CHARS),
  isSecret: z.boolean(),
})
export type UserRequest = z.infer<typeof userRequestSchema>

/** The way to another machine. `lost` and `closed` are of sessions that ended. */
export const linkStateSchema = z.strictObject({
  /** The entry of the connection book, or null. */
  book: z.string().nullable(),
  state: z.enum(['connecting', 'up', 'lost', 'closed']),
  /** While it connects: where it is. */
  phase: sshPhaseSchema.optional(),
  hop: sshHopSchema.optional(),
})
export type LinkState = z.infer<typeof linkStateSchema>

export const sessionDescriptorSchema = z.strictObject({
  id: sessionIdSchema,
  kind: z.enum(['local', 'ssh']),
  /** What would start the same again; without secrets. */
  spec: launchSpecSchema,
  /** Name given by a person, or null: then the client makes one from `target`. */
  title: titleSchema.nullable(),
  /** Identity shown: the shell's name for a shell, the first line of the command for a command session, `user@host` before it elsewhere. */
  target: z.string(),
  owner: ownerSchema,
  phase: sessionPhaseSchema,
  /** Null until the process runs, and for kinds without a local process. */
  pid: z.int().nullable(),
  size: terminalSizeSchema,
  exit: exitStatusSchema.nullable(),
  /** Null until it ended. */
  exitReason: exitReasonSchema.nullable(),
  /** The session that this one runs again. */
  retryOf: sessionIdSchema.nullable(),
  /** Live viewers right now. */
  attachments: z.int().min(0),
  /** Epoch milliseconds since which nobody is attached; null while somebody is, and for sessions that no user opened. */
  orphanedAt: z.number().nullable(),
  /** Where the shell started (or is, once the shell reports it). */
  cwd: z.string().nullable(),
  /** Epoch milliseconds. */
  startedAt: z.number(),
  /** Bytes of output so far. */
  outputOffset: streamOffsetSchema,
  notices: z.array(sessionNoticeSchema),
  /** Under what it outlives the host; null when it ends with it. */
  persist: persistNameSchema.nullable(),
  ...shellActivity,
  /** Null on this machine. */
  link: linkStateSchema.nullable(),
  /** The user keeps it from agents. */
  hidden: z.boolean(),
  /** What an agent asks the person to type here, as long as it waits for that. */
  request: userRequestSchema.nullable(),
})
export type SessionDescriptor = z.infer<typeof sessionDescriptorSchema>
