/**
 * One WebSocket that comes back: ticket, upgrade, hello, heartbeat, backoff. Every attempt is a new generation, and
 * nothing an older generation says is heard. Knows no sessions.
 */
import { decodeBinaryFrame, type BinaryFrame } from '../../protocol-src/binary-frame.ts'
import type { ClientFrameInput } from '../../protocol-src/client-frames.ts'
import type { TtyErrorCode } from '../../protocol-src/errors.ts'
import { hostFrameSchema, type HostFrame } from '../../protocol-src/host-frames.ts'
import type { ClientId, Ticket } from '../../protocol-src/ids.ts'
import {
  DEAD_PEER_MS,
  HEARTBEAT_MS,
  PROTOCOL_VERSION,
  WS_SUBPROTOCOL,
  WS_TICKET_PREFIX,
} from '../../protocol-src/limits.ts'
import { createStore, type Store } from '../stores/store.ts'
import type { Clock } from './clock.ts'

/** Which side is too old. */
export type StaleSide = 'page' | 'host' | 'unknown'

export type LinkState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'connecting' }
  /** `responding`: a round trip through the host was seen within the last heartbeat. */
  | { readonly kind: 'open'; readonly generation: number; readonly responding: boolean }
  | { readonly kind: 'waiting'; readonly retryAt: number }
  /** Trying again by itself cannot help. */
  | { readonly kind: 'refused'; readonly code: TtyErrorCode; readonly stale: StaleSide }

export type Welcome = Extract<HostFrame, { type: 'welcome' }>
export type OutputFrame = Extract<BinaryFrame, { kind: 'output' }>
export type SnapshotFrame = Extract<BinaryFrame, { kind: 'snapshot' }>

/** The part of a WebSocket that is used. */
export interface WebSocketLike {
  binaryType: string
  onopen: (() => void) | null
  onmessage: ((event: { data: unknown }) => void) | null
  onclose: (() => void) | null
  onerror: (() => void) | null
  send(data: string | Uint8Array<ArrayBuffer>): void
  close(code?: number): void
}

export interface SocketPorts {
  readonly clock: Clock
  /** Between 0 and 1. */
  readonly random: () => number
  readonly connect: (subProtocols: string[]) => WebSocketLike
  readonly ticket: (signal: AbortSignal) => Promise<Ticket>
  readonly clientId: ClientId
}

/** What happens on the present generation. A listener that throws ends the generation, which starts it all anew. */
export interface SocketListener {
  opened(welcome: Welcome): void
  frame(frame: HostFrame): void
  output(frame: OutputFrame | SnapshotFrame): void
  /** The generation that was opened is over. */
  down(): void
}

const BACKOFF_BASE_MS = 250
const BACKOFF_CAP_MS = 5_000
/** From the request for a ticket to the welcome. */
const CONNECT_LIMIT_MS = 10_000
/** A younger attempt is not thrown away because the page woke up. */
const FRESH_ATTEMPT_MS = 3_000
/** A ping unanswered for so long means "not responding". */
export const PONG_LIMIT_MS = 5_000

export class Socket {
  readonly state: Store<LinkState>
  readonly #state = createStore<LinkState>({ kind: 'idle' })
  readonly #ports: SocketPorts
  readonly #listener: SocketListener
  #generation = 0
  #socket: WebSocketLike | null = null
  #abort: AbortController | null = null
  readonly #timers = new Set<() => void>()
  #isUpgraded = false
  #attempt = 0
  #attemptAt = 0
  #pings = 0
  /** When the ping that is unanswered was sent. */
  #pingAt: number | null = null
  #isDisposed = false

  constructor(ports: SocketPorts, listener: SocketListener) {
    this.state = this.#state
    this.#ports = ports
    this.#listener = listener
  }

  start(): void {
    if (this.#state.getSnapshot().kind === 'idle') this.#connect()
  }

  /** The page is on line or visible again: try at once, or make sure that the peer is still there. */
  wake(): void {
    const state = this.#state.getSnapshot()
    if (state.kind === 'waiting') this.#connect()
    else if (state.kind === 'open') this.#ping()
    else if (state.kind === 'connecting' && this.#ports.clock.now() - this.#attemptAt > FRESH_ATTEMPT_MS)
      this.#connect()
  }

  /** A person asked, or the app reconnected: try again even where trying by itself was given up. */
  retry(): void {
    const { kind } = this.#state.getSnapshot()
    if (kind === 'refused') this.#connect()
    else if (kind !== 'idle') this.wake()
  }

  /** @returns whether the frame was handed to an open socket */
  send(frame: ClientFrameInput): boolean {
    return this.#transmit(JSON.stringify(frame))
  }

  /** @returns whether the frame was handed to an open socket */
  sendBytes(frame: Uint8Array<ArrayBuffer>): boolean {
    return this.#transmit(frame)
  }

  dispose(): void {
    if (this.#isDisposed) return
    this.#isDisposed = true
    this.#endGeneration()
    this.#state.set({ kind: 'idle' })
  }

  #connect(): void {
    if (this.#isDisposed) return
    this.#endGeneration()
    const generation = this.#generation
    const abort = new AbortController()
    this.#abort = abort
    this.#attemptAt = this.#ports.clock.now()
    this.#state.set({ kind: 'connecting' })
    this.#timer(CONNECT_LIMIT_MS, () => {
      if (this.#state.getSnapshot().kind === 'connecting') this.#fail()
    })
    this.#ports.ticket(abort.signal).then(
      (ticket) => {
        if (generation === this.#generation) this.#upgrade(generation, ticket)
      },
      () => {
        if (generation === this.#generation) this.#fail()
      },
    )
  }

  #upgrade(generation: number, ticket: Ticket): void {
    const isCurrent = (): boolean => generation === this.#generation
    let socket: WebSocketLike
    try {
      socket = this.#ports.connect([WS_SUBPROTOCOL, `${WS_TICKET_PREFIX}${ticket}`])
    } catch {
      // The browser refuses to even try (a blocked port, a policy): the same as a failed upgrade.
      this.#fail()
      return
    }
    this.#socket = socket
    socket.binaryType = 'arraybuffer'
    socket.onopen = () => {
      if (!isCurrent()) return
      this.#isUpgraded = true
      const { clientId } = this.#ports
      const client = { kind: 'panel' as const, id: clientId }
      socket.send(JSON.stringify({ type: 'hello', protocol: PROTOCOL_VERSION, client } satisfies ClientFrameInput))
    }
    socket.onmessage = ({ data }) => {
      if (!isCurrent()) return
      try {
        this.#receive(data)
      } catch {
        // A frame that is none, or that its receiver could not take: start anew from a known state.
        if (isCurrent()) this.#fail()
      }
    }
    socket.onclose = () => {
      if (isCurrent()) this.#fail()
    }
    socket.onerror = null
  }

  #receive(data: unknown): void {
    if (typeof data !== 'string') {
      if (!(data instanceof ArrayBuffer)) throw new TypeError('a frame is text or an ArrayBuffer')
      const frame = decodeBinaryFrame(new Uint8Array(data))
      if (frame.kind === 'input' || frame.kind === 'invalid') throw new TypeError('the host sends output and snapshots')
      if (this.#state.getSnapshot().kind === 'open') this.#listener.output(frame)
      return
    }
    const frame = hostFrameSchema.parse(JSON.parse(data))
    if (this.#state.getSnapshot().kind === 'open') this.#receiveOpen(frame)
    else this.#receiveFirst(frame)
  }

  #receiveFirst(frame: HostFrame): void {
    if (frame.type === 'error' && frame.error.code === 'PROTOCOL_MISMATCH') {
      this.#refuse(frame.error.code, staleSide(frame.error.details))
      return
    }
    if (frame.type !== 'welcome') throw new TypeError('the first frame of the host is its welcome')
    if (frame.protocol !== PROTOCOL_VERSION) {
      this.#refuse('PROTOCOL_MISMATCH', frame.protocol > PROTOCOL_VERSION ? 'page' : 'host')
      return
    }
    const generation = this.#generation
    this.#state.set({ kind: 'open', generation, responding: true })
    if (generation !== this.#generation) return
    this.#pingAt = null
    this.#ping()
    this.#beat()
    this.#listener.opened(frame)
  }

  #receiveOpen(frame: HostFrame): void {
    if (frame.type !== 'pong') {
      this.#listener.frame(frame)
      return
    }
    if (frame.n !== this.#pings) return
    this.#pingAt = null
    // Only a connection that answered counts as a success, or a host that accepts and hangs up would be flooded.
    this.#attempt = 0
    this.#setResponding(true)
  }

  #ping(): void {
    if (this.#pingAt !== null) return
    this.#pings += 1
    const ping = this.#pings
    this.#pingAt = this.#ports.clock.now()
    this.send({ type: 'ping', n: ping })
    this.#timer(PONG_LIMIT_MS, () => {
      if (this.#pingAt !== null && this.#pings === ping) this.#setResponding(false)
    })
    this.#timer(DEAD_PEER_MS - HEARTBEAT_MS, () => {
      if (this.#pingAt !== null && this.#pings === ping) this.#fail()
    })
  }

  #beat(): void {
    this.#timer(HEARTBEAT_MS, () => {
      this.#ping()
      this.#beat()
    })
  }

  #setResponding(responding: boolean): void {
    const state = this.#state.getSnapshot()
    if (state.kind === 'open' && state.responding !== responding) this.#state.set({ ...state, responding })
  }

  #fail(): void {
    this.#endGeneration()
    const ceiling = Math.min(BACKOFF_CAP_MS, BACKOFF_BASE_MS * 2 ** Math.min(this.#attempt, 16))
    const delayMs = this.#ports.random() * ceiling
    this.#attempt += 1
    this.#state.set({ kind: 'waiting', retryAt: this.#ports.clock.now() + delayMs })
    this.#timer(delayMs, () => {
      if (this.#state.getSnapshot().kind === 'waiting') this.#connect()
    })
  }

  #refuse(code: TtyErrorCode, stale: StaleSide): void {
    this.#endGeneration()
    this.#state.set({ kind: 'refused', code, stale })
  }

  #endGeneration(): void {
    const wasOpen = this.#state.getSnapshot().kind === 'open'
    this.#generation += 1
    for (const cancel of this.#timers) cancel()
    this.#timers.clear()
    this.#pingAt = null
    this.#abort?.abort()
    this.#abort = null
    const socket = this.#socket
    this.#socket = null
    if (socket !== null) {
      socket.onopen = socket.onmessage = socket.onclose = socket.onerror = null
      const close = (): void => {
        socket.close(1000)
      }
      // Closing a socket that still connects is an error in the console; it is closed when it opened, unheard.
      if (this.#isUpgraded) close()
      else socket.onopen = close
    }
    this.#isUpgraded = false
    if (wasOpen) this.#listener.down()
  }

  #transmit(data: string | Uint8Array<ArrayBuffer>): boolean {
    if (this.#socket === null || this.#state.getSnapshot().kind !== 'open') return false
    try {
      this.#socket.send(data)
      return true
    } catch {
      // Closing already; its close event follows.
      return false
    }
  }

  /** A timer that dies with the generation. */
  #timer(delayMs: number, task: () => void): void {
    const cancel = this.#ports.clock.after(delayMs, () => {
      this.#timers.delete(cancel)
      task()
    })
    this.#timers.add(cancel)
  }
}

/** The host names its own version in the details of its refusal. */
function staleSide(details: Readonly<Record<string, unknown>> | undefined): StaleSide {
  const host = details?.['host'] ?? details?.['supported'] ?? details?.['expected']
  if (typeof host !== 'number') return 'unknown'
  return host > PROTOCOL_VERSION ? 'page' : 'host'
}
