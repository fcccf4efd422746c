/** Ends user sessions that no client came back to, except those that go on by themselves. One timer for all of them, and none while there are no orphans. */
import { detached } from '../base/async.ts'
import { DisposableStore, type Disposable, type Event } from '../base/lifecycle.ts'
import type { Logger } from '../base/logger.ts'
import type { SessionRegistry } from './session-registry.ts'
import type { Session } from './session.ts'
import { isLive } from './session-phase.ts'

export interface RetentionPorts {
  readonly registry: SessionRegistry
  /** Read at the moment of use. */
  readonly graceSec: () => number
  /** Whether a session that outlives the host ends with its last client all the same. Read at the moment of use. */
  readonly endsKept: () => boolean
  /** What decides about it changed. */
  readonly onGraceChange: Event<unknown>
  readonly logger: Logger
}

export class OrphanReaper implements Disposable {
  readonly #ports: RetentionPorts
  readonly #owned = new DisposableStore()
  #timer: NodeJS.Timeout | undefined

  constructor(ports: RetentionPorts) {
    this.#ports = ports
    this.#owned.defer(
      ports.registry.onChange(() => {
        this.#plan()
      }),
    )
    // A changed grace period holds for those who already wait, too.
    this.#owned.defer(
      ports.onGraceChange(() => {
        this.#plan()
      }),
    )
  }

  dispose(): void {
    clearTimeout(this.#timer)
    this.#owned.dispose()
  }

  #plan(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const graceMs = this.#ports.graceSec() * 1000
    const due = this.#orphans().map(({ orphanedAt }) => orphanedAt + graceMs)
    if (due.length === 0) return
    this.#timer = setTimeout(
      () => {
        this.#reap(graceMs)
      },
      Math.max(0, Math.min(...due) - Date.now()),
    )
    this.#timer.unref()
  }

  #reap(graceMs: number): void {
    const { logger } = this.#ports
    for (const { session, orphanedAt } of this.#orphans()) {
      if (orphanedAt + graceMs > Date.now()) continue
      logger.info('session.reaped', { sessionId: session.id, graceSec: graceMs / 1000 })
      detached(logger, 'reap', () => session.close('orphaned'))
    }
    // For the others, and for those whose time is not up by the clock: timers count whole milliseconds of another one,
    // and every sixth or so fires one early.
    this.#plan()
  }

  /** One that is already closing is not planned for again. */
  #orphans(): { session: Session; orphanedAt: number }[] {
    const endsKept = this.#ports.endsKept()
    return this.#ports.registry.all.flatMap((session) => {
      const { orphanedAt, persist, phase, isClosing } = session
      const stays = persist !== null && !endsKept
      return orphanedAt === null || stays || !isLive(phase) || isClosing ? [] : [{ session, orphanedAt }]
    })
  }
}
