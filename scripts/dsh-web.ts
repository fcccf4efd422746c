/** Runs `dsh web` as a child process and knows when our plugin in it is ready. The only place that starts the host. */
import { spawn, type ChildProcess } from 'node:child_process'
import { createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { ensureDshHost } from './dsh-host.ts'
import { userEnvironment } from './environment.ts'
import { UserError } from './user-error.ts'

const HEALTH_PATH = '/api/dsh-tty/health'
const READY_LIMIT_MS = 60_000
const POLL_MS = 50
/** The host drains for at most 5 s after SIGTERM; a second signal would cut that short. */
const STOP_LIMIT_MS = 8000
const LOG_TAIL_LINES = 40
const LOG_LIMIT_CHARS = 4_000_000

/** How to run the host. */
export interface DshWebOptions {
  /** Absolute path of a prepared DSH home. */
  dshHome: string
  /** TCP port on 127.0.0.1; must be free. */
  port: number
  /** Added to the user's environment. */
  env?: Record<string, string>
  /** Working directory of the host process. */
  cwd?: string
  /** Route that answers 200 and JSON once the plugin under test is up. */
  readyPath?: string
  readyLimitMs?: number
  /** Aborting ends a boot that is not ready yet; it then rejects. */
  signal?: AbortSignal
  /** Told every piece of the host's output as it comes. */
  onOutput?: (text: string) => void
}

/** How a host process ended. */
export interface ExitFacts {
  code: number | null
  signal: NodeJS.Signals | null
}

/** A host whose plugin answered. */
export interface DshWeb {
  /** Without a trailing slash. */
  readonly url: string
  readonly port: number
  readonly pid: number
  /** Everything the process printed so far. */
  log(): string
  /** Settles when the process has ended, whoever ended it. */
  readonly exited: Promise<ExitFacts>
  /** SIGTERM, a bounded wait, SIGKILL. Idempotent; resolves when the process is gone. */
  stop(): Promise<ExitFacts>
  /** SIGKILL at once, for tests of what a crash leaves behind. */
  kill(): Promise<ExitFacts>
}

/**
 * Starts the host and resolves when `readyPath` answers. Rejects with a UserError that ends with the tail of the log
 * when the process ends first or is not ready in time; the process is gone by then.
 */
export const bootDshWeb = async (options: DshWebOptions): Promise<DshWeb> => {
  const { launcher } = await ensureDshHost()
  const url = `http://127.0.0.1:${options.port}`
  const child = spawn(process.execPath, [launcher, 'web', '--no-open', '--port', String(options.port)], {
    cwd: options.cwd ?? process.cwd(),
    env: { ...userEnvironment(), ...options.env, DSH_HOME: options.dshHome },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Its own process group: Ctrl-C must reach it as our one SIGTERM, not as a second signal from the terminal.
    detached: process.platform !== 'win32',
  })
  const log = collectLog(child, options.onOutput)
  const exited = new Promise<ExitFacts>((resolve) => {
    child.once('error', () => resolve({ code: null, signal: null }))
    child.once('close', (code, signal) => resolve({ code, signal }))
  })
  const kill = (): Promise<ExitFacts> => {
    child.kill('SIGKILL')
    return exited
  }
  const stop = async (): Promise<ExitFacts> => {
    child.kill('SIGTERM')
    const inTime = await Promise.race([exited, delay(STOP_LIMIT_MS, null, { ref: false })])
    return inTime ?? kill()
  }
  try {
    await untilReady({ url, options, exited, log })
  } catch (error) {
    await kill()
    throw error
  }
  return { url, port: options.port, pid: child.pid ?? -1, log, exited, stop: once(stop), kill }
}

const once = <T>(work: () => Promise<T>): (() => Promise<T>) => {
  let running: Promise<T> | undefined
  return () => (running ??= work())
}

const collectLog = (child: ChildProcess, onOutput: ((text: string) => void) | undefined): (() => string) => {
  let log = ''
  const keep = (chunk: Buffer): void => {
    const text = chunk.toString()
    log = (log + text).slice(-LOG_LIMIT_CHARS)
    onOutput?.(text)
  }
  child.stdout?.on('data', keep)
  child.stderr?.on('data', keep)
  return () => log
}

interface Boot {
  url: string
  options: DshWebOptions
  exited: Promise<ExitFacts>
  log: () => string
}

const untilReady = async ({ url, options, exited, log }: Boot): Promise<void> => {
  const limitMs = options.readyLimitMs ?? READY_LIMIT_MS
  const readyPath = options.readyPath ?? HEALTH_PATH
  const deadline = Date.now() + limitMs
  let ended: ExitFacts | undefined
  void exited.then((facts) => {
    ended = facts
  })
  const tail = (): string => log().trimEnd().split('\n').slice(-LOG_TAIL_LINES).join('\n')
  for (;;) {
    if (ended !== undefined) {
      const how = ended.signal === null ? `code ${ended.code}` : ended.signal
      throw new UserError(`The DSH host ended with ${how} before the plugin was ready. Its last output:\n${tail()}`)
    }
    // The printed URL comes before the plugins are up, and unknown paths answer with the app's page: ask for JSON.
    if (log().includes(`:${options.port}`) && (await answersJson(url + readyPath))) return
    options.signal?.throwIfAborted()
    if (Date.now() > deadline) {
      throw new UserError(
        `The DSH host did not answer ${readyPath} in ${limitMs / 1000} s. Its last output:\n${tail()}`,
      )
    }
    await delay(POLL_MS)
  }
}

const answersJson = async (url: string): Promise<boolean> => {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2000) })
    const isJson = response.headers.get('content-type')?.includes('application/json') === true
    if (!response.ok || !isJson) return false
    const body = (await response.json()) as { ok?: unknown }
    return body.ok === true
  } catch {
    return false // not listening yet
  }
}

/** True when nothing listens on 127.0.0.1:`port`. */
export const isPortFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })

/** A TCP port on 127.0.0.1 that was free a moment ago. */
export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      const port = typeof address === 'object' && address !== null ? address.port : 0
      server.close(() => resolve(port))
    })
  })
