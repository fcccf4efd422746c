/**
 * The one thread that parses for all sessions: begun when first needed, watched while it works, ended and begun anew when
 * it is stuck or dies. Whoever has an emulator in it is told that it is gone.
 */
import { Worker } from 'node:worker_threads'
import type { StreamOffset } from '../../protocol-src/ids.ts'
import { messageOf } from '../base/errors.ts'
import type { Disposable } from '../base/lifecycle.ts'
import type { Logger } from '../base/logger.ts'
import { ProgressBoard, type FromThread, type ToThread } from './screen-messages.ts'

export interface ScreenThreadClient {
  onMessage(message: Exclude<FromThread, { type: 'ready' }>): void
  /**
   * The emulator is gone. `poison`: it was this one's bytes, from there on, that the thread was stuck on. `isBlameless`: it
   * was another's work.
   */
  onLost(poison: StreamOffset | null, isBlameless: boolean): void
  /** The thread cannot be had at all. */
  onUnavailable(reason: string): void
}

export interface ScreenThreadOptions {
  readonly logger: Logger
  /** How long one piece of at most PIECE_BYTES, or one answer, may take. */
  readonly stuckMs?: number
  /** Where the thread's code is; the built file, or the source when this is the source. */
  readonly workerUrl?: URL
}

const STUCK_MS = 2000
/** Starts in a row that came to nothing, after which it is given up. */
const MAX_FAILED_STARTS = 3

const besideThis = (): URL =>
  new URL(import.meta.url.endsWith('.ts') ? './screen-worker.ts' : './screen-worker.js', import.meta.url)

interface Running {
  readonly worker: Worker
  readonly board: ProgressBoard
  isReady: boolean
}

export class ScreenThread implements Disposable {
  readonly #options: ScreenThreadOptions
  readonly #clients = new Map<number, ScreenThreadClient>()
  #nextId = 1
  #running: Running | null = null
  #failedStarts = 0
  /** Messages to be answered: the watchdog runs while there are any. */
  #awaited = 0
  #watch: NodeJS.Timeout | undefined
  #lastSeen = { count: -1, at: 0 }
  #isDisposed = false

  constructor(options: ScreenThreadOptions) {
    this.#options = options
  }

  /** @returns the client's number in messages */
  register(client: ScreenThreadClient): number {
    const id = this.#nextId++
    this.#clients.set(id, client)
    return id
  }

  unregister(id: number): void {
    if (!this.#clients.delete(id)) return
    this.#running?.worker.postMessage({ type: 'drop', id } satisfies ToThread)
  }

  /** Send in order; begins the thread when there is none. Buffers in `transfer` are moved. */
  post(message: ToThread, transfer: ArrayBuffer[] = []): void {
    if (this.#isDisposed) return
    if (message.type === 'drop' && this.#running === null) return
    this.#running ??= this.#start()
    if (this.#running === null) return
    if (message.type === 'write' || message.type === 'ask') {
      this.#awaited += 1
      this.#startWatch()
    }
    this.#running.worker.postMessage(message, transfer)
  }

  dispose(): void {
    this.#isDisposed = true
    this.#clients.clear()
    clearInterval(this.#watch)
    this.#watch = undefined
    const running = this.#running
    this.#running = null
    void running?.worker.terminate()
  }

  #start(): Running | null {
    const memory = new SharedArrayBuffer(ProgressBoard.BYTES)
    let worker: Worker
    try {
      worker = new Worker(this.#options.workerUrl ?? besideThis(), { workerData: { memory }, name: 'dsh-tty screen' })
    } catch (error) {
      this.#giveUp(messageOf(error))
      return null
    }
    // A host that has nothing else to do may end.
    worker.unref()
    const running: Running = { worker, board: new ProgressBoard(memory), isReady: false }
    worker.on('message', (message: FromThread) => {
      if (this.#running === running) this.#receive(running, message)
    })
    worker.on('error', (error) => {
      this.#lose(running, `died: ${messageOf(error)}`)
    })
    worker.on('exit', () => {
      this.#lose(running, 'ended')
    })
    this.#lastSeen = { count: -1, at: Date.now() }
    return running
  }

  #receive(running: Running, message: FromThread): void {
    if (message.type === 'ready') {
      running.isReady = true
      this.#failedStarts = 0
      return
    }
    if (message.type !== 'reply' && message.type !== 'screen') {
      this.#awaited -= 1
      if (this.#awaited <= 0) this.#stopWatch()
    }
    this.#clients.get(message.id)?.onMessage(message)
  }

  #startWatch(): void {
    if (this.#watch !== undefined) return
    const stuckMs = this.#options.stuckMs ?? STUCK_MS
    this.#lastSeen = { count: -1, at: Date.now() }
    this.#watch = setInterval(() => {
      this.#look(stuckMs)
    }, stuckMs / 4)
    this.#watch.unref()
  }

  #stopWatch(): void {
    clearInterval(this.#watch)
    this.#watch = undefined
    this.#awaited = 0
  }

  #look(stuckMs: number): void {
    const running = this.#running
    if (running === null) return
    const { count, isBusy } = running.board.read()
    const now = Date.now()
    if (!isBusy || count !== this.#lastSeen.count) this.#lastSeen = { count, at: now }
    else if (now - this.#lastSeen.at >= stuckMs) this.#lose(running, 'was stuck')
  }

  #lose(running: Running, why: string): void {
    if (this.#running !== running) return
    this.#running = null
    this.#stopWatch()
    void running.worker.terminate()
    const { isBusy, id, offset } = running.board.read()
    this.#options.logger.warn('screen.thread-lost', { why, screens: this.#clients.size })
    if (!running.isReady) {
      this.#failedStarts += 1
      if (this.#failedStarts >= MAX_FAILED_STARTS) {
        this.#giveUp(`it ${why} before it was ready`)
        return
      }
    }
    for (const [each, client] of [...this.#clients]) {
      const isTheirs = isBusy && each === id
      client.onLost(isTheirs && offset >= 0 ? offset : null, isBusy && !isTheirs)
    }
  }

  #giveUp(reason: string): void {
    this.#options.logger.error('screen.thread-unavailable', { reason })
    this.#failedStarts = 0
    for (const client of [...this.#clients.values()]) client.onUnavailable(reason)
  }
}
