/** Starts a terminal server that is on PATH; it is not ours, so all we know of it is its port. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer, connect, type AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { RunningServer } from './adapter.ts'
import { blastThrough } from './blast.ts'
import type { Dialect } from './dialect.ts'
import { openTerminal } from './node-server.ts'

const START_LIMIT_MS = 10_000
const POLL_MS = 5

/** Why `command` cannot be measured, or null. */
export const missingCommand = (command: string): string | null =>
  spawnSync('sh', ['-c', `command -v ${command}`]).status === 0 ? null : `${command} is not on PATH`

export interface PeerOptions {
  readonly command: string
  readonly args: (port: number) => readonly string[]
  readonly dialect: () => Dialect
}

export const startPeer = async ({ command, args, dialect }: PeerOptions): Promise<RunningServer> => {
  const port = await freePort()
  const started = performance.now()
  const child = spawn(command, [...args(port)], { stdio: 'ignore' })
  await untilListening(port, command)
  const startMs = performance.now() - started
  const pid = child.pid ?? 0
  const open = () => openTerminal(port, { dialect: () => Promise.resolve(dialect()), hasChild: true })
  return {
    pid,
    port,
    startMs,
    openTerminal: open,
    blast: async (blast) => {
      const terminal = await open()
      try {
        return await blastThrough(terminal, pid, blast)
      } finally {
        await terminal.end()
      }
    },
    collectGarbage: () => Promise.resolve(null),
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill()
      await ended
    },
  }
}

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

const untilListening = async (port: number, command: string): Promise<void> => {
  const deadline = performance.now() + START_LIMIT_MS
  while (performance.now() < deadline) {
    const socket = connect(port, '127.0.0.1')
    const isThere = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'error').then(() => false),
    ]).catch(() => false)
    socket.destroy()
    if (isThere) return
    await delay(POLL_MS)
  }
  throw new Error(`${command} did not listen within ${String(START_LIMIT_MS / 1000)} s`)
}
