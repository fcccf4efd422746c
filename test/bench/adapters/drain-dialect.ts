/** Binary both ways, with acknowledgements and nothing else. */
import type { Dialect, WireData } from './dialect.ts'

/** Begins a message that acknowledges; four bytes with the number of bytes follow. */
export const ACK = Buffer.from('\0ack')
const ACK_EVERY_BYTES = 64 * 1024

export const drainDialect = (): Dialect => {
  let send: (data: WireData) => void = () => undefined
  let unsaid = 0
  return {
    path: '/',
    subprotocols: [],
    opened: (sender) => {
      send = sender
    },
    received: (frame) => frame,
    typed: (bytes) => bytes,
    parsed: (bytes) => {
      unsaid += bytes
      if (unsaid < ACK_EVERY_BYTES) return
      const count = Buffer.alloc(4)
      count.writeUInt32BE(unsaid)
      send(Buffer.concat([ACK, count]))
      unsaid = 0
    },
    ended: () => null,
  }
}
