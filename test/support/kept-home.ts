/** A home whose sessions outlive their hosts, and the tmux server that keeps them, seen from outside. */
import { execFile } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { socketOf } from '../../host-src/backends/tmux-files.ts'
import type { Settings } from '../../protocol-src/settings.ts'
import { startInProcessHost, type InProcessHost, type InProcessHostOptions } from './in-process-host.ts'
import { withEnvironment } from './proc.ts'
import { until } from './wait.ts'

const run = promisify(execFile)

/** The sessions that a plugin's data directory keeps. */
export class KeptServer {
  readonly #directory: string

  constructor(dataDirectory: string) {
    this.#directory = join(dataDirectory, 'tmux')
  }

  /** @returns what tmux says; empty when it refuses or there is none */
  async ask(...args: string[]): Promise<string> {
    const env = { PATH: process.env['PATH'] ?? '' }
    try {
      const { stdout } = await run('tmux', ['-L', socketOf(realpathSync(this.#directory)), ...args], { env })
      return stdout.trim()
    } catch {
      return ''
    }
  }

  async names(): Promise<string[]> {
    return (await this.ask('list-sessions', '-F', '#{session_name}')).split('\n').filter((name) => name !== '')
  }

  async pid(): Promise<number> {
    return Number(await this.ask('display-message', '-p', '#{pid}'))
  }

  async end(): Promise<void> {
    await this.ask('kill-server')
  }
}

export class KeptHome implements AsyncDisposable {
  readonly path = mkdtempSync(join(tmpdir(), 'dsh-tty-kept-'))
  readonly server: KeptServer
  readonly #hosts: InProcessHost[] = []

  constructor() {
    writeFileSync(join(this.path, '.bashrc'), "PS1='$ '\n")
    this.server = new KeptServer(join(this.path, '.tty'))
  }

  /** Start a host on it; the one before is stopped in order. */
  async start(options: InProcessHostOptions & { settings?: Partial<Settings> } = {}): Promise<InProcessHost> {
    await this.stop()
    const host = await startInProcessHost({ dataDirectory: join(this.path, '.tty'), keptHome: this.path, ...options })
    this.#hosts.push(host)
    return host
  }

  async stop(): Promise<void> {
    for (const host of this.#hosts.splice(0)) await host.dispose()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop()
    await this.server.end()
    const left = (): boolean => withEnvironment('HOME', this.path).length === 0
    await until(left, { what: 'everything that was kept to be gone' })
    rmSync(this.path, { recursive: true, force: true, maxRetries: 3 })
  }
}
