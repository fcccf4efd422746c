/** What is known of sessions as agents use them: who opened which, and how far each agent has read. */
import type { StreamOffset } from '../../protocol-src/ids.ts'
import type { Session } from '../sessions/session.ts'
import type { Caller } from './caller.ts'

interface Reading {
  /** By agent: the offset before which its model has seen everything it was shown. */
  readonly read: Map<string, StreamOffset>
  /** By agent: the last command of whose end its model knows. */
  readonly told: Map<string, number>
  /** The opener and those who delegated to it. */
  opener: readonly string[]
  /** The last that an agent typed, and where the output was then: what echoes it begins there. */
  sent: { readonly at: StreamOffset; readonly text: string } | null
  waits: number
}

export class AgentSessions {
  /** Goes with the session. */
  readonly #readings = new WeakMap<Session, Reading>()

  /** `caller` opened `session`: it and those it works for may type into it and close it. */
  opened(session: Session, { agentId, ancestors }: Caller): void {
    this.#of(session).opener = [agentId, ...ancestors]
  }

  /** Whether `caller` opened it, or delegated to the agent that did. */
  isOwn(session: Session, { agentId }: Caller): boolean {
    if (session.owner.kind !== 'agent') return false
    return session.owner.agentId === agentId || this.#of(session).opener.includes(agentId)
  }

  /** Where `caller` has not read yet. */
  readOffset(session: Session, { agentId }: Caller): StreamOffset {
    return this.#of(session).read.get(agentId) ?? 0
  }

  /** `caller` was shown the output before `offset`, or was told that it was left out. */
  noteRead(session: Session, { agentId }: Caller, offset: StreamOffset): void {
    const { read } = this.#of(session)
    read.set(agentId, Math.max(read.get(agentId) ?? 0, offset))
  }

  /** The last command of whose end `caller` knows; 0 for none. */
  toldCommand(session: Session, { agentId }: Caller): number {
    return this.#of(session).told.get(agentId) ?? 0
  }

  noteTold(session: Session, { agentId }: Caller, command: number): void {
    this.#of(session).told.set(agentId, command)
  }

  /** An agent typed `text` when the output was at `at`. */
  noteSent(session: Session, sent: { at: StreamOffset; text: string }): void {
    this.#of(session).sent = sent
  }

  lastSent(session: Session): Reading['sent'] {
    return this.#of(session).sent
  }

  /** @returns what ends the wait, or null when there are `limit` already */
  beginWait(session: Session, limit: number): (() => void) | null {
    const reading = this.#of(session)
    if (reading.waits >= limit) return null
    reading.waits += 1
    let isOver = false
    return () => {
      if (!isOver) reading.waits -= 1
      isOver = true
    }
  }

  #of(session: Session): Reading {
    const known = this.#readings.get(session)
    if (known !== undefined) return known
    const reading: Reading = { read: new Map(), told: new Map(), opener: [], sent: null, waits: 0 }
    this.#readings.set(session, reading)
    return reading
  }
}
