/** What every server process of the bench does: listen on loopback, tell the port, collect garbage when asked, end with its parent. */
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Messages of the parent. */
export type Order = { readonly type: 'collect-garbage' } | { readonly type: 'stop' }

/** @param dispose runs before the process ends */
export const announce = (server: Server, dispose: () => Promise<void>): void => {
  const stop = async (): Promise<void> => {
    await dispose()
    process.exit(0)
  }
  process.on('message', (order: Order) => {
    if (order.type === 'stop') void stop()
    else {
      globalThis.gc?.()
      const { heapUsed, external } = process.memoryUsage()
      process.send?.({ type: 'garbage-collected', liveBytes: heapUsed + external })
    }
  })
  process.on('disconnect', () => void stop())
  server.listen(0, '127.0.0.1', () => {
    process.send?.({ type: 'listening', port: (server.address() as AddressInfo).port })
  })
}
