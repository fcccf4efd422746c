/** The fence over a real port, for every path that the plugin registers; used in this process and on the real host. */
import { expect } from 'vitest'
import { HEALTH_PATH, RPC_CHANNEL, RPC_TICKET, WS_PATH } from '../../protocol-src/http-routes.ts'
import { FENCE_TABLE, headersOf } from './fence-table.ts'
import { rawRequest, upgradeHeaders, type RawReply } from './raw-http.ts'

/**
 * The host's own fence lets these through. No page can send them: a browser adds the page's own Origin, which is refused,
 * and asks first because of the JSON. A ticket got that way still has to pass our fence at the upgrade.
 */
const HOST_IS_LAXER: ReadonlySet<string> = new Set([
  'a Host with a path',
  'same-site',
  'same-site with our Origin',
  'a Sec-Fetch-Site that does not exist',
  'two Sec-Fetch-Site',
])

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

export interface FencedHost {
  readonly port: number
  /** Paths of the HTTP routes. */
  readonly paths: readonly string[]
  ticket(): Promise<string>
}

const authorityOf = (host: FencedHost): string => `127.0.0.1:${host.port}`

/** Every row of the table, on every path, with every method. */
export const checkRoutes = async (host: FencedHost): Promise<number> => {
  let checked = 0
  for (const path of host.paths) {
    for (const row of FENCE_TABLE) {
      for (const method of METHODS) {
        const headers: Record<string, string> = { ...headersOf(row, authorityOf(host)), connection: 'close' }
        const reply = await rawRequest(host.port, { method, path, headers })
        const isRead = method === 'GET' || method === 'HEAD'
        const wanted = isRead ? (row.read ? [200] : [403]) : row.write ? [405] : [403]
        // Node itself refuses a request without any Host.
        if (headers['host'] === '') wanted.push(400)
        expect(wanted, `${method} ${path} with ${row.name}`).toContain(reply.status)
        const isScript = reply.status === 200 && path.endsWith('.js')
        expect(reply.headers['content-type'] ?? 'application/json', `${method} ${path}`).toMatch(
          isScript ? /^text\/javascript; charset=utf-8$/ : /json/,
        )
        expectNoLeak(reply)
        checked += 1
      }
    }
  }
  return checked
}

/** Every row on the upgrade, with a good ticket: only the headers decide, and a refusal comes before the ticket is used. */
export const checkUpgrades = async (host: FencedHost): Promise<number> => {
  let ticket = await host.ticket()
  for (const row of FENCE_TABLE) {
    const headers = upgradeHeaders(headersOf(row, authorityOf(host)), ticket)
    const reply = await rawRequest(host.port, { path: WS_PATH, headers })
    const wanted = row.upgrade ? [101] : headers['host'] === '' ? [400, 403] : [403]
    expect(wanted, `upgrade with ${row.name}`).toContain(reply.status)
    if (reply.status !== 101) expect(reply.isClosed, `closed after ${row.name}`).toBe(true)
    if (row.upgrade) ticket = await host.ticket()
  }
  return FENCE_TABLE.length
}

/** Everything that is no good ticket, with headers that are good. */
export const checkTickets = async (host: FencedHost): Promise<void> => {
  const good = { host: authorityOf(host), origin: `http://${authorityOf(host)}`, 'sec-fetch-site': 'same-origin' }
  const upgrade = async (ticket?: string | null, path = WS_PATH): Promise<RawReply> => {
    const reply = await rawRequest(host.port, { path, headers: upgradeHeaders(good, ticket) })
    if (reply.status !== 101) expect(reply.isClosed).toBe(true)
    return reply
  }
  const ticket = await host.ticket()
  for (const bad of [
    undefined,
    null,
    '',
    'x',
    'A'.repeat(22),
    ticket.slice(1),
    `${ticket}A`,
    ticket.toUpperCase(),
    '__proto__',
  ])
    expect((await upgrade(bad)).status, `ticket ${String(bad)}`).toBe(401)
  // In the address it is no ticket: addresses are logged.
  expect((await upgrade(null, `${WS_PATH}?ticket=${ticket}`)).status).toBe(401)
  expect((await upgrade(ticket)).status).toBe(101)
  expect((await upgrade(ticket)).status, 'a used ticket').toBe(401)
  const [one, other] = [await host.ticket(), await host.ticket()]
  expect((await upgrade(other)).status).toBe(101)
  expect((await upgrade(one)).status).toBe(101)
  // A race for one ticket: one wins.
  const contested = await host.ticket()
  const race = await Promise.all(Array.from({ length: 8 }, () => upgrade(contested)))
  expect(race.filter(({ status }) => status === 101)).toHaveLength(1)
  expect(race.filter(({ status }) => status === 401)).toHaveLength(7)
}

/** The upgrade path is no route, and no route takes an upgrade. */
export const checkKinds = async (host: FencedHost): Promise<void> => {
  const good = { host: authorityOf(host), origin: `http://${authorityOf(host)}`, 'sec-fetch-site': 'same-origin' }
  for (const method of ['POST', 'PUT', 'DELETE']) {
    const reply = await rawRequest(host.port, {
      method,
      path: WS_PATH,
      headers: upgradeHeaders(good, await host.ticket()),
    })
    expect(reply.status, `${method} upgrade`).not.toBe(101)
  }
  const onHealth = await rawRequest(host.port, {
    path: HEALTH_PATH,
    headers: upgradeHeaders(good, await host.ticket()),
  })
  expect(onHealth.status).not.toBe(101)
  const wrongVersion = { ...upgradeHeaders(good, await host.ticket()), 'sec-websocket-version': '7' }
  expect((await rawRequest(host.port, { path: WS_PATH, headers: wrongVersion })).status).toBe(400)
}

/** The host's own fence in front of the ticket channel; only a real host has it. */
export const checkTicketChannel = async (host: FencedHost): Promise<void> => {
  const body = JSON.stringify({ type: 'client-request', rpcId: 'r', method: RPC_TICKET, payload: {} })
  const ask = (headers: Record<string, string>): Promise<RawReply> =>
    rawRequest(host.port, {
      method: 'POST',
      path: `${RPC_CHANNEL}/${RPC_TICKET}`,
      headers: { 'content-type': 'application/json', ...headers, connection: 'close' },
      body,
    })
  const good = await ask({ host: authorityOf(host), origin: `http://${authorityOf(host)}` })
  expect(good.status).toBe(200)
  expect(good.body).toMatch(/"ticket":"[\w-]{22}"/)
  for (const row of FENCE_TABLE.filter(({ read, write, upgrade }) => !read && !write && !upgrade)) {
    if (HOST_IS_LAXER.has(row.name)) continue
    const reply = await ask(headersOf(row, authorityOf(host)))
    expect(reply.body, row.name).not.toMatch(/"ticket":/)
    expect([400, 403], row.name).toContain(reply.status)
  }
  // What a page of another origin can send without asking first: no JSON, so no ticket.
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
    const reply = await ask({ host: authorityOf(host), 'content-type': type })
    expect(reply.status, type).toBe(415)
  }
}

const expectNoLeak = (reply: RawReply): void => {
  expect(reply.headers['access-control-allow-origin']).toBeUndefined()
  expect(reply.headers['access-control-allow-credentials']).toBeUndefined()
  if (reply.status === 403) expect(reply.body).not.toMatch(/instance|version/)
}
