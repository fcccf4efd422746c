/** A client of the real protocol over a real socket, for tests against a composition in this process or a DSH host. */
import { randomBytes, randomUUID } from 'node:crypto'
import { WebSocket, type ClientOptions } from 'ws'
import { decodeBinaryFrame, encodeBinaryFrame } from '../../protocol-src/binary-frame.ts'
import type { ClientFrameInput, ClientRequest } from '../../protocol-src/client-frames.ts'
import type { WireError } from '../../protocol-src/errors.ts'
import {
  hostFrameSchema,
  replySchemas,
  type HostFrame,
  type ReplyOf,
  type StreamStart,
} from '../../protocol-src/host-frames.ts'
import { RPC_CHANNEL, RPC_TICKET, WS_PATH, ticketReplySchema } from '../../protocol-src/http-routes.ts'
import type { AttachmentHandle, ClientId, SessionId, StreamPosition } from '../../protocol-src/ids.ts'
import { encodeRandomId } from '../../protocol-src/ids.ts'
import { ACK_EVERY_BYTES, PROTOCOL_VERSION, WS_SUBPROTOCOL, WS_TICKET_PREFIX } from '../../protocol-src/limits.ts'
import type { ExitStatus, LaunchSpec, SessionDescriptor, TerminalSize } from '../../protocol-src/session.ts'
import { OutputRecord } from './output-record.ts'
import type { ViewerTerminal } from './viewer-terminal.ts'
import { withoutMarks } from './shell-marks.ts'
import { until } from './wait.ts'

const SIZE: TerminalSize = { cols: 80, rows: 24 }
const INPUT_SLICE_BYTES = 64 * 1024

export interface WsClientOptions {
  /** `http://host:port`; may lead through a proxy. */
  url: string
  /** Where tickets come from when not from `url`. */
  ticketUrl?: string
  clientId?: ClientId
  kind?: 'panel' | 'cli'
  /** Options of the socket, e.g. `origin`. */
  socket?: ClientOptions
  /** Whether to say hello and wait for welcome; true by default. */
  hello?: boolean
}

/** An `error` frame that answered a request. */
export class WireFailure extends Error {
  readonly code: WireError['code']
  readonly details: WireError['details']

  constructor(error: WireError) {
    super(error.message)
    this.code = error.code
    this.details = error.details
  }
}

export interface AttachOptions {
  size?: TerminalSize
  resumeFrom?: StreamPosition | null
  /** `auto` acknowledges like a terminal that parses at once; `none` leaves it to the test. */
  acks?: 'auto' | 'none'
  /** Go on with the record of an earlier view of the same session. */
  record?: OutputRecord
  keepBytes?: number
  /** Output only, as a viewer asks whose snapshot was not what it said. */
  noSnapshot?: true
  /** Follows the view as a page's terminal does. */
  terminal?: ViewerTerminal
}

type RequestFrame = { [T in ClientRequest['type']]: Omit<Extract<ClientFrameInput, { type: T; id: number }>, 'id'> }
type ReplyTo<T> = T extends keyof typeof replySchemas ? ReplyOf<T> : Record<string, never>

export const newClientId = (): ClientId => encodeRandomId(randomBytes(16)) as ClientId

/** A ticket over the RPC channel, as the page gets it. */
export const fetchTicket = async (url: string, headers: Record<string, string> = {}): Promise<string> => {
  const response = await fetch(`${url}${RPC_CHANNEL}/${RPC_TICKET}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ type: 'client-request', rpcId: randomUUID(), method: RPC_TICKET, payload: {} }),
  })
  if (!response.ok) throw new Error(`no ticket: HTTP ${response.status} ${await response.text()}`)
  const { result } = (await response.json()) as { result: { ok: boolean; value: unknown } }
  return ticketReplySchema.parse(result.value).ticket
}

export class WsClient implements AsyncDisposable {
  readonly id: ClientId
  readonly socket: WebSocket
  /** Every control frame so far, oldest first. */
  readonly frames: HostFrame[] = []
  readonly views = new Map<AttachmentHandle, ClientView>()
  /** How the socket closed, or null while it is open. */
  closed: { code: number; reason: string } | null = null
  readonly #kind: 'panel' | 'cli'
  readonly #replies = new Map<number, (frame: Extract<HostFrame, { type: 'ok' | 'error' }>) => void>()
  readonly #rejections = new Map<number, (error: Error) => void>()
  #nextId = 1

  private constructor(socket: WebSocket, id: ClientId, kind: 'panel' | 'cli') {
    this.socket = socket
    this.#kind = kind
    this.id = id
    socket.on('message', (data, isBinary) => {
      if (isBinary) this.#takeOutput(data as Buffer)
      else this.#take(hostFrameSchema.parse(JSON.parse((data as Buffer).toString())))
    })
    socket.on('error', () => {}) // followed by `close`, which is what counts
    socket.on('close', (code, reason) => {
      this.closed = { code, reason: reason.toString() }
      for (const reject of this.#rejections.values()) reject(new Error('the socket closed before the reply'))
    })
  }

  static async connect(options: WsClientOptions): Promise<WsClient> {
    const ticket = await fetchTicket(options.ticketUrl ?? options.url)
    const socket = new WebSocket(
      `${options.url.replace(/^http/, 'ws')}${WS_PATH}`,
      [WS_SUBPROTOCOL, WS_TICKET_PREFIX + ticket],
      { origin: options.url, perMessageDeflate: false, ...options.socket },
    )
    const client = new WsClient(socket, options.clientId ?? newClientId(), options.kind ?? 'cli')
    await new Promise<void>((resolve, reject) => {
      socket.once('open', resolve)
      socket.once('error', reject)
    })
    if (options.hello !== false) await client.hello()
    return client
  }

  async hello(protocol = PROTOCOL_VERSION): Promise<Extract<HostFrame, { type: 'welcome' }>> {
    this.send({ type: 'hello', protocol, client: { kind: this.#kind, id: this.id } })
    return until(() => this.last('welcome'), { what: 'welcome' })
  }

  /** The newest frame of a type. */
  last<T extends HostFrame['type']>(type: T): Extract<HostFrame, { type: T }> | undefined {
    return this.of(type).at(-1)
  }

  of<T extends HostFrame['type']>(type: T): Extract<HostFrame, { type: T }>[] {
    return this.frames.filter((frame) => frame.type === type) as Extract<HostFrame, { type: T }>[]
  }

  send(frame: ClientFrameInput): void {
    this.socket.send(JSON.stringify(frame))
  }

  /** A request with its one reply. @throws WireFailure when the reply is an error */
  async request<T extends ClientRequest['type']>(frame: RequestFrame[T] & { type: T }): Promise<ReplyTo<T>> {
    const id = this.#nextId
    this.#nextId += 1
    const reply = await new Promise<Extract<HostFrame, { type: 'ok' | 'error' }>>((resolve, reject) => {
      this.#replies.set(id, resolve)
      this.#rejections.set(id, reject)
      this.socket.send(JSON.stringify({ ...frame, id }))
    })
    if (reply.type === 'error') throw new WireFailure(reply.error)
    const schema = (replySchemas as Record<string, (typeof replySchemas)[keyof typeof replySchemas]>)[frame.type]
    return (schema === undefined ? reply.result : schema.parse(reply.result)) as ReplyTo<T>
  }

  async open(spec: Omit<LaunchSpec, 'kind'> = {}, size: TerminalSize = SIZE): Promise<SessionDescriptor> {
    return (await this.request({ type: 'open', spec: { kind: 'local', ...spec }, size })).session
  }

  async attach(sid: SessionId, options: AttachOptions = {}): Promise<ClientView> {
    const { size = SIZE, resumeFrom = options.record?.position ?? null } = options
    const wish = options.noSnapshot === true ? { noSnapshot: true } : {}
    // The reply and the first output may come in one read: the view must be there before its handle is used.
    const reply = this.request({ type: 'attach', sid, size, resumeFrom, ...wish })
    const start = await reply
    const view = new ClientView(this, start, options)
    this.views.set(start.handle, view)
    for (const step of this.#early.splice(0)) step()
    return view
  }

  /** Open a session and look at it. */
  async start(spec: Omit<LaunchSpec, 'kind'> = {}, options: AttachOptions = {}): Promise<ClientView> {
    const { id } = await this.open(spec, options.size)
    return this.attach(id, options)
  }

  /** A round trip: everything sent before it was handled. */
  async roundTrip(): Promise<void> {
    await this.request({ type: 'list' })
  }

  /** Cut the socket without a word. */
  cut(): void {
    this.socket.terminate()
  }

  async close(): Promise<void> {
    if (this.closed !== null) return
    this.socket.close()
    await until(() => this.closed, { what: 'the socket to close' })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.socket.terminate()
    await until(() => this.closed, { what: 'the socket to close' })
  }

  /** What came for views whose `attach` has not returned yet, in order. */
  readonly #early: (() => void)[] = []

  #whenViewed(handle: AttachmentHandle, step: (view: ClientView) => void): void {
    const view = this.views.get(handle)
    if (view === undefined) this.#early.push(() => this.#whenViewed(handle, step))
    else step(view)
  }

  #take(frame: HostFrame): void {
    this.frames.push(frame)
    if ((frame.type === 'ok' || frame.type === 'error') && frame.re !== undefined) {
      this.#replies.get(frame.re)?.(frame)
      this.#replies.delete(frame.re)
      this.#rejections.delete(frame.re)
    }
    if (frame.type === 'resync') this.#whenViewed(frame.handle, (view) => view.restart(frame.start))
    if (frame.type === 'snapshotEnd') this.#whenViewed(frame.handle, (view) => view.snapshotEnded(frame))
    if (frame.type === 'size') this.#whenViewed(frame.handle, (view) => view.moved(frame))
  }

  #takeOutput(data: Buffer): void {
    const frame = decodeBinaryFrame(data)
    if (frame.kind === 'invalid') throw new Error(`the host sent an invalid binary frame: ${frame.reason}`)
    const bytes = Buffer.from(frame.bytes)
    if (frame.kind === 'snapshot') this.#whenViewed(frame.handle, (view) => view.takePart(bytes))
    else if (frame.kind === 'output') this.#whenViewed(frame.handle, (view) => view.take(bytes, frame.offset))
    else throw new Error(`the host sent a binary frame of kind ${frame.kind}`)
  }
}

/** One attachment as its client sees it. */
export class ClientView {
  readonly client: WsClient
  readonly start: ReplyOf<'attach'>
  readonly record: OutputRecord
  readonly #terminal: ViewerTerminal | undefined
  /** Of the state with which it started last; null until it is complete. */
  snapshotHash: string | null = null
  #announced: StreamStart
  #parts: Buffer[] = []
  #acks: 'auto' | 'none'
  #acknowledged: number
  #nextSeq: number

  constructor(client: WsClient, start: ReplyOf<'attach'>, options: AttachOptions) {
    this.client = client
    this.start = start
    this.#terminal = options.terminal
    this.#announced = start.start
    this.#terminal?.trustMarks(start.markNonce)
    this.#begin(start.start)
    this.#acks = options.acks ?? 'auto'
    this.#acknowledged = start.start.from.offset
    this.#nextSeq = start.inputSeq + 1
    this.record = options.record ?? new OutputRecord(start.start.from, options.keepBytes)
    if (options.record !== undefined && start.start.mode !== 'delta') this.record.restart(start.start.from)
  }

  get sid(): SessionId {
    return this.start.session.id
  }

  get handle(): AttachmentHandle {
    return this.start.handle
  }

  /** What was received, without the marks of a shell with hooks. */
  get text(): string {
    return withoutMarks(this.record.text)
  }

  get exited(): { exit: ExitStatus; offset: number } | undefined {
    return this.client.of('exited').find(({ handle }) => handle === this.handle)
  }

  get isDriver(): boolean {
    return this.client.of('size').findLast(({ handle }) => handle === this.handle)?.driver ?? false
  }

  /** Whether no part of a state is missing: else what was received continues nothing. */
  get isWhole(): boolean {
    return this.#announced.mode !== 'snapshot' || this.snapshotHash !== null
  }

  takePart(bytes: Buffer): void {
    this.#parts.push(bytes)
  }

  snapshotEnded({ parts, hash }: { parts: number; hash: string }): void {
    if (parts !== this.#parts.length) throw new Error(`${this.#parts.length} parts came of ${parts}`)
    this.snapshotHash = hash
    this.#terminal?.start(this.#announced, this.#parts)
    this.#parts = []
  }

  restart(start: StreamStart): void {
    this.record.restart(start.from)
    this.#begin(start)
  }

  moved({ at, size }: { at: StreamPosition; size: TerminalSize }): void {
    this.record.moved(at)
    this.#terminal?.resize(size)
  }

  #begin(start: StreamStart): void {
    this.#announced = start
    this.#parts = []
    this.snapshotHash = null
    if (start.mode !== 'snapshot') this.#terminal?.start(start, [])
  }

  take(bytes: Buffer, offset: number): void {
    this.record.take(bytes, offset)
    this.#terminal?.output(bytes)
    if (this.#acks === 'auto' && this.record.next - this.#acknowledged >= ACK_EVERY_BYTES) this.acknowledge()
  }

  /** The terminal has parsed everything that came so far. */
  acknowledge(offset = this.record.next): void {
    this.#acknowledged = offset
    if (this.client.socket.readyState === WebSocket.OPEN) this.client.send({ type: 'ack', handle: this.handle, offset })
  }

  setAcks(acks: 'auto' | 'none'): void {
    this.#acks = acks
    if (acks === 'auto') this.acknowledge()
  }

  /** Type. @returns the number of the last frame it took */
  input(data: string | Uint8Array): number {
    const bytes = Buffer.from(data)
    for (let at = 0; at === 0 || at < bytes.length; at += INPUT_SLICE_BYTES) {
      this.sendInput(this.#nextSeq, bytes.subarray(at, at + INPUT_SLICE_BYTES))
      this.#nextSeq += 1
    }
    return this.#nextSeq - 1
  }

  /** One input frame with a number of the test's choice. */
  sendInput(seq: number, bytes: Uint8Array): void {
    this.client.socket.send(encodeBinaryFrame({ kind: 'input', handle: this.handle, seq, bytes }))
  }

  resize(size: TerminalSize): Promise<Record<string, never>> {
    return this.client.request({ type: 'resize', sid: this.sid, size })
  }

  /** Resolves when the output so far holds `pattern`. */
  untilText(pattern: RegExp, timeoutMs = 15_000): Promise<string> {
    const look = (): string => {
      if (pattern.test(this.text)) return this.text
      throw new Error(`the text so far: ${JSON.stringify(this.text.slice(-500))}`)
    }
    return until(look, { what: `${String(pattern)} in the output`, timeoutMs })
  }

  untilExited(timeoutMs = 20_000): Promise<{ exit: ExitStatus; offset: number }> {
    return until(() => this.exited, { what: `the exit of ${this.sid}`, timeoutMs })
  }
}
