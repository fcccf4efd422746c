/** A throwaway DSH host with the built package in it: its own DSH home, HOME and port; leaves nothing behind. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { prepareDshHome } from '../../scripts/dsh-home.ts'
import { bootDshWeb, freePort, type DshWeb, type ExitFacts } from '../../scripts/dsh-web.ts'
import { until } from './wait.ts'
import { withEnvironment, type ProcessFacts } from './proc.ts'

/** The notice version of the pinned host; when it changes, pages show the notice and the browser helper dismisses it. */
const WELCOME_NOTICE_VERSION = '2026-08-13.1'
const GONE_LIMIT_MS = 5000

/** How a test host differs from the plain one. */
export interface TestDshOptions {
  /** The DSH home of another running host, to use it together; absent: one of its own. */
  sharedDshHome?: string
  /** Files of the user's home, path to text: `{ '.bashrc': 'PS1="$ "' }`. */
  homeFiles?: Record<string, string>
  /** Base URL of a scripted model, as `startMockLlm` gives it. */
  modelUrl?: string
  /** Sections of settings.yaml, by namespace. */
  settings?: Record<string, unknown>
  /** Added to the host's environment, after everything else. */
  env?: Record<string, string>
  /** Package to install instead of this checkout. */
  packageDir?: string
  /** Packages to install beside it. */
  beside?: readonly string[]
  /** Route that says the package is up, when it is not ours. */
  readyPath?: string
}

/** A running throwaway host. */
export interface TestDsh extends AsyncDisposable {
  /** Without a trailing slash; the same after a restart. */
  readonly url: string
  readonly port: number
  /** HOME of the host and of everything it starts; also its working directory. */
  readonly home: string
  readonly dshHome: string
  /** Of the present host process. */
  readonly pid: number
  /** Output of the present host process so far. */
  log(): string
  /** Living processes that carry this host's HOME, the host itself included. */
  processes(): ProcessFacts[]
  /** Ends the host (SIGTERM, or SIGKILL with `crash`) and boots it again on the same home and port. */
  restart(how?: 'graceful' | 'crash'): Promise<void>
  /** Ends the host without removing anything; `restart` brings it back. */
  end(how?: 'graceful' | 'crash'): Promise<ExitFacts>
  /**
   * Ends the host and removes its folders. Rejects when the host did not end with code 0, or when a process it started
   * outlived it by 5 s; those are killed first, so that one test cannot spoil the next.
   */
  stop(): Promise<void>
}

/** Boots a host; rejects with the tail of its log, and leaves nothing, when it does not come up. */
export const bootTestDsh = async (options: TestDshOptions = {}): Promise<TestDsh> => {
  const root = await mkdtemp(join(tmpdir(), 'dsh-tty-test-'))
  const home = join(root, 'home')
  const dshHome = options.sharedDshHome ?? join(root, 'dsh')
  await mkdir(home)
  for (const [path, text] of Object.entries({ '.bashrc': 'PS1="$ "\n', ...options.homeFiles })) {
    await mkdir(dirname(join(home, path)), { recursive: true })
    await writeFile(join(home, path), text)
  }
  if (options.sharedDshHome === undefined) {
    await prepareDshHome({
      dshHome,
      ...(options.packageDir === undefined ? {} : { packageDir: options.packageDir }),
      settings: { 'ui-onboarding': { welcomeNoticeVersion: WELCOME_NOTICE_VERSION }, ...options.settings },
    })
    for (const packageDir of options.beside ?? []) await prepareDshHome({ dshHome, packageDir })
  }
  const port = await freePort()
  const boot = (): Promise<DshWeb> =>
    bootDshWeb({
      dshHome,
      port,
      cwd: home,
      env: hostEnvironment(home, options),
      ...(options.readyPath === undefined ? {} : { readyPath: options.readyPath }),
    })
  const processes = (): ProcessFacts[] => withEnvironment('HOME', home)
  const removeAll = (): Promise<void> => rm(root, { recursive: true, force: true, maxRetries: 3 })
  let web: DshWeb
  try {
    web = await boot()
  } catch (error) {
    await killAll(processes())
    await removeAll()
    throw error
  }
  const end = (how: 'graceful' | 'crash' = 'graceful'): Promise<ExitFacts> =>
    how === 'crash' ? web.kill() : web.stop()
  const host: TestDsh = {
    url: web.url,
    port,
    home,
    dshHome,
    get pid() {
      return web.pid
    },
    log: () => web.log(),
    processes,
    end,
    restart: async (how) => {
      await end(how)
      web = await boot()
    },
    stop: async () => {
      const facts = await end()
      const survivors = await survivorsOf(processes)
      await killAll(survivors)
      await removeAll()
      if (survivors.length > 0) {
        const names = survivors.map(({ pid, argv, name }) => `${pid} ${argv.join(' ') || name}`)
        throw new Error(`These processes outlived the host that started them:\n${names.join('\n')}`)
      }
      const endedWell = facts.code === 0 || facts.signal === 'SIGKILL'
      if (!endedWell) throw new Error(`The host ended with ${JSON.stringify(facts)}.\n${web.log().slice(-3000)}`)
    },
    [Symbol.asyncDispose]: () => host.stop(),
  }
  return host
}

/** Nothing of the developer's own settings, keys and agents may reach a test. */
const hostEnvironment = (home: string, options: TestDshOptions): Record<string, string> => ({
  HOME: home,
  SHELL: '/bin/bash',
  LANG: 'C.UTF-8',
  LC_ALL: 'C.UTF-8',
  TMUX: '',
  TMUX_TMPDIR: home,
  SSH_AUTH_SOCK: '',
  SSH_CONNECTION: '',
  XDG_CONFIG_HOME: join(home, '.config'),
  XDG_DATA_HOME: join(home, '.local', 'share'),
  XDG_RUNTIME_DIR: home,
  DEEPSEEK_API_KEY: 'no-such-key',
  ...(options.modelUrl === undefined ? {} : { DEEPSEEK_BASE_URL: options.modelUrl }),
  ...options.env,
})

const survivorsOf = async (processes: () => ProcessFacts[]): Promise<ProcessFacts[]> => {
  await until(() => processes().length === 0, {
    what: 'the processes of a host to end',
    timeoutMs: GONE_LIMIT_MS,
  }).catch(
    () => {}, // told by the caller, who knows their names
  )
  return processes()
}

const killAll = async (victims: readonly ProcessFacts[]): Promise<void> => {
  for (const { pid } of victims) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // gone already
    }
  }
}
