/** The tool that looks back: which commands ran, where, when, and how they ended - in live terminals and in ended ones. */
import * as z from 'zod'
import { MAX_COMMANDS } from '../../protocol-src/limits.ts'
import { compilePattern, MAX_PATTERN_CHARS } from './expect-pattern.ts'
import type { Session } from '../sessions/session.ts'
import { plainLine, plainText } from './plain-line.ts'
import { requireVisible, visibleSessions } from './session-view.ts'
import { sidField } from './session-fields.ts'
import { defineTool } from './tool.ts'

const DEFAULT_LIMIT = 30
const MAX_LIMIT = 100
const MAX_TEXT_CHARS = 400

const entry = z.object({
  sid: z.string(),
  /** Ordinal in its terminal; absent for a terminal that runs one command. */
  id: z.int().optional(),
  command: z.string().optional(),
  cwd: z.string().optional(),
  startedAt: z.string(),
  durationMs: z.int().min(0).optional(),
  exitCode: z.int().optional(),
  signal: z.string().optional(),
})
type Entry = z.output<typeof entry>

interface Finished {
  readonly entry: Entry
  /** As it was typed. */
  readonly text: string
  readonly endedAt: number
}

const ttyHistory = defineTool({
  name: 'tty_history',
  risk: 'read',
  description:
    'Finished commands of the terminals, newest first: text, directory, exit code, duration, when. Filter by a regular expression, exit code or terminal.',
  input: z.strictObject({
    sid: sidField.optional().describe('Only this terminal.'),
    pattern: z
      .string()
      .min(1)
      .max(MAX_PATTERN_CHARS)
      .optional()
      .describe('Only commands whose text matches this regular expression.'),
    exitCode: z
      .int()
      .min(-1)
      .max(0xffff_ffff)
      .optional()
      .describe('Only commands with this exit code; -1 for all that failed.'),
    limit: z
      .int()
      .min(1)
      .max(MAX_LIMIT)
      .optional()
      .describe(`How many; ${String(DEFAULT_LIMIT)} by default.`),
    skip: z.int().min(0).max(100_000).optional().describe('How many of the newest to leave out, to read on.'),
  }),
  output: z.object({ commands: z.array(entry), more: z.boolean() }),
  run: async (context, { sid, pattern, exitCode, limit = DEFAULT_LIMIT, skip = 0 }) => {
    const sessions = sid === undefined ? visibleSessions(context).visible : [requireVisible(context, sid)]
    const matches = pattern === undefined ? null : await compilePattern(pattern)
    const found = sessions
      .flatMap(finishedIn)
      .filter(({ text, entry: { exitCode: code, signal } }) => {
        if (matches !== null && matches.find(text, 0) === null) return false
        if (exitCode === undefined) return true
        return exitCode === -1 ? (code ?? 0) !== 0 || signal !== undefined : code === exitCode
      })
      .sort((one, other) => other.endedAt - one.endedAt)
    const commands = found.slice(skip, skip + limit).map((finished) => finished.entry)
    return { commands, more: found.length > skip + limit }
  },
  render: ({ commands, more }) => {
    if (commands.length === 0) return '[no finished command]'
    const lines = commands.map(({ sid, startedAt, command, cwd, exitCode, signal, durationMs }) => {
      const end = signal ?? (exitCode === undefined ? 'end unknown' : `exit code ${String(exitCode)}`)
      const time = durationMs === undefined ? '' : `, ${String(durationMs)} ms`
      const text = command === undefined ? 'text unknown' : plainLine(command, MAX_TEXT_CHARS)
      return `${startedAt} ${sid} [${end}${time}] ${text}${cwd === undefined ? '' : ` in ${plainLine(cwd)}`}`
    })
    return [...lines, ...(more ? ['[there are more: read on with skip]'] : [])].join('\n')
  },
  card: ({ pattern }) => ({
    kind: 'read',
    title: pattern === undefined ? 'Command history' : `Command history: ${pattern}`,
  }),
})

function finishedIn(session: Session): Finished[] {
  const { descriptor } = session
  const { spec, exit, startedAt, cwd } = descriptor
  if (spec.command !== undefined) {
    const endedAt = session.exitedAt
    if (exit === null || endedAt === null) return []
    const end = {
      ...(exit.exitCode === null ? {} : { exitCode: exit.exitCode }),
      ...(exit.signal === null ? {} : { signal: exit.signal }),
    }
    return [{ ...toFinished(session, { text: spec.command, cwd, startedAt, endedAt }, end) }]
  }
  return session.commands
    .list({ limit: MAX_COMMANDS })
    .flatMap(({ id, text, cwd: where, startedAt: at, endedAt, exitCode }) => {
      if (endedAt === null) return []
      const end = { id, ...(exitCode === null ? {} : { exitCode }) }
      return [toFinished(session, { text, cwd: where, startedAt: at, endedAt }, end)]
    })
}

function toFinished(
  session: Session,
  { text, cwd, startedAt, endedAt }: { text: string | null; cwd: string | null; startedAt: number; endedAt: number },
  end: Pick<Entry, 'id' | 'exitCode' | 'signal'>,
): Finished {
  return {
    text: text ?? '',
    endedAt,
    entry: {
      sid: session.id,
      ...(text === null ? {} : { command: plainText(text, MAX_TEXT_CHARS) }),
      ...(cwd === null ? {} : { cwd: plainText(cwd) }),
      startedAt: new Date(startedAt).toISOString(),
      durationMs: Math.max(0, Math.round(endedAt - startedAt)),
      ...end,
    },
  }
}

export const commandHistory = [ttyHistory] as const
