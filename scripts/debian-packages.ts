/** The programs that the tests drive and that npm does not bring: installed on Debian when allowed, else named exactly. */
import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { runCommand, type CommandResult } from './command.ts'
import { isMain } from './project.ts'
import { runMain, UserError } from './user-error.ts'

/** A program or font that some test needs. */
export interface Need {
  /** Debian package that brings it. */
  debianPackage: string
  isThere: () => boolean
}

/** Where programs are; sshd is outside a user's PATH. */
const programFolders = (): string[] => [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/bin']

const hasProgram = (name: string): boolean => programFolders().some((folder) => existsSync(join(folder, name)))

const CJK_FONT_FILE = /wqy|NotoSans(Mono)?CJK|NotoSerifCJK|uming|ukai|unifont|DroidSansFallback/i

const hasCjkFont = (): boolean => {
  const folder = '/usr/share/fonts'
  return existsSync(folder) && readdirSync(folder, { recursive: true }).some((path) => CJK_FONT_FILE.test(String(path)))
}

const NEEDS: readonly Need[] = [
  { debianPackage: 'chromium', isThere: () => existsSync('/usr/bin/chromium') },
  ...['tmux', 'zsh', 'fish', 'vim', 'htop'].map((name) => ({ debianPackage: name, isThere: () => hasProgram(name) })),
  { debianPackage: 'openssh-server', isThere: () => hasProgram('sshd') },
  { debianPackage: 'fonts-wqy-zenhei', isThere: hasCjkFont },
]

/** How packages get installed here; replaced in tests. */
export interface Installer {
  /** Words before `apt-get`, or null when this user may not install. */
  privilege(): Promise<readonly string[] | null>
  run(command: string, args: readonly string[]): Promise<CommandResult>
}

const aptInstaller: Installer = {
  privilege: async () => {
    if (!hasProgram('apt-get')) return null
    if (process.getuid?.() === 0) return []
    const { code } = await runCommand('sudo', ['-n', 'true'])
    return code === 0 ? ['sudo', '-n'] : null
  },
  run: (command, args) => runCommand(command, args, { env: { DEBIAN_FRONTEND: 'noninteractive' } }),
}

/**
 * Installs what is missing and resolves with the names it installed.
 * Rejects with a UserError that lists exactly what is missing when it may not install, or that ends with apt-get's output.
 */
export const ensureDebianPackages = async (
  needs: readonly Need[] = NEEDS,
  installer: Installer = aptInstaller,
): Promise<string[]> => {
  const missing = (): string[] => needs.filter(({ isThere }) => !isThere()).map(({ debianPackage }) => debianPackage)
  const wanted = missing()
  if (wanted.length === 0) return []
  const byHand = `apt-get install -y --no-install-recommends ${wanted.join(' ')}`
  const privilege = await installer.privilege()
  if (privilege === null) {
    throw new UserError(`The tests need programs that are not here: ${wanted.join(', ')}. As root: ${byHand}`)
  }
  const aptGet = async (args: readonly string[]): Promise<void> => {
    const [command = 'apt-get', ...rest] = [...privilege, 'apt-get', ...args]
    const { code, output } = await installer.run(command, rest)
    if (code !== 0) throw new UserError(`"apt-get ${args.join(' ')}" ended with code ${code}:\n${output}`)
  }
  await aptGet(['update', '-q'])
  await aptGet(['install', '-y', '-q', '--no-install-recommends', ...wanted])
  const still = missing()
  if (still.length > 0)
    throw new UserError(`Installed, but not found afterwards: ${still.join(', ')}. By hand: ${byHand}`)
  return wanted
}

if (isMain(import.meta.url)) {
  runMain(async () => {
    const installed = await ensureDebianPackages()
    process.stdout.write(installed.length === 0 ? 'all there\n' : `installed ${installed.join(', ')}\n`)
  })
}
