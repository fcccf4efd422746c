/** A clock that is moved by hand, and a host at the other end of fake sockets: it says only what the test lets it say. */
import { decodeBinaryFrame, encodeBinaryFrame } from '../../../../protocol-src/binary-frame.ts'
import type { ClientFrame } from '../../../../protocol-src/client-frames.ts'
import type { HostFrame } from '../../../../protocol-src/host-frames.ts'
import type { AttachmentHandle, ClientId, HostInstanceId, SessionId, Ticket } from '../../../../protocol-src/ids.ts'
import { PROTOCOL_VERSION } from '../../../../protocol-src/limits.ts'
import type { SessionDescriptor } from '../../../../protocol-src/session.ts'
import { clientSettingsSchema } from '../../../../protocol-src/settings.ts'
import type { Clock } from '../../../../client-src/connection/clock.ts'
import type { SocketPorts, WebSocketLike } from '../../../../client-src/connection/socket.ts'

export class FakeClock implements Clock {
  #now = 0
  #timers: { at: number; task: () => void }[] = []

  now(): number {
    return this.#now
  }

  after(delayMs: number, task: () => void): () => void {
    const timer = { at: this.#now + delayMs, task }
    this.#timers.push(timer)
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer)
    }
  }

  get pending(): number {
    return this.#timers.length
  }

  /** Let time pass, timers and the promises between them included. */
  async pass(ms: number): Promise<void> {
    const end = this.#now + ms
    await settled()
    for (;;) {
      const next = this.#timers.filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at)[0]
      if (next === undefined) break
      this.#timers = this.#timers.filter((timer) => timer !== next)
      this.#now = Math.max(this.#now, next.at)
      next.task()
      await settled()
    }
    this.#now = end
  }

  /** The machine sleeps: time passes and no timer runs until it wakes. */
  sleep(ms: number): void {
    this.#now += ms
  }
}

/** Every promise that can settle without time passing has. */
export const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve()
}

export class FakeSocket implements WebSocketLike {
  binaryType = ''
  onopen: (() => void) | null = null
  onmessage: ((event: { data: unknown }) => void) | null = null
  onclose: (() => void) | null = null
  onerror: (() => void) | null = null
  readonly subProtocols: string[]
  readonly frames: ClientFrame[] = []
  readonly inputs: { handle: number; seq: number; text: string }[] = []
  isClosed = false

  constructor(subProtocols: string[]) {
    this.subProtocols = subProtocols
  }

  send(data: string | Uint8Array<ArrayBuffer>): void {
    if (this.isClosed) throw new Error('closed')
    if (typeof data === 'string') {
      this.frames.push(JSON.parse(data) as ClientFrame)
      return
    }
    const frame = decodeBinaryFrame(data)
    if (frame.kind !== 'input') throw new Error('only input is sent in binary')
    this.inputs.push({ handle: frame.handle, seq: frame.seq, text: new TextDecoder().decode(frame.bytes) })
  }

  close(): void {
    this.isClosed = true
  }

  say(frame: HostFrame): void {
    this.onmessage?.({ data: JSON.stringify(frame) })
  }

  sayRaw(data: unknown): void {
    this.onmessage?.({ data })
  }

  output(handle: number, offset: number, text: string): void {
    const bytes = new TextEncoder().encode(text)
    const frame = encodeBinaryFrame({ kind: 'output', handle: handle as AttachmentHandle, offset, bytes })
    this.onmessage?.({ data: frame.buffer })
  }

  /** Upgrade, hello, welcome. */
  welcome(sessions: readonly SessionDescriptor[] = [], instance = INSTANCE): void {
    this.onopen?.()
    this.say({
      type: 'welcome',
      protocol: PROTOCOL_VERSION,
      host: { instance, version: '0.0.0', platform: 'linux' },
      settings: clientSettingsSchema.parse({}),
      journal: { mode: 'disk' },
      sessions: [...sessions],
    })
  }

  /** The last frame of a type. */
  last<T extends ClientFrame['type']>(type: T): Extract<ClientFrame, { type: T }> {
    const frame = this.frames.findLast((each) => each.type === type)
    if (frame === undefined) throw new Error(`no ${type} was sent`)
    return frame as Extract<ClientFrame, { type: T }>
  }

  count(type: ClientFrame['type']): number {
    return this.frames.filter((frame) => frame.type === type).length
  }

  pong(): void {
    this.say({ type: 'pong', n: this.last('ping').n })
  }

  break(): void {
    this.isClosed = true
    this.onclose?.()
  }
}

export const INSTANCE = 'AAAAAAAAAAAAAAAAAAAAAA' as HostInstanceId
export const OTHER_INSTANCE = 'BBBBBBBBBBBBBBBBBBBBBB' as HostInstanceId
const CLIENT = 'CCCCCCCCCCCCCCCCCCCCCC' as ClientId
const TICKET = 'TTTTTTTTTTTTTTTTTTTTTT' as Ticket

export const sid = (letter: string): SessionId => letter.repeat(22) as SessionId

export const descriptor = (id: SessionId, change: Partial<SessionDescriptor> = {}): SessionDescriptor => ({
  id,
  kind: 'local',
  spec: { kind: 'local' },
  title: null,
  target: 'bash',
  owner: { kind: 'user' },
  phase: 'running',
  pid: 1,
  size: { cols: 80, rows: 24 },
  exit: null,
  exitReason: null,
  retryOf: null,
  attachments: 0,
  orphanedAt: null,
  cwd: null,
  startedAt: 0,
  outputOffset: 0,
  notices: [],
  lastCommand: null,
  currentCommand: null,
  commandsSeen: 0,
  persist: null,
  hidden: false,
  link: null,
  request: null,
  ...change,
})

export interface FakeNet {
  readonly clock: FakeClock
  readonly ports: SocketPorts
  readonly sockets: FakeSocket[]
  readonly socket: FakeSocket
  /** What the next requests for a ticket meet. */
  ticket: (signal: AbortSignal) => Promise<Ticket>
  random: number
}

export const fakeNet = (): FakeNet => {
  const clock = new FakeClock()
  const sockets: FakeSocket[] = []
  const net: FakeNet = {
    clock,
    sockets,
    random: 1,
    ticket: () => Promise.resolve(TICKET),
    get socket() {
      const socket = sockets.at(-1)
      if (socket === undefined) throw new Error('nobody connected')
      return socket
    },
    ports: {
      clock,
      random: () => net.random,
      clientId: CLIENT,
      ticket: (signal) => net.ticket(signal),
      connect: (subProtocols) => {
        const socket = new FakeSocket(subProtocols)
        sockets.push(socket)
        return socket
      },
    },
  }
  return net
}
