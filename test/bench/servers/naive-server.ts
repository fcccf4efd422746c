/** The baseline: node-pty's strings as JSON text frames, one per read, with no regard for how fast they are taken. */
import { createServer } from 'node:http'
import { spawn } from 'node-pty'
import { WebSocketServer } from 'ws'
import { SIZE } from '../adapters/dialect.ts'
import { textOf } from '../adapters/naive-dialect.ts'
import { announce } from './announce.ts'

const kid = process.argv[2] ?? ''
const server = createServer()
new WebSocketServer({ server, perMessageDeflate: false }).on('connection', (ws) => {
  const pty = spawn(kid, [], { name: 'xterm-256color', ...SIZE })
  pty.onData((data) => {
    ws.send(JSON.stringify({ type: 'data', data }))
  })
  ws.on('message', (data) => {
    pty.write(textOf(data as Buffer) ?? '')
  })
  ws.on('close', () => {
    pty.kill()
  })
})
announce(server, () => Promise.resolve())
