/** What a session is made of, and what is known of one that ended in an earlier run. */
import type { MarkNonce, SessionId } from '../../protocol-src/ids.ts'
import type { ExitReason, ExitStatus, LaunchSpec, Owner } from '../../protocol-src/session.ts'
import type { Logger } from '../base/logger.ts'
import type { SessionJournal } from '../journal/journal.ts'
import type { KnownCommands } from '../terminal/command-tracker.ts'
import type { SessionStream } from './session-stream.ts'
import type { ScreenHooks, SessionScreen } from './view-planner.ts'

export interface SessionFacts {
  readonly id: SessionId
  readonly spec: LaunchSpec
  readonly owner: Owner
  readonly target: string
  readonly retryOf: SessionId | null
  /** Null for a session of an earlier run: its shell is gone. */
  readonly markNonce: MarkNonce | null
  /** Epoch milliseconds. */
  readonly startedAt: number
}

/** How a session of an earlier run ended. */
export interface PastEnd {
  readonly exit: ExitStatus
  readonly reason: ExitReason
  readonly at: number
  readonly isHidden: boolean
  readonly title: string | null
}

/** What an earlier run knew of a session that went on without it. */
export interface AdoptedFacts {
  readonly commands: KnownCommands
  readonly isHidden: boolean
  readonly title: string | null
}

export interface SessionParts {
  readonly stream: SessionStream
  readonly journal: SessionJournal
  /** The host's own screen of it, or null where there is none. */
  readonly openScreen: (hooks: ScreenHooks) => SessionScreen | null
  readonly logger: Logger
}
