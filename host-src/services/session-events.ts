/** Tells what happened to the sessions from one look at the registry to the next. */
import { Emitter, type Disposable, type Event, type Unsubscribe } from '../base/lifecycle.ts'
import type { Logger } from '../base/logger.ts'
import type { SessionRegistry } from '../sessions/session-registry.ts'
import { sessionFacts } from './session-facts.ts'
import type { TtyEvent, TtySession } from './tty-contract.ts'

export class SessionEvents implements Disposable {
  readonly event: Event<TtyEvent>
  readonly #events: Emitter<TtyEvent>
  readonly #unsubscribe: Unsubscribe
  #known: ReadonlyMap<string, TtySession>

  constructor(registry: SessionRegistry, logger: Logger) {
    this.#events = new Emitter(logger)
    this.event = this.#events.event
    this.#known = seenIn(registry)
    this.#unsubscribe = registry.onChange(() => {
      this.#look(registry)
    })
  }

  dispose(): void {
    this.#unsubscribe()
    this.#events.dispose()
  }

  #look(registry: SessionRegistry): void {
    const before = this.#known
    const now = seenIn(registry)
    // First, because a listener may open a session.
    this.#known = now
    for (const [sid, session] of before) if (!now.has(sid)) this.#events.fire({ type: 'gone', session })
    for (const [sid, session] of now) {
      const last = before.get(sid)
      if (last === undefined) this.#events.fire({ type: 'opened', session })
      else if (last.phase !== session.phase && session.phase === 'exited')
        this.#events.fire({ type: 'exited', session })
      else if (!isSame(last, session)) this.#events.fire({ type: 'changed', session })
    }
  }
}

/** The sessions that plugins may know of, oldest first. */
export function seenIn(registry: SessionRegistry): ReadonlyMap<string, TtySession> {
  const seen = registry.all.filter(({ isHidden, phase }) => !isHidden && phase !== 'closed')
  return new Map(seen.map(({ id, descriptor }) => [id, sessionFacts(descriptor)]))
}

function isSame(one: TtySession, other: TtySession): boolean {
  return (Object.keys(one) as (keyof TtySession)[]).every((key) => one[key] === other[key])
}
