/** Input to programs that do not read, calls that come too late, sockets that go while a session is born. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { HEALTH_PATH } from '../../protocol-src/http-routes.ts'
import { MAX_PENDING_INPUT_BYTES, MAX_PENDING_REQUESTS } from '../../protocol-src/limits.ts'
import { startInProcessHost, type InProcessHost } from '../support/in-process-host.ts'
import { until } from '../support/wait.ts'
import type { WsClient } from '../support/ws-client.ts'

let host: InProcessHost
let client: WsClient
beforeAll(async () => {
  host = await startInProcessHost()
  client = await host.connect()
})
afterEach(async () => {
  for (const { id } of (await client.request({ type: 'list' })).sessions)
    await client.request({ type: 'close', sid: id })
  host.composition.settings.adopt({ maxSessions: 16 })
})
afterAll(() => host.dispose())

const isHealthy = async (): Promise<boolean> => (await fetch(host.url + HEALTH_PATH)).status === 200

describe('a program that does not read (PT-11)', () => {
  it('gets a bounded amount, its typist an error, and everybody else an answer before the flood is over', async () => {
    const other = await host.connect()
    const shell = await other.start()
    await shell.untilText(/\$ $/)
    const typist = await host.connect()
    const view = await typist.start({ command: 'stty raw -echo; printf ready; sleep 600' })
    await view.untilText(/ready/)
    const chunk = Buffer.alloc(64 * 1024, 0x61)
    let answeredAfter = -1
    const frames = 800
    const answer = shell.untilText(/\r42\r/).then(() => {
      answeredAfter = typist.of('inputAck').length
    })
    shell.input('echo $((6*7))\n')
    for (let n = 0; n < frames; n += 1) view.input(chunk)
    await until(() => typist.of('inputAck').length === frames, {
      what: 'every frame to be answered',
      timeoutMs: 30_000,
    })
    await answer
    // 50 MB were sent; the other session answered in the middle of it.
    expect(answeredAfter).toBeLessThan(frames)
    const errors = typist.of('error')
    expect(new Set(errors.map(({ error }) => error.code))).toEqual(new Set(['INPUT_BACKLOG']))
    expect(errors.length).toBeGreaterThanOrEqual(frames - MAX_PENDING_INPUT_BYTES / chunk.length - 2)
    expect(errors[0]?.sid).toBe(view.sid)
    expect(await isHealthy()).toBe(true)
  })

  it('gets everything that was accepted when it reads again, in order', async () => {
    const view = await client.start({ command: 'stty raw -echo; printf ready; read -r -n1 _; exec cat' })
    await view.untilText(/ready/)
    host.processes() // the sessions' processes are really there
    const text = Array.from({ length: 60_000 }, (_, n) => String(n).padStart(8, '.')).join('')
    view.input(`x${text}`)
    await until(() => view.text.length >= 5 + text.length, { what: 'the echo of everything', timeoutMs: 30_000 })
    expect(view.text).toBe(`ready${text}`)
    expect(client.of('error')).toEqual([])
  })
})

describe('calls that come too late (PT-03)', () => {
  it('twenty resizes after the exit are harmless, typing says that it is over', async () => {
    const view = await client.start()
    await view.untilText(/\$ $/)
    view.input('exit\n')
    const resizes = Array.from({ length: 20 }, (_, n) => view.resize({ cols: 80 + n, rows: 24 }))
    await view.untilExited()
    for (let n = 0; n < 20; n += 1) resizes.push(view.resize({ cols: 60 + n, rows: 24 }))
    await Promise.all(resizes)
    view.input('x')
    await until(() => client.last('error')?.error.code === 'SESSION_EXITED', { what: 'the refusal' })
    expect(client.last('error')?.sid).toBe(view.sid)
    expect(await isHealthy()).toBe(true)
  })

  it('an ended session can be read by a new viewer, and its exit is told again', async () => {
    const view = await client.start({ command: 'printf done; exit 3' })
    await view.untilExited()
    const later = await (await host.connect()).attach(view.sid)
    expect(await later.untilExited()).toEqual(
      expect.objectContaining({ exit: { exitCode: 3, signal: null }, offset: 4 }),
    )
    expect(later.text).toBe('done')
  })
})

describe('a socket that closes while a session is born (WS-01)', () => {
  it.each([0, 5, 20, 100])('%i ms after the open: after the grace period nothing is left', async (afterMs) => {
    host.composition.settings.adopt({ maxSessions: 16, reconnectGraceSec: 0 })
    for (let round = 0; round < 5; round += 1) {
      const leaver = await host.connect()
      leaver.send({ type: 'open', id: 1, spec: { kind: 'local' }, size: { cols: 80, rows: 24 } })
      const cutAt = performance.now() + afterMs
      await until(() => performance.now() >= cutAt, { what: 'the moment to leave', pollMs: 1 })
      leaver.cut()
    }
    await until(() => host.composition.registry.all.length === 0, { what: 'the sessions to go' })
    await until(() => host.processes().length === 0, { what: 'the processes to go' })
    expect(host.composition.registry.liveCount).toBe(0)
  })

  it('keeps the session within the grace period, and a client that comes back finds it', async () => {
    const leaver = await host.connect()
    leaver.send({ type: 'open', id: 1, spec: { kind: 'local' }, size: { cols: 80, rows: 24 } })
    await until(() => leaver.last('ok'), { what: 'the reply' })
    leaver.cut()
    const [session] = host.composition.registry.all
    if (session === undefined) throw new Error('a session was opened')
    await until(() => session.orphanedAt !== null, { what: 'the host to see that the client left' })
    expect(session.phase).toBe('running')
    const view = await client.attach(session.id)
    await view.untilText(/\$ $/)
    expect(session.orphanedAt).toBeNull()
  })
})

describe('more sessions than allowed (X-15)', () => {
  it('are refused by name of the setting, also when many clients ask at once, and nothing is spawned for them', async () => {
    host.composition.settings.adopt({ maxSessions: 3, reconnectGraceSec: 0 })
    const clients = await Promise.all(Array.from({ length: 10 }, () => host.connect()))
    const attempts = await Promise.allSettled(
      clients.flatMap((each) => Array.from({ length: 20 }, () => each.open({ command: 'sleep 600' }))),
    )
    const refused = attempts.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[]
    expect(attempts.length - refused.length).toBe(3)
    for (const { reason } of refused)
      expect(reason).toMatchObject({ code: 'SESSION_LIMIT', details: { limit: 3, setting: 'maxSessions' } })
    const sleepers = (): number => host.processes().filter(({ argv }) => argv.includes('600')).length
    await until(() => sleepers() >= 3, { what: 'the programs of those that were let in' })
    await client.roundTrip()
    expect(sleepers()).toBe(3)
    for (const each of clients) each.cut()
    await until(() => host.processes().length === 0, { what: 'the processes to be gone' })
    await until(() => host.composition.registry.all.length === 0, { what: 'the sessions to be gone' })
  })
})

describe('requests that wait', () => {
  it('are bounded for each connection, and there is room again when some were answered', async () => {
    const view = await client.start({ command: 'read -r _' })
    const { sid } = view
    const waits = Array.from({ length: MAX_PENDING_REQUESTS }, () =>
      client.request({ type: 'wait', sid, timeoutMs: 60_000 }),
    )
    await expect(client.request({ type: 'wait', sid, timeoutMs: 1 })).rejects.toThrow(/BUSY|wait for their answers/)
    const other = await host.connect()
    expect(await other.request({ type: 'wait', sid, timeoutMs: 1 })).toMatchObject({ timedOut: true, running: true })
    view.input('\n')
    for (const wait of waits) expect(await wait).toMatchObject({ timedOut: false, exit: { exitCode: 0 } })
    expect(await client.request({ type: 'wait', sid, timeoutMs: 1 })).toMatchObject({ timedOut: false })
  })
})
