/** Installs the pinned DeepSeek Harness host into .dsh/host, once, and says where its launcher is. */
import { createHash } from 'node:crypto'
import { spawn } from 'node:child_process'
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { userEnvironment } from './environment.ts'
import { withLock } from './file-lock.ts'
import { inRoot } from './project.ts'
import { UserError } from './user-error.ts'

const MANIFEST_FILES = ['package.json', 'pnpm-workspace.yaml', 'pnpm-lock.yaml'] as const
const MANIFEST_DIR = inRoot('scripts', 'dsh-host')
const INSTALL_DIR = inRoot('.dsh', 'host')
/** Holds the manifest's hash; written last, so that its presence means a whole installation. */
const STAMP = join(INSTALL_DIR, '.installed')
const LAUNCHER = join(INSTALL_DIR, 'node_modules', '@deepseek-ai', 'dsh', 'lib', 'bin.js')
const INSTALLER = ['-y', 'pnpm@10', 'install', '--frozen-lockfile', '--ignore-scripts', '--reporter=append-only']
const INSTALL_LIMIT_MS = 8 * 60_000
const SHOWN_LINES = 15

/** An installed host. */
export interface DshHost {
  /** Absolute path of the script that `node` runs as `dsh`. */
  launcher: string
}

/**
 * Makes sure that the host of this checkout's manifest is installed; takes about 15 s the first time, nothing after.
 * Two callers at once wait for each other. Rejects with a UserError that ends with the installer's last lines.
 */
export const ensureDshHost = async (note: (line: string) => void = () => {}): Promise<DshHost> => {
  const wanted = await manifestHash()
  if ((await installedHash()) === wanted) return { launcher: LAUNCHER }
  await mkdir(inRoot('.dsh'), { recursive: true })
  await withLock(inRoot('.dsh', 'host.lock'), INSTALL_LIMIT_MS, async () => {
    if ((await installedHash()) === wanted) return
    note('Installing the DeepSeek Harness host into .dsh/host (once, about 15 s) …')
    await install()
    await writeFile(STAMP, wanted)
  })
  return { launcher: LAUNCHER }
}

const manifestHash = async (): Promise<string> => {
  const hash = createHash('sha256')
  for (const file of MANIFEST_FILES) hash.update(file).update(await readFile(join(MANIFEST_DIR, file)))
  return hash.digest('hex')
}

const installedHash = (): Promise<string | null> => readFile(STAMP, 'utf8').catch(() => null)

const install = async (): Promise<void> => {
  await rm(INSTALL_DIR, { recursive: true, force: true })
  await mkdir(INSTALL_DIR, { recursive: true })
  for (const file of MANIFEST_FILES) await copyFile(join(MANIFEST_DIR, file), join(INSTALL_DIR, file))
  const { failure, output } = await runInstaller()
  if (failure === null) return
  const tail = output.trimEnd().split('\n').slice(-SHOWN_LINES).join('\n')
  throw new UserError(
    `Cannot install the DeepSeek Harness host: "npx ${INSTALLER.join(' ')}" ${failure}. ` +
      `It needs the npm registry; check the network and run the same command again. Its last output:\n${tail}`,
  )
}

const runInstaller = (): Promise<{ failure: string | null; output: string }> =>
  new Promise((resolve) => {
    let output = ''
    const child = spawn('npx', INSTALLER, {
      cwd: INSTALL_DIR,
      env: { ...userEnvironment(), CI: 'true' },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: INSTALL_LIMIT_MS,
      shell: process.platform === 'win32',
    })
    const keep = (chunk: Buffer): void => {
      output += chunk.toString()
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    child.once('error', (error) => resolve({ failure: `did not start (${error.message})`, output }))
    child.once('close', (code, signal) => {
      const failure = code === 0 ? null : signal === null ? `ended with code ${code}` : `was stopped by ${signal}`
      resolve({ failure, output })
    })
  })
