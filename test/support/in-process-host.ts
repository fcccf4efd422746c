/** The host half behind a plain HTTP server, with the same routes and upgrade as in the web app: fast and observable. */
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compose, type Composition } from '../../host-src/compose.ts'
import { RPC_CHANNEL, RPC_TICKET, WS_PATH } from '../../protocol-src/http-routes.ts'
import { TICKET_LIFETIME_MS } from '../../protocol-src/limits.ts'
import type { CredentialStore } from '../../host-src/ssh/secrets.ts'
import { SettingsStore } from '../../host-src/settings/settings-store.ts'
import type { Settings } from '../../protocol-src/settings.ts'
import { withEnvironment, type ProcessFacts } from './proc.ts'
import { recordingLogger, type RecordingLogger } from './recording-logger.ts'
import { until } from './wait.ts'
import { WsClient, type WsClientOptions } from './ws-client.ts'

export interface InProcessHostOptions {
  settings?: Partial<Settings>
  /** Added to the environment that sessions inherit from. */
  env?: Record<string, string | undefined>
  /** Files of HOME, path to text. */
  homeFiles?: Record<string, string>
  trustedHosts?: readonly string[]
  /** Where the journal is; a folder of its own by default. */
  dataDirectory?: string
  /** None by default. */
  credentials?: CredentialStore
  /** Its sessions may go on without it, in this HOME, which is kept. */
  keptHome?: string
}

export interface InProcessHost extends AsyncDisposable {
  readonly url: string
  readonly port: number
  /** HOME of every session. */
  readonly home: string
  readonly composition: Composition
  readonly server: Server
  readonly logger: RecordingLogger
  /** A client that is disposed with the host. */
  connect(options?: Omit<WsClientOptions, 'url'> & { url?: string }): Promise<WsClient>
  /** Living processes of this host's sessions. */
  processes(): ProcessFacts[]
  /** TCP connections that the server has open. */
  socketCount(): Promise<number>
  /** Ends the composition, then the server; everything is gone when it resolves. */
  dispose(): Promise<void>
}

export const startInProcessHost = async (options: InProcessHostOptions = {}): Promise<InProcessHost> => {
  const home = options.keptHome ?? (await mkdtemp(join(tmpdir(), 'dsh-tty-home-')))
  for (const [path, text] of Object.entries({ '.bashrc': "PS1='$ '\n", ...options.homeFiles }))
    await writeFile(join(home, path), text)
  const logger = recordingLogger()
  const settings = new SettingsStore(logger)
  settings.adopt({ maxSessions: 16, ...options.settings })
  const composition = await compose({
    logger,
    settings,
    dataDirectory: options.dataDirectory ?? join(home, '.tty'),
    trustedHosts: () => options.trustedHosts ?? [],
    hostEnv: { ...process.env, HOME: home, SHELL: '/bin/bash', LC_ALL: 'C.UTF-8', HISTFILE: '', ...options.env },
    startDirectory: home,
    credentials: () => options.credentials ?? null,
  })
  const server = createServer((request, response) => {
    const path = pathOf(request)
    const route = composition.routes.find((each) => each.path === path)
    if (route !== undefined) route.handler(request, response)
    else if (path === `${RPC_CHANNEL}/${RPC_TICKET}`) {
      // In the app this channel is the host's own, with the host's fence in front of it.
      const value = { ticket: composition.tickets.issue(), lifetimeMs: TICKET_LIFETIME_MS }
      response.end(JSON.stringify({ type: 'server-response', result: { ok: true, value } }))
    } else response.writeHead(404).end()
  })
  server.on('upgrade', (request, socket, head) => {
    if (pathOf(request) === WS_PATH) composition.gateway.upgrade(request, socket, head)
    else socket.destroy()
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  const clients: WsClient[] = []
  let disposal: Promise<void> | undefined
  const host: InProcessHost = {
    url,
    port,
    home,
    composition,
    server,
    logger,
    connect: async (how) => {
      const client = await WsClient.connect({ url, ticketUrl: url, ...how })
      clients.push(client)
      return client
    },
    processes: () => withEnvironment('HOME', home),
    socketCount: () =>
      new Promise((resolve, reject) => {
        server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)))
      }),
    dispose: () => (disposal ??= end()),
    [Symbol.asyncDispose]: () => host.dispose(),
  }
  const end = async (): Promise<void> => {
    await composition.dispose()
    for (const client of clients) client.cut()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    if (options.keptHome !== undefined) return
    await until(() => host.processes().length === 0, { what: 'the processes of the sessions to be gone' })
    await rm(home, { recursive: true, force: true, maxRetries: 3 })
  }
  return host
}

const pathOf = (request: IncomingMessage): string => (request.url ?? '').split('?', 1)[0] ?? ''
