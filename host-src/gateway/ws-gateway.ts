/** Takes fenced and ticketed upgrades, says welcome, keeps every client's picture of the sessions current, and shuts down. */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import type { ClientFrame } from '../../protocol-src/client-frames.ts'
import type { HostFrame } from '../../protocol-src/host-frames.ts'
import type { HostInstanceId } from '../../protocol-src/ids.ts'
import {
  MAX_CLIENT_FRAME_BYTES,
  PROTOCOL_VERSION,
  WS_SUBPROTOCOL,
  WS_TICKET_PREFIX,
} from '../../protocol-src/limits.ts'
import { TtyError, messageOf } from '../base/errors.ts'
import { DisposableStore, type Disposable } from '../base/lifecycle.ts'
import type { Logger } from '../base/logger.ts'
import type { Journal } from '../journal/journal.ts'
import type { SessionRegistry } from '../sessions/session-registry.ts'
import type { SettingsStore } from '../settings/settings-store.ts'
import type { BookRequests } from './book-requests.ts'
import { ClientConnection } from './client-connection.ts'
import { CLOSE } from './close-codes.ts'
import type { FrameHandlers } from './frame-handlers.ts'
import type { Questions } from './questions.ts'
import { judgeRequest } from './request-trust.ts'
import type { TicketOffice } from './tickets.ts'

/** Fragments of one message; more are refused before they cost memory. */
const MAX_FRAGMENTS = 1024
/** Changes of the session list within this time are told once. */
const LIST_PUSH_MS = 10

export interface WsGatewayPorts {
  readonly registry: SessionRegistry
  readonly settings: SettingsStore
  readonly journal: Pick<Journal, 'health' | 'onHealthChange'>
  readonly handlers: FrameHandlers
  readonly book: BookRequests
  readonly questions: Questions
  readonly tickets: TicketOffice
  readonly host: { readonly instance: HostInstanceId; readonly version: string; readonly platform: string }
  /** Read at the moment of use. */
  readonly trustedHosts: () => readonly string[]
  readonly logger: Logger
}

export class WsGateway implements Disposable {
  readonly #ports: WsGatewayPorts
  readonly #server: WebSocketServer
  readonly #connections = new Set<ClientConnection>()
  readonly #owned = new DisposableStore()
  #listTimer: NodeJS.Timeout | undefined

  constructor(ports: WsGatewayPorts) {
    this.#ports = ports
    this.#server = new WebSocketServer({
      noServer: true,
      maxPayload: MAX_CLIENT_FRAME_BYTES,
      maxFragments: MAX_FRAGMENTS,
      // On loopback compression costs more than it saves, and it is a way to send bombs.
      perMessageDeflate: false,
      handleProtocols: (offered) => (offered.has(WS_SUBPROTOCOL) ? WS_SUBPROTOCOL : false),
    })
    ports.questions.serve(() => this.#connections)
    this.#owned.defer(
      ports.registry.onChange(() => {
        this.#planListPush()
      }),
    )
    this.#owned.defer(
      ports.settings.onChange(() => {
        this.#broadcast({ type: 'settings', settings: ports.settings.forClients })
      }),
    )
    this.#owned.defer(
      ports.book.onChange(() => {
        this.#broadcast({ type: 'bookChanged', book: ports.book.book() })
      }),
    )
    this.#owned.defer(
      ports.journal.onHealthChange((journal) => {
        this.#broadcast({ type: 'journal', journal })
      }),
    )
  }

  get connectionCount(): number {
    return this.#connections.size
  }

  /** Answer an upgrade request; the socket is ours from here on. Never throws. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', (error) => {
      this.#ports.logger.debug('upgrade.socket-error', { message: error.message })
    })
    try {
      const { headers } = request
      const verdict = judgeRequest(
        {
          intent: 'upgrade',
          remoteAddress: request.socket.remoteAddress,
          host: headers.host,
          origin: headers.origin,
          fetchSite: single(headers['sec-fetch-site']),
        },
        this.#ports.trustedHosts(),
      )
      if (!verdict.trusted) {
        this.#refuse(socket, 403, verdict.reason)
        return
      }
      const ticket = (headers['sec-websocket-protocol'] ?? '')
        .split(',')
        .map((entry) => entry.trim())
        .find((entry) => entry.startsWith(WS_TICKET_PREFIX))
      if (!this.#ports.tickets.redeem(ticket?.slice(WS_TICKET_PREFIX.length))) {
        this.#refuse(socket, 401, 'the ticket is missing, used or expired')
        return
      }
      this.#server.handleUpgrade(request, socket, head, (ws) => {
        this.#connections.add(
          new ClientConnection(
            ws,
            {
              hello: (frame, connection) => {
                this.#hello(frame, connection)
              },
              frame: (frame, connection) => {
                if (frame.type !== 'hello') this.#ports.handlers.handle(frame, connection)
              },
              input: (viewing, input, connection) => {
                this.#ports.handlers.input(viewing, input, connection)
              },
              closed: (connection) => {
                this.#connections.delete(connection)
                this.#ports.handlers.closed(connection)
              },
            },
            this.#ports.logger,
          ),
        )
      })
    } catch (error) {
      this.#ports.logger.error('upgrade.failed', { message: messageOf(error) })
      socket.destroy()
    }
  }

  dispose(): void {
    clearTimeout(this.#listTimer)
    this.#owned.dispose()
    for (const connection of [...this.#connections])
      connection.close(CLOSE.goingAway, 'the terminal plugin is being unloaded')
    this.#server.close()
  }

  #hello(frame: Extract<ClientFrame, { type: 'hello' }>, connection: ClientConnection): void {
    const { host, settings, journal, registry } = this.#ports
    if (frame.protocol !== PROTOCOL_VERSION) {
      const side = frame.protocol < PROTOCOL_VERSION ? 'client' : 'host'
      const advice = side === 'client' ? 'Reload the page.' : 'Restart DSH.'
      connection.sendError(
        new TtyError(
          'PROTOCOL_MISMATCH',
          `This host speaks protocol ${String(PROTOCOL_VERSION)}, the client ${String(frame.protocol)}. ${advice}`,
          { details: { host: PROTOCOL_VERSION, client: frame.protocol, outdated: side } },
        ),
      )
      connection.close(CLOSE.protocolMismatch, 'protocol mismatch')
      return
    }
    if (connection.client !== null) {
      connection.sendError(
        new TtyError('BAD_FRAME', 'hello comes once, as the first frame.', { details: { field: 'type' } }),
      )
      return
    }
    // The same client on a new socket: the old one is dead, whether we noticed or not.
    for (const other of [...this.#connections]) {
      if (other !== connection && other.client === frame.client.id)
        other.close(CLOSE.superseded, 'the client came back on a new socket')
    }
    connection.client = frame.client.id
    connection.kind = frame.client.kind
    connection.send({
      type: 'welcome',
      protocol: PROTOCOL_VERSION,
      host,
      settings: settings.forClients,
      journal: journal.health,
      sessions: registry.list(),
    })
    this.#ports.questions.joined(connection, null)
  }

  #planListPush(): void {
    this.#listTimer ??= setTimeout(() => {
      this.#listTimer = undefined
      this.#broadcast({ type: 'sessions', sessions: this.#ports.registry.list() })
    }, LIST_PUSH_MS)
  }

  #broadcast(frame: HostFrame): void {
    for (const connection of this.#connections) {
      if (connection.client !== null) connection.send(frame)
    }
  }

  #refuse(socket: Duplex, status: 401 | 403, reason: string): void {
    this.#ports.logger.warn('upgrade.refused', { status, reason })
    // The web server lets go of an upgraded socket: a peer that keeps its end open would keep the descriptor.
    socket.once('finish', () => {
      socket.destroy()
    })
    socket.end(
      `HTTP/1.1 ${String(status)} ${status === 401 ? 'Unauthorized' : 'Forbidden'}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
    )
  }
}

const single = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(',') : value
