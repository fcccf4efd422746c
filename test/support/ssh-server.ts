/** Servers that misbehave as the test says: one that speaks SSH up to a point, and one that is a bare socket. */
import { createServer, type AddressInfo, type Socket } from 'node:net'
import ssh2, { type AuthContext, type Connection, type ServerConfig, type Session } from 'ssh2'

export interface FaultyServer extends AsyncDisposable {
  readonly port: number
  /** Connections open now. */
  readonly openCount: () => number
}

export interface SshServerOptions {
  auth?: (context: AuthContext, client: Connection) => void
  /** A session channel is asked for; without it, every shell prints `hello` and waits. */
  session?: (accept: () => Session, reject: () => void) => void
  /** A client is logged in. */
  ready?: (client: Connection) => void
  config?: Partial<ServerConfig>
}

/** Of ssh2's own making one in some hundred cannot be read again. */
const newHostKey = (): string => {
  for (;;) {
    const { private: text } = ssh2.utils.generateKeyPairSync('ed25519')
    if (!(ssh2.utils.parseKey(text) instanceof Error)) return text
  }
}

const HOST_KEY = newHostKey()

const greets = (accept: () => Session): void => {
  const session = accept()
  session.on('pty', (ok) => ok())
  session.on('window-change', (ok) => ok?.())
  session.on('shell', (ok) => {
    ok().write('hello\r\n')
  })
  session.on('exec', (_ok, reject) => reject())
}

export const startSshServer = async (options: SshServerOptions = {}): Promise<FaultyServer> => {
  const clients = new Set<Connection>()
  const server = new ssh2.Server({ hostKeys: [HOST_KEY], ...options.config }, (client) => {
    clients.add(client)
    client.on('error', () => {}) // clients of tests leave as they like
    client.on('close', () => clients.delete(client))
    client.on('authentication', (context) => {
      if (options.auth === undefined) context.accept()
      else options.auth(context, client)
    })
    client.on('ready', () => options.ready?.(client))
    client.on('session', (accept, reject) => {
      ;(options.session ?? greets)(accept, reject)
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    port,
    openCount: () => clients.size,
    [Symbol.asyncDispose]: async () => {
      for (const client of clients) client.end()
      await new Promise<void>((resolve) => {
        server.close(() => {
          resolve()
        })
        for (const client of clients) (client as unknown as { _sock: Socket })._sock.destroy()
      })
    },
  }
}

/** @param talk what it does with each connection */
export const startRawServer = async (talk: (socket: Socket) => void): Promise<FaultyServer> => {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {}) // as above
    socket.on('close', () => sockets.delete(socket))
    socket.resume()
    talk(socket)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    port,
    openCount: () => sockets.size,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
