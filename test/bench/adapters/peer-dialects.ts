/** The languages of terminal servers that may be on PATH. */
import { SIZE, type Dialect } from './dialect.ts'

const nothing = (): void => undefined
/** The session ends with its connection. */
const leaving = (): null => null
const INPUT = '0'
const GOTTY_INPUT = '1'

/** ttyd 1.7: binary frames, the first byte is the command ('0' is output and input). */
export const ttydDialect = (): Dialect => ({
  path: '/ws',
  subprotocols: ['tty'],
  opened: (send) => {
    send(Buffer.from(JSON.stringify({ AuthToken: '', columns: SIZE.cols, rows: SIZE.rows })))
  },
  received: (frame) => (frame[0] === INPUT.charCodeAt(0) ? frame.subarray(1) : null),
  typed: (bytes) => Buffer.concat([Buffer.from(INPUT), bytes]),
  parsed: nothing,
  ended: leaving,
})

/** gotty 2: text frames, '1' and base64 is output, '1' and text is input. */
export const gottyDialect = (): Dialect => ({
  path: '/ws',
  subprotocols: ['webtty'],
  opened: (send) => {
    send(JSON.stringify({ Arguments: '', AuthToken: '' }))
  },
  received: (frame) =>
    frame[0] === GOTTY_INPUT.charCodeAt(0) ? Buffer.from(frame.toString('latin1', 1), 'base64') : null,
  typed: (bytes) => GOTTY_INPUT + Buffer.from(bytes).toString('utf8'),
  parsed: nothing,
  ended: leaving,
})
