/** A loopback TCP proxy between a client and a server, with a hand on each direction of every connection. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/** Seen from the client: `up` carries its requests, `down` the server's answers. */
export type Direction = 'up' | 'down'

/** What happens to the bytes of one direction; applies to all connections, present and future. */
export interface Conditions {
  /** Nothing is read or sent until thawed; the sender's own buffers fill up, nobody is told. */
  frozen: boolean
  /** Every chunk arrives this much later; order is kept. */
  delayMs: number
  /** Upper bound of the throughput; Infinity for none. */
  bytesPerSecond: number
}

/** A running proxy. */
export interface TcpProxy extends AsyncDisposable {
  readonly port: number
  /** `http://127.0.0.1:<port>`. */
  readonly url: string
  /** Connections open now. */
  connectionCount(): number
  /** Connections accepted since the start. */
  readonly accepted: number
  /** Bytes that went through since the start. */
  bytes(direction: Direction): number
  set(direction: Direction | 'both', conditions: Partial<Conditions>): void
  /** Resets every open connection at both ends (RST); new ones are accepted. */
  cut(): void
  /** Ends the connections towards one side only: the other side hears nothing and believes they are open. */
  halfOpen(unaware: 'client' | 'server'): void
  /** While refusing, new connections are reset at once; open ones live on. */
  refuse(isRefusing: boolean): void
  close(): Promise<void>
}

interface Link {
  client: Socket
  server: Socket
}

const CALM: Conditions = { frozen: false, delayMs: 0, bytesPerSecond: Infinity }
/** How often a frozen direction looks whether it has thawed. */
const FROZEN_POLL_MS = 5

/** @param targetPort port of the server on 127.0.0.1 */
export const startTcpProxy = async (targetPort: number): Promise<TcpProxy> => {
  const links = new Set<Link>()
  const conditions: Record<Direction, Conditions> = { up: { ...CALM }, down: { ...CALM } }
  const counted: Record<Direction, number> = { up: 0, down: 0 }
  let accepted = 0
  let isRefusing = false

  /** Moves the bytes of one direction, one chunk at a time, so that back-pressure reaches the sender. */
  const pump = async (link: Link, direction: Direction): Promise<void> => {
    const [from, to] = direction === 'up' ? [link.client, link.server] : [link.server, link.client]
    for await (const chunk of from as AsyncIterable<Buffer>) {
      if (conditions[direction].delayMs > 0) await delay(conditions[direction].delayMs)
      while (conditions[direction].frozen && !to.destroyed) await delay(FROZEN_POLL_MS)
      const { bytesPerSecond } = conditions[direction]
      if (bytesPerSecond !== Infinity) await delay((chunk.length / bytesPerSecond) * 1000)
      if (to.destroyed) continue // an unaware sender talks into the void
      counted[direction] += chunk.length
      if (!to.write(chunk)) await new Promise<void>((done) => to.once('drain', done).once('close', done))
    }
    if (links.has(link)) to.end()
  }

  const listener = createServer({ allowHalfOpen: true }, (client) => {
    if (isRefusing) {
      client.resetAndDestroy()
      return
    }
    accepted++
    const server = connect({ port: targetPort, host: '127.0.0.1', allowHalfOpen: true })
    const link: Link = { client, server }
    links.add(link)
    const forget = (): void => {
      if (client.destroyed && server.destroyed) links.delete(link)
    }
    for (const socket of [client, server]) {
      socket.on('error', () => {}) // followed by `close`, which is what counts
      socket.setNoDelay(true)
      socket.on('close', forget)
    }
    // A pump ends with an error when its source is destroyed; the other end then follows, unless it must not know.
    const follow = (to: Socket): void => {
      if (links.has(link)) to.destroy()
    }
    pump(link, 'up').catch(() => follow(server))
    pump(link, 'down').catch(() => follow(client))
  })
  await new Promise<void>((resolve, reject) => {
    listener.once('error', reject)
    listener.listen(0, '127.0.0.1', resolve)
  })
  const { port } = listener.address() as AddressInfo
  const orphans = new Set<Socket>()

  const proxy: TcpProxy = {
    port,
    url: `http://127.0.0.1:${port}`,
    connectionCount: () => links.size,
    get accepted() {
      return accepted
    },
    bytes: (direction) => counted[direction],
    set: (direction, change) => {
      const directions: readonly Direction[] = direction === 'both' ? ['up', 'down'] : [direction]
      for (const each of directions) Object.assign(conditions[each], change)
    },
    cut: () => {
      for (const { client, server } of links) {
        client.resetAndDestroy()
        server.resetAndDestroy()
      }
      for (const socket of orphans) socket.resetAndDestroy()
      links.clear()
      orphans.clear()
    },
    halfOpen: (unaware) => {
      for (const link of links) {
        const { client, server } = link
        links.delete(link)
        orphans.add(unaware === 'client' ? client : server)
        ;(unaware === 'client' ? server : client).resetAndDestroy()
      }
    },
    refuse: (next) => {
      isRefusing = next
    },
    close: async () => {
      proxy.cut()
      await new Promise((resolve) => listener.close(resolve))
    },
    [Symbol.asyncDispose]: () => proxy.close(),
  }
  return proxy
}
