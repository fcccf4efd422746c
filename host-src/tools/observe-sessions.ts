/** Tools that look: which terminals there are, what they printed, what is on the screen. They change nothing. */
import * as z from 'zod'
import { TtyError } from '../base/errors.ts'
import type { Session } from '../sessions/session.ts'
import { outputFields, readText, resultText, screenText } from './output-text.ts'
import { plainLine, plainText } from './plain-line.ts'
import { activityOf, ownerInWords, requireVisible, visibleSessions } from './session-view.ts'
import { exitFacts, exitFields, exitInWords } from './exit-facts.ts'
import { sidField } from './session-fields.ts'
import { defineTool, type ToolContext } from './tool.ts'

const listedSession = z.object({
  sid: z.string(),
  kind: z.string(),
  target: z.string(),
  title: z.string().optional(),
  cwd: z.string().optional(),
  pid: z.int().optional(),
  owner: z.enum(['you', 'user', 'another agent', 'a plugin']),
  startedAt: z.string(),
  lastOutputAt: z.string().optional(),
  running: z.boolean().optional(),
  waitingForInput: z.boolean().optional(),
  lastExitCode: z.int().optional(),
  lastExitAt: z.string().optional(),
  /** Under what it outlives the host. */
  persist: z.string().optional(),
  /** It goes on by itself and nobody is there, since then. */
  leftBehindSince: z.string().optional(),
  ...exitFields,
})
type ListedSession = z.output<typeof listedSession>

const DEFAULT_LINES = 60

const iso = (at: number): string => new Date(at).toISOString()

async function listed(context: ToolContext, session: Session): Promise<ListedSession> {
  const { descriptor, lastOutputAt } = session
  const { running, lastCommand } = activityOf(descriptor)
  // At a prompt the shell itself waits; that is said by `running` already.
  const { isWaiting } = running === false ? {} : await session.inputState()
  return {
    sid: session.id,
    kind: descriptor.kind,
    target: plainText(descriptor.target),
    ...(descriptor.title === null ? {} : { title: plainText(descriptor.title) }),
    ...(descriptor.cwd === null ? {} : { cwd: plainText(descriptor.cwd) }),
    ...(descriptor.pid === null ? {} : { pid: descriptor.pid }),
    owner: ownerInWords(context, session),
    startedAt: iso(descriptor.startedAt),
    ...(lastOutputAt === null ? {} : { lastOutputAt: iso(lastOutputAt) }),
    ...(running === undefined ? {} : { running }),
    ...(isWaiting === undefined ? {} : { waitingForInput: isWaiting }),
    ...(lastCommand === null || lastCommand.exitCode === null ? {} : { lastExitCode: lastCommand.exitCode }),
    ...(lastCommand === null || lastCommand.endedAt === null ? {} : { lastExitAt: iso(lastCommand.endedAt) }),
    ...(descriptor.persist === null ? {} : { persist: descriptor.persist }),
    ...(descriptor.persist === null || descriptor.orphanedAt === null
      ? {}
      : { leftBehindSince: iso(descriptor.orphanedAt) }),
    ...exitFacts(session),
  }
}

export function stateInWords(
  session: Pick<ListedSession, 'exited' | 'exitCode' | 'signal' | 'running' | 'waitingForInput'>,
): string {
  if (session.exited) return `[${exitInWords(session)}]`
  if (session.waitingForInput === true) return '[running - it waits for input]'
  if (session.running === undefined) return '[state unknown - look at the output before you send anything]'
  return session.running ? '[running - do not send commands now]' : '[idle]'
}

const ttyList = defineTool({
  name: 'tty_list',
  risk: 'read',
  description:
    'List the terminals: id, what runs in it, owner, directory, whether it is idle, and how it ended. Terminals that the user hid are only counted.',
  input: z.strictObject({}),
  output: z.object({ sessions: z.array(listedSession), hidden: z.int().min(0) }),
  run: async (context) => {
    const { visible, hidden } = visibleSessions(context)
    return { sessions: await Promise.all(visible.map((session) => listed(context, session))), hidden }
  },
  render: ({ sessions, hidden }) => {
    const lines = sessions.map((session) => {
      const names = [session.title === undefined ? null : plainLine(session.title), plainLine(session.target)]
      const cwd = session.cwd === undefined ? '' : ` in ${plainLine(session.cwd)}`
      const kept = session.persist === undefined ? '' : `, outlives DSH as "${session.persist}"`
      const left = session.leftBehindSince === undefined ? '' : `, nobody attached since ${session.leftBehindSince}`
      return `${session.sid} ${stateInWords(session)} ${names.filter((name) => name !== null).join(' ')}${cwd}, opened by ${session.owner}${kept}${left}`
    })
    if (lines.length === 0) lines.push('There is no terminal. Open one with tty_open, or run one command with tty_run.')
    if (hidden > 0) lines.push(`${String(hidden)} more: hidden by the user.`)
    return lines.join('\n')
  },
  card: () => ({ kind: 'read', title: 'List terminals' }),
})

const ttyCapture = defineTool({
  name: 'tty_capture',
  risk: 'read',
  description:
    "Read a terminal's output as text: its last lines, what followed `from` (the nextOffset of an earlier result), or with `last` the output and exit code of the last finished command. For full-screen programs use tty_screen.",
  input: z.strictObject({
    sid: sidField,
    lines: z
      .int()
      .min(1)
      .max(2000)
      .optional()
      .describe('How many of the last lines, 60 by default; with `from`, of the first.'),
    from: z.int().min(0).optional().describe('Read on from this offset, in order.'),
    last: z.boolean().optional().describe('The last finished command of a shell instead.'),
    raw: z.boolean().optional().describe('Keep escape sequences, in a visible form.'),
  }),
  output: z.object({
    sid: z.string(),
    ...outputFields,
    command: z.string().optional(),
    /** Of the command, with `last`. */
    commandExitCode: z.int().optional(),
    inProgress: z.boolean().optional(),
    /** After `nextOffset`. */
    moreBytes: z.int().min(1).optional(),
    ...exitFields,
  }),
  run: (context, input) => {
    const session = requireVisible(context, input.sid)
    const about = { sid: session.id, ...exitFacts(session) }
    const { start } = session.journal.output
    const { running, lastCommand, currentCommand } = activityOf(session.descriptor)
    const isRaw = input.raw === true
    if (input.last !== true) {
      const { from, lines } = input
      const facts = readText(
        session,
        from === undefined
          ? { from: start, isRaw, maxLines: lines ?? DEFAULT_LINES }
          : { from, isRaw, maxLines: lines, keep: 'head' },
        context,
      )
      context.agents.noteRead(session, context.caller, facts.nextOffset)
      const moreBytes = session.end.offset - facts.nextOffset
      return Promise.resolve({ ...about, ...facts, ...(moreBytes > 0 ? { moreBytes } : {}) })
    }
    if (session.descriptor.spec.command !== undefined)
      throw new TtyError(
        'BAD_ARGUMENTS',
        'This terminal runs one command and no shell, so it has no "last command". Use `lines` instead; its exit code is that of the terminal.',
      )
    if (currentCommand !== null || running === true) {
      const from = currentCommand?.outputFrom ?? context.agents.readOffset(session, context.caller)
      return Promise.resolve({ ...about, inProgress: true, ...readText(session, { from, isRaw }, context) })
    }
    if (lastCommand === null || lastCommand.outputFrom === null)
      throw new TtyError(
        'BAD_ARGUMENTS',
        running === undefined
          ? 'This shell does not tell where its commands begin and end. Use `lines` instead.'
          : 'No command has finished in this terminal yet. Use `lines` instead.',
      )
    context.agents.noteTold(session, context.caller, lastCommand.id)
    const wish = { from: lastCommand.outputFrom, to: lastCommand.outputTo ?? undefined, isRaw }
    return Promise.resolve({
      ...about,
      inProgress: false,
      ...(lastCommand.text === null ? {} : { command: plainText(lastCommand.text) }),
      ...(lastCommand.exitCode === null ? {} : { commandExitCode: lastCommand.exitCode }),
      ...readText(session, wish, context),
    })
  },
  render: (result) => {
    const facts: string[] = []
    if (result.inProgress === true) facts.push('a command is running; this is its output so far')
    if (result.command !== undefined) facts.push(`output of ${plainLine(result.command)}`)
    if (result.commandExitCode !== undefined) facts.push(`its exit code ${String(result.commandExitCode)}`)
    if (result.exited) facts.push(exitInWords(result))
    if (result.moreBytes !== undefined)
      facts.push(`${String(result.moreBytes)} bytes follow, read on from offset ${String(result.nextOffset)}`)
    else if (!result.exited) facts.push(`up to offset ${String(result.nextOffset)}`)
    return resultText(facts, result)
  },
  card: ({ sid, last }) => ({ kind: 'read', title: `Read terminal ${sid}${last === true ? ' (last command)' : ''}` }),
})

const ttyScreen = defineTool({
  name: 'tty_screen',
  risk: 'read',
  description:
    'The visible screen of a terminal as text, with the cursor: right for editors, pagers, menus and anything that redraws itself. For scrolled output use tty_capture.',
  input: z.strictObject({ sid: sidField }),
  output: z.object({
    sid: z.string(),
    text: z.string(),
    notes: z.array(z.string()),
    rows: z.int(),
    cols: z.int(),
    cursorRow: z.int(),
    cursorCol: z.int(),
    isCursorHidden: z.boolean(),
    title: z.string(),
    isFullScreen: z.boolean(),
    ...exitFields,
  }),
  run: async (context, { sid }) => {
    const session = requireVisible(context, sid)
    const screen = await session.visible()
    const { size, cursor, title, isAlternate } = screen
    const { text, notes } = screenText(screen, context)
    return {
      sid: session.id,
      text,
      notes: [...notes],
      rows: size.rows,
      cols: size.cols,
      cursorRow: cursor.y + 1,
      cursorCol: cursor.x + 1,
      isCursorHidden: cursor.isHidden,
      title: plainText(title),
      isFullScreen: isAlternate,
      ...exitFacts(session),
    }
  },
  render: (screen) => {
    const { cols, rows, cursorRow, cursorCol, title } = screen
    const cursor = screen.isCursorHidden ? 'hidden' : `row ${String(cursorRow)}, column ${String(cursorCol)}`
    const facts = [
      `${String(cols)}x${String(rows)}`,
      screen.isFullScreen ? 'full-screen program' : 'normal screen',
      `cursor ${cursor}`,
      ...(title === '' ? [] : [`title ${plainLine(title)}`]),
      ...(screen.exited ? [exitInWords(screen)] : []),
    ]
    return resultText(facts, screen)
  },
  card: ({ sid }) => ({ kind: 'read', title: `Look at terminal ${sid}` }),
})

export const observeSessions = [ttyList, ttyCapture, ttyScreen] as const
