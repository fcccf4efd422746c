/** Sessions on this machine, through node-pty: raw bytes, own process group, verified end. */
import { readSync } from 'node:fs'
import { constants } from 'node:os'
import type { IPty } from 'node-pty'
import { MAX_PENDING_INPUT_BYTES } from '../../protocol-src/limits.ts'
import type { ExitStatus, SessionNotice, Termination, TerminalSize } from '../../protocol-src/session.ts'
import type { Settings } from '../../protocol-src/settings.ts'
import { detached, untilAborted, withDeadline } from '../base/async.ts'
import { TtyError, messageOf } from '../base/errors.ts'
import { Emitter } from '../base/lifecycle.ts'
import type { Logger } from '../base/logger.ts'
import type { IntegratedStart, ShellIntegration } from '../terminal/shell-integration.ts'
import type { InputState, LaunchRequest, Launched, PtyHandle, SessionBackend, SpecOf, Target } from './backend.ts'
import { childEnv } from './child-env.ts'
import { loadNodePty, type NodePty } from './node-pty-module.ts'
import type { Platform } from './platform.ts'
import { ProcessTree } from './process-tree.ts'
import { PtyReader, TypingClock } from './pty-reader.ts'
import { PtyWriter } from './pty-writer.ts'
import { assertShellUsable, chosenCwd, chosenShell, describeTarget } from './shell-plan.ts'

export interface LocalBackendPorts {
  readonly platform: Platform
  /** Read at the moment of use. */
  readonly settings: () => Readonly<Settings>
  readonly hostEnv: Readonly<Record<string, string | undefined>>
  /** Where shells start when neither the client nor the settings name a directory. */
  readonly startDirectory: string
  readonly logger: Logger
  /** Starts interactive shells with hooks while the setting is on; without it there are none. */
  readonly integration?: ShellIntegration
  readonly loadPty?: () => Promise<NodePty>
}

/** What is started, and where; nothing runs yet. */
export interface LocalStart {
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  readonly notices: readonly SessionNotice[]
  /** Remove what was laid out for the start and not taken. Never rejects. */
  release(): Promise<void>
}

const cancelled = (): TtyError => new TtyError('CANCELLED', 'The session was cancelled before its shell started.')

export class LocalBackend implements SessionBackend<'local'> {
  readonly kind = 'local'
  readonly #ports: LocalBackendPorts
  readonly #typing = new TypingClock()

  constructor(ports: LocalBackendPorts) {
    this.#ports = ports
  }

  describe(spec: SpecOf<'local'>): Target {
    const shell = this.#shell()
    const { command } = spec
    const run =
      command === undefined ? { shell } : { argv: [shell, ...this.#ports.platform.commandArgs(shell, command)] }
    return { name: describeTarget(command, shell), run }
  }

  async launch(request: LaunchRequest<'local'>): Promise<Launched> {
    const { platform, settings, logger } = this.#ports
    const { size, sessionId, signal } = request
    const start = await this.prepare(request)
    const { cwd, notices, env } = start
    const [program = '', ...args] = start.argv
    let pty: IPty
    try {
      const nodePty = await untilAborted((this.#ports.loadPty ?? loadNodePty)(), signal, cancelled)
      pty = nodePty.spawn(program, args, {
        name: settings().term,
        cols: size.cols,
        rows: size.rows,
        cwd,
        env: { ...env },
        encoding: null,
      })
    } catch (error) {
      await start.release()
      if (error instanceof TtyError) throw error
      const shell = this.#shell()
      throw new TtyError('SPAWN_FAILED', `The shell "${shell}" could not be started: ${messageOf(error)}.`, {
        cause: error,
        details: { path: shell, reason: messageOf(error) },
      })
    }
    const handle = new LocalPtyHandle(pty, { sessionId, platform, logger, typing: this.#typing })
    detached(logger, 'shell-integration.release', () => handle.exited.then(() => start.release()))
    return { handle, cwd, notices }
  }

  /**
   * Decide what a launch would start, and lay out what its shell reads.
   * @throws TtyError SHELL_UNUSABLE, CWD_UNUSABLE, CANCELLED, and what `confine` throws; nothing is left then
   */
  async prepare(request: LaunchRequest<'local'>): Promise<LocalStart> {
    const { settings, startDirectory, logger } = this.#ports
    const { spec, signal } = request
    const shell = this.#shell()
    // A dead network mount answers none of these questions: neither a person nor the end of the host waits for it.
    const looking = this.#look(shell, [spec.cwd ?? '', settings().cwd, startDirectory])
    const { cwd, notices } = await untilAborted(looking, signal, cancelled)
    const starting = this.#start(request, { shell, cwd })
    let start: IntegratedStart
    try {
      start = await untilAborted(starting, signal, cancelled)
    } catch (error) {
      detached(logger, 'shell-integration.release', async () => (await starting).release())
      throw error
    }
    try {
      const argv = request.confine?.([shell, ...start.args]) ?? [shell, ...start.args]
      return { argv, env: start.env, cwd, notices, release: () => start.release() }
    } catch (error) {
      await start.release()
      throw error
    }
  }

  /** Arguments and environment; with hooks where there is an interactive shell that has some. */
  async #start(request: LaunchRequest<'local'>, where: { shell: string; cwd: string }): Promise<IntegratedStart> {
    const { platform, settings, hostEnv, integration } = this.#ports
    const { spec, sessionId, markNonce: nonce } = request
    const { shell } = where
    const { term, colorTerm, shellIntegration } = settings()
    const env = childEnv({ host: hostEnv, sessionId, term, colorTerm, ...where })
    const plain = { env, release: () => Promise.resolve() }
    if (spec.command !== undefined) return { ...plain, args: platform.commandArgs(shell, spec.command) }
    const args = platform.interactiveArgs(shell)
    const integrated = shellIntegration ? await integration?.prepare({ shell, args, env, nonce }) : null
    return integrated ?? { ...plain, args }
  }

  async #look(shell: string, wanted: readonly string[]): ReturnType<typeof chosenCwd> {
    await assertShellUsable(shell, this.#ports.platform)
    return chosenCwd(wanted)
  }

  #shell(): string {
    return chosenShell(this.#ports.settings().shell, this.#ports.hostEnv, this.#ports.platform)
  }
}

/** The parts of node-pty 1.2.0-beta.15 on POSIX that its typings do not show. */
interface UnixPtyInternals {
  readonly fd: number
  readonly _socket: { destroy: (error?: Error) => unknown; read: () => unknown; readonly readableLength: number }
}

const internalsOf = (pty: IPty): UnixPtyInternals | null =>
  '_socket' in pty && 'fd' in pty && typeof pty.fd === 'number' ? (pty as unknown as UnixPtyInternals) : null

interface HandlePorts {
  readonly sessionId: string
  readonly platform: Platform
  readonly logger: Logger
  /** Shared by all sessions of this backend. */
  readonly typing: TypingClock
}

class LocalPtyHandle implements PtyHandle {
  readonly pid: number
  readonly exited: Promise<ExitStatus>
  readonly onData: PtyHandle['onData']
  readonly #data: Emitter<Uint8Array>
  readonly #pty: IPty
  readonly #writer: PtyWriter | null
  readonly #reader: PtyReader | null
  readonly #typing: TypingClock
  readonly #platform: Platform
  readonly #sessionId: string
  readonly #logger: Logger
  #isClosed = false
  #termination: Promise<Termination> | undefined

  constructor(pty: IPty, { sessionId, platform, logger, typing }: HandlePorts) {
    this.#pty = pty
    this.pid = pty.pid
    this.#platform = platform
    this.#sessionId = sessionId
    this.#logger = logger
    this.#typing = typing
    this.#data = new Emitter(logger)
    this.onData = this.#data.event
    const internals = internalsOf(pty)
    this.#writer = internals === null ? null : new PtyWriter(internals.fd, MAX_PENDING_INPUT_BYTES)
    this.#reader = internals === null ? null : this.#readerOf(internals)
    if (internals !== null) this.#drainBeforeClose(internals)
    pty.onData((text) => {
      // With `encoding: null` it is a Buffer, whatever the typings say.
      const chunk = text as unknown as Buffer
      if (this.#reader === null) this.#data.fire(chunk)
      else this.#reader.take(chunk)
    })
    this.exited = new Promise((resolve) => {
      pty.onExit(({ exitCode, signal }) => {
        this.#close()
        this.#data.dispose()
        // A killed process reports exitCode 0 beside the signal: only one of the two is the truth.
        resolve(
          signal === undefined || signal === 0
            ? { exitCode, signal: null }
            : { exitCode: null, signal: signalName(signal) },
        )
      })
    })
  }

  image(): string | null {
    return this.#isClosed ? null : this.#platform.imageOf(this.pid)
  }

  write(data: Uint8Array): void {
    if (this.#isClosed)
      throw new TtyError('SESSION_EXITED', 'The program of this session has ended, so nothing can be typed into it.')
    this.#typing.typed()
    if (this.#writer === null) this.#pty.write(Buffer.from(data))
    else this.#writer.write(data)
  }

  resize(size: TerminalSize): void {
    if (this.#isClosed) return
    try {
      this.#pty.resize(size.cols, size.rows)
    } catch (error) {
      // The descriptor can be dead a moment before the exit is known (EBADF).
      this.#logger.debug('pty.resize-failed', { message: messageOf(error) })
    }
  }

  pause(): void {
    if (!this.#isClosed) this.#pty.pause()
  }

  resume(): void {
    if (!this.#isClosed) this.#pty.resume()
  }

  async inputState(): Promise<InputState> {
    return this.#isClosed ? {} : ((await this.#platform.inputState?.(this.pid)) ?? {})
  }

  terminate(graceMs: number): Promise<Termination> {
    this.#termination ??= this.#terminate(graceMs)
    return this.#termination
  }

  async #terminate(graceMs: number): Promise<Termination> {
    try {
      const { processes } = this.#platform
      if (processes !== null) {
        const termination = await new ProcessTree(processes, {
          pid: this.pid,
          sessionId: this.#sessionId,
          isOver: () => this.#isClosed,
        }).terminate(graceMs)
        if (termination.verified) await withDeadline(this.exited, graceMs + 1000)
        return termination
      }
      if (!this.#isClosed) this.#pty.kill() // once: a second kill of a ConPTY corrupts the heap
      const end = await withDeadline(this.exited, graceMs + 1000)
      return {
        verified: !end.timedOut,
        killed: [],
        survivors: end.timedOut ? [{ pid: this.pid, command: this.#pty.process }] : [],
      }
    } catch (error) {
      this.#logger.error('pty.terminate-failed', { message: messageOf(error) })
      return { verified: false, killed: [], survivors: [{ pid: this.pid, command: '' }] }
    }
  }

  #readerOf({ fd, _socket: socket }: UnixPtyInternals): PtyReader {
    return new PtyReader({
      read: (target, offset) => readSync(fd, target, offset, target.length - offset, null),
      heldByStream: () => socket.readableLength,
      typing: this.#typing,
      announce: (bytes) => {
        this.#data.fire(bytes)
      },
    })
  }

  #close(): void {
    this.#isClosed = true
    this.#writer?.close()
  }

  /**
   * node-pty closes the master 200 ms after the program ended, whatever still waits in it: a paused session would lose its
   * last output. So read the rest first. It also marks the descriptor dead before its number can be used again.
   */
  #drainBeforeClose(internals: UnixPtyInternals): void {
    const socket = internals._socket
    const destroy = socket.destroy.bind(socket)
    let isDone = false
    socket.destroy = (error?: Error): unknown => {
      if (!isDone) {
        isDone = true
        this.#close()
        // First what a paused stream holds already: `read` hands it to the listeners by itself.
        while (socket.read() !== null);
        this.#reader?.readRest()
      }
      return destroy(error)
    }
  }
}

const SIGNAL_NAMES = new Map(Object.entries(constants.signals).map(([name, number]) => [number, name]))

function signalName(number: number): string {
  return SIGNAL_NAMES.get(number as never) ?? `SIG${String(number)}`
}
