/** The connection half of the page over real sockets: its own link, with a clock that the test moves. */
import { WebSocket } from 'ws'
import { HostLink } from '../../client-src/connection/host-link.ts'
import type {
  Attachment,
  AttachStart,
  InputRefusal,
  SessionEnd,
  Viewer,
} from '../../client-src/connection/attachment.ts'
import type { WebSocketLike } from '../../client-src/connection/socket.ts'
import { WS_PATH } from '../../protocol-src/http-routes.ts'
import type { SessionId, StreamOffset, Ticket } from '../../protocol-src/ids.ts'
import { DEAD_PEER_MS, HEARTBEAT_MS } from '../../protocol-src/limits.ts'
import type { ExitStatus, TerminalSize } from '../../protocol-src/session.ts'
import { OutputRecord } from '../support/output-record.ts'
import type { Random } from '../support/random.ts'
import { ViewerTerminal } from '../support/viewer-terminal.ts'
import { until } from '../support/wait.ts'
import { fetchTicket, newClientId } from '../support/ws-client.ts'
import { FakeClock } from '../unit/client-src/connection/fake-host.ts'
import { PATIENCE_MS } from './size.ts'

const LONGEST_BACKOFF_MS = 5_000
const STEP_MS = 1_000

export interface ProductClientOptions {
  /** Where sockets go, mostly a proxy; tickets come from `ticketUrl`. */
  url: string
  ticketUrl: string
  random: Random
}

export class ProductClient {
  readonly link: HostLink
  readonly #clock = new FakeClock()

  constructor({ url, ticketUrl, random }: ProductClientOptions) {
    this.link = new HostLink({
      clock: this.#clock,
      random: () => random.next(),
      clientId: newClientId(),
      ticket: async () => (await fetchTicket(ticketUrl)) as Ticket,
      connect: (protocols) => {
        const socket = new WebSocket(`${url.replace(/^http/, 'ws')}${WS_PATH}`, protocols, {
          perMessageDeflate: false,
          // As in a browser: each message is a task of its own, and what it settled goes on before the next one.
          allowSynchronousEvents: false,
        })
        socket.on('error', () => {}) // followed by `close`, which is what counts
        return socket as unknown as WebSocketLike
      },
    })
  }

  get #kind(): string {
    return this.link.link.getSnapshot().kind
  }

  /** Resolves when the link is open: whenever it waits to try again, time passes. */
  async open(): Promise<void> {
    this.link.start()
    await until(
      async () => {
        if (this.#kind === 'waiting') await this.#clock.pass(LONGEST_BACKOFF_MS)
        return this.#kind === 'open'
      },
      { what: 'the link to open', timeoutMs: PATIENCE_MS, pollMs: 2 },
    )
  }

  /** The network tells nothing: time passes until the link is given up. */
  async giveUp(): Promise<void> {
    for (let ms = 0; this.#kind === 'open'; ms += STEP_MS) {
      if (ms > HEARTBEAT_MS + DEAD_PEER_MS) throw new Error('the client did not notice that its peer is dead')
      await this.#clock.pass(STEP_MS)
    }
  }

  untilDown(): Promise<true> {
    return until(() => this.#kind !== 'open', { what: 'the client to notice', timeoutMs: PATIENCE_MS, pollMs: 1 })
  }
}

/** What one tab shows of a session: the bytes, and the terminal that they make. */
export class ProductView implements Viewer {
  readonly record = new OutputRecord({ offset: 0, change: 0 }, 64 * 1024)
  readonly terminal = new ViewerTerminal()
  readonly refusals: InputRefusal[] = []
  exit: ExitStatus | null = null
  end: SessionEnd | null = null
  /** How often it did not go on where it was. */
  restarts = -1
  readonly attachment: Attachment
  #start: AttachStart | null = null
  #parts: Uint8Array[] = []

  constructor(client: ProductClient, sid: SessionId) {
    this.attachment = client.link.attach(sid, this)
  }

  get isAttached(): boolean {
    return this.attachment.state.getSnapshot().kind === 'attached'
  }

  wantedSize(): TerminalSize {
    return { cols: 80, rows: 24 }
  }

  started(start: AttachStart): void {
    this.terminal.trustMarks(start.markNonce)
    if (start.mode === 'delta') return
    this.restarts += 1
    this.record.restart(start.from)
    this.#start = start
    this.#parts = []
    if (start.mode === 'replay') this.terminal.start(start, [])
  }

  snapshot(_part: number, bytes: Uint8Array): void {
    this.#parts.push(Uint8Array.from(bytes))
  }

  snapshotEnd(): void {
    if (this.#start !== null) this.terminal.start(this.#start, this.#parts)
  }

  output(bytes: Uint8Array, from: StreamOffset): void {
    this.record.take(Buffer.from(bytes), from)
    this.terminal.output(bytes)
    this.attachment.acknowledge(this.record.next)
  }

  resized(size: TerminalSize): void {
    this.terminal.resize(size)
  }

  command(): void {}

  exited(exit: ExitStatus): void {
    this.exit = exit
  }

  ended(end: SessionEnd): void {
    this.end = end
  }

  inputRefused(why: InputRefusal): void {
    this.refusals.push(why)
  }
}
