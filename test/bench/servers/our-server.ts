/** The product's own host half behind a plain HTTP server: the object graph that DSH loads, tickets and fence included. */
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compose } from '../../../host-src/compose.ts'
import type { Logger } from '../../../host-src/base/logger.ts'
import { WS_PATH } from '../../../protocol-src/http-routes.ts'
import { DEFAULT_SETTINGS, type Settings } from '../../../protocol-src/settings.ts'
import { SettingsStore } from '../../../host-src/settings/settings-store.ts'
import { announce } from './announce.ts'
import { TICKET_PATH } from './ticket-path.ts'

/** More than the schema lets a person set: the slope of memory over sessions needs many. */
const MAX_SESSIONS = 1000

const quiet = (): void => undefined
const complain = (event: string, fields?: object): void => {
  process.stderr.write(`[ours] ${event} ${JSON.stringify(fields ?? {})}\n`)
}
const logger: Logger = { debug: quiet, info: quiet, warn: complain, error: complain }
const dataDirectory = mkdtempSync(join(tmpdir(), 'dsh-tty-bench-'))
const store = new SettingsStore(logger)
const composition = await compose({
  logger,
  settings: store,
  dataDirectory,
  trustedHosts: () => [],
  hostEnv: process.env,
  startDirectory: process.cwd(),
  credentials: () => null,
})
const settings: Readonly<Settings> = { ...DEFAULT_SETTINGS, shell: '/bin/sh', maxSessions: MAX_SESSIONS }
Object.defineProperty(store, 'current', { get: () => settings })

const server = createServer((request, response) => {
  if (request.url === TICKET_PATH) response.end(composition.tickets.issue())
  else composition.routes.find(({ path }) => path === request.url)?.handler(request, response)
})
server.on('upgrade', (request, socket, head) => {
  if (request.url === WS_PATH) composition.gateway.upgrade(request, socket, head)
  else socket.destroy()
})
announce(server, async () => {
  await composition.dispose()
  rmSync(dataDirectory, { recursive: true, force: true })
})
