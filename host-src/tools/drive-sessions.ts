/** Tools that act: they open terminals, type into them and end them. */
import * as z from 'zod'
import { persistNameSchema } from '../../protocol-src/ids.ts'
import { MAX_COLS, MAX_COMMAND_CHARS, MAX_PATH_CHARS, MAX_ROWS, MIN_COLS, MIN_ROWS } from '../../protocol-src/limits.ts'
import { TtyError } from '../base/errors.ts'
import type { Session } from '../sessions/session.ts'
import { KEY_SYNTAX, keysToBytes } from '../terminal/keys.ts'
import { sidField } from './session-fields.ts'
import { AGENT_SIZE, openSession } from './open-session.ts'
import { plainLine, plainText } from './plain-line.ts'
import { activityOf, requireDrivable } from './session-view.ts'
import { shownCommand, shownInput } from './shown-command.ts'
import { defineTool } from './tool.ts'
import { refuseTooLong, refuseWhileTyping } from './typing-rules.ts'

const MAX_DATA_CHARS = 64 * 1024
const MAX_KEYS = 256

const PERSIST_PROBLEMS = {
  missing: 'tmux is not installed on this machine',
  'too-old': 'the tmux of this machine is older than 3.0',
  locked: 'another host uses the same directory',
  failed: 'tmux could not be run',
  remote: 'sessions on other machines are not kept yet',
} as const

const ttyOpen = defineTool({
  name: 'tty_open',
  risk: 'execute',
  isConfinable: true,
  description:
    "Open a terminal that stays: a shell, or `command` (for servers, editors, REPLs and whatever needs input). It appears as a tab in the user's panel. Returns its session id.",
  input: z.strictObject({
    command: z
      .string()
      .min(1)
      .max(MAX_COMMAND_CHARS)
      .optional()
      .describe("Run this instead of an interactive shell, in the syntax of the user's shell; may have several lines."),
    cwd: z
      .string()
      .min(1)
      .max(MAX_PATH_CHARS)
      .optional()
      .describe('Directory to start in; your working directory by default.'),
    ssh: z
      .string()
      .min(1)
      .max(64)
      .optional()
      .describe(
        "Open it on another machine: the name of an entry of the user's connection book. `cwd` is of that machine then, its home by default.",
      ),
    cols: z.int().min(MIN_COLS).max(MAX_COLS).optional(),
    rows: z.int().min(MIN_ROWS).max(MAX_ROWS).optional(),
    persistName: persistNameSchema
      .optional()
      .describe('Keep it under this name when DSH stops; opens the one of that name if it is there.'),
  }),
  output: z.object({
    sid: z.string(),
    target: z.string(),
    pid: z.int().optional(),
    cwd: z.string().optional(),
    cols: z.int(),
    rows: z.int(),
    confined: z.boolean(),
    /** Under what it outlives DSH. */
    persist: z.string().optional(),
    /** It was there already, and nothing was started. */
    reattached: z.boolean(),
    /** Why it does not outlive DSH although that was asked for. */
    persistProblem: z.string().optional(),
  }),
  run: async (context, { command, cwd, ssh, persistName, cols = AGENT_SIZE.cols, rows = AGENT_SIZE.rows }, signal) => {
    const before = new Set(context.registry.all)
    const session = await openSession(context, { command, cwd, ssh, persistName, size: { cols, rows } }, signal)
    const { pid, target, size, cwd: started, persist, notices } = session.descriptor
    const problem = notices.find((notice) => notice.code === 'PERSIST_UNAVAILABLE')
    return {
      sid: session.id,
      target: plainText(target),
      ...(pid === null ? {} : { pid }),
      ...(started === null ? {} : { cwd: plainText(started) }),
      ...size,
      confined: context.confine !== null,
      ...(persist === null ? {} : { persist }),
      reattached: before.has(session),
      ...(problem === undefined ? {} : { persistProblem: PERSIST_PROBLEMS[problem.reason] }),
    }
  },
  render: ({ sid, target, cwd, confined, persist, reattached, persistProblem }) =>
    [
      `${reattached ? 'It is there already:' : 'Opened'} ${sid}: ${plainLine(target)}${
        cwd === undefined ? '' : ` in ${plainLine(cwd)}`
      }.`,
      ...(persist === undefined ? [] : [`It outlives DSH as "${persist}".`]),
      ...(persistProblem === undefined ? [] : [`It does not outlive DSH: ${persistProblem}.`]),
      ...(confined ? ['It runs inside the sandbox of the permission tier, also when the tier changes.'] : []),
    ].join(' '),
  card: ({ command, ssh }) => {
    const what = ssh === undefined ? 'Open a terminal' : `Open a terminal on ${ssh}`
    return { kind: 'execute', title: command === undefined ? what : `${what}: ${command}` }
  },
  request: ({ command, cwd, ssh }) => {
    const machine = ssh === undefined ? '' : ` on the other machine "${plainLine(ssh)}"`
    const where = `${machine}${cwd === undefined ? '' : ` in ${plainLine(cwd)}`}`
    return command === undefined ? `Open a shell${where}` : `Open a terminal${where} with:\n${shownCommand(command)}`
  },
})

const ttyClose = defineTool({
  name: 'tty_close',
  risk: 'read',
  isExclusive: true,
  description:
    "End a terminal that you opened with everything that runs in it, or release an ended one. The user's own terminals are theirs to close.",
  input: z.strictObject({ sid: sidField }),
  output: z.object({
    sid: z.string(),
    /** The process table was looked at, and nothing of the terminal is left. */
    verified: z.boolean(),
    /** Processes that did not end when asked. */
    killed: z.int().min(0),
    survivors: z.array(z.object({ pid: z.int(), command: z.string() })),
  }),
  run: async (context, { sid }) => {
    const session = requireDrivable(context, sid)
    if (session.owner.kind === 'user')
      throw new TtyError(
        'NOT_YOUR_SESSION',
        'The user opened this terminal, so it was not closed. Ask them to close it, or leave it open.',
      )
    const { verified, killed, survivors } = await session.close('agent')
    return {
      sid: session.id,
      verified,
      killed: killed.length,
      survivors: survivors.map(({ pid, command }) => ({ pid, command: plainText(command) })),
    }
  },
  render: ({ sid, verified, killed, survivors }) => {
    const force = killed === 0 ? '' : ` ${String(killed)} processes had to be killed.`
    if (verified) return `Closed ${sid}; all of its processes are gone.${force}`
    const left = survivors.map(({ pid, command }) => `${String(pid)} ${plainLine(command)}`).join(', ')
    return `Closed ${sid}, but it is not certain that its processes are gone${left === '' ? '' : `: ${left}`}.${force}`
  },
  card: ({ sid }) => ({ kind: 'execute', title: `Close terminal ${sid}` }),
})

const ttySend = defineTool({
  name: 'tty_send',
  risk: 'execute',
  description: `Type into a terminal: the text in \`data\`, then the \`keys\`; at least one of them. End a command line with the key Enter. ${KEY_SYNTAX}`,
  input: z.strictObject({
    sid: sidField,
    data: z.string().min(1).max(MAX_DATA_CHARS).optional().describe('Text, typed exactly as it is.'),
    keys: z.array(z.string().min(1).max(40)).min(1).max(MAX_KEYS).optional(),
    force: z
      .boolean()
      .optional()
      .describe('Type although the user may be typing. Only when it cannot wait; it goes on record.'),
  }),
  output: z.object({
    sid: z.string(),
    bytesSent: z.int().min(1),
    /** Read on from here for what follows. */
    nextOffset: z.int().min(0),
    running: z.boolean().optional(),
  }),
  run: async (context, { sid, data, keys, force }) => {
    const session = requireDrivable(context, sid)
    if (data === undefined && keys === undefined)
      throw new TtyError('BAD_ARGUMENTS', 'Nothing was sent: give data, keys or both.')
    const text = context.platform === 'win32' ? (data ?? '').replaceAll(/\r?\n/g, '\r\n') : (data ?? '')
    const pressed =
      keys === undefined
        ? new Uint8Array(0)
        : keysToBytes(keys, { applicationCursor: await wantsApplicationCursor(session) })
    await refuseTooLong(session, text)
    if (force !== true) refuseWhileTyping(session, Date.now())
    const bytes = Buffer.concat([Buffer.from(text), pressed])
    const at = session.end.offset
    session.type(bytes, { source: 'agent', isForced: force === true })
    context.agents.noteSent(session, { at, text: bytes.toString() })
    const { running } = activityOf(session.descriptor)
    return { sid: session.id, bytesSent: bytes.length, nextOffset: at, ...(running === undefined ? {} : { running }) }
  },
  render: ({ sid, bytesSent, nextOffset }) =>
    `Sent ${String(bytesSent)} bytes to ${sid}. Wait for what follows with tty_expect, or read from offset ${String(nextOffset)}.`,
  card: ({ data, keys }) => ({
    kind: 'execute',
    title: `Type ${[data === undefined ? [] : [JSON.stringify(data)], keys ?? []].flat().join(' ')}`,
  }),
  request: ({ data, keys }, session) => {
    const target = session === null ? '' : ` into ${plainLine(session.descriptor.title ?? session.descriptor.target)}`
    const parts = [
      data === undefined ? null : shownInput(data),
      keys === undefined ? null : `keys ${keys.map(shownInput).join(' ')}`,
    ]
    return `Type${target}: ${parts.filter((part) => part !== null).join(', then ')}`
  },
})

async function wantsApplicationCursor(session: Session): Promise<boolean> {
  try {
    return (await session.visible()).isApplicationCursor
  } catch {
    return false // without a screen nobody knows, and this is what a terminal starts with
  }
}

export const driveSessions = [ttyOpen, ttyClose, ttySend] as const
