/** One session: its process, its stream, its viewers, its end. Knows nothing of sockets, tabs or tools. */
import type { ClientId, MarkNonce, PersistName, SessionId, StreamPosition } from '../../protocol-src/ids.ts'
import type {
  CloseReason,
  ExitReason,
  ExitStatus,
  LaunchSpec,
  LinkState,
  Owner,
  SessionDescriptor,
  SessionNotice,
  SessionPhase,
  TerminalSize,
  Termination,
} from '../../protocol-src/session.ts'
import type { SshHop, SshPhase } from '../../protocol-src/question.ts'
import type { InputState, Launched, PtyHandle } from '../backends/backend.ts'
import { detached, withDeadline } from '../base/async.ts'
import { TtyError } from '../base/errors.ts'
import { Emitter, type Disposable, type Unsubscribe } from '../base/lifecycle.ts'
import { childLogger, type Logger } from '../base/logger.ts'
import type { SessionJournal } from '../journal/journal.ts'
import { thisMachine } from '../terminal/cwd-report.ts'
import type { CommandTracker, KnownCommands } from '../terminal/command-tracker.ts'
import type { VisibleScreen } from '../terminal/screen-messages.ts'
import { Attachment, type AttachmentSink, type ViewSnapshot, type ViewStart } from './attachment.ts'
import { PersonTyping } from './person-typing.ts'
import type { AdoptedFacts, PastEnd, SessionFacts, SessionParts } from './session-parts.ts'
import { publicSpec } from './public-spec.ts'
import { SessionCommands } from './session-commands.ts'
import { InputLedger } from './input-ledger.ts'
import { OutputPump } from './output-pump.ts'
import { PauseGate } from './pause-gate.ts'
import { advancePhase, isLive } from './session-phase.ts'
import type { SessionStream } from './session-stream.ts'
import { UserRequests } from './user-request.ts'
import { ViewPlanner, type SessionScreen, type ViewWish } from './view-planner.ts'
import { Viewers } from './viewers.ts'

/** Time that a closing session's programs get between the request to end and SIGKILL. */
const CLOSE_GRACE_MS = 1_000

export interface AttachRequest {
  readonly size: TerminalSize
  /** Where the viewer starts, as planned. */
  readonly from: StreamPosition
  readonly snapshot?: ViewSnapshot | null
  /** What it asked for at the start holds for later starts as well. */
  readonly noSnapshot?: boolean | undefined
}

export class Session {
  readonly id: SessionId
  readonly owner: Owner
  /** Resolves with the exit status after the last byte, or with null when the session was closed before it ran. */
  readonly ended: Promise<ExitStatus | null>
  readonly journal: SessionJournal
  readonly onChange: (listener: (session: Session) => void) => Unsubscribe
  /** Output was appended to the stream. */
  readonly onOutput: (listener: () => void) => Unsubscribe
  readonly typing: PersonTyping
  readonly requests: UserRequests
  readonly #changes: Emitter<Session>
  readonly #output: Emitter<void>
  readonly #logger: Logger
  readonly #facts: SessionFacts
  readonly #stream: SessionStream
  readonly #screen: SessionScreen | null
  readonly #planner: ViewPlanner
  readonly #inputs = new InputLedger()
  readonly #viewers: Viewers
  readonly #pump: OutputPump
  readonly #pause: PauseGate
  readonly #abort = new AbortController()
  /** Resolves when the launch succeeded or failed. */
  readonly #launched: Promise<void>
  #settleLaunched!: () => void
  #settleEnded!: (exit: ExitStatus | null) => void
  #phase: SessionPhase = 'starting'
  #handle: PtyHandle | null = null
  #exit: ExitStatus | null = null
  #exitReason: ExitReason | null = null
  #title: string | null = null
  readonly #commands: SessionCommands
  #notices: readonly SessionNotice[] = []
  #orphanedAt: number | null
  #exitedAt: number | null = null
  #closing: Promise<Termination> | undefined
  #closeReason: CloseReason | null = null
  #isHidden = false
  #lastOutputAt: number | null = null
  /** Where the way to another machine is. */
  #step: { hop: SshHop; phase: SshPhase } | null = null
  #persist: PersistName | null = null
  /** Nobody has come to it in this run of the host. */
  #isLeftBehind = false

  constructor(facts: SessionFacts, parts: SessionParts) {
    this.id = facts.id
    this.owner = facts.owner
    this.journal = parts.journal
    this.#facts = facts
    this.#stream = parts.stream
    this.#logger = childLogger(parts.logger, { sessionId: facts.id })
    this.#screen = parts.openScreen({
      say: (bytes) => {
        if (this.#phase === 'running') this.#handle?.write(bytes)
      },
      parsed: () => {
        this.#judgeBacklog()
      },
    })
    this.#planner = new ViewPlanner(parts.stream, this.#screen, this.#logger)
    this.#commands = new SessionCommands({
      journal: parts.journal,
      nonce: this.markNonce,
      isOneCommand: facts.spec.command !== undefined,
      // Of another machine the names are known when it answers.
      machine: facts.spec.kind === 'local' ? thisMachine() : { hostNames: [], isWindows: false },
      image: () => this.#handle?.image() ?? null,
      logger: this.#logger,
      announce: (command) => {
        for (const attachment of this.#viewers.all) attachment.announceCommand(command)
      },
      changed: () => {
        this.#changed()
      },
    })
    this.#changes = new Emitter(this.#logger)
    this.onChange = this.#changes.event
    this.#output = new Emitter(this.#logger)
    this.onOutput = this.#output.event
    this.typing = new PersonTyping(this.#logger)
    this.requests = new UserRequests(this.typing, () => {
      this.#changed()
    })
    this.#orphanedAt = facts.owner.kind === 'user' ? facts.startedAt : null
    this.ended = new Promise((resolve) => {
      this.#settleEnded = resolve
    })
    this.#launched = new Promise((resolve) => {
      this.#settleLaunched = resolve
    })
    this.#pause = new PauseGate((isPaused) => {
      if (isPaused) this.#handle?.pause()
      else this.#handle?.resume()
    })
    this.#viewers = new Viewers({
      drive: (driver, size) => {
        this.#drive(driver, size)
      },
      setPaused: (isPaused) => {
        this.#pause.set('viewers', isPaused)
        this.#screen?.held(isPaused)
      },
      changed: () => {
        this.#judgeOrphan()
        this.#changed()
      },
    })
    this.#pump = new OutputPump(() => {
      this.#flushViewers()
    })
  }

  /** Aborted when the session is closed while it still starts. */
  get startSignal(): AbortSignal {
    return this.#abort.signal
  }

  get phase(): SessionPhase {
    return this.#phase
  }

  /** Epoch milliseconds since which no client is there; null while one is, and for sessions that no user opened. */
  get orphanedAt(): number | null {
    return this.#orphanedAt
  }

  /** Epoch milliseconds of the exit, or null. */
  get exitedAt(): number | null {
    return this.#exitedAt
  }

  /** Whether it was decided that this session goes; its processes may still be there. */
  get isClosing(): boolean {
    return this.#closing !== undefined
  }

  /** Under what it outlives the host, or null. */
  get persist(): PersistName | null {
    return this.#persist
  }

  /** Whether it takes one of the places that there are: not when it goes on by itself and nobody is there. */
  get takesPlace(): boolean {
    if (!isLive(this.#phase)) return false
    return this.#persist === null || (this.#orphanedAt === null && !this.#isLeftBehind)
  }

  /** Epoch milliseconds of the newest output of this run, or null. */
  get lastOutputAt(): number | null {
    return this.#lastOutputAt
  }

  /** Whether the user keeps it from agents. */
  get isHidden(): boolean {
    return this.#isHidden
  }

  /** Where the stream of output and changes is. */
  get end(): StreamPosition {
    return this.#stream.end
  }

  /** Why it was decided that this session goes, or null. */
  get closeReason(): CloseReason | null {
    return this.#closeReason
  }

  /** With what it is started, secrets included: for its backend alone. */
  get launchSpec(): LaunchSpec {
    return this.#facts.spec
  }

  get descriptor(): SessionDescriptor {
    const { id, spec, target, owner, startedAt, retryOf } = this.#facts
    return {
      id,
      kind: spec.kind,
      spec: publicSpec(spec),
      title: this.#title,
      target,
      owner,
      phase: this.#phase,
      pid: this.#handle?.pid ?? null,
      size: this.#stream.size,
      exit: this.#exit,
      exitReason: this.#exitReason,
      retryOf,
      attachments: this.#viewers.count,
      orphanedAt: this.#orphanedAt,
      cwd: this.#commands.tracker.cwd,
      startedAt,
      outputOffset: this.#stream.end.offset,
      notices: [...this.#notices],
      persist: this.#persist,
      ...this.#commands.facts,
      link: this.#link,
      hidden: this.#isHidden,
      request: this.requests.pending,
    }
  }

  /**
   * For whoever draws this session's marks; null where no shell has it: of one command, of an earlier run. The same for the
   * session's life, whatever is still believed, because every terminal of it must keep the same marks.
   */
  get markNonce(): MarkNonce | null {
    return this.#facts.spec.command === undefined ? this.#facts.markNonce : null
  }

  /** For its shell. @throws for a session of an earlier run, which nobody launches */
  get launchNonce(): MarkNonce {
    const { markNonce } = this.#facts
    if (markNonce === null) throw new Error('a session of an earlier run cannot be launched')
    return markNonce
  }

  /** What its shell did and does. */
  get commands(): CommandTracker {
    return this.#commands.tracker
  }

  /** The way to another machine; null on this one. */
  get #link(): LinkState | null {
    const { spec } = this.#facts
    if (spec.kind === 'local') return null
    const book = 'book' in spec.host ? spec.host.book : null
    if (this.#exit !== null) return { book, state: this.#exitReason === 'connection lost' ? 'lost' : 'closed' }
    if (this.#phase === 'running') return { book, state: 'up' }
    return { book, state: 'connecting', ...this.#step }
  }

  /** A step on the way to another machine begins. */
  readonly began = (hop: SshHop, phase: SshPhase): void => {
    this.#step = { hop, phase }
    this.#changed()
  }

  /** The launch failed. */
  notStarted(): void {
    this.#settleLaunched()
  }

  /** The launch succeeded. When the session is being closed, that close waited for this and ends the process. */
  started(launched: Launched, adopted: AdoptedFacts | null = null): void {
    this.#handle = launched.handle
    this.#settleLaunched()
    if (this.isClosing) return
    if (launched.hostNames !== undefined) this.#commands.runsOn(launched.hostNames)
    this.#persist = launched.persist ?? null
    this.#notices = launched.notices
    if (adopted === null) this.#commands.started(launched.cwd)
    else this.#adopt(adopted)
    launched.handle.onData((chunk) => {
      const at = this.#stream.end.offset
      this.#stream.append(chunk)
      this.#screen?.noted()
      this.#judgeBacklog()
      this.#pump.gathered(chunk.length)
      this.#commands.feed(chunk, at)
      this.#lastOutputAt = Date.now()
      this.#output.fire()
    })
    this.#advance('running')
    launched.handle.resize(this.#stream.size)
    this.#logger.info('session.running', { pid: launched.handle.pid })
    detached(this.#logger, 'follow the exit', async () => {
      const { reason: seen = 'process', ...exit } = await launched.handle.exited
      if (this.#exit !== null) return
      const reason = this.#closeReason === 'shutdown' ? 'host stopped' : seen
      this.#commands.ended(this.#stream.end.offset)
      this.journal.append('exited', { ...exit, reason })
      this.#exited({ exit, reason, at: Date.now() })
    })
  }

  /** It runs since an earlier run of the host: go on where that one was. */
  #adopt({ commands, isHidden, title }: AdoptedFacts): void {
    this.journal.append('adopted', {})
    this.#isHidden = isHidden
    this.#title = title
    this.#isLeftBehind = true
    if (this.#orphanedAt !== null) this.#orphanedAt = Date.now()
    this.#stream.resume()
    this.#commands.adopt(commands, this.journal.output)
  }

  /** Take a session of an earlier run, whose process nobody can reach any more: it can only be read. */
  restore(end: PastEnd, known: KnownCommands): void {
    this.#settleLaunched()
    this.#commands.restore(known)
    this.#isHidden = end.isHidden
    this.#title = end.title
    this.#exited(end)
  }

  /** Number of the last input taken from `client`; 0 when none was. */
  lastInputOf(client: ClientId): number {
    return this.#inputs.lastOf(client)
  }

  /**
   * Type into the program, exactly once per number.
   * @throws TtyError SESSION_EXITED, INPUT_BACKLOG (the number counts as taken: the sender was told, so it must not repeat),
   * INPUT_OUT_OF_ORDER when a number is missing in between (nothing is taken)
   */
  input(attachment: Attachment, from: { client: ClientId; seq: number }, bytes: Uint8Array): void {
    const handle = this.#requireRunning()
    if (!this.#inputs.take(from.client, from.seq)) return
    this.#viewers.activate(attachment)
    handle.write(bytes)
    if (bytes.length === 0) return
    this.journal.appendInput('user', bytes.length)
    this.typing.note(bytes, Date.now())
  }

  /**
   * Type for an agent or a plugin: the bytes reach the program whole, nothing of anybody else between them.
   * @param how `isForced`: although a person may be typing; goes on record
   * @throws TtyError as `input`
   */
  type(bytes: Uint8Array, how: { readonly source: 'agent' | 'plugin'; readonly isForced: boolean }): void {
    this.#requireRunning().write(bytes)
    if (bytes.length > 0) this.journal.appendInput(how.source, bytes.length, how.isForced)
  }

  /** The user keeps this session from agents, or shows it to them again. */
  setHidden(isHidden: boolean): void {
    if (isHidden === this.#isHidden) return
    this.#isHidden = isHidden
    this.journal.append(isHidden ? 'hidden' : 'shown', {})
    this.#changed()
  }

  resize(attachment: Attachment, size: TerminalSize): void {
    if (isLive(this.#phase)) this.#viewers.resized(attachment, size)
    else attachment.wantedSize = size
  }

  /** With what a viewer would start now. Never rejects. */
  planView(wish: ViewWish): ViewStart | Promise<ViewStart> {
    return this.#planner.plan(wish)
  }

  /**
   * Look at this session. Nothing is sent before the caller calls `attachment.begin()`, so that its own reply comes first.
   * Ended sessions can be looked at; they cannot be typed into.
   */
  attach(sink: AttachmentSink, request: AttachRequest): Attachment {
    const attachment = new Attachment(this.#stream, sink, {
      ...request,
      onHoldChange: () => {
        this.#viewers.judgeFlow()
      },
      planResync: (restart, { noSnapshot }) => {
        detached(this.#logger, 'start a viewer anew', async () => {
          const wish = { resumeFrom: null, noSnapshot: noSnapshot || request.noSnapshot }
          restart(await this.#planner.plan(wish))
        })
      },
    })
    this.#viewers.add(attachment)
    if (isLive(this.#phase)) this.journal.append('attached', { viewers: this.#viewers.count })
    if (this.#exit !== null) attachment.finish(this.#exit)
    return attachment
  }

  isDriver(attachment: Attachment): boolean {
    return this.#viewers.isDriver(attachment)
  }

  detach(attachment: Attachment): void {
    this.#viewers.remove(attachment)
    if (isLive(this.#phase) && !this.isClosing) this.journal.append('detached', { viewers: this.#viewers.count })
  }

  /** Keep the session while its client is connected but has not attached yet. */
  hold(): Disposable {
    return this.#viewers.hold()
  }

  rename(title: string | null): void {
    if (title !== this.#title) this.journal.append('renamed', { title })
    this.#title = title
    this.#changed()
  }

  /** The hash of the host's own screen. @throws TtyError INTERNAL when there is none to be had */
  async hash(): Promise<{ position: StreamPosition; hash: string }> {
    if (this.#screen === null) throw new TtyError('INTERNAL', 'This host keeps no screens.')
    return this.#screen.hash()
  }

  /** What is on the host's own screen of it. @throws TtyError when there is none to be had */
  async visible(): Promise<VisibleScreen> {
    if (this.#screen === null) throw new TtyError('INTERNAL', 'This host keeps no screens.')
    return this.#screen.visible()
  }

  /** What the program waits for, as far as the system tells; of a session that does not run, nothing. */
  inputState(): Promise<InputState> {
    return this.#phase === 'running' && this.#handle !== null ? this.#handle.inputState() : Promise.resolve({})
  }

  /** Wait for the end of the program. A time-out ends the wait only. */
  async wait(timeoutMs: number): Promise<{ timedOut: boolean; running: boolean; exit: ExitStatus | null }> {
    const wait = this.#exit === null ? await withDeadline(this.ended, timeoutMs) : { timedOut: false }
    return { timedOut: wait.timedOut, running: isLive(this.#phase), exit: this.#exit }
  }

  /**
   * End the process tree and release the session. Idempotent: the first reason counts. Before the process runs, the launch
   * is awaited: its place stays taken until nothing of it can be left. Of a session whose program has ended, what that
   * left running goes too, except when the session is only evicted. With the host, one that outlives it is only let go.
   */
  close(reason: CloseReason): Promise<Termination> {
    this.#closeReason ??= reason
    this.#closing ??= this.#close(reason)
    return this.#closing
  }

  async #close(reason: CloseReason): Promise<Termination> {
    this.#abort.abort()
    this.requests.end()
    if (this.#phase === 'starting') await this.#launched
    const handle = this.#handle
    // A paused terminal would keep its programs blocked in a write and so from ending in order.
    this.#pause.open()
    const stays = reason === 'evicted' || (reason === 'shutdown' && this.#persist !== null)
    if (reason === 'shutdown' && this.#persist !== null) handle?.leave?.()
    const termination = handle === null || stays ? null : await handle.terminate(CLOSE_GRACE_MS)
    if (termination !== null) this.journal.append('terminated', termination)
    this.#pump.flushNow()
    this.#pump.dispose()
    this.#advance('closed')
    this.#settleEnded(this.#exit)
    const verdict = termination ?? { verified: handle === null, killed: [], survivors: [] }
    const level = verdict.verified || stays ? 'info' : 'warn'
    this.#logger[level]('session.closed', {
      reason,
      verified: verdict.verified,
      killed: verdict.killed.length,
      survivors: verdict.survivors.length,
    })
    for (const attachment of [...this.#viewers.all]) {
      attachment.announceClosed(reason, termination)
      this.#viewers.remove(attachment)
    }
    this.#commands.dispose()
    this.#screen?.dispose()
    this.#changes.dispose()
    this.#output.dispose()
    this.typing.dispose()
    return verdict
  }

  #exited({ exit, reason, at }: Pick<PastEnd, 'exit' | 'reason' | 'at'>): void {
    this.requests.end()
    this.#exit = exit
    this.#exitReason = reason
    this.#exitedAt = at
    this.#pump.flushNow()
    this.#advance('exited')
    for (const attachment of this.#viewers.all) attachment.finish(exit)
    this.#settleEnded(exit)
    this.#logger.info('session.exited', { exitCode: exit.exitCode, signal: exit.signal, reason })
  }

  /** Put the driver's size in force; ended sessions keep the size of their end. */
  #drive(driver: Attachment | null, size: TerminalSize | null): void {
    if (!isLive(this.#phase)) return
    const before = this.#stream.size
    if (!this.#stream.change(size ?? before, driver)) return
    const { size: after, end } = this.#stream
    this.#screen?.changed({ offset: end.offset, size: after, driver })
    if (after.cols !== before.cols || after.rows !== before.rows) {
      if (this.#phase === 'running') this.#handle?.resize(after)
      this.journal.append('resized', after)
      this.#changed()
    }
    this.#flushViewers()
  }

  #flushViewers(): void {
    for (const attachment of this.#viewers.all) attachment.flush()
  }

  #judgeBacklog(): void {
    this.#pause.set('backlog', this.journal.output.isBacklogFull)
  }

  #requireRunning(): PtyHandle {
    if (this.#phase === 'running' && this.#handle !== null) return this.#handle
    if (this.#phase === 'starting')
      throw new TtyError('NOT_ATTACHED', 'The session is still starting; type again in a moment.')
    throw new TtyError(
      'SESSION_EXITED',
      'The program of this session has ended: it can be read, but nothing can be typed into it. Restart it in a new session.',
    )
  }

  #judgeOrphan(): void {
    if (this.#viewers.isHeld) this.#isLeftBehind = false
    if (this.owner.kind !== 'user') return
    if (this.#viewers.isHeld) this.#orphanedAt = null
    else this.#orphanedAt ??= Date.now()
  }

  #advance(next: SessionPhase): void {
    const phase = advancePhase(this.#phase, next)
    if (phase === this.#phase) return
    this.#phase = phase
    this.#changed()
  }

  #changed(): void {
    this.#changes.fire(this)
  }
}
