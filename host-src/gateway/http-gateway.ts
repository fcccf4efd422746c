/** The plugin's plain HTTP answers. Every handler is wrapped in the fence here; there is no other way to add one. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { HEALTH_PATH, type Health } from '../../protocol-src/http-routes.ts'
import { PROTOCOL_VERSION } from '../../protocol-src/limits.ts'
import type { HostInstanceId } from '../../protocol-src/ids.ts'
import { messageOf } from '../base/errors.ts'
import type { Logger } from '../base/logger.ts'
import { judgeRequest } from './request-trust.ts'

export interface HttpRoute {
  readonly path: string
  readonly handler: (request: IncomingMessage, response: ServerResponse) => void
}

export interface HttpGatewayPorts {
  readonly host: { readonly instance: HostInstanceId; readonly version: string }
  /** Read at the moment of use. */
  readonly trustedHosts: () => readonly string[]
  readonly logger: Logger
}

interface JsonReply {
  readonly status: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** All HTTP routes of the plugin, each an exact path. */
export function httpRoutes(ports: HttpGatewayPorts): readonly HttpRoute[] {
  const health: Health = {
    ok: true,
    plugin: '@hyzyn/dsh-tty',
    version: ports.host.version,
    protocol: PROTOCOL_VERSION,
    instance: ports.host.instance,
  }
  return [fenced(ports, HEALTH_PATH, () => ({ status: 200, body: health }))]
}

/** A read-only route: GET and HEAD only. */
function fenced(ports: HttpGatewayPorts, path: string, answer: () => JsonReply): HttpRoute {
  return {
    path,
    handler: (request, response) => {
      try {
        reply(request, response, judge(ports, request) ?? answer())
      } catch (error) {
        ports.logger.error('http.failed', { path, message: messageOf(error) })
        if (!response.headersSent) reply(request, response, { status: 500, body: { error: 'internal' } })
      }
    },
  }
}

function judge(ports: HttpGatewayPorts, request: IncomingMessage): JsonReply | null {
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  const fetchSite = request.headers['sec-fetch-site']
  const verdict = judgeRequest(
    {
      intent: isRead ? 'read' : 'write',
      remoteAddress: request.socket.remoteAddress,
      host: request.headers.host,
      origin: request.headers.origin,
      fetchSite: Array.isArray(fetchSite) ? fetchSite.join(',') : fetchSite,
    },
    ports.trustedHosts(),
  )
  if (!verdict.trusted) return { status: 403, body: { error: 'forbidden', reason: verdict.reason } }
  return isRead ? null : { status: 405, body: { error: 'method not allowed' }, headers: { allow: 'GET, HEAD' } }
}

function reply(request: IncomingMessage, response: ServerResponse, { status, body, headers }: JsonReply): void {
  const text = JSON.stringify(body)
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...headers,
  })
  response.end(request.method === 'HEAD' ? undefined : text)
}
