/** What the way to a machine needs from the rest of the host. */
import type { SshConnection } from '../../../protocol-src/ssh.ts'
import type { PhaseReport, SshHop, SshPhase } from '../../../protocol-src/question.ts'
import type { Settings } from '../../../protocol-src/settings.ts'
import type { Logger } from '../../base/logger.ts'
import type { ConnectionBook } from '../../ssh/connection-book.ts'
import type { HostKeys } from '../../ssh/host-keys.ts'
import type { Secrets } from '../../ssh/secrets.ts'
import type { Audience, Person } from './person.ts'
import type { Ssh2 } from './ssh-module.ts'
import type { Deadlines } from './steps.ts'

export interface SshPorts {
  readonly book: Pick<ConnectionBook, 'target' | 'entries'>
  readonly secrets: Pick<Secrets, 'resolve'>
  readonly hostKeys: Pick<HostKeys, 'check' | 'knownTypes' | 'remember'>
  readonly person: Person
  /** Read at the moment of use. */
  readonly settings: () => Readonly<Settings>
  readonly hostEnv: Readonly<Record<string, string | undefined>>
  readonly logger: Logger
  readonly loadSsh2?: () => Promise<Ssh2>
  readonly deadlines?: Deadlines
  readonly keepAlive?: { readonly everyMs: number; readonly misses: number }
}

/** For whom and how a connection is made. */
export interface ConnectContext {
  readonly audience: Audience
  readonly signal: AbortSignal
  /** Nothing is recorded for a connection that is only tried. */
  readonly isDraft?: boolean
  readonly began?: (hop: SshHop, phase: SshPhase) => void
  readonly ended?: (report: PhaseReport) => void
}

/** Where to go, with the name in the book that it came from. */
export interface SshTarget {
  readonly connection: SshConnection
  readonly book: string | null
}
