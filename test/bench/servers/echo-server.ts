/** The limit of every echo: a socket that gives back what it gets, without any terminal behind it. */
import { createServer } from 'node:http'
import { WebSocketServer } from 'ws'
import { announce } from './announce.ts'

const server = createServer()
new WebSocketServer({ server, perMessageDeflate: false }).on('connection', (ws) => {
  ws.on('message', (data) => {
    ws.send(data as Buffer)
  })
})
announce(server, () => Promise.resolve())
