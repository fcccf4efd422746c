/** A TCP connection in two named steps. */
import { lookup } from 'node:dns/promises'
import { connect, type Socket } from 'node:net'
import type { Steps } from './steps.ts'

/** @throws TtyError SSH_RESOLVE, SSH_CONNECT, SSH_TIMEOUT, CANCELLED */
export async function tcpTo(host: string, port: number, steps: Steps): Promise<Socket> {
  const addresses = await steps.run('resolve', () => lookup(host, { all: true }))
  const socket = connect({
    host,
    port,
    noDelay: true,
    // What was found is what is used: all of it, the next when one does not answer.
    lookup: (_name, options, found) => {
      if (options.all === true) found(null, addresses)
      else found(null, addresses[0]?.address ?? '', addresses[0]?.family)
    },
  })
  const connected = new Promise<void>((resolve, reject) => {
    // Whoever uses the socket hears of later errors itself.
    socket.on('error', reject)
    socket.once('connect', resolve)
  })
  connected.catch(() => {}) // heard by the step below, when it is still on
  try {
    await steps.run('connect', () => connected)
    return socket
  } catch (error) {
    socket.destroy()
    throw error
  }
}
