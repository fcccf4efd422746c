/**
 * The viewer of every measurement: one socket, one dialect, and a terminal that takes bytes as fast as it is told to. It
 * counts what came over the wire and what was in it.
 */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { WebSocket } from 'ws'
import type { Dialect, WireData } from './adapters/dialect.ts'

/** A paced terminal stops reading its socket while so much waits, as a busy page does. */
const MAX_QUEUED_BYTES = 64 * 1024
const TICK_MS = 2
const KEPT_TAIL_BYTES = 128

export interface Traffic {
  /** Frames that carried terminal bytes. */
  frames: number
  /** Terminal bytes. */
  payloadBytes: number
  /** Everything that was read from the socket, headers and control frames included. */
  wireBytes: number
}

export interface TerminalOptions {
  readonly port: number
  readonly dialect: Dialect
  /** The listener says what it has parsed, instead of taking meaning parsing. */
  readonly parsesLater?: boolean
}

type Listener = (bytes: Uint8Array) => void

export class Terminal {
  /** Resolves when the socket is open. */
  readonly opened: Promise<unknown>
  readonly #ws: WebSocket
  readonly #socket: Socket
  readonly #dialect: Dialect
  readonly #parsesLater: boolean
  readonly #listeners = new Set<Listener>()
  readonly #failures: ((error: Error) => void)[] = []
  readonly #queue: Uint8Array[] = []
  #queuedBytes = 0
  #bytesPerSecond = Infinity
  #isStalled = false
  #ticker: NodeJS.Timeout | undefined
  #lastTickMs = 0
  #failure: Error | null = null
  #frames = 0
  #payloadBytes = 0

  constructor({ port, dialect, parsesLater = false }: TerminalOptions) {
    this.#dialect = dialect
    this.#parsesLater = parsesLater
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true })
    this.#ws = new WebSocket(`ws://127.0.0.1:${String(port)}${dialect.path}`, [...dialect.subprotocols], {
      createConnection: () => this.#socket,
      perMessageDeflate: false,
    })
    this.opened = once(this.#ws, 'open')
    this.opened.catch(() => undefined) // told through `until`, where somebody waits
    this.#ws.binaryType = 'nodebuffer'
    this.#ws.on('open', () => {
      dialect.opened((data) => {
        this.#send(data)
      })
    })
    this.#ws.on('message', (data, isBinary) => {
      try {
        this.#received(data as Buffer, isBinary)
      } catch (error) {
        this.#fail(error as Error)
      }
    })
    this.#ws.on('error', (error) => {
      this.#fail(error)
    })
    this.#ws.on('close', (code) => {
      this.#fail(new Error(`the server closed the connection (${String(code)})`))
    })
  }

  get traffic(): Traffic {
    return { frames: this.#frames, payloadBytes: this.#payloadBytes, wireBytes: this.#socket.bytesRead }
  }

  /** Hear the bytes as the terminal takes them. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  type(data: string | Uint8Array): void {
    this.#send(this.#dialect.typed(typeof data === 'string' ? Buffer.from(data) : data))
  }

  /** Take so many bytes per second from now on; Infinity is as fast as they come. */
  pace(bytesPerSecond: number): void {
    this.#bytesPerSecond = bytesPerSecond
    clearInterval(this.#ticker)
    this.#lastTickMs = performance.now()
    if (bytesPerSecond === Infinity) this.#take(Infinity)
    else
      this.#ticker = setInterval(() => {
        this.#tick()
      }, TICK_MS)
  }

  /** So many bytes more are on the screen; for a terminal that parses later than it takes. */
  parsed(bytes: number): void {
    this.#dialect.parsed(bytes)
  }

  /** Stop reading the socket. */
  stall(): void {
    this.#isStalled = true
    this.#judge()
  }

  resume(): void {
    this.#isStalled = false
    this.#judge()
  }

  /**
   * Wait for something in the stream. @param found gets the last bytes taken, as Latin-1, after every chunk
   * @throws Error when the connection ends first or `limitMs` passes
   */
  until<T>(found: (tail: string) => T | null, limitMs = 30_000): Promise<T> {
    return new Promise((resolve, reject) => {
      let tail = Buffer.alloc(0)
      const settle = (act: () => void): void => {
        clearTimeout(timer)
        stop()
        act()
      }
      const fail = (error: Error): void => {
        settle(() => {
          reject(error)
        })
      }
      const timer = setTimeout(() => {
        fail(new Error(`nothing came for ${String(limitMs / 1000)} s that was waited for`))
      }, limitMs)
      const stop = this.listen((bytes) => {
        const chunk = bytes.length < KEPT_TAIL_BYTES ? Buffer.concat([tail, bytes]) : Buffer.from(bytes)
        const text = chunk.toString('latin1', Math.max(0, chunk.length - KEPT_TAIL_BYTES))
        tail = chunk.subarray(Math.max(0, chunk.length - KEPT_TAIL_BYTES))
        const value = found(text)
        if (value !== null)
          settle(() => {
            resolve(value)
          })
      })
      this.#failures.push(fail)
      if (this.#failure !== null) fail(this.#failure)
    })
  }

  /** Wait until the stream ends with `marker` for the moment. */
  untilText(marker: string, limitMs?: number): Promise<true> {
    return this.until((tail) => (tail.includes(marker) ? true : null), limitMs)
  }

  /** End the session and leave; resolves when the connection is gone. */
  async end(): Promise<void> {
    const last = this.#dialect.ended()
    if (this.#ws.readyState === this.#ws.OPEN) {
      this.#ws.resume()
      if (last !== null) this.#send(last)
      const gone = once(this.#ws, 'close')
      this.#ws.close()
      await gone
    }
    this.close()
  }

  /** Leave as a broken connection does; a session that outlives its viewers goes on. */
  close(): void {
    clearInterval(this.#ticker)
    this.#ws.removeAllListeners('close')
    this.#ws.terminate()
  }

  #send(data: WireData): void {
    this.#ws.send(data)
  }

  #received(data: Buffer, isBinary: boolean): void {
    const bytes = this.#dialect.received(data, isBinary)
    if (bytes === null || bytes.length === 0) return
    this.#frames += 1
    this.#payloadBytes += bytes.length
    if (this.#bytesPerSecond === Infinity && this.#queue.length === 0) {
      this.#deliver(bytes)
      return
    }
    this.#queue.push(bytes)
    this.#queuedBytes += bytes.length
    this.#judge()
  }

  #tick(): void {
    const now = performance.now()
    const budget = ((now - this.#lastTickMs) / 1000) * this.#bytesPerSecond
    if (budget < 1) return
    this.#lastTickMs = now
    this.#take(Math.floor(budget))
    this.#judge()
  }

  #take(budget: number): void {
    for (let left = budget, head = this.#queue[0]; head !== undefined && left > 0; head = this.#queue[0]) {
      const part = head.subarray(0, Math.min(head.length, left))
      if (part.length === head.length) this.#queue.shift()
      else this.#queue[0] = head.subarray(part.length)
      this.#queuedBytes -= part.length
      left -= part.length
      this.#deliver(part)
    }
  }

  #deliver(bytes: Uint8Array): void {
    for (const listener of [...this.#listeners]) listener(bytes)
    if (!this.#parsesLater) this.#dialect.parsed(bytes.length)
  }

  #judge(): void {
    if (this.#ws.readyState !== this.#ws.OPEN) return
    if (this.#isStalled || this.#queuedBytes > MAX_QUEUED_BYTES) this.#ws.pause()
    else this.#ws.resume()
  }

  #fail(error: Error): void {
    this.#failure ??= error
    for (const fail of this.#failures.splice(0)) fail(error)
  }
}
