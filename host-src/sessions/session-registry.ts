/** All sessions of this host: reserve, open, find, list, close, and the limit. */
import type { MarkNonce, PersistName, SessionId } from '../../protocol-src/ids.ts'
import { MAX_RETAINED_SESSIONS } from '../../protocol-src/limits.ts'
import type {
  CloseReason,
  LaunchSpec,
  Owner,
  SessionDescriptor,
  SessionKind,
  TerminalSize,
} from '../../protocol-src/session.ts'
import type { Launched, SessionBackend, Survivor } from '../backends/backend.ts'
import { detached } from '../base/async.ts'
import { TtyError, messageOf } from '../base/errors.ts'
import { Emitter, type Event } from '../base/lifecycle.ts'
import type { Logger } from '../base/logger.ts'
import { newMarkNonce, newSessionId } from '../base/random-id.ts'
import type { Journal, PastSession } from '../journal/journal.ts'
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
  /** Whether the user's sessions outlive the host without being asked to. Read at the moment of use. */
  readonly persistByDefault: () => boolean
  readonly logger: Logger
}

/** Until its first viewer comes. */
const ADOPTED_SIZE: TerminalSize = { cols: 80, rows: 24 }

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
    const { owner, size, retryOf = null } = request
    const startedAt = Date.now()
    const id = newSessionId()
    const spec = this.#withPersist(request, id)
    const facts = { id, spec, owner, target: name, retryOf, markNonce: newMarkNonce(), startedAt }
    const journal = this.#ports.journal.begin(id)
    const told = publicSpec(spec)
    const { kind, cwd = null, persist } = told
    journal.append('opened', {
      kind,
      ...(told.kind === 'ssh' ? { host: told.host } : {}),
      target: name,
      run,
      cwd,
      size,
      owner,
      retryOf,
      ...(typeof persist === 'string' ? { persist } : {}),
    })
    const session = this.#add(facts, new SessionStream(journal, size))
    this.#changes.fire()
    return session
  }

  /** The live session that `spec` names, wherever it was opened; undefined when it names none. */
  findKept(spec: LaunchSpec): Session | undefined {
    const { persist } = spec
    if (typeof persist !== 'string') return undefined
    return this.all.find((session) => {
      const { launchSpec: other } = session
      const isSame = other.persist === persist && placeOf(other) === placeOf(spec)
      return isSame && isLive(session.phase) && !session.isClosing
    })
  }

  /**
   * Take over what an earlier run left, oldest first. What goes on without a host is taken up where that one was; all
   * others can be read, and count among the ended ones. Never rejects.
   */
  async restorePast(survivors: readonly Survivor[] = []): Promise<void> {
    const { journal } = this.#ports
    const alive = new Map(survivors.map((survivor) => [survivor.sessionId, survivor]))
    for (const past of journal.pastSessions()) {
      const survivor = alive.get(past.id)
      if (survivor !== undefined && past.exited === null && past.isSound) {
        alive.delete(past.id)
        if (!(await this.#adopt(survivor, past))) this.#restore({ ...past, ...this.#endOf(past.id) })
      } else if (past.exited !== null && past.releasedReason === null) this.#restore(past)
    }
    for (const survivor of alive.values()) await this.#adopt(survivor, null)
  }

  /** @param past null for a session of which there is no record, or none that can be continued */
  async #adopt(survivor: Survivor, past: PastSession | null): Promise<boolean> {
    const { journal, logger } = this.#ports
    const { spec, owner, markNonce, startedAt } = survivor
    const backend = this.#backendOf(spec)
    const isNew = past === null && journal.find(survivor.sessionId) !== undefined
    const id = isNew ? newSessionId() : survivor.sessionId
    const from = past === null ? 0 : past.output.end
    try {
      const launched = await backend.adopt?.({ survivor, sessionId: id, from })
      if (launched === undefined) return false
      const { name, run } = past === null ? backend.describe(spec) : { name: past.opened.target, run: past.opened.run }
      const { retryOf, size, cwd } = past?.opened ?? { retryOf: null, size: ADOPTED_SIZE, cwd: spec.cwd ?? null }
      if (past === null) {
        const record = journal.begin(id)
        record.append('opened', {
          kind: spec.kind,
          target: name,
          run,
          cwd,
          size,
          owner,
          retryOf,
          persist: survivor.persist,
        })
      }
      const record = journal.find(id)
      if (record === undefined) throw new Error(`session ${id} has no journal`)
      const { stream, commands } = restoreRecorded(record, { size, cwd: past?.cwd ?? cwd })
      const facts = { id, spec, owner, target: name, retryOf, markNonce, startedAt: past?.startedAt ?? startedAt }
      const { isHidden, title } = past ?? { isHidden: false, title: null }
      this.#add(facts, stream).started(launched, { commands, isHidden, title })
      logger.info('session.adopted', { sessionId: id, from })
      return true
    } catch (error) {
      logger.warn('session.not-adopted', { sessionId: id, message: messageOf(error) })
      return false
    }
  }

  /** Put the end of a session on record that nobody saw. */
  #endOf(id: SessionId): Pick<PastSession, 'exited' | 'exitedAt'> {
    const exited = { exitCode: null, signal: null, reason: 'host stopped' as const }
    const record = this.#ports.journal.find(id)?.append('exited', exited)
    return { exited, exitedAt: record?.at ?? Date.now() }
  }

  #restore(past: PastSession): void {
    const journal = this.#ports.journal.find(past.id)
    if (journal === undefined || past.exited === null) return
    const { target, owner, retryOf } = past.opened
    const { startedAt, isHidden, title } = past
    const spec = specOf(past.opened)
    const facts = { id: past.id, spec, owner, target, retryOf, markNonce: null, startedAt }
    const { reason, ...exit } = past.exited
    const { stream, commands } = restoreRecorded(journal, { size: past.opened.size, cwd: past.cwd })
    const at = past.exitedAt ?? past.startedAt
    this.#add(facts, stream).restore({ exit, reason, at, isHidden, title }, commands)
  }

  /** What the setting adds to what the user asked for. Others ask by themselves. */
  #withPersist({ spec, owner }: OpenRequest, id: SessionId): LaunchSpec {
    if (spec.kind !== 'local' || spec.persist !== undefined || owner.kind !== 'user' || !this.#ports.persistByDefault())
      return spec
    return { ...spec, persist: `t-${id}` as PersistName }
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
    const { launchSpec: spec } = session
    const { size } = session.descriptor
    const backend = this.#backendOf(spec)
    let launched: Launched
    try {
      launched = await backend.launch({
        sessionId: session.id,
        spec,
        size,
        owner: session.owner,
        markNonce: session.launchNonce,
        signal: session.startSignal,
        began: session.began,
        confine: request.confine ?? null,
      })
    } catch (error) {
      session.notStarted()
      await session.close('cancelled')
      throw error
    }
    session.started(withKeeping(launched, spec))
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

  /** Sessions that count against the limit: starting or running, of every kind and owner, unless nobody is there. */
  get liveCount(): number {
    return this.all.filter((session) => session.takesPlace).length
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

/** Names of kept sessions are names on one machine. */
function placeOf(spec: LaunchSpec): string {
  const told = publicSpec(spec)
  return told.kind === 'local' ? 'local' : JSON.stringify(told.host)
}

/** Says so where a session was to outlive the host, and its kind cannot. */
function withKeeping(launched: Launched, { persist }: LaunchSpec): Launched {
  if (typeof persist !== 'string' || launched.persist !== undefined) return launched
  return {
    ...launched,
    notices: [{ code: 'PERSIST_UNAVAILABLE', reason: 'remote', version: null }, ...launched.notices],
  }
}
