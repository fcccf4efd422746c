/** One session: its process, its output, its viewers, its end. Knows nothing of sockets, tabs or tools. */
import type { ClientId, SessionId, StreamOffset } from '../../protocol-src/ids.ts'
import { REPLAY_BUFFER_BYTES } from '../../protocol-src/limits.ts'
import type {
  CloseReason,
  ExitStatus,
  LaunchSpec,
  Owner,
  SessionDescriptor,
  SessionNotice,
  SessionPhase,
  TerminalSize,
  Termination,
} from '../../protocol-src/session.ts'
import type { Launched, PtyHandle } from '../backends/backend.ts'
import { detached } from '../base/async.ts'
import { TtyError } from '../base/errors.ts'
import { Emitter, type Disposable, type Unsubscribe } from '../base/lifecycle.ts'
import { childLogger, type Logger } from '../base/logger.ts'
import { Attachment, type AttachmentSink } from './attachment.ts'
import { InputLedger } from './input-ledger.ts'
import { OutputLog } from './output-log.ts'
import { OutputPump } from './output-pump.ts'
import { advancePhase, isLive } from './session-phase.ts'
import { Viewers } from './viewers.ts'

/** Time that a closing session's programs get between the request to end and SIGKILL. */
const CLOSE_GRACE_MS = 1_000

export interface SessionRequest {
  readonly id: SessionId
  readonly spec: LaunchSpec
  readonly size: TerminalSize
  readonly owner: Owner
  readonly target: string
}

export interface AttachRequest {
  readonly size: TerminalSize
  readonly resumeFrom: StreamOffset | null
}

export class Session {
  readonly id: SessionId
  readonly owner: Owner
  readonly startedAt = Date.now()
  /** Resolves with the exit status after the last byte, or with null when the session was closed before it ran. */
  readonly ended: Promise<ExitStatus | null>
  readonly onChange: (listener: (session: Session) => void) => Unsubscribe
  readonly #changes: Emitter<Session>
  readonly #logger: Logger
  readonly #spec: LaunchSpec
  readonly #target: string
  readonly #log = new OutputLog(REPLAY_BUFFER_BYTES)
  readonly #inputs = new InputLedger()
  readonly #viewers: Viewers
  readonly #pump: OutputPump
  readonly #abort = new AbortController()
  /** Resolves when the launch succeeded or failed. */
  readonly #launched: Promise<void>
  #settleLaunched!: () => void
  #settleEnded!: (exit: ExitStatus | null) => void
  #phase: SessionPhase = 'starting'
  #handle: PtyHandle | null = null
  #exit: ExitStatus | null = null
  #title: string | null = null
  #cwd: string | null = null
  #notices: readonly SessionNotice[] = []
  #orphanedAt: number | null
  #exitedAt: number | null = null
  #closing: Promise<Termination> | undefined

  constructor(request: SessionRequest, logger: Logger) {
    this.id = request.id
    this.owner = request.owner
    this.#spec = request.spec
    this.#target = request.target
    this.#logger = childLogger(logger, { sessionId: request.id })
    this.#changes = new Emitter(this.#logger)
    this.onChange = this.#changes.event
    this.#orphanedAt = request.owner.kind === 'user' ? this.startedAt : null
    this.ended = new Promise((resolve) => {
      this.#settleEnded = resolve
    })
    this.#launched = new Promise((resolve) => {
      this.#settleLaunched = resolve
    })
    this.#viewers = new Viewers(request.size, {
      resize: (size) => {
        if (this.#phase === 'running') this.#handle?.resize(size)
        this.#changed()
      },
      setPaused: (isPaused) => {
        if (isPaused) this.#handle?.pause()
        else this.#handle?.resume()
      },
      changed: () => {
        this.#judgeOrphan()
        this.#changed()
      },
    })
    this.#pump = new OutputPump(() => {
      for (const attachment of this.#viewers.all) attachment.flush()
    })
  }

  /** Aborted when the session is closed while it still starts. */
  get startSignal(): AbortSignal {
    return this.#abort.signal
  }

  get phase(): SessionPhase {
    return this.#phase
  }

  /** Epoch milliseconds since which no client is there; null while one is, and for agents' sessions. */
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

  get descriptor(): SessionDescriptor {
    return {
      id: this.id,
      kind: this.#spec.kind,
      spec: this.#spec,
      title: this.#title,
      target: this.#target,
      owner: this.owner,
      phase: this.#phase,
      pid: this.#handle?.pid ?? null,
      size: this.#viewers.size,
      exit: this.#exit,
      attachments: this.#viewers.count,
      orphanedAt: this.#orphanedAt,
      cwd: this.#cwd,
      startedAt: this.startedAt,
      outputOffset: this.#log.end,
      notices: [...this.#notices],
    }
  }

  /** The launch failed. */
  notStarted(): void {
    this.#settleLaunched()
  }

  /** The launch succeeded. When the session is being closed, that close waited for this and ends the process. */
  started(launched: Launched): void {
    this.#handle = launched.handle
    this.#settleLaunched()
    if (this.isClosing) return
    this.#cwd = launched.cwd
    this.#notices = launched.notices
    launched.handle.onData((chunk) => {
      this.#log.append(chunk)
      this.#pump.gathered(chunk.length)
    })
    this.#advance('running')
    launched.handle.resize(this.#viewers.size)
    this.#logger.info('session.running', { pid: launched.handle.pid })
    detached(this.#logger, 'follow the exit', async () => {
      this.#exited(await launched.handle.exited)
    })
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
    const verdict = this.#inputs.judge(from.client, from.seq)
    if (verdict === 'repeat') return
    if (verdict === 'gap') {
      const expected = this.#inputs.lastOf(from.client) + 1
      throw new TtyError(
        'INPUT_OUT_OF_ORDER',
        `Input number ${String(from.seq)} came before number ${String(expected)}; nothing of it was typed. Attach again and continue from the number in the reply.`,
        { details: { expected, got: from.seq } },
      )
    }
    this.#inputs.record(from.client, from.seq)
    this.#viewers.activate(attachment)
    handle.write(bytes)
  }

  resize(attachment: Attachment, size: TerminalSize): void {
    if (isLive(this.#phase)) this.#viewers.resized(attachment, size)
    else attachment.wantedSize = size
  }

  /**
   * Look at this session. Nothing is sent before the caller calls `attachment.begin()`, so that its own reply comes first.
   * Ended sessions can be looked at; they cannot be typed into.
   */
  attach(sink: AttachmentSink, request: AttachRequest): Attachment {
    const attachment = new Attachment(this.#log, sink, {
      ...request,
      onHoldChange: () => {
        this.#viewers.judgeFlow()
      },
    })
    this.#viewers.add(attachment)
    if (this.#exit !== null) attachment.finish(this.#exit)
    return attachment
  }

  isDriver(attachment: Attachment): boolean {
    return this.#viewers.isDriver(attachment)
  }

  detach(attachment: Attachment): void {
    this.#viewers.remove(attachment)
  }

  /** Keep the session while its client is connected but has not attached yet. */
  hold(): Disposable {
    return this.#viewers.hold()
  }

  rename(title: string | null): void {
    this.#title = title
    this.#changed()
  }

  /**
   * End the process tree and release the session. Idempotent: the first reason counts. Before the process runs, the launch
   * is awaited: its place stays taken until nothing of it can be left. Of a session whose program has ended, what that
   * left running goes too, except when the session is only evicted.
   */
  close(reason: CloseReason): Promise<Termination> {
    this.#closing ??= this.#close(reason)
    return this.#closing
  }

  async #close(reason: CloseReason): Promise<Termination> {
    this.#abort.abort()
    if (this.#phase === 'starting') await this.#launched
    const handle = this.#handle
    // A paused terminal would keep its programs blocked in a write and so from ending in order.
    handle?.resume()
    const termination = handle === null || reason === 'evicted' ? null : await handle.terminate(CLOSE_GRACE_MS)
    this.#pump.flushNow()
    this.#pump.dispose()
    this.#advance('closed')
    this.#settleEnded(this.#exit)
    const verdict = termination ?? { verified: handle === null, killed: [], survivors: [] }
    const level = verdict.verified || reason === 'evicted' ? 'info' : 'warn'
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
    this.#changes.dispose()
    return verdict
  }

  #exited(exit: ExitStatus): void {
    if (this.#exit !== null) return
    this.#exit = exit
    this.#exitedAt = Date.now()
    this.#pump.flushNow()
    this.#advance('exited')
    for (const attachment of this.#viewers.all) attachment.finish(exit)
    this.#settleEnded(exit)
    this.#logger.info('session.exited', { exitCode: exit.exitCode, signal: exit.signal })
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
    if (this.owner.kind === 'agent') return
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
