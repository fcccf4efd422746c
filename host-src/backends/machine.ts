/**
 * Running a program on the machine of a session, beside its terminal: what tmux, statistics and file work need. Knows no
 * sessions and no shells: a program gets its arguments as they are.
 */
import { spawn } from 'node:child_process'
import { systemCodeOf } from '../base/errors.ts'

export interface RunOptions {
  readonly input?: string
  /** After it the program is killed, and `exitCode` is null. */
  readonly timeoutMs: number
  readonly signal?: AbortSignal
}

export interface RunResult {
  /** Null when it was killed. 127 when there is no such program, as a shell would say. */
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Machine {
  /** Rejects when the program could not be started, except when there is none of that name, and when `signal` aborts. */
  run(argv: readonly string[], options: RunOptions): Promise<RunResult>
}

const NOT_FOUND = 127
/** More than that is no answer to a question. */
const MAX_OUTPUT_BYTES = 4 * 1024 * 1024

export interface LocalMachinePorts {
  /** Everything that a program finds in its environment. */
  readonly env: Readonly<Record<string, string>>
  /** Read at the moment of use: it may not be there yet. */
  readonly cwd?: string
}

export class LocalMachine implements Machine {
  readonly #ports: LocalMachinePorts

  constructor(ports: LocalMachinePorts) {
    this.#ports = ports
  }

  run(argv: readonly string[], { input, timeoutMs, signal }: RunOptions): Promise<RunResult> {
    const [program = '', ...args] = argv
    const { env, cwd } = this.#ports
    return new Promise((resolve, reject) => {
      const child = spawn(program, args, {
        env: { ...env },
        ...(cwd === undefined ? {} : { cwd }),
        stdio: 'pipe',
        timeout: timeoutMs,
        killSignal: 'SIGKILL',
        ...(signal === undefined ? {} : { signal }),
      })
      const parts = { stdout: [] as Buffer[], stderr: [] as Buffer[] }
      let bytes = 0
      for (const name of ['stdout', 'stderr'] as const) {
        child[name].on('data', (chunk: Buffer) => {
          bytes += chunk.length
          if (bytes <= MAX_OUTPUT_BYTES) parts[name].push(chunk)
          else child.kill('SIGKILL')
        })
      }
      // A program that ends without reading its input is no failure of ours.
      child.stdin.on('error', () => {})
      child.stdin.end(input ?? '')
      child.on('error', (error) => {
        if (systemCodeOf(error) === 'ENOENT') resolve({ exitCode: NOT_FOUND, stdout: '', stderr: error.message })
        else reject(error)
      })
      child.on('close', (exitCode) => {
        const text = (name: 'stdout' | 'stderr'): string => Buffer.concat(parts[name]).toString()
        resolve({ exitCode, stdout: text('stdout'), stderr: text('stderr') })
      })
    })
  }
}
