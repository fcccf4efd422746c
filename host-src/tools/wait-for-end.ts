/** Waits for the end of a session's program, or until it is seen to do nothing but wait for input, or the user hides it. */
import type { InputState } from '../backends/backend.ts'
import type { Session } from '../sessions/session.ts'

/** How often the system is asked what the program waits for, while nothing is printed. */
const LOOK_EVERY_MS = 500
/** In a row: a program may read what it was sent a moment ago. */
const LOOKS = 2

export interface EndWait {
  readonly timedOut: boolean
  /** What the system told last; empty when the program ended. */
  readonly state: InputState
}

/** Never rejects. */
export async function waitForEnd(
  session: Session,
  { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal },
): Promise<EndWait | 'aborted'> {
  let resolve!: (outcome: EndWait | 'aborted') => void
  const settled = new Promise<EndWait | 'aborted'>((settle) => {
    resolve = settle
  })
  const abort = (): void => {
    resolve('aborted')
  }
  let state: InputState = {}
  let waiting = 0
  let isOver = false
  const deadline = setTimeout(() => {
    resolve({ timedOut: true, state })
  }, timeoutMs)
  const look = async (): Promise<void> => {
    const before = session.end.offset
    state = await session.inputState()
    if (isOver) return
    waiting = state.isWaiting === true && session.end.offset === before ? waiting + 1 : 0
    if (waiting >= LOOKS) resolve({ timedOut: false, state })
    else timer = setTimeout(() => void look(), LOOK_EVERY_MS)
  }
  let timer = setTimeout(() => void look(), LOOK_EVERY_MS)
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort, { once: true })
  session.ended.then(
    () => {
      resolve({ timedOut: false, state: {} })
    },
    () => {}, // it never rejects
  )
  const stopListening = session.onChange(() => {
    if (session.isHidden) resolve({ timedOut: false, state: {} })
  })
  const outcome = await settled
  stopListening()
  isOver = true
  clearTimeout(deadline)
  clearTimeout(timer)
  signal.removeEventListener('abort', abort)
  return outcome
}
