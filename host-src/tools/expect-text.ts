/** The tool that waits for a text. What matches is decided by the engine; here the facts of a session are told to it. */
import * as z from 'zod'
import { detached } from '../base/async.ts'
import { TtyError } from '../base/errors.ts'
import type { Session } from '../sessions/session.ts'
import { exitFacts, exitInWords } from './exit-facts.ts'
import { ExpectWait, type EndedCommand, type ExpectOutcome } from './expect-engine.ts'
import { compilePattern, MAX_PATTERN_CHARS } from './expect-pattern.ts'
import { cancelled } from './open-session.ts'
import { MAX_TEXT_CHARS, outputFields, resultText } from './output-text.ts'
import { plainLine } from './plain-line.ts'
import { sidField } from './session-fields.ts'
import { refuseHidden, requireVisible } from './session-view.ts'
import { defineTool, type ToolContext } from './tool.ts'

const MAX_WAITS = 5
const DEFAULT_EXPECT_SEC = 30

const ttyExpect = defineTool({
  name: 'tty_expect',
  risk: 'read',
  description:
    'Wait until a terminal prints something that matches a regular expression (RE2). Looks first at output that you have not read yet, so a fast command is not missed; what you typed yourself never matches. Also ends when the command or the terminal ends, or when the user presses a key. A time-out is a normal result.',
  input: z.strictObject({
    sid: sidField,
    pattern: z.string().min(1).max(MAX_PATTERN_CHARS).describe('^ and $ match at lines; (?i) ignores case.'),
    timeoutSec: z
      .int()
      .min(1)
      .max(600)
      .optional()
      .describe(`How long to wait; ${String(DEFAULT_EXPECT_SEC)} by default.`),
  }),
  output: z.object({
    sid: z.string(),
    matched: z.boolean(),
    match: z.string().optional(),
    matchedFrom: z.enum(['live', 'last', 'buffered']).optional(),
    echoOnly: z.boolean().optional(),
    timedOut: z.boolean().optional(),
    interruptedBy: z.enum(['user']).optional(),
    commandEnded: z.boolean().optional(),
    exited: z.boolean(),
    /** Of the command or the terminal that ended. */
    exitCode: z.int().optional(),
    signal: z.string().optional(),
    waitingForInput: z.boolean().optional(),
    asksForSecret: z.boolean().optional(),
    ...outputFields,
  }),
  run: async (context, { sid, pattern, timeoutSec = DEFAULT_EXPECT_SEC }, signal) => {
    const session = requireVisible(context, sid)
    const compiled = await compilePattern(pattern)
    const endWait = context.agents.beginWait(session, MAX_WAITS)
    if (endWait === null)
      throw new TtyError(
        'WAIT_LIMIT',
        `${String(MAX_WAITS)} calls wait for this terminal already, which is the limit. Wait for them to end.`,
        { details: { limit: MAX_WAITS } },
      )
    const { agents, caller } = context
    try {
      const from = agents.readOffset(session, caller)
      const sent = agents.lastSent(session)
      const wait = new ExpectWait({
        pattern: compiled,
        output: session.journal.output,
        from,
        sent,
        ended: endedSince(session, { offset: sent?.at ?? from, told: agents.toldCommand(session, caller) }),
        size: session.descriptor.size,
        maskSecrets: context.settings().maskSecrets,
        maxChars: MAX_TEXT_CHARS,
      })
      const outcome = await follow(session, wait, { timeoutMs: timeoutSec * 1000, signal, logger: context.logger })
      agents.noteRead(session, caller, outcome.nextOffset)
      if (outcome.commandEnded === true || outcome.matchedFrom === 'last')
        agents.noteTold(session, caller, session.descriptor.lastCommand?.id ?? 0)
      const { isWaiting, isSecret } = outcome.timedOut === true ? await session.inputState() : {}
      return {
        sid: session.id,
        ...outcome,
        ...exitFacts(session),
        ...(outcome.exitCode === undefined ? {} : { exitCode: outcome.exitCode }),
        notes: [...outcome.notes],
        ...(isWaiting === undefined ? {} : { waitingForInput: isWaiting }),
        ...(isWaiting === true && isSecret !== undefined ? { asksForSecret: isSecret } : {}),
      }
    } finally {
      endWait()
    }
  },
  render: (result) => {
    const facts: string[] = []
    if (result.matched) facts.push(`matched ${plainLine(result.match ?? '')} (${result.matchedFrom ?? 'live'})`)
    else facts.push(whyNot(result))
    if (result.exited) facts.push(exitInWords(result))
    else if (result.exitCode !== undefined) facts.push(`the command ended with exit code ${String(result.exitCode)}`)
    else if (result.commandEnded === true && result.matched) facts.push('the command ended')
    if (result.echoOnly === true) facts.push('only the echo of what was typed would match')
    if (result.asksForSecret === true) facts.push('it asks for a secret: let the user type it with tty_ask_user')
    else if (result.waitingForInput === true) facts.push('it waits for input')
    return resultText(facts, result)
  },
  card: ({ pattern }) => ({ kind: 'read', title: `Wait for ${pattern}` }),
})

function whyNot(result: { interruptedBy?: 'user' | undefined; timedOut?: boolean | undefined }): string {
  if (result.interruptedBy === 'user') return 'no match: the user pressed a key, so the wait ended'
  if (result.timedOut === true) return 'no match in time; nothing is used up, and you can wait again'
  return 'no match'
}

/** The last command when it was started after `offset` and its end is news. */
function endedSince(
  { descriptor: { lastCommand } }: Session,
  { offset, told }: { offset: number; told: number },
): EndedCommand | null {
  if (lastCommand === null || lastCommand.id <= told) return null
  const { outputFrom, outputTo, exitCode } = lastCommand
  return outputFrom === null || outputTo === null || outputFrom < offset ? null : { outputFrom, outputTo, exitCode }
}

/** Tells the wait what happens until it has its outcome. @rejects TtyError CANCELLED */
async function follow(
  session: Session,
  wait: ExpectWait,
  { timeoutMs, signal, logger }: { timeoutMs: number; signal: AbortSignal } & Pick<ToolContext, 'logger'>,
): Promise<ExpectOutcome> {
  if (signal.aborted) throw cancelled()
  if (isOver(session)) return wait.exited(session.descriptor.exit?.exitCode ?? null)
  const buffered = wait.begin()
  if (buffered !== null) return buffered
  const commandsBefore = session.commands.lastEnd
  let settle!: (outcome: ExpectOutcome | null) => void
  const settled = new Promise<ExpectOutcome | null>((resolve) => {
    settle = resolve
  })
  const tell = (outcome: ExpectOutcome | null): void => {
    if (outcome !== null) settle(outcome)
  }
  let timer: NodeJS.Timeout | undefined
  const look = (): void => {
    timer = undefined
    if (wait.isDue) tell(wait.look())
  }
  const stops = [
    session.onOutput(() => {
      tell(wait.printed())
      if (wait.isDue) timer ??= setTimeout(look, wait.pauseMs)
    }),
    session.onChange(() => {
      if (session.isHidden) settle(null)
      const { lastEnd } = session.commands
      if (lastEnd !== commandsBefore && lastEnd !== null && lastEnd.command !== null)
        tell(wait.commandEnded(lastEnd.exitCode))
    }),
    session.typing.onKey(() => {
      tell(wait.userTyped())
    }),
  ]
  const deadline = setTimeout(() => {
    tell(wait.timedOut())
  }, timeoutMs)
  const abort = (): void => {
    settle(null)
  }
  signal.addEventListener('abort', abort, { once: true })
  detached(logger, 'end a wait with its session', async () => {
    const exit = await session.ended
    tell(wait.exited(exit?.exitCode ?? null))
  })
  const outcome = await settled
  for (const stop of stops) stop()
  clearTimeout(timer)
  clearTimeout(deadline)
  signal.removeEventListener('abort', abort)
  refuseHidden(session)
  if (outcome === null) throw cancelled()
  return outcome
}

function isOver({ phase }: Session): boolean {
  return phase === 'exited' || phase === 'closed'
}

export const expectText = [ttyExpect] as const
