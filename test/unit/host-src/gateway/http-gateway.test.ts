import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { newHostInstanceId } from '../../../../host-src/base/random-id.ts'
import { httpRoutes } from '../../../../host-src/gateway/http-gateway.ts'
import { revisionOf } from '../../../../host-src/gateway/page-script.ts'
import { PAGE_SCRIPTS, pageScriptMapPath, pageScriptPath } from '../../../../protocol-src/http-routes.ts'
import { recordingLogger } from '../../../support/recording-logger.ts'

const SCRIPT = Buffer.from(`export const word = '终端'\n`)
const TERMINAL_SCRIPT_PATH = pageScriptPath('terminal')
const FOR_GOOD = 'private, max-age=31536000, immutable'

const served = async (readBuilt: (name: string) => Promise<Uint8Array>) => {
  const logger = recordingLogger()
  const host = { instance: newHostInstanceId(), version: '' }
  const routes = httpRoutes({ host, trustedHosts: () => [], readBuilt, logger })
  const server = createServer((request, response) => {
    const path = request.url?.split('?')[0]
    routes.find((route) => route.path === path)?.handler(request, response)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const get = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${String(port)}${path}`, init)
  return { get, logger }
}

describe('a script that pages load when they need it', () => {
  it('is a module of this origin that is kept for good by who names its content', async () => {
    const { get } = await served(() => Promise.resolve(SCRIPT))
    const response = await get(`${TERMINAL_SCRIPT_PATH}?attempt=2&rev=${revisionOf(SCRIPT)}`)
    expect(response.status).toBe(200)
    expect(Buffer.from(await response.arrayBuffer())).toEqual(SCRIPT)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'content-length': String(SCRIPT.length),
      'cache-control': FOR_GOOD,
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    })
  })

  it.each(['', '?', '?rev=', '?rev=000000000000', '?rev=%', `?x=${revisionOf(SCRIPT)}`])(
    'is asked for anew each time by who names another content: %j',
    async (query) => {
      const { get } = await served(() => Promise.resolve(SCRIPT))
      const response = await get(TERMINAL_SCRIPT_PATH + query)
      expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-cache'])
    },
  )

  it('is read for every request, because a build may have replaced it', async () => {
    let content = SCRIPT
    const { get } = await served(() => Promise.resolve(content))
    const ask = async () =>
      (await get(`${TERMINAL_SCRIPT_PATH}?rev=${revisionOf(SCRIPT)}`)).headers.get('cache-control')
    expect(await ask()).toBe(FOR_GOOD)
    content = Buffer.from('export {}')
    expect(await ask()).toBe('no-cache')
  })

  it('has a head without a body, and a map that is JSON', async () => {
    const names: string[] = []
    const { get } = await served((name) => {
      names.push(name)
      return Promise.resolve(SCRIPT)
    })
    for (const script of PAGE_SCRIPTS) {
      names.length = 0
      const head = await get(pageScriptPath(script), { method: 'HEAD' })
      expect([head.headers.get('content-length'), await head.text()]).toEqual([String(SCRIPT.length), ''])
      expect((await get(pageScriptMapPath(script))).headers.get('content-type')).toMatch(/json/)
      expect(names).toEqual([`${script}.js`, `${script}.js.map`])
    }
  })

  it('is a clear failure, never kept and with no path of the machine, when it is absent or unreadable', async () => {
    for (const [code, status] of [
      ['ENOENT', 404],
      ['EACCES', 500],
    ] as const) {
      const error = Object.assign(new Error(`${code}: /home/me/lib/terminal.js`), { code })
      const { get, logger } = await served(() => Promise.reject(error))
      const response = await get(`${TERMINAL_SCRIPT_PATH}?rev=abc`)
      expect([response.status, response.headers.get('cache-control')]).toEqual([status, 'no-store'])
      const body = (await response.json()) as { reason: string }
      expect(body.reason).toContain('terminal.js')
      expect(JSON.stringify(body)).not.toContain('/home')
      expect(logger.lines.map(({ event }) => event)).toEqual(['http.file-unreadable'])
    }
  })

  it('is read for nobody whom the fence refuses', async () => {
    const { get } = await served(() => Promise.reject(new Error('was read')))
    const headers = { 'sec-fetch-site': 'cross-site' }
    expect((await get(TERMINAL_SCRIPT_PATH, { headers })).status).toBe(403)
    expect(
      (await get(TERMINAL_SCRIPT_PATH, { method: 'POST', headers: { 'sec-fetch-site': 'same-origin' } })).status,
    ).toBe(405)
  })
})
