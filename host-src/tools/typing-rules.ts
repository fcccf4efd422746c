/** When an agent may type: never into the middle of what the person does, and never more than the terminal takes. */
import { TtyError } from '../base/errors.ts'
import { TYPING_PAUSE_MS } from '../sessions/person-typing.ts'
import type { Session } from '../sessions/session.ts'
import { activityOf } from './session-view.ts'

/** Longest line that a Linux terminal hands over in line mode, its end not included; the rest is dropped without a word. */
const MAX_LINE_BYTES = 4095
const LINE_END = /[\r\n]/

/** @throws TtyError USER_IS_TYPING with the reason; nothing was typed */
export function refuseWhileTyping(session: Session, now: number): void {
  const reason = whyNot(session, now)
  if (reason === null) return
  throw new TtyError(
    'USER_IS_TYPING',
    `Nothing was sent: ${reason}. Wait and try again, or set "force" when it cannot wait.`,
  )
}

function whyNot(session: Session, now: number): string | null {
  if (session.requests.pending !== null) return 'the user is being asked to type something here'
  if (session.typing.isRecent(now))
    return `the user typed in this terminal within the last ${String(TYPING_PAUSE_MS / 1000)} s`
  // In a program, as against at the prompt, nobody can tell what an unsent line is.
  if (activityOf(session.descriptor).running !== true && session.typing.hasUnsentLine)
    return 'the user has typed a line at the prompt that is not sent yet'
  return null
}

/** @throws TtyError BAD_ARGUMENTS when the terminal would drop the rest of a line */
export async function refuseTooLong(session: Session, text: string): Promise<void> {
  const longest = Math.max(...text.split(LINE_END).map((line) => Buffer.byteLength(line)))
  if (longest <= MAX_LINE_BYTES) return
  const { isLineMode } = await session.inputState()
  if (isLineMode !== true) return
  throw new TtyError(
    'BAD_ARGUMENTS',
    `Nothing was sent: a line has ${String(longest)} bytes, and this terminal reads whole lines of at most ${String(MAX_LINE_BYTES)} and drops the rest. Send shorter lines, or write a file.`,
  )
}
