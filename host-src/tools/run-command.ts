/** The tool that runs one command from its start to its end. */
import * as z from 'zod'
import { MAX_COMMAND_CHARS, MAX_PATH_CHARS } from '../../protocol-src/limits.ts'
import { exitFacts, exitFields, exitInWords } from './exit-facts.ts'
import { cancelled, openSession } from './open-session.ts'
import { outputFields, readText, resultText } from './output-text.ts'
import { plainLine } from './plain-line.ts'
import { shownCommand } from './shown-command.ts'
import { refuseHidden } from './session-view.ts'
import { defineTool } from './tool.ts'
import { waitForEnd } from './wait-for-end.ts'

const DEFAULT_RUN_SEC = 120
const timeoutSec = z.int().min(1).max(600)

const ttyRun = defineTool({
  name: 'tty_run',
  risk: 'execute',
  isConfinable: true,
  description:
    'Run one command in a terminal of its own and wait for its end: gives the end of its output and its exit code. On a time-out, or when it waits for input, it goes on running and you get its session id: continue with tty_send, tty_expect, tty_capture or tty_close.',
  input: z.strictObject({
    command: z
      .string()
      .min(1)
      .max(MAX_COMMAND_CHARS)
      .describe("In the syntax of the user's shell; may have several lines."),
    cwd: z
      .string()
      .min(1)
      .max(MAX_PATH_CHARS)
      .optional()
      .describe('Directory to run in; your working directory by default.'),
    timeoutSec: timeoutSec.optional().describe(`How long to wait; ${String(DEFAULT_RUN_SEC)} by default.`),
    keep: z.boolean().optional().describe('Keep the ended terminal and all of its output for tty_capture.'),
  }),
  output: z.object({
    sid: z.string(),
    ...outputFields,
    ...exitFields,
    running: z.boolean(),
    timedOut: z.boolean(),
    waitingForInput: z.boolean().optional(),
    asksForSecret: z.boolean().optional(),
    /** The terminal is gone, and so is everything that the command left running in it. */
    closed: z.boolean(),
    /** Processes that the command left behind and that were ended. */
    endedProcesses: z.int().min(0),
    confined: z.boolean(),
  }),
  run: async (context, input, signal) => {
    const session = await openSession(context, { command: input.command, cwd: input.cwd }, signal)
    const wait = await waitForEnd(session, { timeoutMs: (input.timeoutSec ?? DEFAULT_RUN_SEC) * 1000, signal })
    if (wait === 'aborted') {
      await session.close('agent')
      throw cancelled()
    }
    refuseHidden(session)
    const { state } = wait
    const facts = readText(session, { from: 0 }, context)
    context.agents.noteRead(session, context.caller, facts.nextOffset)
    const exit = exitFacts(session)
    const isClosed = exit.exited && input.keep !== true
    const termination = isClosed ? await session.close('agent') : null
    return {
      sid: session.id,
      ...facts,
      ...exit,
      running: !exit.exited,
      timedOut: wait.timedOut,
      ...(state.isWaiting === undefined ? {} : { waitingForInput: state.isWaiting }),
      ...(state.isWaiting === true && state.isSecret !== undefined ? { asksForSecret: state.isSecret } : {}),
      closed: isClosed,
      endedProcesses: termination?.killed.length ?? 0,
      confined: context.confine !== null,
    }
  },
  render: (result) => {
    const facts = [result.exited ? exitInWords(result) : runningInWords(result)]
    if (result.exited && !result.closed) facts.push(`kept as ${result.sid}`)
    if (result.endedProcesses > 0)
      facts.push(
        `${String(result.endedProcesses)} processes that it left running were ended with its terminal, use tty_open for what shall go on`,
      )
    if (result.confined) facts.push('ran inside the sandbox of the permission tier')
    return resultText(facts, result)
  },
  card: ({ command }) => ({ kind: 'terminal', title: command }),
  request: ({ command, cwd }) =>
    `Run in a terminal${cwd === undefined ? '' : ` in ${plainLine(cwd)}`}:\n${shownCommand(command)}`,
})

function runningInWords({
  sid,
  asksForSecret,
  waitingForInput,
}: {
  sid: string
  asksForSecret?: boolean | undefined
  waitingForInput?: boolean | undefined
}): string {
  if (asksForSecret === true)
    return `running in ${sid}: it asks for a secret. Do not guess one, let the user type it with tty_ask_user`
  if (waitingForInput === true)
    return `running in ${sid}: it waits for input. Look with tty_screen, answer with tty_send`
  return `still running in ${sid} after the time-out, it was not ended. Wait with tty_expect, look with tty_capture, end it with tty_close`
}

export const runCommand = [ttyRun] as const
