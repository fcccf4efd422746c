/** Which sessions were released, and whose records have been kept long enough. Touches no storage. */
import type { SessionId } from '../../protocol-src/ids.ts'
import type { CloseReason } from '../../protocol-src/session.ts'

export interface ReleasedLimits {
  /** Released sessions whose records are kept; beyond it those released first go. */
  readonly count: number
  /** Milliseconds since the release after which records go. */
  readonly ageMs: number
}

export const DEFAULT_RELEASED_LIMITS: ReleasedLimits = { count: 64, ageMs: 30 * 24 * 60 * 60 * 1000 }

interface Release {
  readonly reason: CloseReason
  /** Epoch milliseconds. */
  readonly at: number
}

export class ReleasedSessions {
  readonly #limits: ReleasedLimits
  readonly #releases = new Map<SessionId, Release>()

  constructor(limits: ReleasedLimits) {
    this.#limits = limits
  }

  add(id: SessionId, release: Release): void {
    this.#releases.set(id, release)
  }

  has(id: SessionId): boolean {
    return this.#releases.has(id)
  }

  reasonOf(id: SessionId): CloseReason | null {
    return this.#releases.get(id)?.reason ?? null
  }

  /** Those that go now; they are forgotten here. @param now epoch milliseconds */
  takeExpired(now: number): readonly SessionId[] {
    const oldestFirst = [...this.#releases].sort(([, a], [, b]) => a.at - b.at)
    const surplus = oldestFirst.length - this.#limits.count
    const expired = oldestFirst
      .filter(([, { at }], index) => index < surplus || now - at > this.#limits.ageMs)
      .map(([id]) => id)
    for (const id of expired) this.#releases.delete(id)
    return expired
  }
}
