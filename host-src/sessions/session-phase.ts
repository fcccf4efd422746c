/** The life of a session, forward only: a late event can never bring back what ended. */
import type { SessionPhase } from '../../protocol-src/session.ts'

const ORDER: Readonly<Record<SessionPhase, number>> = { starting: 0, running: 1, exited: 2, closed: 3 }

/** @returns the phase that follows: `next` when it lies ahead of `current`, else `current` */
export function advancePhase(current: SessionPhase, next: SessionPhase): SessionPhase {
  return ORDER[next] > ORDER[current] ? next : current
}

/** Live sessions count against the limit and can be typed into or will be. */
export function isLive(phase: SessionPhase): boolean {
  return phase === 'starting' || phase === 'running'
}
