/** HTTP requests exactly as written, which no client library would send: any Host, any header, any upgrade. */
import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { WS_SUBPROTOCOL, WS_TICKET_PREFIX } from '../../protocol-src/limits.ts'

const LIMIT_MS = 5000

export interface RawReply {
  /** 0 when the connection ended without an answer. */
  status: number
  headers: Record<string, string>
  body: string
  /** Whether the server closed the connection by itself; a client that sends `connection: close` must see true. */
  isClosed: boolean
}

export interface RawRequest {
  method?: string
  path: string
  headers: Record<string, string>
  body?: string
}

/** Send one request; resolves when the server closed the connection, or answered an upgrade with 101. */
export const rawRequest = (port: number, { method = 'GET', path, headers, body = '' }: RawRequest): Promise<RawReply> =>
  new Promise((resolve, reject) => {
    // Half-open: the server must close by itself, it cannot rely on the client to do so.
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    let text = ''
    let isDone = false
    const finish = (isClosed: boolean): void => {
      if (isDone) return
      isDone = true
      socket.destroy()
      resolve({ ...parse(text), isClosed })
    }
    socket.setTimeout(LIMIT_MS, () => finish(false))
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNRESET' || error.code === 'EPIPE') finish(true)
      else reject(error)
    })
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1')
      if (text.startsWith('HTTP/1.1 101') && text.includes('\r\n\r\n')) finish(false)
    })
    socket.on('end', () => finish(true))
    const lines = Object.entries({
      ...headers,
      ...(body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
    }).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.write(Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`, 'latin1'))
  })

/** The headers of a WebSocket upgrade; with a ticket as the page sends it. */
export const upgradeHeaders = (headers: Record<string, string>, ticket?: string | null): Record<string, string> => ({
  ...headers,
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': randomBytes(16).toString('base64'),
  ...(ticket === undefined
    ? {}
    : {
        'sec-websocket-protocol': [WS_SUBPROTOCOL, ...(ticket === null ? [] : [WS_TICKET_PREFIX + ticket])].join(', '),
      }),
})

const parse = (text: string): Omit<RawReply, 'isClosed'> => {
  const end = text.indexOf('\r\n\r\n')
  const [status = '', ...lines] = text.slice(0, end === -1 ? undefined : end).split('\r\n')
  return {
    status: Number(/^HTTP\/1\.[01] (\d{3})/.exec(status)?.[1] ?? 0),
    headers: Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
    ),
    body: end === -1 ? '' : text.slice(end + 4),
  }
}
