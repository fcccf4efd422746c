import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Answer } from '../../protocol-src/question.ts'
import type { LaunchSpec, SessionDescriptor } from '../../protocol-src/session.ts'
import type { BookEntry } from '../../protocol-src/ssh.ts'
import { startInProcessHost, type InProcessHost, type InProcessHostOptions } from '../support/in-process-host.ts'
import { connectionTo } from '../support/ssh-bench.ts'
import { startSshServer } from '../support/ssh-server.ts'
import { makeKey, startSshd, type Sshd } from '../support/sshd.ts'
import { startTcpProxy } from '../support/tcp-proxy.ts'
import { toolBench } from '../support/tool-bench.ts'
import { until } from '../support/wait.ts'
import { WireFailure, type WsClient } from '../support/ws-client.ts'

const SECRET = 'canary-passphrase-3141'

let keys: string
let sshd: Sshd
const hosts: InProcessHost[] = []

beforeAll(async () => {
  keys = await mkdtemp(join(tmpdir(), 'dsh-tty-keys-'))
  await makeKey(join(keys, 'plain'))
  await makeKey(join(keys, 'locked'), { type: 'rsa', pem: true, passphrase: SECRET })
  sshd = await startSshd()
  for (const name of ['plain', 'locked']) await sshd.authorize(join(keys, `${name}.pub`))
})
afterAll(async () => {
  await sshd[Symbol.asyncDispose]()
  await rm(keys, { recursive: true, force: true })
})
afterEach(async () => {
  for (const host of hosts.splice(0)) await host.dispose()
})

const entry = (name: string, keyName: string, port = sshd.port): BookEntry => ({
  name,
  ...connectionTo(port, { username: sshd.user(), auth: 'key', keyPath: join(keys, keyName) }),
})

const startHost = async (sshHosts: BookEntry[], more: InProcessHostOptions = {}): Promise<InProcessHost> => {
  const host = await startInProcessHost({ ...more, settings: { ...more.settings, sshHosts } })
  hosts.push(host)
  return host
}

const opening = (
  client: WsClient,
  spec: Omit<Extract<LaunchSpec, { kind: 'ssh' }>, 'kind'>,
  retryOf?: SessionDescriptor,
) =>
  client.request({
    type: 'open',
    spec: { kind: 'ssh', ...spec },
    size: { cols: 80, rows: 24 },
    ...(retryOf === undefined ? {} : { retryOf: retryOf.id }),
  })

const nextAsk = (client: WsClient, number: number) =>
  until(() => client.of('ask')[number - 1], { what: `question ${number}` })

const answer = (client: WsClient, ask: number, said: Answer) => client.request({ type: 'answer', ask, answer: said })

const codeOf = (error: unknown): string => (error instanceof WireFailure ? error.code : String(error))

describe('a session on another machine, through the host', () => {
  it('asks the panel that opened it, runs, and leaves its secrets nowhere', async () => {
    const host = await startHost([entry('box', 'locked')])
    const panel = await host.connect({ kind: 'panel' })
    const other = await host.connect({ kind: 'panel' })
    const opened = opening(panel, { host: { book: 'box' } })
    const first = await nextAsk(panel, 1)
    expect(first).toMatchObject({ question: { kind: 'host-key', where: { book: 'box', hop: 'target' } } })
    await until(
      () => {
        expect(panel.last('sessions')?.sessions.find(({ id }) => id === first.sid)).toMatchObject({
          kind: 'ssh',
          phase: 'starting',
          target: `${sshd.user()}@127.0.0.1:${sshd.port}`,
          link: { book: 'box', state: 'connecting', phase: 'host-key', hop: 'target' },
        })
        return true
      },
      { what: 'the list to say where it is' },
    )
    expect(await answer(other, first.ask, { kind: 'accept' }).catch(codeOf)).toBe('REQUEST_GONE')
    await answer(panel, first.ask, { kind: 'accept' })
    const second = await nextAsk(panel, 2)
    expect(second).toMatchObject({ question: { kind: 'prompts', purpose: 'passphrase' } })
    await answer(panel, second.ask, { kind: 'prompts', values: [SECRET] })
    const { session } = await opened
    expect(session).toMatchObject({ kind: 'ssh', pid: null, phase: 'running', link: { book: 'box', state: 'up' } })
    const view = await panel.attach(session.id)
    await until(() => panel.last('sessions')?.sessions.find(({ id }) => id === session.id)?.running === false, {
      what: 'the prompt to be known',
    })
    view.input('cd /usr && false\r')
    const known = await until(
      () => panel.last('sessions')?.sessions.find(({ id, lastCommand }) => id === session.id && lastCommand !== null),
      { what: 'the command to be known' },
    )
    expect(known).toMatchObject({ cwd: '/usr', lastCommand: { text: 'cd /usr && false', exitCode: 1 } })
    expect(other.of('ask')).toEqual([])
    expect(host.composition.settings.current.hostKeys).toMatchObject([{ host: '127.0.0.1', port: sshd.port }])
    const history = await panel.request({ type: 'history', sid: session.id, after: 0, limit: 1000 })
    const { termination } = await panel.request({ type: 'close', sid: session.id })
    expect(termination).toMatchObject({ verified: true, survivors: [] })
    host.composition.journal.flush()
    const files = await readdir(join(host.home, '.tty'), { recursive: true, withFileTypes: true })
    const kept = await Promise.all(
      files.filter((file) => file.isFile()).map((file) => readFile(join(file.parentPath, file.name), 'latin1')),
    )
    const everything = JSON.stringify([panel.frames, other.frames, history, host.logger.lines, kept])
    expect(everything).toContain('cd /usr')
    expect(everything).not.toContain(SECRET)
  })

  it('shares the connection with the next one, which goes on when the first is closed', async () => {
    const host = await startHost([entry('box', 'plain')])
    const panel = await host.connect({ kind: 'panel' })
    const first = opening(panel, { host: { book: 'box' } })
    await answer(panel, (await nextAsk(panel, 1)).ask, { kind: 'accept' })
    const one = (await first).session
    const from = sshd.log().length
    const two = (await opening(panel, { host: { book: 'box' } })).session
    expect(sshd.log().slice(from)).not.toContain('Accepted')
    await panel.request({ type: 'close', sid: one.id })
    const view = await panel.attach(two.id)
    view.input('echo "still $((40 + 2))"\r')
    await view.untilText(/still 42/)
  })

  it('asks nobody but panels, and is refused where nobody is', async () => {
    const host = await startHost([entry('box', 'plain')])
    const cli = await host.connect()
    await host.connect({ kind: 'panel' })
    expect(await opening(cli, { host: { book: 'box' } }).catch(codeOf)).toBe('SSH_HOST_KEY_REFUSED')
    expect(await opening(cli, { host: { book: 'nope' } }).catch(codeOf)).toBe('BOOK_NAME_UNKNOWN')
    expect(host.composition.registry.list()).toEqual([])
  })

  it('is asked about again by a panel that comes back, and is given up with its tab', async () => {
    const host = await startHost([entry('box', 'plain')])
    const panel = await host.connect({ kind: 'panel' })
    const opened = opening(panel, { host: { book: 'box' } }).catch(codeOf)
    const { sid = '' } = await nextAsk(panel, 1)
    const second = await host.connect({ kind: 'panel' })
    await second.attach(sid as never)
    expect(await nextAsk(second, 1)).toMatchObject({ ask: 1, sid })
    await panel.request({ type: 'close', sid: sid as never })
    expect(await opened).toBe('CANCELLED')
    await until(() => second.of('askEnded').length > 0, { what: 'the question to be taken away' })
  })

  it('is lost with its connection, says so, and runs again in its place', async () => {
    const proxy = await startTcpProxy(sshd.port)
    try {
      const host = await startHost([entry('box', 'plain', proxy.port)])
      const panel = await host.connect({ kind: 'panel' })
      const opened = opening(panel, { host: { book: 'box' }, cwd: '/usr' })
      await answer(panel, (await nextAsk(panel, 1)).ask, { kind: 'accept' })
      const { session } = await opened
      const view = await panel.attach(session.id)
      proxy.cut()
      await view.untilExited()
      const lost = host.composition.registry.require(session.id).descriptor
      expect(lost).toMatchObject({
        exit: { exitCode: null, signal: null },
        exitReason: 'connection lost',
        link: { book: 'box', state: 'lost' },
      })
      const { host: where, cwd } = lost.spec as Extract<LaunchSpec, { kind: 'ssh' }>
      const again = await opening(panel, { host: where, ...(cwd === undefined ? {} : { cwd }) }, session)
      expect(again.session).toMatchObject({ retryOf: session.id, cwd: '/usr', link: { state: 'up' } })
    } finally {
      await proxy.close()
    }
  })

  it('is still to be read after a restart of the host, and knows where it was', async () => {
    const home = await mkdtemp(join(tmpdir(), 'dsh-tty-data-'))
    const typed = {
      ...connectionTo(sshd.port, { username: sshd.user(), auth: 'key', keyPath: join(keys, 'locked') }),
      passphrase: SECRET,
    }
    const before = await startHost([], { dataDirectory: home })
    const panel = await before.connect({ kind: 'panel' })
    const opened = opening(panel, { host: { connection: typed }, command: 'echo kept; exit 4' })
    await answer(panel, (await nextAsk(panel, 1)).ask, { kind: 'accept' })
    const { session } = await opened
    await before.composition.registry.require(session.id).ended
    expect(JSON.stringify(session)).not.toContain(SECRET)
    await before.dispose()
    const after = await startHost([], { dataDirectory: home })
    const { passphrase: _, ...open } = typed
    expect(after.composition.registry.list()).toMatchObject([
      {
        id: session.id,
        kind: 'ssh',
        exit: { exitCode: 4 },
        spec: { kind: 'ssh', host: { connection: open }, command: 'echo kept; exit 4' },
        link: { state: 'closed' },
      },
    ])
    await after.dispose()
    await rm(home, { recursive: true, force: true })
  })
})

describe('agents on another machine', () => {
  it('open entries of the book, and every panel is asked about a machine that nobody knows', async () => {
    const host = await startHost([entry('box', 'plain')])
    const tools = toolBench(host.composition.tools)
    expect(await tools.run('tty_open', { ssh: 'nope' }).catch(String)).toContain('It has "box"')
    expect(await tools.run('tty_open', { ssh: 'box' }).catch(String)).toContain('could be shown to nobody')
    const panel = await host.connect({ kind: 'panel' })
    const opened = tools.run('tty_open', { ssh: 'box', cwd: '/usr', command: 'pwd; sleep 60' }, { cwd: '/nowhere' })
    await answer(panel, (await nextAsk(panel, 1)).ask, { kind: 'accept' })
    const { sid, pid, cwd } = (await opened) as { sid: string; pid?: number; cwd: string }
    expect({ pid, cwd }).toEqual({ pid: undefined, cwd: '/usr' })
    expect(await tools.run('tty_list')).toMatchObject({
      sessions: [{ sid, kind: 'ssh', target: expect.stringContaining('127.0.0.1') as string }],
    })
    expect(await tools.run('tty_close', { sid })).toMatchObject({ verified: true })
  })
})

describe('a test of a connection', () => {
  it('is answered with its steps, asks the panel that wants it, and can be given up', async () => {
    const host = await startHost([entry('box', 'plain')])
    const panel = await host.connect({ kind: 'panel' })
    const tested = panel.request({ type: 'testConnection', test: 1, host: { book: 'box' } })
    const { ask, sid } = await nextAsk(panel, 1)
    expect(sid).toBeUndefined()
    await answer(panel, ask, { kind: 'accept' })
    expect(await tested).toMatchObject({
      error: null,
      phases: [{ phase: 'resolve' }, {}, {}, {}, { phase: 'authenticate' }],
    })
    expect(host.composition.settings.current.hostKeys).toEqual([])
    expect(host.composition.registry.list()).toEqual([])
    const silent = await startSshServer({ auth: () => {} })
    const connection = connectionTo(silent.port, { username: 'ada', auth: 'password', password: 'x' })
    const slow = panel.request({ type: 'testConnection', test: 2, host: { connection } })
    await answer(panel, (await nextAsk(panel, 2)).ask, { kind: 'accept' })
    await panel.request({ type: 'cancelTest', test: 2 })
    expect(await slow).toMatchObject({ error: { code: 'CANCELLED' } })
    const gone = panel.request({ type: 'testConnection', test: 3, host: { connection } }).catch(String)
    await nextAsk(panel, 3)
    panel.cut()
    await gone
    await until(() => silent.openCount() === 0, { what: 'the connections of tests to be closed' })
    await silent[Symbol.asyncDispose]()
  })
})
