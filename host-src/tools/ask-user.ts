/** The tool with which a person types what an agent must not know: passwords, one-time codes, confirmations. */
import * as z from 'zod'
import { MAX_REQUEST_CHARS } from '../../protocol-src/limits.ts'
import { TtyError } from '../base/errors.ts'
import type { Session } from '../sessions/session.ts'
import { sidField } from './session-fields.ts'
import { cancelled } from './open-session.ts'
import { plainText } from './plain-line.ts'
import { requireDrivable } from './session-view.ts'
import { defineTool } from './tool.ts'

const DEFAULT_ASK_SEC = 300
/** A page that was just told of a new terminal needs a moment to show it. */
const VIEWER_WAIT_MS = 5_000

const ttyAskUser = defineTool({
  name: 'tty_ask_user',
  risk: 'read',
  isExclusive: true,
  description:
    'Ask the user to type something into a terminal themselves: a password, a one-time code, a decision. They see your prompt in its tab; what they type goes to the program only. You learn that they answered, never what.',
  input: z.strictObject({
    sid: sidField,
    prompt: z.string().min(1).max(MAX_REQUEST_CHARS).describe('What to type, and why, in one or two sentences.'),
    timeoutSec: z
      .int()
      .min(1)
      .max(600)
      .optional()
      .describe(`How long to wait; ${String(DEFAULT_ASK_SEC)} by default.`),
  }),
  output: z.object({
    sid: z.string(),
    answered: z.boolean(),
    outcome: z.enum(['answered', 'declined', 'timed-out', 'ended', 'nobody']),
  }),
  run: async (context, { sid, prompt, timeoutSec }, signal) => {
    const session = requireDrivable(context, sid)
    if (session.phase === 'exited')
      throw new TtyError('SESSION_EXITED', 'The program of this terminal has ended, so there is nothing to answer.')
    if (!(await isWatched(session, signal))) return { sid: session.id, answered: false, outcome: 'nobody' as const }
    const { isSecret } = await session.inputState()
    const timeoutMs = (timeoutSec ?? DEFAULT_ASK_SEC) * 1000
    const question = { prompt: shownPrompt(prompt), isSecret: isSecret === true, timeoutMs, signal }
    const outcome = await session.requests.ask(question)
    return { sid: session.id, answered: outcome === 'answered', outcome }
  },
  render: ({ outcome }) => {
    switch (outcome) {
      case 'answered':
        return 'The user answered. Look at what follows with tty_expect or tty_screen.'
      case 'declined':
        return 'The user declined to answer. Do not ask the same again; ask in the conversation how to go on.'
      case 'timed-out':
        return 'The user did not answer in time. The program still waits.'
      case 'ended':
        return 'The terminal ended before the user answered.'
      case 'nobody':
        return 'Nobody has this terminal open, so nobody can answer. Say in the conversation what you need.'
    }
  },
  card: ({ prompt }) => ({ kind: 'execute', title: `Ask the user: ${plainText(prompt)}` }),
})

/** The same without what cannot be seen or would move around on the page. */
function shownPrompt(prompt: string): string {
  return prompt.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim() || '?'
}

/** Whether somebody looks at it, or will in a moment. */
async function isWatched(session: Session, signal: AbortSignal): Promise<boolean> {
  const has = (): boolean => session.descriptor.attachments > 0
  if (has()) return true
  const seen = await new Promise<boolean | null>((resolve) => {
    const stop = session.onChange(() => {
      if (has() || session.phase !== 'running') end(has())
    })
    const timer = setTimeout(() => {
      end(false)
    }, VIEWER_WAIT_MS)
    const aborted = (): void => {
      end(null)
    }
    const end = (outcome: boolean | null): void => {
      stop()
      clearTimeout(timer)
      signal.removeEventListener('abort', aborted)
      resolve(outcome)
    }
    signal.addEventListener('abort', aborted, { once: true })
    if (signal.aborted) aborted()
  })
  if (seen === null) throw cancelled()
  return seen
}

export const askUser = [ttyAskUser] as const
