/**
 * One tmux server of ours: starts it with its first session, asks it and ends sessions. Everything reaches it as arguments;
 * names are of an alphabet that means nothing to it, and targets name exactly one session.
 */
import { join } from 'node:path'
import type { PersistName } from '../../protocol-src/ids.ts'
import type { TerminalSize } from '../../protocol-src/session.ts'
import { delay } from '../base/async.ts'
import { TtyError } from '../base/errors.ts'
import type { Machine, RunResult } from './machine.ts'
import { CONFIG_FILE, recorderCommand, socketOf, targetOf, tmuxNameOf } from './tmux-files.ts'

const ASK_LIMIT_MS = 10_000
const START_TRIES = 10
const START_PAUSE_MS = 30
const SERVER_WENT = /server exited|lost server|no server running|error connecting/

export interface Pane {
  readonly pid: number
  /** Of the server. */
  readonly serverPid: number
  readonly isDead: boolean
  /** Whether what it prints is recorded. */
  readonly isRecorded: boolean
}

export interface TmuxServerPorts {
  readonly machine: Machine
  /** Absolute; what tmux-files.ts writes is there. */
  readonly directory: string
}

export class TmuxServer {
  readonly #ports: TmuxServerPorts
  readonly #prefix: readonly string[]

  constructor(ports: TmuxServerPorts) {
    this.#ports = ports
    this.#prefix = ['tmux', '-u', '-L', socketOf(ports.directory), '-f', join(ports.directory, CONFIG_FILE)]
  }

  /** Arguments of a client that only talks about one session. @param canBeQuiet whether the flags of a client can be set */
  controlArgv(name: PersistName, canBeQuiet: boolean): readonly string[] {
    const flags = canBeQuiet ? ['-f', 'no-output,ignore-size'] : []
    return [...this.#prefix, '-C', 'attach-session', ...flags, '-t', `=${tmuxNameOf(name)}`]
  }

  /**
   * Start `argv` in a session of its own, and record it from its first byte on.
   * @throws TtyError SPAWN_FAILED
   */
  async start(name: PersistName, argv: readonly string[], { cols, rows }: TerminalSize): Promise<Pane> {
    let result = await this.#tryStart(name, argv, { cols, rows })
    // A server whose last session just ended is still there for whoever calls, and gone before it answers.
    for (let tries = 1; tries < START_TRIES && SERVER_WENT.test(result.stderr); tries += 1) {
      await delay(START_PAUSE_MS)
      result = await this.#tryStart(name, argv, { cols, rows })
    }
    const pane = result.exitCode === 0 ? await this.pane(name) : null
    if (pane === null)
      throw new TtyError('SPAWN_FAILED', `tmux could not start the session: ${reasonOf(result)}.`, {
        details: { path: 'tmux', reason: reasonOf(result) },
      })
    return pane
  }

  #tryStart(name: PersistName, argv: readonly string[], { cols, rows }: TerminalSize): Promise<RunResult> {
    const target = targetOf(name)
    // One turn of the server's loop, so that nothing is printed before all of it is done.
    return this.#run([
      ...['new-session', '-d', '-s', tmuxNameOf(name), '-n', 'dsh', '-x', String(cols), '-y', String(rows)],
      ...['--', ...argv, ';'],
      ...['pipe-pane', '-t', target, recorderCommand(name, 0), ';'],
      // Not in the configuration: with it there, tmux 3.3a crashes when it makes its first window.
      ...['set-option', '-w', '-t', target, 'window-size', 'manual'],
    ])
  }

  /** The only pane of a session; null when there is no such session. */
  async pane(name: PersistName): Promise<Pane | null> {
    const format = '#{pane_pid} #{pid} #{pane_dead} #{pane_pipe}'
    const { exitCode, stdout } = await this.#run(['list-panes', '-t', targetOf(name), '-F', format])
    const [, pid, serverPid, isDead, isRecorded] = /^(\d+) (\d+) (\d) (\d)$/m.exec(stdout) ?? []
    if (exitCode !== 0 || pid === undefined) return null
    return { pid: Number(pid), serverPid: Number(serverPid), isDead: isDead === '1', isRecorded: isRecorded === '1' }
  }

  async has(name: PersistName): Promise<boolean> {
    return (await this.#run(['has-session', '-t', `=${tmuxNameOf(name)}`])).exitCode === 0
  }

  /** Record a session on, from `offset` of its record. */
  async record(name: PersistName, offset: number): Promise<void> {
    await this.#run(['pipe-pane', '-t', targetOf(name), recorderCommand(name, offset)])
  }

  /** Print `fence` into the terminal of a session whose program has ended. */
  async printFence(name: PersistName, fence: string): Promise<void> {
    await this.#run(['respawn-pane', '-t', targetOf(name), '--', '/bin/sh', '-c', 'printf %s "$1"', 'sh', fence])
  }

  /** End a session. Does nothing when there is none of the name. */
  async kill(name: PersistName): Promise<void> {
    await this.#run(['kill-session', '-t', `=${tmuxNameOf(name)}`])
  }

  #run(args: readonly string[]): Promise<RunResult> {
    return this.#ports.machine.run([...this.#prefix, ...args], { timeoutMs: ASK_LIMIT_MS })
  }
}

function reasonOf({ stderr, exitCode }: RunResult): string {
  const text = stderr.trim()
  return text === '' ? `it ended with ${String(exitCode)}` : text
}
