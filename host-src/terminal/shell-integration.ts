/**
 * How a shell is started so that it marks its prompts and commands: arguments, variables and one file that the shell reads
 * and removes before anything of the user's runs. No rc file is touched. Whatever is missing, the shell starts without.
 */
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { basename, join, sep } from 'node:path'
import type { MarkNonce } from '../../protocol-src/ids.ts'
import { messageOf, systemCodeOf } from '../base/errors.ts'
import type { Logger } from '../base/logger.ts'

export interface ShellIntegrationPorts {
  /** Its own, absolute: every start has a folder in it until the shell has read what is there. */
  readonly directory: string
  readonly logger: Logger
  /** Where the hooks are; beside this file, in the sources and when built. */
  readonly hooks?: URL
  /** What zsh reads before it looks at ZDOTDIR. */
  readonly zshSystemFiles?: readonly string[]
}

export interface ShellStart {
  readonly shell: string
  /** As without integration. */
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly nonce: MarkNonce
}

export interface IntegratedStart {
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** Remove what the shell has not removed itself. Never rejects. */
  release(): Promise<void>
}

/** One file of a start: the hook it is made from, and its name where the shell looks for it. */
interface Recipe {
  readonly hook: string
  readonly file: string
  /** A text as the shell reads it back. */
  quoted(text: string): string
  args(folder: string, start: ShellStart): readonly string[]
  /** What the shell finds the file by, beside its arguments. */
  env?(folder: string): Readonly<Record<string, string>>
}

const posixQuoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`
const fishQuoted = (text: string): string => `'${text.replaceAll(/['\\]/g, String.raw`\$&`)}'`
const pwshQuoted = (text: string): string => `'${text.replaceAll("'", "''")}'`

const BASH: Recipe = {
  hook: 'bash.sh',
  file: 'bashrc',
  quoted: posixQuoted,
  // Bash reads this only where it is no login shell: the file does then what a login shell would have done.
  args: (folder) => ['--rcfile', join(folder, 'bashrc'), '-i'],
}

const ZSH: Recipe = {
  hook: 'zsh.zsh',
  file: '.zshenv',
  quoted: posixQuoted,
  args: (_folder, { args }) => args,
  env: (folder) => ({ ZDOTDIR: folder }),
}

const FISH: Recipe = {
  hook: 'fish.fish',
  file: 'init.fish',
  quoted: fishQuoted,
  args: (folder, { args }) => [...args, '--init-command', `source ${fishQuoted(join(folder, 'init.fish'))}`],
}

const PWSH: Recipe = {
  hook: 'pwsh.ps1',
  file: 'init.ps1',
  quoted: pwshQuoted,
  // A policy that lets no script run leaves the shell as it is.
  args: (folder, { args }) => [
    ...args,
    '-NoExit',
    '-Command',
    `try { . ${pwshQuoted(join(folder, 'init.ps1'))} } catch {}`,
  ],
}

const RECIPES: readonly (readonly [RegExp, Recipe])[] = [
  [/^bash(?:-?\d[\d.]*)?$/, BASH],
  [/^zsh(?:-?\d[\d.]*)?$/, ZSH],
  [/^fish$/, FISH],
  [/^(?:pwsh|powershell)(?:\.exe)?$/i, PWSH],
]

const ZSH_SYSTEM_FILES = ['/etc/zshenv', '/etc/zsh/zshenv']

export class ShellIntegration {
  readonly #ports: ShellIntegrationPorts

  constructor(ports: ShellIntegrationPorts) {
    this.#ports = ports
  }

  /** @returns how to start the shell with hooks, or null when it is started as without */
  async prepare(start: ShellStart): Promise<IntegratedStart | null> {
    const { logger, directory } = this.#ports
    const recipe = RECIPES.find(([name]) => name.test(basename(start.shell)))?.[1]
    if (recipe === undefined) return null
    let folder: string | null = null
    try {
      if (!(await this.#isPossible(recipe, start))) return null
      const hook = await readFile(new URL(recipe.hook, this.#ports.hooks ?? besideThis()), 'utf8')
      await mkdir(directory, { recursive: true, mode: 0o700 })
      // Whose it is, for the host that finds it.
      folder = await mkdtemp(join(directory, `${process.pid}-`))
      const made = folder
      const words = this.#words(recipe, made, start)
      const text = hook.replace(/@([A-Z_]+)@/g, (word, name: string) => words[name] ?? word)
      await writeFile(join(made, recipe.file), text, { mode: 0o600, flag: 'wx' })
      return {
        args: recipe.args(made, start),
        env: { ...start.env, ...recipe.env?.(made) },
        release: () => this.#remove(made),
      }
    } catch (error) {
      logger.warn('shell-integration.not-prepared', { message: messageOf(error) })
      if (folder !== null) await this.#remove(folder)
      return null
    }
  }

  /** Remove what shells of hosts that are gone have left. Never rejects. */
  async clean(): Promise<void> {
    try {
      for (const name of await readdir(this.#ports.directory)) {
        const pid = Number.parseInt(name, 10)
        // Of this process number there is no start yet.
        if (pid === process.pid || !isAlive(pid)) await this.#remove(join(this.#ports.directory, name))
      }
    } catch {
      // There is none: no shell was ever started.
    }
  }

  async #isPossible(recipe: Recipe, start: ShellStart): Promise<boolean> {
    // An interactive bash in POSIX mode reads no rc file.
    if (recipe === BASH) return start.env['POSIXLY_CORRECT'] === undefined
    // What reads ZDOTDIR before our file does would take ours for the user's.
    if (recipe === ZSH) return !(await this.#anyMentions(this.#ports.zshSystemFiles ?? ZSH_SYSTEM_FILES, 'ZDOTDIR'))
    return true
  }

  async #anyMentions(paths: readonly string[], word: string): Promise<boolean> {
    for (const path of paths) {
      try {
        if ((await readFile(path, 'utf8')).includes(word)) return true
      } catch (error) {
        if (systemCodeOf(error) !== 'ENOENT') throw error
      }
    }
    return false
  }

  /** The user's own ZDOTDIR, or null. One of ours came with the environment of a host that was started in a terminal of ours. */
  #zdotdir({ env }: ShellStart): string | null {
    const own = env['ZDOTDIR']
    return own === undefined || own.startsWith(`${this.#ports.directory}${sep}`) ? null : own
  }

  /** What stands between @ in the hooks. */
  #words(recipe: Recipe, folder: string, start: ShellStart): Readonly<Record<string, string>> {
    const zdotdir = this.#zdotdir(start)
    return {
      FOLDER: recipe.quoted(folder),
      NONCE: start.nonce,
      LOGIN: start.args.includes('-l') ? '1' : '0',
      HAS_ZDOTDIR: zdotdir === null ? '0' : '1',
      ZDOTDIR: recipe.quoted(zdotdir ?? ''),
    }
  }

  async #remove(folder: string): Promise<void> {
    try {
      await rm(folder, { recursive: true, force: true })
    } catch (error) {
      this.#ports.logger.warn('shell-integration.not-removed', { message: messageOf(error) })
    }
  }
}

const besideThis = (): URL => new URL('./hooks/', import.meta.url)

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
