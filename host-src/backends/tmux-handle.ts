/**
 * A program in a tmux session, as its session sees it: bytes out of the record, bytes in over a control client, its end out
 * of what tmux wrote down. tmux's own picture of the terminal is not used: the bytes are those that the program printed.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { MAX_PENDING_INPUT_BYTES } from '../../protocol-src/limits.ts'
import type { ExitStatus, Termination, TerminalSize } from '../../protocol-src/session.ts'
import { delay, detached, withDeadline } from '../base/async.ts'
import { TtyError, messageOf } from '../base/errors.ts'
import { Emitter, type Unsubscribe } from '../base/lifecycle.ts'
import type { Logger } from '../base/logger.ts'
import type { InputState, PtyHandle } from './backend.ts'
import type { KeptSession, KeptSessions } from './kept-sessions.ts'
import type { Platform } from './platform.ts'
import { hasEnded } from './program-image.ts'
import { ProcessTree } from './process-tree.ts'
import type { TmuxControl } from './tmux-control.ts'
import { TmuxFence } from './tmux-fence.ts'
import { ENDED_FILE, RECORDED_FILE, targetOf } from './tmux-files.ts'
import { TmuxRecord, recordEndIn } from './tmux-record.ts'
import { TmuxReplies } from './tmux-replies.ts'
import type { Pane, TmuxServer } from './tmux-server.ts'

/** Bytes of input in one command. */
const INPUT_BYTES = 512
/** How long the last bytes may take from tmux to the record. */
const FENCE_LIMIT_MS = 3_000
const RECORD_LIMIT_MS = 1_000
const POLL_MS = 20
/** What ended right after it was started again is given a rest. */
const REST_MS = 5_000
const CAN = 0x18

export interface TmuxHandlePorts {
  readonly kept: KeptSession
  readonly pane: Pane
  /** Of the record, where reading begins. */
  readonly from: number
  readonly sessions: KeptSessions
  readonly server: TmuxServer
  readonly connect: (closed: () => void) => TmuxControl
  readonly platform: Platform
  readonly logger: Logger
}

export class TmuxHandle implements PtyHandle {
  readonly pid: number
  readonly exited: Promise<ExitStatus>
  readonly #ports: TmuxHandlePorts
  readonly #folder: string
  readonly #data: Emitter<Uint8Array>
  readonly #record: TmuxRecord
  readonly #replies = new TmuxReplies()
  readonly #fence: TmuxFence
  #control: TmuxControl
  #settleExited!: (status: ExitStatus) => void
  #kept: KeptSession
  #isStarted = false
  #isOver = false
  #reconnectedAt = -Infinity
  #recordedAt = -Infinity
  #isLeft = false
  #fenceSeen: () => void = () => {}
  #ending: Promise<void> | undefined
  #termination: Promise<Termination> | undefined
  #wasLost = false

  constructor(ports: TmuxHandlePorts) {
    this.#ports = ports
    this.#kept = ports.kept
    this.pid = ports.pane.pid
    this.#folder = ports.sessions.folder(ports.kept.persist)
    this.#fence = new TmuxFence({
      fence: ports.kept.fence,
      give: (bytes) => {
        this.#replies.printed(bytes)
        this.#data.fire(bytes)
      },
      seen: () => {
        this.#record.dispose()
        this.#fenceSeen()
      },
    })
    this.#data = new Emitter(ports.logger)
    this.exited = new Promise((resolve) => {
      this.#settleExited = resolve
    })
    this.#record = new TmuxRecord({
      folder: this.#folder,
      from: ports.from,
      announce: (bytes) => {
        this.#announce(bytes)
      },
      lost: (bytes) => {
        this.#lost(bytes)
      },
      looked: () => {
        this.#look()
      },
      logger: ports.logger,
    })
    this.#control = this.#connect()
  }

  /** Reading begins with the first listener. */
  readonly onData = (listener: (chunk: Uint8Array) => void): Unsubscribe => {
    const off = this.#data.event(listener)
    if (!this.#isStarted) {
      this.#isStarted = true
      this.#record.start()
    }
    return off
  }

  image(): string | null {
    return this.#isOver ? null : this.#ports.platform.imageOf(this.pid)
  }

  write(data: Uint8Array): void {
    if (this.#isOver || this.#isLeft)
      throw new TtyError('SESSION_EXITED', 'The program of this session has ended, so nothing can be typed into it.')
    const input = this.#replies.sift(data)
    const { pendingBytes, isClosed } = this.#control
    if (isClosed || pendingBytes + input.length > MAX_PENDING_INPUT_BYTES)
      throw new TtyError(
        'INPUT_BACKLOG',
        `tmux does not take the input; ${String(pendingBytes)} bytes already wait. Nothing of this input was sent. Try again in a moment.`,
        { details: { pendingBytes, limitBytes: MAX_PENDING_INPUT_BYTES } },
      )
    for (let at = 0; at < input.length; at += INPUT_BYTES) {
      const piece = input.subarray(at, at + INPUT_BYTES)
      const words = Array.from(piece, (byte) => byte.toString(16)).join(' ')
      void this.#control.ask(`send-keys -t ${this.#target} -H ${words}`, piece.length)
    }
  }

  resize({ cols, rows }: TerminalSize): void {
    if (!this.#isOver) void this.#control.ask(`resize-window -t ${this.#target} -x ${String(cols)} -y ${String(rows)}`)
  }

  pause(): void {
    this.#record.pause()
  }

  resume(): void {
    this.#record.resume()
  }

  async inputState(): Promise<InputState> {
    return this.#isOver ? {} : ((await this.#ports.platform.inputState?.(this.pid)) ?? {})
  }

  terminate(graceMs: number): Promise<Termination> {
    this.#termination ??= this.#terminate(graceMs)
    return this.#termination
  }

  /** Let the program go on without this host. */
  leave(): void {
    if (this.#isOver) return
    this.#isLeft = true
    this.#record.dispose()
    this.#control.leave()
    this.#data.dispose()
  }

  get #target(): string {
    return targetOf(this.#kept.persist)
  }

  #connect(): TmuxControl {
    return this.#ports.connect(() => {
      if (!this.#isOver && !this.#isLeft) detached(this.#ports.logger, 'tmux.reconnect', () => this.#reconnect())
    })
  }

  /** The control client is gone: so is the session, or only the client. */
  async #reconnect(): Promise<void> {
    const { server, logger } = this.#ports
    const { persist } = this.#kept
    await delay(POLL_MS)
    if (await server.has(persist)) {
      if (Date.now() - this.#reconnectedAt < REST_MS) await delay(REST_MS)
      if (this.#isOver || this.#isLeft || this.#ending !== undefined) return
      this.#reconnectedAt = Date.now()
      this.#control = this.#connect()
      logger.warn('tmux.reconnected', { persist })
      return
    }
    if (this.#isOver || this.#isLeft || this.#ending !== undefined) return
    logger.warn('tmux.session-gone', { persist })
    await this.#ended({ exitCode: null, signal: null }, { isThere: false })
  }

  /** The folder was looked at: the program may have ended, or its record. */
  #look(): void {
    if (this.#isOver || this.#isLeft || this.#ending !== undefined) return
    const status = this.#readStatus()
    if (status === null) this.#remind()
    if (status !== null) detached(this.#ports.logger, 'tmux.end', () => this.#ended(status, { isThere: true }))
    else if (existsSync(join(this.#folder, RECORDED_FILE)))
      detached(this.#ports.logger, 'tmux.record', () => this.#recordOn())
  }

  /** tmux 3.3a loses the signal that its child has ended, one time in ten; told again, it looks. */
  #remind(): void {
    const { pid, serverPid } = this.#ports.pane
    if (hasEnded(pid) === false) return
    try {
      process.kill(serverPid, 'SIGCHLD')
    } catch {
      // The server is gone, which the control client tells.
    }
  }

  /** The recorder was ended by somebody: begin another one where it stopped. */
  async #recordOn(): Promise<void> {
    const { server, logger } = this.#ports
    const { persist } = this.#kept
    if (Date.now() - this.#recordedAt < REST_MS) return
    this.#recordedAt = Date.now()
    rmSync(join(this.#folder, RECORDED_FILE), { force: true })
    const pane = await server.pane(persist)
    if (pane === null || pane.isDead || pane.isRecorded || this.#isOver || this.#isLeft) return
    await server.record(persist, recordEndIn(this.#folder))
    logger.warn('tmux.recorder-restarted', { persist })
  }

  #readStatus(): ExitStatus | null {
    try {
      const [code = '', signal = ''] = readFileSync(join(this.#folder, ENDED_FILE), 'latin1').trimEnd().split(' ')
      if (signal !== '') return { exitCode: null, signal: signalName(signal) }
      return { exitCode: code === '' ? null : Number.parseInt(code, 10), signal: null }
    } catch {
      return null // it has not ended
    }
  }

  /**
   * The program has ended. Everything it printed went into the pipe to the record before tmux knew, so what is printed into
   * the terminal now comes after its last byte: once that is read, nothing is missing.
   */
  #ended(status: ExitStatus, { isThere }: { isThere: boolean }): Promise<void> {
    this.#ending ??= this.#end(status, isThere)
    return this.#ending
  }

  async #end(status: ExitStatus, isThere: boolean): Promise<void> {
    const { server, sessions, logger } = this.#ports
    const { persist, fence } = this.#kept
    try {
      if (isThere) {
        const seen = new Promise<void>((resolve) => {
          this.#fenceSeen = resolve
        })
        this.#fence.lookOut()
        this.#record.resume()
        await server.printFence(persist, fence)
        const wait = await withDeadline(seen, FENCE_LIMIT_MS)
        if (wait.timedOut) logger.warn('tmux.fence-late', { persist, limitMs: FENCE_LIMIT_MS })
        await server.kill(persist)
      }
      // Also so that nobody writes into the folder any more when it goes.
      await this.#recorded()
      this.#record.readRest()
      this.#fence.giveUp()
    } catch (error) {
      logger.warn('tmux.end-failed', { message: messageOf(error) })
    }
    if (this.#isLeft) return
    this.#isOver = true
    this.#record.dispose()
    this.#control.leave()
    this.#data.dispose()
    try {
      await sessions.remove(persist)
    } catch (error) {
      logger.warn('tmux.not-removed', { message: messageOf(error) })
    }
    // Last, so that the name is free for whoever hears of the end.
    this.#settleExited(status)
  }

  /** Wait until everything that is in the pipe is in the record. */
  async #recorded(): Promise<void> {
    for (let waited = 0; waited < RECORD_LIMIT_MS; waited += POLL_MS) {
      if (existsSync(join(this.#folder, RECORDED_FILE))) return
      await delay(POLL_MS)
    }
  }

  async #terminate(graceMs: number): Promise<Termination> {
    const { platform, server, logger } = this.#ports
    const { persist, sessionId } = this.#kept
    try {
      const tree =
        platform.processes === null
          ? null
          : new ProcessTree(platform.processes, { pid: this.pid, sessionId, isOver: () => this.#isOver })
      const termination = (await tree?.terminate(graceMs)) ?? { verified: false, killed: [], survivors: [] }
      if (!this.#isOver) await withDeadline(this.exited, FENCE_LIMIT_MS)
      await server.kill(persist)
      if (!this.#isOver) await this.#ended({ exitCode: null, signal: null }, { isThere: false })
      return termination
    } catch (error) {
      logger.error('tmux.terminate-failed', { message: messageOf(error) })
      return { verified: false, killed: [], survivors: [{ pid: this.pid, command: '' }] }
    }
  }

  #announce(bytes: Uint8Array): void {
    if (this.#wasLost) {
      // What comes may begin inside a sequence: this undoes whatever is open, and takes the place of one byte.
      this.#wasLost = false
      bytes[0] = CAN
    }
    this.#fence.pass(bytes)
  }

  /** Bytes of the record are gone: the session's output goes on without them, and its offsets count what there is. */
  #lost(bytes: number): void {
    const { sessions, logger } = this.#ports
    logger.warn('tmux.output-lost', { bytes })
    this.#wasLost = true
    this.#kept = { ...this.#kept, shift: this.#kept.shift + bytes }
    detached(logger, 'tmux.remember', () => sessions.write(this.#kept))
  }
}

function signalName(text: string): string {
  const number = Number(text)
  if (!Number.isInteger(number)) return text
  return Object.entries(constants.signals).find(([, each]) => each === number)?.[0] ?? `SIG${text}`
}
