import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts'
import { staysTrue, until } from '../../support/wait.ts'

/** A client socket that remembers what came and whether it was closed. */
interface Peer {
  socket: Socket
  received(): string
  isClosed(): boolean
}

const watch = (socket: Socket): Peer => {
  let text = ''
  let closed = false
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString()
  })
  socket.on('error', () => {})
  socket.on('close', () => {
    closed = true
  })
  return { socket, received: () => text, isClosed: () => closed }
}

describe('tcp proxy', () => {
  let server: Server
  let proxy: TcpProxy
  let accepted: Peer[]
  let clients: Peer[]

  const dial = async (): Promise<Peer> => {
    const peer = watch(connect(proxy.port, '127.0.0.1'))
    clients.push(peer)
    const expected = clients.length
    await until(() => accepted.length === expected, { what: 'the server to accept' })
    return peer
  }

  beforeEach(async () => {
    accepted = []
    clients = []
    server = createServer((socket) => {
      accepted.push(watch(socket))
      socket.on('data', (chunk: Buffer) => socket.write(`echo:${chunk.toString()}`))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    proxy = await startTcpProxy((server.address() as AddressInfo).port)
  })

  afterEach(async () => {
    await proxy.close()
    for (const { socket } of [...clients, ...accepted]) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })

  it('carries bytes both ways and counts them', async () => {
    const client = await dial()
    client.socket.write('hi')
    await until(() => client.received() === 'echo:hi', { what: 'the echo' })
    expect(proxy.bytes('up')).toBe(2)
    expect(proxy.bytes('down')).toBe(7)
    expect(proxy.connectionCount()).toBe(1)
  })

  it('cuts both ends and accepts again', async () => {
    const client = await dial()
    proxy.cut()
    await until(() => client.isClosed() && accepted[0]?.isClosed(), { what: 'both ends to be closed' })
    expect(proxy.connectionCount()).toBe(0)
    const next = await dial()
    next.socket.write('again')
    await until(() => next.received() === 'echo:again', { what: 'the echo' })
  })

  it('leaves an unaware client open when half open', async () => {
    const client = await dial()
    proxy.halfOpen('client')
    await until(() => accepted[0]?.isClosed(), { what: 'the server side to be closed' })
    client.socket.write('lost')
    await staysTrue(() => !client.isClosed() && client.received() === '', { what: 'client hears nothing', forMs: 100 })
  })

  it('holds back a frozen direction and loses nothing when thawed', async () => {
    const client = await dial()
    proxy.set('down', { frozen: true })
    client.socket.write('slow')
    await until(() => accepted[0]?.received() === 'slow', { what: 'the request to arrive' })
    await staysTrue(() => client.received() === '', { what: 'no answer while frozen', forMs: 80 })
    proxy.set('down', { frozen: false })
    await until(() => client.received() === 'echo:slow', { what: 'the held back answer' })
  })

  it('delays and throttles', async () => {
    const client = await dial()
    proxy.set('up', { delayMs: 60 })
    proxy.set('down', { bytesPerSecond: 100 })
    const started = performance.now()
    client.socket.write('12345')
    await until(() => client.received() === 'echo:12345', { what: 'the echo' })
    // 60 ms up, and 10 bytes at 100 bytes per second down.
    expect(performance.now() - started).toBeGreaterThan(150)
  })

  it('resets new connections while refusing', async () => {
    const client = await dial()
    proxy.refuse(true)
    const refused = watch(connect(proxy.port, '127.0.0.1'))
    await until(() => refused.isClosed(), { what: 'the refusal' })
    expect(client.isClosed()).toBe(false)
    expect(accepted).toHaveLength(1)
  })

  it('ends the other side when one side ends', async () => {
    const client = await dial()
    accepted[0]?.socket.end('bye')
    await until(() => client.received() === 'bye' && client.isClosed(), { what: 'the end to arrive' })
    await until(() => proxy.connectionCount() === 0, { what: 'the proxy to forget the connection' })
  })
})
