/** A terminal on another machine: a channel as the handle of a session. */
import type { ClientChannel } from 'ssh2'
import { MAX_PENDING_INPUT_BYTES } from '../../../protocol-src/limits.ts'
import type { TerminalSize, Termination } from '../../../protocol-src/session.ts'
import { delay, detached, withDeadline } from '../../base/async.ts'
import { TtyError, messageOf } from '../../base/errors.ts'
import { Emitter } from '../../base/lifecycle.ts'
import type { Logger } from '../../base/logger.ts'
import type { HandleEnd, InputState, PtyHandle } from '../backend.ts'
import { exitOf } from './link.ts'
import type { Lease } from './link-pool.ts'
import type { RemoteProcess, RemoteTree } from './remote-tree.ts'

const POLL_MS = 50
/** How long survivors of SIGKILL are waited for. */
const KILL_WAIT_MS = 2_000

export interface SshPtyParts {
  readonly channel: ClientChannel
  readonly lease: Lease
  /** Null where nothing can be seen of the processes. */
  readonly tree: RemoteTree | null
  readonly logger: Logger
}

export class SshPtyHandle implements PtyHandle {
  readonly pid = null
  readonly exited: Promise<HandleEnd>
  readonly onData: PtyHandle['onData']
  readonly #data: Emitter<Uint8Array>
  readonly #parts: SshPtyParts
  #isOver = false
  /** What was left when the program ended by itself; undefined until then. */
  #leftAtExit: Promise<readonly RemoteProcess[] | null> | undefined
  #termination: Promise<Termination> | undefined

  constructor(parts: SshPtyParts) {
    this.#parts = parts
    const { channel, lease, logger } = parts
    this.#data = new Emitter(logger)
    this.onData = this.#data.event
    for (const stream of [channel, channel.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        this.#data.fire(chunk)
      })
    }
    channel.on('error', (error: Error) => {
      logger.debug('ssh.channel-error', { message: error.message })
    })
    this.exited = new Promise((resolve) => {
      channel.once('close', () => {
        this.#isOver = true
        this.#data.dispose()
        const end = exitOf(channel)
        const isLost = end === null && lease.link.end?.kind === 'lost'
        resolve(end ?? { exitCode: null, signal: null, ...(isLost ? { reason: 'connection lost' as const } : {}) })
        if (this.#termination === undefined) this.#lookAfterExit()
      })
    })
  }

  /** What it runs is not to be seen from here. */
  image(): null {
    return null
  }

  write(data: Uint8Array): void {
    if (this.#isOver || !this.#parts.lease.link.isUp)
      throw new TtyError('SESSION_EXITED', 'The program of this session has ended, so nothing can be typed into it.')
    const { channel } = this.#parts
    const pendingBytes = channel.writableLength
    if (pendingBytes + data.length > MAX_PENDING_INPUT_BYTES)
      throw new TtyError(
        'INPUT_BACKLOG',
        `The program is not reading its input; ${String(pendingBytes)} bytes already wait. Nothing of this input was sent. Try again when it reads, or end it.`,
        { details: { pendingBytes, limitBytes: MAX_PENDING_INPUT_BYTES } },
      )
    if (data.length > 0) channel.write(Buffer.from(data))
  }

  resize({ cols, rows }: TerminalSize): void {
    if (!this.#isOver) this.#parts.channel.setWindow(rows, cols, 0, 0)
  }

  /** The other side may send what the channel's window still allows; that is held here. */
  pause(): void {
    this.#parts.channel.pause()
    this.#parts.channel.stderr.pause()
  }

  resume(): void {
    this.#parts.channel.resume()
    this.#parts.channel.stderr.resume()
  }

  inputState(): Promise<InputState> {
    return Promise.resolve({})
  }

  terminate(graceMs: number): Promise<Termination> {
    this.#termination ??= this.#terminate(graceMs)
    return this.#termination
  }

  async #terminate(graceMs: number): Promise<Termination> {
    const { channel, lease, tree, logger } = this.#parts
    try {
      const left = await this.#leftAtExit
      if (left !== undefined && left !== null && left.length === 0) return GONE
      await this.#look() // before their parents go: who has no marker any more is known by them
      channel.signal('HUP')
      channel.close()
      await withDeadline(this.exited, graceMs + 1000)
      if (tree === null || !lease.link.isUp) return this.#unseen()
      return (await this.#untilGone(tree, graceMs)) ?? this.#unseen()
    } catch (error) {
      logger.warn('ssh.terminate-failed', { message: messageOf(error) })
      return this.#unseen()
    } finally {
      lease.release()
    }
  }

  /** Wait, kill what is left, and look again. @returns null when nothing can be seen */
  async #untilGone(tree: RemoteTree, graceMs: number): Promise<Termination | null> {
    const none = async (forMs: number): Promise<RemoteProcess[] | null> => {
      const until = Date.now() + forMs
      for (;;) {
        const members = await tree.members({ isOver: true })
        if (members === null || members.length === 0 || Date.now() >= until) return members
        await delay(POLL_MS)
      }
    }
    let members = await none(graceMs)
    const killed = new Set<number>()
    const until = Date.now() + KILL_WAIT_MS
    while (members !== null && members.length > 0 && Date.now() < until) {
      for (const { pid } of members) killed.add(pid)
      await tree.kill(members)
      members = await none(Math.min(200, until - Date.now()))
    }
    if (members === null) return null
    const survivors = members.map(({ pid, command }) => ({ pid, command }))
    const gone = [...killed].filter((pid) => !survivors.some((each) => each.pid === pid))
    return { verified: survivors.length === 0, killed: gone.sort((one, other) => one - other), survivors }
  }

  async #look(): Promise<readonly RemoteProcess[] | null> {
    const { tree, lease, logger } = this.#parts
    if (tree === null || !lease.link.isUp) return null
    try {
      return await tree.members({ isOver: this.#isOver })
    } catch (error) {
      logger.debug('ssh.look-failed', { message: messageOf(error) })
      return null
    }
  }

  /** While nothing is left, the connection is not needed any more; else it stays for whoever closes the session. */
  #lookAfterExit(): void {
    this.#leftAtExit = this.#look()
    detached(this.#parts.logger, 'look at what a program left', async () => {
      const left = await this.#leftAtExit
      if (left === undefined || left === null || left.length === 0) this.#parts.lease.release()
    })
  }

  #unseen(): Termination {
    const reason = this.#parts.lease.link.end?.kind === 'lost' ? 'connection lost' : 'not observable'
    return { verified: false, killed: [], survivors: [], reason }
  }
}

const GONE: Termination = { verified: true, killed: [], survivors: [] }
