/** The baseline's language: JSON text both ways, no acknowledgement. */
import type { Dialect } from './dialect.ts'

const nothing = (): void => undefined
/** The session ends with its connection. */
const leaving = (): null => null

/** @returns the text in a frame `{"type":"data","data":…}`, or null for any other */
export const textOf = (frame: Buffer): string | null => {
  const message: unknown = JSON.parse(frame.toString('utf8'))
  return typeof message === 'object' && message !== null && 'data' in message && typeof message.data === 'string'
    ? message.data
    : null
}

export const naiveDialect = (): Dialect => ({
  path: '/',
  subprotocols: [],
  opened: nothing,
  received: (frame) => {
    const text = textOf(frame)
    return text === null ? null : Buffer.from(text)
  },
  typed: (bytes) => JSON.stringify({ type: 'input', data: Buffer.from(bytes).toString('utf8') }),
  parsed: nothing,
  ended: leaving,
})

/** The bare echo: what is sent comes back, so the socket is all there is. */
export const echoDialect = (): Dialect => ({
  path: '/',
  subprotocols: [],
  opened: nothing,
  received: (frame) => frame,
  typed: (bytes) => bytes,
  parsed: nothing,
  ended: leaving,
})
