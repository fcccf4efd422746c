/** The protocol over a real socket: hello, frames of every bad kind, foreign sessions, size of frames. */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SessionId } from '../../protocol-src/ids.ts'
import { encodeRandomId } from '../../protocol-src/ids.ts'
import { MAX_CLIENT_FRAME_BYTES, PROTOCOL_VERSION } from '../../protocol-src/limits.ts'
import { startInProcessHost, type InProcessHost } from '../support/in-process-host.ts'
import { until } from '../support/wait.ts'

let host: InProcessHost
beforeAll(async () => {
  host = await startInProcessHost()
})
afterAll(() => host.dispose())

describe('hello', () => {
  it('is answered with who the host is, the settings and the sessions', async () => {
    const client = await host.connect()
    const view = await client.start({ command: 'sleep 60' })
    const second = await host.connect({ hello: false })
    const welcome = await second.hello()
    expect(welcome.sessions.map(({ id }) => id)).toContain(view.sid)
    expect(welcome.settings.maxSessions).toBe(16)
    expect(welcome.host.platform).toBe(process.platform)
    await client.request({ type: 'close', sid: view.sid })
  })

  it('with another protocol version says which side to refresh, and closes with 4001', async () => {
    for (const [protocol, outdated] of [
      [0, 'client'],
      [999, 'host'],
    ] as const) {
      const client = await host.connect({ hello: false })
      client.send({ type: 'hello', protocol, client: { kind: 'panel', id: client.id } })
      await until(() => client.closed, { what: 'the close' })
      expect(client.last('error')?.error).toMatchObject({ code: 'PROTOCOL_MISMATCH', details: { outdated } })
      expect(client.closed?.code).toBe(4001)
    }
  })

  it('of the same client on a new socket closes the old one with 4002', async () => {
    const first = await host.connect()
    const second = await host.connect({ clientId: first.id })
    await until(() => first.closed, { what: 'the close of the old socket' })
    expect(first.closed?.code).toBe(4002)
    await second.roundTrip()
  })

  it('is said once', async () => {
    const client = await host.connect()
    client.send({ type: 'hello', protocol: PROTOCOL_VERSION, client: { kind: 'panel', id: client.id } })
    await client.roundTrip()
    expect(client.last('error')?.error.code).toBe('BAD_FRAME')
  })
})

describe('malformed frames (X-11)', () => {
  const TEXTS: readonly string[] = [
    '',
    '{',
    '[]',
    'null',
    '1',
    '"x"',
    '{}',
    '{"type":null}',
    '{"type":"__proto__"}',
    '{"type":"constructor"}',
    '{"type":"toString"}',
    '{"type":["list"]}',
    '{"type":{"toString":"list"}}',
    '{"type":"list"}',
    '{"type":"list","id":1,"__proto__":{"x":1}}',
    '{"__proto__":{"type":"list","id":1}}',
    '{"type":"list","id":-1}',
    '{"type":"list","id":1e400}',
    '{"type":"rename","id":1,"sid":"\ud800","title":"x"}',
    '{"type":"open","id":1,"spec":{"kind":"local","command":"a\\u0000b"},"size":{"cols":80,"rows":24}}',
    '{"type":"open","id":1,"spec":{"kind":"local"},"size":{"cols":"80","rows":24}}',
    '{"type":"open","id":1,"spec":{"kind":"local","env":{"A":"b"}},"size":{"cols":80,"rows":24}}',
    `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
    `{"type":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
    `{"a":`.repeat(50_000),
    JSON.stringify(Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`key${n}`, n]))),
  ]

  it.each(TEXTS.map((text) => [text.slice(0, 70), text]))(
    '%j gets an error frame and changes nothing',
    async (_name, text) => {
      const other = await host.connect()
      const client = await host.connect()
      client.socket.send(text)
      const error = await until(() => client.last('error'), { what: 'an error frame' })
      expect(error.error.code).toBe('BAD_FRAME')
      expect(error.error.message.length).toBeLessThan(1000)
      await client.roundTrip()
      await other.roundTrip()
      expect(({} as Record<string, unknown>)['x']).toBeUndefined()
      expect(host.composition.registry.all).toEqual([])
    },
  )

  it.each([
    ['no header', Buffer.alloc(3)],
    ['zeros', Buffer.alloc(16)],
    ['output from a client', Buffer.from([1, 0, 0, 0, 0, 0, 0, 1, ...Array.from({ length: 8 }, () => 0)])],
    ['JSON in a binary frame', Buffer.from('{"type":"list","id":1}')],
    ['random bytes', Buffer.from([9, ...randomBytes(100)])],
  ])('binary with %s gets an error frame', async (_name, bytes) => {
    const client = await host.connect()
    client.socket.send(bytes)
    expect((await until(() => client.last('error'), { what: 'an error frame' })).error.code).toBe('BAD_FRAME')
    await client.roundTrip()
  })

  it('three in a row close the socket with 1008, and only that one', async () => {
    const other = await host.connect()
    const client = await host.connect()
    for (let n = 0; n < 3; n += 1) client.socket.send('{')
    await until(() => client.closed, { what: 'the close' })
    expect(client.closed?.code).toBe(1008)
    await other.roundTrip()
  })

  it('text that is not UTF-8 closes the socket with 1007', async () => {
    const client = await host.connect()
    client.socket.send(Buffer.from([0x22, 0xff, 0xfe, 0x22]), { binary: false })
    await until(() => client.closed, { what: 'the close' })
    expect(client.closed?.code).toBe(1007)
  })
})

describe('the size of frames (X-13)', () => {
  it('may be the limit, and one byte more closes the socket with 1009', async () => {
    const client = await host.connect()
    const text = JSON.stringify({ type: 'list', id: 1 })
    client.socket.send(text.padEnd(MAX_CLIENT_FRAME_BYTES, ' '))
    await until(() => client.last('ok'), { what: 'the reply' })
    client.socket.send(text.padEnd(MAX_CLIENT_FRAME_BYTES + 1, ' '))
    await until(() => client.closed, { what: 'the close' })
    expect(client.closed?.code).toBe(1009)
  })

  it('counts all fragments together', async () => {
    const client = await host.connect()
    const before = process.memoryUsage().rss
    for (let n = 0; n < 20; n += 1) client.socket.send(Buffer.alloc(512 * 1024, 0x20), { fin: false, binary: false })
    await until(() => client.closed, { what: 'the close' })
    expect(client.closed?.code).toBe(1009)
    expect(process.memoryUsage().rss - before).toBeLessThan(50 * 1024 * 1024)
  })

  it('bounds the number of fragments', async () => {
    const client = await host.connect()
    for (let n = 0; n < 5000 && client.closed === null; n += 1) client.socket.send(' ', { fin: false, binary: false })
    await until(() => client.closed, { what: 'the close' })
    expect([1008, 1009]).toContain(client.closed?.code)
  })

  it('is never hidden by compression: none is agreed on', async () => {
    const client = await host.connect({ socket: { perMessageDeflate: true } })
    expect(client.socket.extensions).toBe('')
    await client.roundTrip()
  })
})

describe('foreign sessions (X-16)', () => {
  it('are answered like sessions that do not exist, whatever is asked', async () => {
    const owner = await host.connect()
    const stranger = await host.connect()
    const view = await owner.start()
    await view.untilText(/\$ $/)
    const unknown = encodeRandomId(randomBytes(16)) as SessionId
    for (const sid of [unknown, encodeRandomId(Buffer.alloc(16)) as SessionId]) {
      const size = { cols: 80, rows: 24 }
      for (const attempt of [
        stranger.request({ type: 'attach', sid, size, resumeFrom: null }),
        stranger.request({ type: 'resize', sid, size }),
        stranger.request({ type: 'rename', sid, title: 'x' }),
        stranger.request({ type: 'close', sid }),
      ])
        await expect(attempt).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
    }
    // Input and resize need an attachment of one's own.
    await expect(stranger.request({ type: 'resize', sid: view.sid, size: { cols: 9, rows: 9 } })).rejects.toMatchObject(
      {
        code: 'NOT_ATTACHED',
      },
    )
    for (let handle = 1; handle < 10; handle += 1)
      stranger.socket.send(Buffer.from([2, 0, 0, 0, 0, 0, 0, handle, 0, 0, 0, 0, 0, 0, 0, 1, 0x78, 0x0a]))
    await stranger.roundTrip()
    expect(new Set(stranger.of('error').map(({ error }) => error.code))).toEqual(
      new Set(['SESSION_NOT_FOUND', 'NOT_ATTACHED']),
    )
    view.input('echo "[$COLUMNS]"\n')
    await view.untilText(/\[80\]/)
    expect(view.text).not.toMatch(/x: command not found/)
    await owner.request({ type: 'close', sid: view.sid })
  })
})
