import { describe, expect, it } from 'vitest'
import { PONG_LIMIT_MS, Socket, type SocketListener } from '../../../../client-src/connection/socket.ts'
import { DEAD_PEER_MS, HEARTBEAT_MS, PROTOCOL_VERSION } from '../../../../protocol-src/limits.ts'
import { fakeNet, settled, type FakeNet } from './fake-host.ts'

const make = (net: FakeNet = fakeNet(), change: Partial<SocketListener> = {}) => {
  const heard: string[] = []
  const socket = new Socket(net.ports, {
    opened: () => heard.push('opened'),
    frame: (frame) => heard.push(frame.type),
    output: (frame) => heard.push(frame.kind === 'output' ? `output ${String(frame.offset)}` : frame.kind),
    down: () => heard.push('down'),
    ...change,
  })
  const kind = () => socket.state.getSnapshot().kind
  return { net, socket, heard, kind }
}

const opened = async (net?: FakeNet, change?: Partial<SocketListener>) => {
  const made = make(net, change)
  made.socket.start()
  await settled()
  made.net.socket.welcome()
  return made
}

describe('opening', () => {
  it('brings a fresh ticket as a sub-protocol, says hello, and is open after the welcome', async () => {
    const { net, socket, heard, kind } = make()
    socket.start()
    expect(kind()).toBe('connecting')
    await settled()
    expect(net.socket.subProtocols).toEqual(['dsh-tty', 'ticket.TTTTTTTTTTTTTTTTTTTTTT'])
    expect(net.socket.frames).toEqual([])
    net.socket.welcome()
    expect(net.socket.last('hello')).toMatchObject({ protocol: PROTOCOL_VERSION, client: { kind: 'panel' } })
    expect(socket.state.getSnapshot()).toMatchObject({ kind: 'open', responding: true })
    expect(heard).toEqual(['opened'])
  })

  it('sends nothing before it is open', async () => {
    const { net, socket } = make()
    socket.start()
    await settled()
    net.socket.onopen?.()
    expect(socket.send({ type: 'list', id: 1 })).toBe(false)
    expect(net.socket.count('list')).toBe(0)
  })

  it.each([
    ['no ticket comes', () => Promise.reject(new Error('no'))],
    ['the request for a ticket hangs', () => new Promise<never>(() => {})],
  ])('tries again when %s', async (_, ticket) => {
    const { net, socket, kind } = make()
    net.ticket = ticket
    socket.start()
    await net.clock.pass(10_000)
    expect(kind()).toBe('waiting')
    expect(net.sockets).toHaveLength(0)
  })

  it('tries again when the upgrade hangs, and closes the late socket without a word', async () => {
    const { net, socket, kind } = make()
    socket.start()
    await net.clock.pass(10_000)
    expect(kind()).toBe('waiting')
    const [late] = net.sockets
    expect(late?.isClosed).toBe(false)
    late?.onopen?.()
    expect(late?.isClosed).toBe(true)
    expect(late?.frames).toEqual([])
  })
})

describe('backing off', () => {
  it('doubles from 250 ms to 5 s, and jitters over the whole of it', async () => {
    const { net, socket } = make()
    net.ticket = () => Promise.reject(new Error('no'))
    socket.start()
    const delays: number[] = []
    for (let attempt = 0; attempt < 7; attempt += 1) {
      await settled()
      const state = socket.state.getSnapshot()
      if (state.kind !== 'waiting') throw new Error(state.kind)
      const delay = state.retryAt - net.clock.now()
      delays.push(delay)
      await net.clock.pass(delay)
    }
    expect(delays).toEqual([250, 500, 1000, 2000, 4000, 5000, 5000])
    net.random = 0.1
    await net.clock.pass(5000)
    const state = socket.state.getSnapshot()
    expect(state.kind === 'waiting' && state.retryAt - net.clock.now()).toBeLessThanOrEqual(500)
  })

  it('does not start anew for a host that accepts and hangs up', async () => {
    const { net, socket } = make()
    socket.start()
    for (let attempt = 0; attempt < 6; attempt += 1) {
      await settled()
      net.socket.welcome()
      net.socket.break()
      const state = socket.state.getSnapshot()
      if (state.kind === 'waiting') await net.clock.pass(state.retryAt - net.clock.now())
    }
    net.socket.break()
    const state = socket.state.getSnapshot()
    expect(state.kind === 'waiting' && state.retryAt - net.clock.now()).toBe(5000)
  })

  it('starts anew after a connection that answered', async () => {
    const { net, socket } = await opened()
    net.socket.pong()
    net.socket.break()
    const state = socket.state.getSnapshot()
    expect(state.kind === 'waiting' && state.retryAt - net.clock.now()).toBe(250)
  })

  it('connects at once when the page wakes, and only once however often it does', async () => {
    const { net, socket, kind } = await opened()
    net.socket.break()
    for (let times = 0; times < 5; times += 1) {
      socket.wake()
      await settled()
    }
    expect(kind()).toBe('connecting')
    expect(net.sockets).toHaveLength(2)
  })
})

describe('generations', () => {
  it('hears nothing of a socket that was given up', async () => {
    const { net, socket, heard, kind } = await opened()
    const [first] = net.sockets
    const { onmessage, onclose } = first ?? {}
    first?.break()
    socket.wake()
    await settled()
    net.socket.welcome()
    heard.length = 0
    onmessage?.({ data: JSON.stringify({ type: 'sessions', sessions: [] }) })
    onclose?.()
    expect(heard).toEqual([])
    expect(kind()).toBe('open')
    expect(net.sockets).toHaveLength(2)
  })

  it('throws a ticket away that comes after its attempt', async () => {
    const { net, socket } = make()
    let give: (ticket: never) => void = () => {}
    net.ticket = () => new Promise((resolve) => (give = resolve))
    socket.start()
    await net.clock.pass(10_000)
    give('LLLLLLLLLLLLLLLLLLLLLL' as never)
    await settled()
    expect(net.sockets).toHaveLength(0)
  })

  it('says down once per generation that was open', async () => {
    const { net, heard } = await opened()
    net.socket.break()
    net.socket.onclose?.()
    expect(heard.filter((word) => word === 'down')).toHaveLength(1)
  })
})

describe('the heartbeat', () => {
  it('claims to respond only while a pong came within the last beat', async () => {
    const { net, socket } = await opened()
    net.socket.pong()
    await net.clock.pass(HEARTBEAT_MS)
    expect(net.socket.count('ping')).toBe(2)
    await net.clock.pass(PONG_LIMIT_MS)
    expect(socket.state.getSnapshot()).toMatchObject({ kind: 'open', responding: false })
    net.socket.pong()
    expect(socket.state.getSnapshot()).toMatchObject({ kind: 'open', responding: true })
  })

  it('takes only the answer to the last ping', async () => {
    const { net, socket } = await opened()
    net.socket.pong()
    await net.clock.pass(HEARTBEAT_MS + PONG_LIMIT_MS)
    net.socket.say({ type: 'pong', n: 1 })
    expect(socket.state.getSnapshot()).toMatchObject({ responding: false })
  })

  it('gives up a peer that is silent, output or not', async () => {
    const { net, kind } = await opened()
    net.socket.pong()
    for (let second = 0; second < DEAD_PEER_MS / 1000 - 1; second += 1) {
      await net.clock.pass(1000)
      net.socket.output(1, second, 'x')
    }
    expect(kind()).toBe('open')
    await net.clock.pass(1001)
    expect(kind()).toBe('waiting')
  })

  it('asks at once after a sleep, and lives when the answer comes', async () => {
    const { net, socket, kind } = await opened()
    net.socket.pong()
    net.clock.sleep(3_600_000)
    socket.wake()
    expect(net.socket.count('ping')).toBe(2)
    net.socket.pong()
    await net.clock.pass(1)
    expect(kind()).toBe('open')
    expect(net.sockets).toHaveLength(1)
  })
})

describe('refusals and damage', () => {
  it.each([
    [{ host: PROTOCOL_VERSION + 1 }, 'page'],
    [{ host: PROTOCOL_VERSION - 1 }, 'host'],
    [undefined, 'unknown'],
  ] as const)('says which side is too old: %o', async (details, stale) => {
    const { net, socket } = make()
    socket.start()
    await settled()
    net.socket.onopen?.()
    net.socket.say({ type: 'error', error: { code: 'PROTOCOL_MISMATCH', message: '', ...(details && { details }) } })
    expect(socket.state.getSnapshot()).toEqual({ kind: 'refused', code: 'PROTOCOL_MISMATCH', stale })
    await net.clock.pass(60_000)
    socket.wake()
    expect(net.sockets).toHaveLength(1)
    socket.retry()
    await settled()
    expect(net.sockets).toHaveLength(2)
  })

  it.each([
    ['text that is not JSON', '{'],
    ['an unknown frame', '{"type":"surprise"}'],
    ['a frame with a field too many', '{"type":"pong","n":1,"x":1}'],
    ['a binary frame that is none', new ArrayBuffer(3)],
    ['a second welcome of the wrong kind', 7],
  ])('starts anew after %s', async (_, data) => {
    const { net, heard, kind } = await opened()
    net.socket.sayRaw(data)
    expect(kind()).toBe('waiting')
    expect(heard).toEqual(['opened', 'down'])
  })

  it('starts anew when a listener fails', async () => {
    const { net, kind } = await opened(fakeNet(), {
      frame: () => {
        throw new Error('a fault of ours')
      },
    })
    net.socket.say({ type: 'sessions', sessions: [] })
    expect(kind()).toBe('waiting')
  })

  it('leaves no timer and no socket', async () => {
    const { net, socket, heard } = await opened()
    socket.dispose()
    socket.dispose()
    expect(net.socket.isClosed).toBe(true)
    expect(net.clock.pending).toBe(0)
    expect(heard).toEqual(['opened', 'down'])
    socket.start()
    socket.wake()
    socket.retry()
    expect(net.sockets).toHaveLength(1)
  })
})
