import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ClientConnection } from '../../../../host-src/gateway/client-connection.ts'
import { ConnectionTests } from '../../../../host-src/gateway/connection-tests.ts'
import { FrameHandlers } from '../../../../host-src/gateway/frame-handlers.ts'
import { Questions } from '../../../../host-src/gateway/questions.ts'
import type { SessionRegistry } from '../../../../host-src/sessions/session-registry.ts'
import type { ClientId } from '../../../../protocol-src/ids.ts'
import {
  DEAD_PEER_MS,
  HEARTBEAT_MS,
  HELLO_TIMEOUT_MS,
  MAX_INPUT_FRAME_BYTES,
  MAX_SOCKET_BACKLOG_BYTES,
} from '../../../../protocol-src/limits.ts'
import { FakeBackend, settled } from '../../../support/fake-backend.ts'
import { FakeSocket } from '../../../support/fake-socket.ts'
import { marksOf } from '../../../support/marks.ts'
import { recordingLogger, type RecordingLogger } from '../../../support/recording-logger.ts'
import { testBook } from '../../../support/test-book.ts'
import { testRegistry } from '../../../support/test-registry.ts'

const SIZE = { cols: 80, rows: 24 }
const UNKNOWN = 'A'.repeat(22)

let backend: FakeBackend
let logger: RecordingLogger
let registry: SessionRegistry
let closed: ClientConnection[]

beforeEach(() => {
  vi.useFakeTimers()
  backend = new FakeBackend()
  logger = recordingLogger()
  closed = []
  registry = testRegistry(backend, { maxSessions: () => 16, logger })
})
afterEach(() => void vi.useRealTimers())

const questions = new Questions()
const tests = new ConnectionTests(() => Promise.resolve({ phases: [], error: null }))

const connect = (client: string | null = 'client'): { socket: FakeSocket; connection: ClientConnection } => {
  const socket = new FakeSocket()
  const handlers = new FrameHandlers({ registry, book: testBook().requests, questions, tests, logger })
  const connection = new ClientConnection(
    socket.asWebSocket,
    {
      hello: (frame, to) => void (to.client = frame.client.id),
      frame: (frame, to) => void (frame.type !== 'hello' && handlers.handle(frame, to)),
      input: (viewing, input, to) => handlers.input(viewing, input, to),
      closed: (gone) => closed.push(gone),
    },
    logger,
  )
  connection.client = client as ClientId | null
  return { socket, connection }
}

const openAndAttach = async (socket: FakeSocket): Promise<{ sid: string; handle: number }> => {
  const id = socket.sent.length + 1
  socket.says({ type: 'open', id, spec: { kind: 'local' }, size: SIZE })
  await settled()
  const { id: sid } = registry.all.at(-1) ?? { id: UNKNOWN }
  socket.says({ type: 'attach', id: id + 1, sid, size: SIZE, resumeFrom: null })
  const handle = socket.of('ok').at(-1)?.result['handle']
  return { sid, handle: Number(handle) }
}

describe('the commands of a session', () => {
  it('are told to the clients that look at it, and to any client that asks', async () => {
    const [looks, asks] = [connect('looks').socket, connect('asks').socket]
    const { sid } = await openAndAttach(looks)
    const marks = marksOf(registry.all[0]?.markNonce ?? '')
    backend.pty.print(marks.start('one') + marks.end(4) + marks.start('two'))
    const told = looks.of('command').map(({ sid: of, command }) => [of, command.text, command.exitCode])
    expect(told).toEqual([
      [sid, 'one', null],
      [sid, 'one', 4],
      [sid, 'two', null],
    ])
    expect(asks.of('command')).toEqual([])
    asks.says({ type: 'commands', id: 1, sid, before: 2, limit: 10 })
    asks.says({ type: 'commands', id: 2, sid: UNKNOWN, limit: 10 })
    expect(asks.of('ok').at(-1)?.result).toMatchObject({ commands: [{ id: 1, text: 'one', exitCode: 4 }] })
    expect(asks.errors).toEqual(['SESSION_NOT_FOUND'])
  })

  it('need a nonce that is in the reply to attach and in no other frame', async () => {
    const { socket } = connect()
    const { sid } = await openAndAttach(socket)
    const nonce = registry.all[0]?.markNonce ?? ''
    backend.pty.print(marksOf(nonce).start('one'))
    for (const type of ['list', 'history', 'commands']) {
      const request = { type, id: 50, ...(type === 'list' ? {} : { sid, limit: 10 }) }
      socket.says(type === 'history' ? { ...request, after: 0 } : request)
    }
    const saying = socket.sent.filter((frame) => JSON.stringify(frame).includes(nonce))
    expect(saying).toMatchObject([{ type: 'ok', result: { markNonce: nonce, session: { id: sid } } }])
  })
})

describe('frames that are none', () => {
  it('get an error naming the field, and the third in a row closes the socket with 1008', () => {
    const { socket } = connect()
    socket.says('{')
    socket.says({ type: 'attach', id: 1, sid: 'short', size: SIZE, resumeFrom: null })
    expect(socket.of('error').map(({ error }) => error.details?.['field'])).toEqual(['', 'sid'])
    expect(socket.closedWith).toBeNull()
    socket.says({ type: 'list', id: 1, extra: true })
    expect(socket.errors).toEqual(['BAD_FRAME', 'BAD_FRAME', 'BAD_FRAME'])
    expect(socket.closedWith).toBe(1008)
    expect(closed).toHaveLength(1)
  })

  it('are forgiven after a good one', () => {
    const { socket } = connect()
    for (let n = 0; n < 10; n += 1) {
      socket.says('1')
      socket.says('null')
      socket.says({ type: 'ping', n })
    }
    expect(socket.closedWith).toBeNull()
    expect(socket.of('pong')).toHaveLength(10)
  })

  it('are also binary ones: wrong kind, wrong header, no header', () => {
    const { socket } = connect()
    socket.emit('message', Buffer.alloc(3), true)
    socket.emit('message', Buffer.alloc(20), true)
    socket.emit('message', Buffer.from([1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]), true)
    expect(socket.errors).toEqual(['BAD_FRAME', 'BAD_FRAME', 'BAD_FRAME'])
    expect(socket.closedWith).toBe(1008)
  })

  it('include everything before hello', () => {
    const { socket } = connect(null)
    socket.says({ type: 'list', id: 1 })
    socket.types(1, 1, 'x')
    socket.says({ type: 'ping', n: 1 })
    expect(socket.errors).toEqual(['HELLO_EXPECTED', 'HELLO_EXPECTED', 'HELLO_EXPECTED'])
    expect(socket.closedWith).toBe(1008)
    expect(socket.of('pong')).toEqual([])
  })
})

describe('requests', () => {
  it('get exactly one reply each, with their number', async () => {
    const { socket } = connect()
    socket.says({ type: 'open', id: 7, spec: { kind: 'local' }, size: SIZE })
    await settled()
    const sid = registry.all[0]?.id
    socket.says({ type: 'list', id: 8 })
    socket.says({ type: 'attach', id: 9, sid, size: SIZE, resumeFrom: null })
    socket.says({ type: 'resize', id: 10, sid, size: { cols: 100, rows: 30 } })
    socket.says({ type: 'rename', id: 11, sid, title: 'x' })
    socket.says({ type: 'detach', id: 12, sid })
    socket.says({ type: 'resize', id: 13, sid, size: SIZE })
    socket.says({ type: 'close', id: 14, sid })
    await settled()
    expect(socket.of('ok').map(({ re }) => re)).toEqual([7, 8, 9, 10, 11, 12, 14])
    expect(socket.of('error').map(({ re, error }) => [re, error.code])).toEqual([[13, 'NOT_ATTACHED']])
  })

  it.each(['attach', 'resize', 'close', 'rename'])(
    '%s says the same of what never was and of what is gone',
    async (type) => {
      const { socket } = connect()
      const { sid } = await openAndAttach(socket)
      socket.says({ type: 'close', id: 50, sid })
      await settled()
      const extra = {
        attach: { size: SIZE, resumeFrom: null },
        resize: { size: SIZE },
        close: {},
        rename: { title: 'x' },
      }[type]
      socket.says({ type, id: 51, sid, ...extra })
      socket.says({ type, id: 52, sid: UNKNOWN, ...extra })
      await settled()
      const [gone, never] = socket.of('error')
      expect(gone?.re).toBe(51)
      expect(gone?.error).toEqual(never?.error)
      expect(gone?.error.code).toBe('SESSION_NOT_FOUND')
    },
  )

  it('attach is answered before the first byte, also when bytes wait', async () => {
    const first = connect()
    const { sid } = await openAndAttach(first.socket)
    backend.pty.print('hello')
    const { socket } = connect('second')
    socket.says({ type: 'attach', id: 1, sid, size: SIZE, resumeFrom: null })
    const kinds = socket.sent.map((frame) => ('type' in frame ? frame.type : frame.kind))
    expect(kinds).toEqual(['ok', 'size', 'output'])
  })

  it('attach twice on one connection replaces the first and uses its handle never again', async () => {
    const { socket } = connect()
    const { sid, handle } = await openAndAttach(socket)
    socket.says({ type: 'attach', id: 60, sid, size: SIZE, resumeFrom: null })
    const again = socket.of('ok').at(-1)?.result['handle']
    expect(again).not.toBe(handle)
    expect(registry.all[0]?.descriptor.attachments).toBe(1)
    socket.types(handle, 1, 'x')
    expect(socket.errors).toEqual(['NOT_ATTACHED'])
    expect(backend.pty.written).toEqual([])
  })
})

describe('input', () => {
  it('in a frame larger than agreed is a bad frame, and nothing of it is typed', async () => {
    const { socket } = connect()
    const { handle } = await openAndAttach(socket)
    socket.types(handle, 1, 'x'.repeat(MAX_INPUT_FRAME_BYTES + 1))
    expect(socket.errors).toEqual(['BAD_FRAME'])
    expect(backend.pty.written).toEqual([])
    socket.types(handle, 1, 'x'.repeat(MAX_INPUT_FRAME_BYTES))
    expect(backend.pty.written).toEqual(['x'.repeat(MAX_INPUT_FRAME_BYTES)])
  })

  it('is acknowledged with the last number taken, also when it is refused', async () => {
    const { socket } = connect()
    const { handle } = await openAndAttach(socket)
    for (const [seq, text] of [
      [1, 'a'],
      [1, 'a'],
      [3, 'c'],
    ] as const) {
      socket.types(handle, seq, text)
      vi.advanceTimersByTime(10)
    }
    expect(socket.of('inputAck').map(({ seq }) => seq)).toEqual([1, 1, 1])
    expect(socket.errors).toEqual(['INPUT_OUT_OF_ORDER'])
    expect(backend.pty.written).toEqual(['a'])
  })

  it('goes to no session that this connection is not attached to', async () => {
    const first = connect()
    const { handle } = await openAndAttach(first.socket)
    const second = connect('second')
    for (let guess = 1; guess < 20; guess += 1) second.socket.types(guess, 1, 'rm')
    expect(new Set(second.socket.errors)).toEqual(new Set(['NOT_ATTACHED']))
    expect(backend.pty.written).toEqual([])
    first.socket.types(handle, 1, 'ls')
    expect(backend.pty.written).toEqual(['ls'])
  })
})

describe('what a connection holds', () => {
  it('is let go when a session is closed, by whomever: its output must not stay in memory', async () => {
    const { socket, connection } = connect()
    const { sid, handle } = await openAndAttach(socket)
    const other = connect('other')
    other.socket.says({ type: 'close', id: 1, sid })
    await settled()
    expect(socket.of('closed').map((frame) => frame.sid)).toEqual([sid])
    expect([...connection.viewings]).toEqual([])
    expect(connection.viewing(handle as never)).toBeUndefined()
    expect(socket.of('exited')).toHaveLength(1)
  })

  it('is no session that it opened and that ended before it attached', async () => {
    const { socket } = connect()
    socket.says({ type: 'open', id: 1, spec: { kind: 'local' }, size: SIZE })
    await settled()
    const session = registry.all[0]
    expect(session?.orphanedAt).toBeNull()
    await backend.pty.exit()
    expect(session?.orphanedAt).not.toBeNull()
  })

  it('are the sessions that it opened, until it attaches or goes', async () => {
    const { socket } = connect()
    socket.says({ type: 'open', id: 1, spec: { kind: 'local' }, size: SIZE })
    expect(registry.all[0]?.orphanedAt).toBeNull()
    await settled()
    expect(registry.all[0]?.orphanedAt).toBeNull()
    socket.breaks()
    expect(registry.all[0]?.orphanedAt).not.toBeNull()
    expect(registry.all[0]?.phase).toBe('running')
  })

  it('is no timer after its end', async () => {
    const { socket, connection } = connect()
    await openAndAttach(socket)
    expect(vi.getTimerCount()).toBeGreaterThan(0)
    connection.dispose()
    connection.dispose()
    // The journal has its own, which are gone when it has written and rested.
    await vi.advanceTimersByTimeAsync(10_000)
    expect(vi.getTimerCount()).toBe(0)
    expect(socket.isTerminated).toBe(true)
    expect(closed).toHaveLength(1)
    expect(registry.all[0]?.descriptor.attachments).toBe(0)
  })
})

describe('a peer that is not there', () => {
  it('is asked every heartbeat and given up after the documented silence', async () => {
    const { socket } = connect()
    await openAndAttach(socket)
    await vi.advanceTimersByTimeAsync(HEARTBEAT_MS)
    expect(socket.pings).toBe(1)
    socket.emit('pong')
    await vi.advanceTimersByTimeAsync(DEAD_PEER_MS)
    expect(socket.isTerminated).toBe(false)
    await vi.advanceTimersByTimeAsync(HEARTBEAT_MS)
    expect(socket.isTerminated).toBe(true)
    expect(registry.all[0]?.orphanedAt).not.toBeNull()
    expect(registry.all[0]?.phase).toBe('running')
  })

  it('is given up when it never says hello', async () => {
    const { socket } = connect(null)
    await vi.advanceTimersByTimeAsync(HELLO_TIMEOUT_MS - 1)
    expect(socket.closedWith).toBeNull()
    await vi.advanceTimersByTimeAsync(1)
    expect(socket.closedWith).toBe(1008)
  })

  it('is cut when its socket takes nothing more; its session lives', async () => {
    const { socket } = connect()
    await openAndAttach(socket)
    socket.bufferedAmount = MAX_SOCKET_BACKLOG_BYTES + 1
    backend.pty.print('x')
    expect(socket.isTerminated).toBe(true)
    expect(closed).toHaveLength(1)
    expect(registry.all[0]?.phase).toBe('running')
  })

  it('is told nothing after it went', async () => {
    const { socket } = connect()
    await openAndAttach(socket)
    socket.breaks()
    const before = socket.sent.length
    backend.pty.print('x')
    await backend.pty.exit()
    expect(socket.sent).toHaveLength(before)
  })
})

describe('a fault of our own', () => {
  it('is an error frame and a log line, not an exception in the host', () => {
    const { socket } = connect()
    vi.spyOn(registry, 'list').mockImplementation(() => {
      throw new TypeError('a bug')
    })
    socket.says({ type: 'list', id: 1 })
    expect(socket.of('error').map(({ re, error }) => [re, error.code])).toEqual([[1, 'INTERNAL']])
    expect(logger.of('frame.failed')).toHaveLength(1)
  })
})
