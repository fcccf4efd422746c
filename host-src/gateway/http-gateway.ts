/** The plugin's plain HTTP answers. Every handler is wrapped in the fence here; there is no other way to add one. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  HEALTH_PATH,
  PAGE_SCRIPTS,
  pageScriptMapPath,
  pageScriptPath,
  type Health,
} from '../../protocol-src/http-routes.ts'
import { PROTOCOL_VERSION } from '../../protocol-src/limits.ts'
import type { HostInstanceId } from '../../protocol-src/ids.ts'
import { messageOf } from '../base/errors.ts'
import type { Logger } from '../base/logger.ts'
import { revisionOf } from './page-script.ts'
import { judgeRequest } from './request-trust.ts'

export interface HttpRoute {
  readonly path: string
  readonly handler: (request: IncomingMessage, response: ServerResponse) => void
}

export interface HttpGatewayPorts {
  readonly host: { readonly instance: HostInstanceId; readonly version: string }
  /** Read at the moment of use. */
  readonly trustedHosts: () => readonly string[]
  /** A built file of this package by its name; asked for at the moment of use, because a build may replace it. */
  readonly readBuilt: (name: string) => Promise<Uint8Array>
  readonly logger: Logger
}

type Headers = Readonly<Record<string, string>>

interface JsonReply {
  readonly status: number
  readonly body: unknown
  readonly headers?: Headers
}

interface FileReply {
  readonly status: 200
  readonly content: Uint8Array
  readonly headers: Headers
}

type Reply = JsonReply | FileReply

/** All HTTP routes of the plugin, each an exact path. */
export function httpRoutes(ports: HttpGatewayPorts): readonly HttpRoute[] {
  const health: Health = {
    ok: true,
    plugin: '@hyzyn/dsh-tty',
    version: ports.host.version,
    protocol: PROTOCOL_VERSION,
    instance: ports.host.instance,
  }
  return [
    fenced(ports, HEALTH_PATH, () => Promise.resolve({ status: 200, body: health })),
    ...PAGE_SCRIPTS.flatMap((name) => [
      built(ports, { path: pageScriptPath(name), name: `${name}.js`, type: 'text/javascript; charset=utf-8' }),
      built(ports, { path: pageScriptMapPath(name), name: `${name}.js.map`, type: 'application/json; charset=utf-8' }),
    ]),
  ]
}

/** One file of lib/. Who names the content that is there may keep it for good. */
function built(ports: HttpGatewayPorts, { path, name, type }: { path: string; name: string; type: string }): HttpRoute {
  return fenced(ports, path, async (query) => {
    try {
      const content = await ports.readBuilt(name)
      const isAsked = query.get('rev') === revisionOf(content)
      return {
        status: 200,
        content,
        headers: {
          'content-type': type,
          'cache-control': isAsked ? 'private, max-age=31536000, immutable' : 'no-cache',
          // It is for pages of this host only, also where a browser does not say which page asks.
          'cross-origin-resource-policy': 'same-origin',
        },
      }
    } catch (error) {
      const isAbsent = error instanceof Error && 'code' in error && error.code === 'ENOENT'
      ports.logger.error('http.file-unreadable', { path, message: messageOf(error) })
      return isAbsent
        ? { status: 404, body: { error: 'not found', reason: `${name} is not in the installed package` } }
        : { status: 500, body: { error: 'unreadable', reason: `${name} could not be read; see the log of the host` } }
    }
  })
}

/** A read-only route: GET and HEAD only. */
function fenced(ports: HttpGatewayPorts, path: string, answer: (query: URLSearchParams) => Promise<Reply>): HttpRoute {
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    reply(request, response, judge(ports, request) ?? (await answer(queryOf(request))))
  }
  return {
    path,
    handler: (request, response) => {
      respond(request, response).catch((error: unknown) => {
        ports.logger.error('http.failed', { path, message: messageOf(error) })
        if (!response.headersSent) reply(request, response, { status: 500, body: { error: 'internal' } })
      })
    },
  }
}

function queryOf({ url = '' }: IncomingMessage): URLSearchParams {
  const at = url.indexOf('?')
  return new URLSearchParams(at < 0 ? '' : url.slice(at + 1))
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

function reply(request: IncomingMessage, response: ServerResponse, answer: Reply): void {
  const content = 'content' in answer ? answer.content : Buffer.from(JSON.stringify(answer.body))
  response.writeHead(answer.status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': content.length,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...answer.headers,
  })
  response.end(request.method === 'HEAD' ? undefined : content)
}
