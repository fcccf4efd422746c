/** The fence over real sockets: the same checks run against the real host in test/e2e. */
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import {
  HEALTH_PATH,
  PAGE_SCRIPTS,
  RPC_CHANNEL,
  WS_PATH,
  healthSchema,
  pageScriptMapPath,
  pageScriptPath,
} from '../../protocol-src/http-routes.ts'
import * as httpRoutes from '../../protocol-src/http-routes.ts'
import { checkKinds, checkRoutes, checkTickets, checkUpgrades, type FencedHost } from '../support/fence-checks.ts'
import { startInProcessHost, type InProcessHost } from '../support/in-process-host.ts'
import { rawRequest, upgradeHeaders } from '../support/raw-http.ts'
import { until } from '../support/wait.ts'
import { fetchTicket } from '../support/ws-client.ts'

let host: InProcessHost
let fenced: FencedHost
beforeAll(async () => {
  host = await startInProcessHost()
  fenced = {
    port: host.port,
    paths: host.composition.routes.map(({ path }) => path),
    ticket: () => fetchTicket(host.url),
  }
})
afterAll(() => host.dispose())

describe('the list of paths', () => {
  it('is complete: every path constant of the protocol is a route, the upgrade or the fenced channel', () => {
    const constants = Object.entries(httpRoutes).filter(
      ([name, value]) => typeof value === 'string' && name.endsWith('_PATH'),
    )
    const scripts = PAGE_SCRIPTS.flatMap((name) => [pageScriptPath(name), pageScriptMapPath(name)])
    expect(new Set([...constants.map(([, path]) => path), ...scripts])).toEqual(new Set([...fenced.paths, WS_PATH]))
    expect(fenced.paths).toEqual([HEALTH_PATH, ...scripts])
    expect(RPC_CHANNEL).toMatch(/^\/[a-z-]+$/)
  })
})

describe('every route', () => {
  it('lets through what the table says, with every method, and nothing else', async () => {
    expect(await checkRoutes(fenced)).toBeGreaterThan(200)
  })

  it('answers a read with JSON that says nothing of sessions, and HEAD with no body', async () => {
    const headers = { host: `127.0.0.1:${host.port}`, connection: 'close' }
    const get = await rawRequest(host.port, { path: HEALTH_PATH, headers })
    expect(healthSchema.parse(JSON.parse(get.body)).ok).toBe(true)
    expect(get.headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
    const head = await rawRequest(host.port, { method: 'HEAD', path: HEALTH_PATH, headers })
    expect([head.status, head.body]).toEqual([200, ''])
  })
})

describe('the upgrade', () => {
  it('lets through what the table says', async () => {
    await checkUpgrades(fenced)
  })

  it('wants a good ticket, once', async () => {
    await checkTickets(fenced)
  })

  it('is a GET on its own path only', async () => {
    await checkKinds(fenced)
  })

  it('leaves no socket and no session behind when it is refused, though the peer holds its end open', async () => {
    await until(async () => (await host.socketCount()) === 0, { what: 'earlier sockets to be gone' })
    const headers = Object.entries(upgradeHeaders({ host: 'evil.test' }, 'x')).map(
      ([name, value]) => `${name}: ${value}\r\n`,
    )
    const peers = Array.from({ length: 20 }, () => {
      const peer = connect({ port: host.port, host: '127.0.0.1', allowHalfOpen: true })
      peer.on('error', () => {}) // a reset is one way of being let go
      peer.write(`GET ${WS_PATH} HTTP/1.1\r\n${headers.join('')}\r\n`)
      peer.resume()
      return peer
    })
    onTestFinished(() => {
      for (const peer of peers) peer.destroy()
    })
    await until(() => peers.every((peer) => peer.readableEnded || peer.destroyed), { what: 'the refusals' })
    await until(async () => (await host.socketCount()) === 0, { what: 'refused sockets to be gone', timeoutMs: 3000 })
    expect(host.composition.gateway.connectionCount).toBe(0)
    expect(host.composition.registry.all).toEqual([])
  })
})
