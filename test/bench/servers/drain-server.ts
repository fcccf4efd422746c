/**
 * The least that a host in Node can do for M1 and M3: drains the PTY into one buffer, sends it as one binary frame, and pauses while
 * 256 KiB are not acknowledged. It keeps nothing, checks nothing, and ends its session with the connection.
 */
import { readSync, writeSync } from 'node:fs'
import { createServer } from 'node:http'
import { spawn } from 'node-pty'
import { WebSocketServer } from 'ws'
import { SIZE } from '../adapters/dialect.ts'
import { ACK } from '../adapters/drain-dialect.ts'
import { announce } from './announce.ts'

const BATCH_BYTES = 64 * 1024
const READ_BYTES = 4 * 1024
const FULL_READ_BYTES = 4_000
const HIGH_WATER_BYTES = 256 * 1024
const LOW_WATER_BYTES = 64 * 1024

const kid = process.argv[2] ?? ''
const server = createServer()
new WebSocketServer({ server, perMessageDeflate: false }).on('connection', (ws) => {
  const pty = spawn(kid, [], { name: 'xterm-256color', ...SIZE, encoding: null })
  const { fd } = pty as unknown as { fd: number }
  let unacknowledged = 0
  let isPaused = false
  pty.onData((text) => {
    const chunk = text as unknown as Buffer
    const batch = Buffer.allocUnsafeSlow(BATCH_BYTES)
    batch.set(chunk)
    const length = drain(fd, batch, chunk.length)
    unacknowledged += length
    ws.send(batch.subarray(0, length))
    if (unacknowledged < HIGH_WATER_BYTES || isPaused) return
    isPaused = true
    pty.pause()
  })
  ws.on('message', (data) => {
    const message = data as Buffer
    if (!message.subarray(0, ACK.length).equals(ACK)) {
      writeSync(fd, message)
      return
    }
    unacknowledged -= message.readUInt32BE(ACK.length)
    if (unacknowledged > LOW_WATER_BYTES || !isPaused) return
    isPaused = false
    pty.resume()
  })
  ws.on('close', () => {
    pty.kill()
  })
})
announce(server, () => Promise.resolve())

/** @returns how much of `batch`, which holds `used` bytes, is used afterwards */
function drain(fd: number, batch: Buffer, used: number): number {
  let length = used
  while (length <= BATCH_BYTES - READ_BYTES) {
    try {
      const read = readSync(fd, batch, length, BATCH_BYTES - length, null)
      length += read
      if (read < FULL_READ_BYTES) break
    } catch {
      break // nothing waits
    }
  }
  return length
}
