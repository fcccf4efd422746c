/** All sessions of this host: reserve, open, find, list, close, and the limit. */
import type { MarkNonce, SessionId } from '../../protocol-src/ids.ts'
import { MAX_RETAINED_SESSIONS } from '../../protocol-src/limits.ts'
import type {
  CloseReason,
  LaunchSpec,
  Owner,
  SessionDescriptor,
  SessionKind,
  TerminalSize,
} from '../../protocol-src/session.ts'
import type { Launched, SessionBackend } from '../backends/backend.ts'
import { detached } from '../base/async.ts'
import { TtyError } from '../base/errors.ts'
import { Emitter, type Event } from '../base/lifecycle.ts'
import type { Logger } from '../base/logger.ts'
import { newMarkNonce, newSessionId } from '../base/random-id.ts'
import type { Journal } from '../journal/journal.ts'
import type { OutputReader } from '../journal/output-store.ts'
import { restoreRecorded, specOf } from './past-session.ts'
import { publicSpec } from './public-spec.ts'
import { Session } from './session.ts'
import type { SessionFacts } from './session-parts.ts'
import { SessionStream } from './session-stream.ts'
import type { ScreenHooks, SessionScreen } from './view-planner.ts'
import { isLive } from './session-phase.ts'

export interface OpenRequest {
  readonly spec: LaunchSpec
  readonly size: TerminalSize
  readonly owner: Owner
  /** The session that this one runs again. */
  readonly retryOf?: SessionId | null
  /** Start the process as this makes it of the arguments. */
  readonly confine?: ((argv: readonly string[]) => readonly string[]) | null
}

export interface ScreenOf {
  readonly id: SessionId
  readonly stream: SessionStream
  readonly output: OutputReader
  /** Null for a session of an earlier run. */
  readonly markNonce: MarkNonce | null
}

export interface RegistryPorts {
  readonly backends: { readonly [K in SessionKind]: SessionBackend<K> }
  readonly journal: Journal
  /** The host's own screen of a session, or null where there is none. */
  readonly openScreen: (session: ScreenOf, hooks: ScreenHooks) => SessionScreen | null
  /** Read at the moment of use. */
  readonly maxSessions: () => number
  readonly logger: Logger
}

export class SessionRegistry {
  readonly #ports: RegistryPorts
  readonly #sessions = new Map<SessionId, Session>()
  readonly #changes: Emitter<void>
  #isShutDown = false

  /** After every change of what `list` would say, except the output offset. */
  readonly onChange: Event<void>

  constructor(ports: RegistryPorts) {
    this.#ports = ports
    this.#changes = new Emitter(ports.logger)
    this.onChange = this.#changes.event
  }

  /**
   * Reserve a place and start a session. The place counts from this moment, so two opens cannot share the last one.
   * @returns the session, which may still be starting
   * @throws TtyError SESSION_LIMIT, SHUTTING_DOWN
   */
  reserve(request: OpenRequest): Session {
    if (this.#isShutDown)
      throw new TtyError('SHUTTING_DOWN', 'The terminal plugin is being unloaded; no session was started.')
    const limit = this.#ports.maxSessions()
    if (this.liveCount >= limit) {
      throw new TtyError(
        'SESSION_LIMIT',
        `${String(limit)} sessions are running, which is the limit (setting "maxSessions"). Close one or raise the limit; nothing was started.`,
        { details: { limit, setting: 'maxSessions' } },
      )
    }
    const { name, run } = this.#backendOf(request.spec).describe(request.spec)
    const { spec, owner, size, retryOf = null } = request
    const startedAt = Date.now()
    const facts = { id: newSessionId(), spec, owner, target: name, retryOf, markNonce: newMarkNonce(), startedAt }
    const journal = this.#ports.journal.begin(facts.id)
    const told = publicSpec(spec)
    const host = told.kind === 'ssh' ? { host: told.host } : {}
    journal.append('opened', {
      kind: spec.kind,
      ...host,
      target: name,
      run,
      cwd: spec.cwd ?? null,
      size,
      owner,
      retryOf,
    })
    const session = this.#add(facts, new SessionStream(journal, size))
    this.#changes.fire()
    return session
  }

  /** Take over what an earlier run left, oldest first: those sessions can be read, and count among the ended ones. */
  restorePast(): void {
    for (const past of this.#ports.journal.pastSessions()) {
      const journal = this.#ports.journal.find(past.id)
      if (journal === undefined || past.releasedReason !== null || past.exited === null) continue
      const { target, owner, retryOf } = past.opened
      const { startedAt } = past
      const spec = specOf(past.opened)
      const facts = { id: past.id, spec, owner, target, retryOf, markNonce: null, startedAt }
      const { reason, ...exit } = past.exited
      const { stream, commands } = restoreRecorded(journal, { size: past.opened.size, cwd: past.cwd })
      this.#add(facts, stream).restore(
        { exit, reason, at: past.exitedAt ?? past.startedAt, isHidden: past.isHidden },
        commands,
      )
    }
  }

  #add(facts: SessionFacts, stream: SessionStream): Session {
    const { journal, openScreen, logger } = this.#ports
    const sessionJournal = journal.find(facts.id)
    if (sessionJournal === undefined) throw new Error(`session ${facts.id} has no journal`)
    const { output } = sessionJournal
    const session: Session = new Session(facts, {
      stream,
      journal: sessionJournal,
      logger,
      openScreen: (hooks) => openScreen({ id: facts.id, stream, output, markNonce: facts.markNonce }, hooks),
    })
    this.#sessions.set(session.id, session)
    session.onChange(() => {
      if (session.phase === 'closed') this.#released(session)
      this.#changes.fire()
      if (session.phase === 'exited') this.#evictOldest()
    })
    return session
  }

  /**
   * Launch a reserved session. @throws TtyError of the backend; the place is free again then
   */
  async launch(session: Session, request: OpenRequest): Promise<void> {
    const backend = this.#backendOf(request.spec)
    let launched: Launched
    try {
      launched = await backend.launch({
        sessionId: session.id,
        spec: request.spec,
        size: session.descriptor.size,
        markNonce: session.launchNonce,
        signal: session.startSignal,
        owner: request.owner.kind,
        began: session.began,
        confine: request.confine ?? null,
      })
    } catch (error) {
      session.notStarted()
      await session.close('cancelled')
      throw error
    }
    session.started(launched)
    if (session.isClosing) throw new TtyError('CANCELLED', 'The session was closed before its shell started.')
  }

  /** The one that starts this kind: which is more than its type says once it was looked up. */
  #backendOf(spec: LaunchSpec): SessionBackend {
    return this.#ports.backends[spec.kind] as SessionBackend
  }

  async open(request: OpenRequest): Promise<Session> {
    const session = this.reserve(request)
    await this.launch(session, request)
    return session
  }

  get(id: SessionId): Session | undefined {
    return this.#sessions.get(id)
  }

  /** @throws TtyError SESSION_NOT_FOUND: the same answer for what never was and for what is gone */
  require(id: SessionId): Session {
    const session = this.#sessions.get(id)
    if (session === undefined)
      throw new TtyError('SESSION_NOT_FOUND', 'There is no such session: it was closed, or the host was restarted.')
    return session
  }

  get all(): readonly Session[] {
    return [...this.#sessions.values()]
  }

  list(): SessionDescriptor[] {
    return this.all.map((session) => session.descriptor)
  }

  /** Sessions that count against the limit: starting or running, of every kind and owner. */
  get liveCount(): number {
    return this.all.filter((session) => isLive(session.phase)).length
  }

  async closeAll(reason: CloseReason): Promise<void> {
    await Promise.all(this.all.map((session) => session.close(reason)))
  }

  /** Refuse new sessions and end all; resolves when their processes were looked for. */
  async shutdown(): Promise<void> {
    this.#isShutDown = true
    await this.closeAll('shutdown')
    this.#changes.dispose()
  }

  /** A session that ends with the host stays on record, to be read after the next start; any other end releases it. */
  #released(session: Session): void {
    this.#sessions.delete(session.id)
    const reason = session.closeReason ?? 'user'
    if (reason !== 'shutdown') this.#ports.journal.releaseSession(session.id, reason)
  }

  /** Of the ended sessions beyond the limit, those go that ended first. */
  #evictOldest(): void {
    const exited = this.all
      .filter((session) => session.phase === 'exited' && !session.isClosing)
      .sort((one, other) => (one.exitedAt ?? 0) - (other.exitedAt ?? 0))
    for (const session of exited.slice(0, Math.max(0, exited.length - MAX_RETAINED_SESSIONS))) {
      this.#ports.logger.info('session.evicted', { sessionId: session.id, limit: MAX_RETAINED_SESSIONS })
      detached(this.#ports.logger, 'evict', () => session.close('evicted'))
    }
  }
}
