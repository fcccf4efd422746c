/** The host half in the real DSH host: its fence on the real port, its coming and going, and what may not take the host down. */
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { httpRoutes } from '../../host-src/gateway/http-gateway.ts'
import { newHostInstanceId } from '../../host-src/base/random-id.ts'
import { HEALTH_PATH, healthSchema } from '../../protocol-src/http-routes.ts'
import { connectDshApi } from '../support/dsh-api.ts'
import { bootTestDsh, type TestDsh, type TestDshOptions } from '../support/dsh.ts'
import {
  checkKinds,
  checkRoutes,
  checkTicketChannel,
  checkTickets,
  checkUpgrades,
  type FencedHost,
} from '../support/fence-checks.ts'
import { environmentOf, isAlive, untilGone } from '../support/proc.ts'
import { applyPatch, isPluginUp } from '../support/profile-patch.ts'
import { recordingLogger } from '../support/recording-logger.ts'
import { until } from '../support/wait.ts'
import { WsClient, fetchTicket } from '../support/ws-client.ts'

const ROOT = join(import.meta.dirname, '../..')

const boot = async (options: TestDshOptions = {}): Promise<TestDsh> => {
  const dsh = await bootTestDsh(options)
  onTestFinished(() => dsh.stop())
  return dsh
}

const connect = async (dsh: TestDsh): Promise<WsClient> => {
  const client = await WsClient.connect({ url: dsh.url })
  onTestFinished(() => client.cut())
  return client
}

const PATHS = httpRoutes({
  host: { instance: newHostInstanceId(), version: '' },
  trustedHosts: () => [],
  readBuilt: () => Promise.reject(new Error('not asked for')),
  logger: recordingLogger(),
}).map(({ path }) => path)

describe('the fence on the real port', () => {
  let dsh: TestDsh
  let fenced: FencedHost
  beforeAll(async () => {
    dsh = await bootTestDsh()
    fenced = { port: dsh.port, paths: PATHS, ticket: () => fetchTicket(dsh.url) }
  })
  afterAll(() => dsh.stop())

  it('lets every route answer to what the table allows, with every method (X-03, X-04, X-07)', async () => {
    expect(await checkRoutes(fenced)).toBeGreaterThan(200)
  })

  it('lets the upgrade through for what the table allows (X-01, X-04)', async () => {
    await checkUpgrades(fenced)
  })

  it('wants a good ticket once, and only on its own path (X-03)', async () => {
    await checkTickets(fenced)
    await checkKinds(fenced)
  })

  it('gives tickets to nobody whom the host’s own fence refuses', async () => {
    await checkTicketChannel(fenced)
  })

  it('answers health with what it is and nothing of its sessions', async () => {
    const response = await fetch(dsh.url + HEALTH_PATH)
    expect(healthSchema.parse(await response.json()).plugin).toBe('@hyzyn/dsh-tty')
  })

  it('started nothing through all of that', () => {
    expect(dsh.processes().map(({ pid }) => pid)).toEqual([dsh.pid])
  })
})

describe('a session in the real host', () => {
  it('runs, has none of the host’s secrets, and ends with the host (X-53)', async () => {
    const secrets: Record<string, string> = {
      DEEPSEEK_API_KEY: 'k1-secret',
      DSH_TOKEN: 'k2-secret',
      NODE_OPTIONS: '--no-deprecation',
      npm_config_x: 'k3-secret',
      MY_API_KEY: 'k4-secret',
    }
    const dsh = await boot({ env: { ...secrets, LANG: '', LC_ALL: '', SSH_AUTH_SOCK: '/tmp/agent' } })
    const client = await connect(dsh)
    const shell = await client.start()
    const command = await client.start({ command: 'env; read -r _' })
    await command.untilText(/DSH_TTY_SESSION/)
    shell.input("env; echo end'ed'\n")
    await shell.untilText(/ended/)
    for (const view of [shell, command]) {
      expect(view.text).not.toMatch(/secret|NODE_OPTIONS|npm_config|DSH_HOME|DEEPSEEK/)
      expect(view.text).toMatch(/LANG=C\.UTF-8/)
      expect(view.text).toMatch(/SSH_AUTH_SOCK=\/tmp\/agent/)
      const env = environmentOf(view.start.session.pid ?? 0)
      for (const name of [...Object.keys(secrets), 'DSH_HOME']) expect(env, name).not.toHaveProperty(name)
      expect(JSON.stringify(env)).not.toContain('secret')
    }
    shell.input('setsid -f sleep 9991; nohup sleep 9992 >/dev/null 2>&1 & disown\n')
    await until(() => dsh.processes().filter(({ name }) => name === 'sleep').length === 2, { what: 'the left-behind' })
    const pids = dsh.processes().map(({ pid }) => pid)
    expect(await dsh.end()).toEqual({ code: 0, signal: null })
    expect(pids.filter(isAlive)).toEqual([])
    await until(() => client.closed, { what: 'the socket to close' })
  })

  it('gives its place to nothing when the host crashes: the kernel hangs up its shell', async () => {
    const dsh = await boot()
    const client = await connect(dsh)
    const shell = await client.start()
    await shell.untilText(/\$ $/)
    await dsh.end('crash')
    await untilGone([shell.start.session.pid ?? 0])
    await dsh.restart()
    const sessions = (await connect(dsh)).last('welcome')?.sessions ?? []
    expect(sessions.filter(({ phase }) => phase !== 'exited')).toEqual([])
  })
})

describe('the plugin', () => {
  it('leaves no process, route, socket or descriptor when it is disabled at run time, and comes back working', async () => {
    const dsh = await boot()
    const descriptors = (): number => readdirSync(`/proc/${dsh.pid}/fd`).length
    const others = descriptors()
    for (let round = 0; round < 3; round += 1) {
      const client = await connect(dsh)
      const { instance } = client.last('welcome')?.host ?? {}
      const shell = await client.start()
      await shell.untilText(/\$ $/)
      shell.input('setsid -f sleep 9991\n')
      await until(() => dsh.processes().some(({ name }) => name === 'sleep'), { what: 'the grandchild' })
      await applyPatch(dsh, [{ id: 'tty', disabled: true }], async () => !(await isPluginUp(dsh)))
      await until(() => client.closed, { what: 'the socket to close' })
      expect(client.closed?.code).toBe(1001)
      await until(() => dsh.processes().length === 1, { what: 'the processes to go' })
      await expect(fetchTicket(dsh.url)).rejects.toThrow(/no ticket|JSON/)
      await expect(WsClient.connect({ url: dsh.url, ticketUrl: dsh.url })).rejects.toThrow()
      await until(() => descriptors() <= others + 2, { what: `about ${others} descriptors again` })
      await applyPatch(dsh, [], () => isPluginUp(dsh))
      const again = await connect(dsh)
      expect(again.last('welcome')?.host.instance).not.toBe(instance)
      const next = await again.start({ command: 'echo $((6*7))' })
      await next.untilExited()
      expect(next.text).toBe('42\r\n')
      again.cut()
    }
    expect(dsh.log()).not.toMatch(/unhandled|TypeError/i)
  })

  it('does not stop the host with a settings section or a row config that is wrong; the defaults are in force', async () => {
    const dsh = await boot({ settings: { tty: { maxSessions: 99, fontSize: 'big', shell: 5 } } })
    const client = await connect(dsh)
    expect(client.last('welcome')?.settings.maxSessions).toBe(4)
    for (const config of [{ maxSessions: 'many' }, { nonsense: { deep: [1] } }, null, 'text', [1]]) {
      const before = (await health(dsh)).instance
      await applyPatch(
        dsh,
        [{ id: 'tty', config }],
        async () => (await isPluginUp(dsh)) && (await health(dsh)).instance !== before,
      )
      expect((await connect(dsh)).last('welcome')?.settings.maxSessions).toBe(4)
    }
    const before = (await health(dsh)).instance
    await applyPatch(
      dsh,
      [{ id: 'tty', config: { fontSize: 20 } }],
      async () => (await isPluginUp(dsh)) && (await health(dsh)).instance !== before,
    )
    const view = await (await connect(dsh)).start({ command: 'echo $((6*7))' })
    await view.untilExited()
    expect(view.text).toBe('42\r\n')
  })

  it('follows the host’s settings at once, and refuses what is not valid', async () => {
    const dsh = await boot({ settings: { tty: { maxSessions: 2, shell: '/bin/sh' } } })
    const api = await connectDshApi(dsh.url)
    onTestFinished(() => api.close())
    const client = await connect(dsh)
    expect(client.last('welcome')?.settings.maxSessions).toBe(2)
    expect((await client.start()).start.session.target).toBe('sh')
    await client.open({ command: 'sleep 600' })
    await expect(client.open()).rejects.toMatchObject({ code: 'SESSION_LIMIT', details: { limit: 2 } })
    await api.call('settings.update', { ns: 'tty', patch: { maxSessions: 3 } })
    await until(() => client.last('settings')?.settings.maxSessions === 3, { what: 'the new settings' })
    await client.open({ command: 'sleep 600' })
    for (const patch of [{ maxSessions: 99 }, { term: 'x;y' }, { shell: 'a\u0000b' }])
      await expect(api.call('settings.update', { ns: 'tty', patch })).rejects.toThrow()
    await api.call('settings.update', { ns: 'tty', patch: { reconnectGraceSec: 0 } })
    client.cut()
    await until(() => dsh.processes().length === 1, { what: 'the orphans to be ended at once (WS-03)' })
  })

  it('says why terminals cannot be started when node-pty does not load, and the host lives', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'dsh-tty-broken-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    for (const entry of ['package.json', 'cordis.patch.yml', 'lib'])
      await cp(join(ROOT, entry), join(folder, entry), { recursive: true })
    const broken = join(folder, 'node_modules', 'node-pty')
    await mkdir(broken, { recursive: true })
    const manifest = JSON.parse(await readFile(join(ROOT, 'node_modules/node-pty/package.json'), 'utf8')) as object
    await writeFile(join(broken, 'package.json'), JSON.stringify({ ...manifest, main: 'index.js' }))
    await writeFile(join(broken, 'index.js'), 'throw new Error("GLIBC_2.99 not found")\n')
    const dsh = await boot({ packageDir: folder })
    const client = await connect(dsh)
    for (let n = 0; n < 2; n += 1) {
      await expect(client.open()).rejects.toMatchObject({
        code: 'PTY_UNAVAILABLE',
        details: { platform: `${process.platform}-${process.arch}` },
        message: expect.stringContaining('GLIBC_2.99 not found') as unknown,
      })
    }
    expect((await client.request({ type: 'list' })).sessions).toEqual([])
    expect(await isPluginUp(dsh)).toBe(true)
    expect(dsh.processes()).toHaveLength(1)
  })
})

const health = async (dsh: TestDsh): Promise<{ instance: string }> =>
  healthSchema.parse(await (await fetch(dsh.url + HEALTH_PATH)).json())
