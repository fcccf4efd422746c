/** Starts one of the bench's own server processes and speaks to it. */
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { Order } from '../servers/announce.ts'
import { bundledServer } from '../server-bundle.ts'
import { Terminal } from '../terminal.ts'
import { READY, type RunningServer } from './adapter.ts'
import { blastThrough } from './blast.ts'
import type { Dialect } from './dialect.ts'

export interface NodeServerOptions {
  /** File name in `servers/`. */
  readonly script: string
  readonly args: readonly string[]
  readonly dialect: (port: number) => Promise<Dialect>
  /** Whether a terminal begins with the child's ready mark. */
  readonly hasChild: boolean
}

export const startNodeServer = async (options: NodeServerOptions): Promise<RunningServer> => {
  const program = await bundledServer(options.script)
  const started = performance.now()
  const child = fork(program, [...options.args], { execArgv: ['--expose-gc'] })
  const { port } = await messageOf<{ port: number }>(child, options.script)
  const startMs = performance.now() - started
  const pid = child.pid ?? 0
  const order = (what: Order): void => {
    child.send(what)
  }
  return {
    pid,
    port,
    startMs,
    openTerminal: () => openTerminal(port, options),
    blast: async (blast) => {
      const terminal = await openTerminal(port, options)
      try {
        return await blastThrough(terminal, pid, blast)
      } finally {
        await terminal.end()
      }
    },
    collectGarbage: async () => {
      const done = messageOf<{ liveBytes: number }>(child, options.script)
      order({ type: 'collect-garbage' })
      return (await done).liveBytes
    },
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      order({ type: 'stop' })
      await ended
    },
  }
}

/** @returns a terminal whose child waits for a command */
export const openTerminal = async (
  port: number,
  { dialect, hasChild }: Pick<NodeServerOptions, 'dialect' | 'hasChild'>,
): Promise<Terminal> => {
  const terminal = new Terminal({ port, dialect: await dialect(port) })
  if (hasChild) await terminal.untilText(READY)
  else await terminal.opened
  return terminal
}

const messageOf = <T>(child: ChildProcess, what: string): Promise<T> =>
  new Promise((resolve, reject) => {
    const failed = (code: number | null): void => {
      reject(new Error(`${what} ended with code ${String(code)} before it answered`))
    }
    child.once('exit', failed)
    child.once('message', (message) => {
      child.off('exit', failed)
      resolve(message as T)
    })
  })
