/** `npm start` and `npm run dev`: from command line to a running host, with one sentence for everything that can fail. */
import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { ensureDshHost } from './dsh-host.ts'
import { prepareDshHome } from './dsh-home.ts'
import { bootDshWeb, isPortFree, type DshWeb } from './dsh-web.ts'
import { inRoot } from './project.ts'
import { UserError } from './user-error.ts'

const DEFAULT_PORT = 3080
const SHOWN_CHARS = 3000
const PARENT_POLL_MS = 250
const USAGE = 'Usage: npm start -- [--port N] [--home DIR] [--open]'

/** What the command line asked for. */
export interface LaunchOptions {
  port: number
  /** Absolute path of the DSH home. */
  dshHome: string
  openBrowser: boolean
}

/** Parses the command line; throws a UserError that names the wrong word. */
export const parseLaunchOptions = (args: readonly string[]): LaunchOptions => {
  const values = parseFlags(args)
  const port = values.port === undefined ? DEFAULT_PORT : Number(values.port)
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new UserError(`Cannot start: --port must be a number from 1 to 65535, not "${values.port}". ${USAGE}`)
  }
  return {
    port,
    dshHome: values.home === undefined ? inRoot('.dsh', 'home') : resolve(values.home),
    openBrowser: values.open ?? false,
  }
}

const parseFlags = (args: readonly string[]): { port?: string; home?: string; open?: boolean } => {
  try {
    return parseArgs({
      args: [...args],
      options: { port: { type: 'string' }, home: { type: 'string' }, open: { type: 'boolean' } },
    }).values
  } catch (error) {
    throw new UserError(`Cannot start: ${(error as Error).message.split('.')[0]}. ${USAGE}`, { cause: error })
  }
}

/** Refuses early when the port is taken: the host itself would say so only in its log. */
const requireFreePort = async (port: number): Promise<void> => {
  if (await isPortFree(port)) return
  throw new UserError(
    `Cannot start: port ${port} on 127.0.0.1 is taken by another program. ` +
      'End that program, or choose another port: npm start -- --port N',
  )
}

/** Installs what is missing, prepares the home and boots the host. lib/ must be built. */
export const launchWeb = async (
  options: LaunchOptions & { client: 'copied' | 'live'; signal: AbortSignal },
): Promise<DshWeb> => {
  await ensureDshHost(say)
  await requireFreePort(options.port)
  await prepareDshHome({ dshHome: options.dshHome, client: options.client })
  options.signal.throwIfAborted()
  return bootDshWeb({ dshHome: options.dshHome, port: options.port, signal: options.signal })
}

/** One line for the person who started us. */
export const say = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

/** Tells the person where to go; called only once our own route has answered. */
export const announce = (web: DshWeb, options: LaunchOptions): void => {
  say(`dsh-tty is ready at ${web.url}/ (DSH home: ${options.dshHome}). Press Ctrl-C to stop.`)
  if (options.openBrowser) openInBrowser(`${web.url}/`)
}

const openInBrowser = (url: string): void => {
  const [command, ...args] =
    process.platform === 'darwin' ? ['open'] : process.platform === 'win32' ? ['cmd', '/c', 'start', ''] : ['xdg-open']
  const child = spawn(command ?? 'xdg-open', [...args, url], { stdio: 'ignore', detached: true })
  child.once('error', () => say(`Could not open a browser here; open ${url} yourself.`))
  child.unref()
}

const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Runs `work` with a signal that is aborted by the first Ctrl-C, SIGTERM or closed terminal, or when npm is gone, then
 * ends this process with code 0. Further signals change nothing: the stop is bounded anyway.
 */
export const untilStopped = async (work: (stop: AbortSignal) => Promise<void>): Promise<void> => {
  const controller = new AbortController()
  for (const signal of STOP_SIGNALS) process.on(signal, () => controller.abort())
  if (process.env['npm_lifecycle_event'] !== undefined) onParentGone(() => controller.abort())
  try {
    await work(controller.signal)
  } catch (error) {
    if (!controller.signal.aborted) throw error
  }
  process.exit(0)
}

/** npm passes a SIGTERM to its shell only, and that shell dies without passing it on: we see a new parent. */
const onParentGone = (tell: () => void): void => {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    tell()
  }, PARENT_POLL_MS)
  timer.unref()
}

/** Keeps a running host until `stop` or until the host ends by itself, which is a failure. */
export const keepRunning = async (web: DshWeb, stop: AbortSignal): Promise<void> => {
  const ended = await Promise.race([aborted(stop), web.exited])
  if (ended !== null) {
    throw new UserError(
      `The DSH host ended by itself (code ${ended.code}). Its last output:\n${web.log().slice(-SHOWN_CHARS)}`,
    )
  }
  say('Stopping …')
  await web.stop()
}

const aborted = (signal: AbortSignal): Promise<null> =>
  new Promise((done) => {
    if (signal.aborted) done(null)
    signal.addEventListener('abort', () => done(null), { once: true })
  })
