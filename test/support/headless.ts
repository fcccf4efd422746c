/** One agent turn in the host's headless profile with the built package: no web server, nobody to ask. */
import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { prepareDshHome } from '../../scripts/dsh-home.ts'
import { ensureDshHost } from '../../scripts/dsh-host.ts'
import { userEnvironment } from '../../scripts/environment.ts'
import { startMockLlm } from './mock-llm.ts'
import { withEnvironment } from './proc.ts'
import { until } from './wait.ts'

const LIMIT_MS = 60_000

export interface HeadlessRun {
  readonly code: number | null
  /** The answer. */
  readonly out: string
  readonly err: string
  /** Processes that were still there some time after the end. */
  readonly survivors: readonly string[]
}

/** @param task a script of the scripted model */
export const runHeadless = async (task: string, env: Record<string, string> = {}): Promise<HeadlessRun> => {
  const root = await mkdtemp(join(tmpdir(), 'dsh-tty-headless-'))
  const home = join(root, 'home')
  const dshHome = join(root, 'dsh')
  await mkdir(home)
  await writeFile(join(home, '.bashrc'), 'PS1="$ "\n')
  await prepareDshHome({ dshHome, profile: 'headless' })
  const { launcher } = await ensureDshHost()
  const llm = await startMockLlm()
  try {
    const child = spawn(process.execPath, [launcher, '--profile', 'headless', task], {
      cwd: home,
      env: {
        ...userEnvironment(),
        HOME: home,
        SHELL: '/bin/bash',
        LC_ALL: 'C.UTF-8',
        DSH_HOME: dshHome,
        DEEPSEEK_API_KEY: 'no-such-key',
        DEEPSEEK_BASE_URL: llm.url,
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: LIMIT_MS,
      killSignal: 'SIGKILL',
    })
    let out = ''
    let err = ''
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()))
    const code = await new Promise<number | null>((resolve) => {
      child.once('close', resolve)
    })
    const left = () => withEnvironment('HOME', home)
    await until(() => left().length === 0, { what: 'the processes to end', timeoutMs: 5000 }).catch(() => {}) // told below
    const survivors = left().map(({ pid, argv }) => `${pid} ${argv.join(' ')}`)
    for (const { pid } of left()) process.kill(pid, 'SIGKILL')
    return { code, out, err, survivors }
  } finally {
    await llm.close()
    await rm(root, { recursive: true, force: true, maxRetries: 3 })
  }
}
