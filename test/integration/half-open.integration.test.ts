/** A peer that is gone without a word (WS-13): noticed by the clock, not by the network. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { DEAD_PEER_MS, HEARTBEAT_MS } from '../../protocol-src/limits.ts'
import { startInProcessHost, type InProcessHost } from '../support/in-process-host.ts'
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts'
import { until } from '../support/wait.ts'

let host: InProcessHost
let proxy: TcpProxy
beforeEach(async () => {
  host = await startInProcessHost()
  proxy = await startTcpProxy(host.port)
  // Only the heartbeat's clock: sockets, terminals and waiting go on in real time.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
})
afterEach(async () => {
  vi.useRealTimers()
  await proxy.close()
  await host.dispose()
})

describe('a half-open connection', () => {
  it('is given up in the documented time; the session waits and is attached to again without loss', async () => {
    const client = await host.connect({ url: proxy.url, ticketUrl: host.url })
    const view = await client.start({ command: 'read -r _; seq 1 20000; read -r _' })
    proxy.halfOpen('server')
    await until(() => client.closed, { what: 'the client to notice' })
    const session = host.composition.registry.require(view.sid)
    expect(session.descriptor.attachments).toBe(1)
    vi.advanceTimersByTime(DEAD_PEER_MS)
    expect(session.orphanedAt).toBeNull()
    vi.advanceTimersByTime(HEARTBEAT_MS)
    await until(() => host.composition.gateway.connectionCount === 0, { what: 'the host to notice' })
    expect(session.orphanedAt).not.toBeNull()
    expect(session.phase).toBe('running')
    const again = await host.connect({ clientId: client.id })
    const resumed = await again.attach(view.sid, { record: view.record })
    expect(resumed.start.start.mode).toBe('delta')
    resumed.input('\n')
    await until(() => resumed.text.includes('20000\r\n'), { what: 'the output' })
    expect(resumed.record.faults).toEqual([])
  })

  it('of a viewer that lags does not hold up another one that keeps up', async () => {
    const client = await host.connect({ url: proxy.url, ticketUrl: host.url })
    const view = await client.start({ command: 'yes' }, { acks: 'none' })
    await until(() => view.record.length > 256 * 1024, { what: 'the program to be paused' })
    proxy.halfOpen('server')
    // Another viewer that has everything so far; the old socket still counts as there.
    const reloaded = await host.connect()
    const { end } = host.composition.registry.require(view.sid)
    const fresh = await reloaded.attach(view.sid, { resumeFrom: end })
    expect(fresh.start.start.mode).toBe('delta')
    await until(() => fresh.record.length > 2 * 1024 * 1024, { what: 'the output to flow again' })
    expect(fresh.record.faults).toEqual([])
    expect(host.composition.registry.require(view.sid).descriptor.attachments).toBe(2)
  })

  it('is not suspected while the peer answers', async () => {
    const client = await host.connect()
    for (let n = 0; n < 6; n += 1) {
      vi.advanceTimersByTime(HEARTBEAT_MS)
      await client.roundTrip()
    }
    expect(client.closed).toBeNull()
  })
})
