/**
 * How a shell is started so that it marks its prompts and commands: arguments, variables and one file that the shell reads
 * and removes before anything of the user's runs. No rc file is touched. Whatever is missing, the shell starts without.
 */
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { messageOf, systemCodeOf } from '../base/errors.ts'
import type { Logger } from '../base/logger.ts'
import { BASH, ZSH, hookText, recipeOf, type Recipe, type ShellStart } from './shell-recipes.ts'

export interface ShellIntegrationPorts {
  /** Its own, absolute: every start has a folder in it until the shell has read what is there. */
  readonly directory: string
  readonly logger: Logger
  /** Where the hooks are; beside this file, in the sources and when built. */
  readonly hooks?: URL
  /** What zsh reads before it looks at ZDOTDIR. */
  readonly zshSystemFiles?: readonly string[]
}

export interface IntegratedStart {
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** Remove what the shell has not removed itself. Never rejects. */
  release(): Promise<void>
}

const ZSH_SYSTEM_FILES = ['/etc/zshenv', '/etc/zsh/zshenv']

export class ShellIntegration {
  readonly #ports: ShellIntegrationPorts

  constructor(ports: ShellIntegrationPorts) {
    this.#ports = ports
  }

  /** @returns how to start the shell with hooks, or null when it is started as without */
  async prepare(start: ShellStart): Promise<IntegratedStart | null> {
    const { logger, directory } = this.#ports
    const recipe = recipeOf(start.shell)
    if (recipe === null) return null
    let folder: string | null = null
    try {
      if (!(await this.#isPossible(recipe, start))) return null
      await mkdir(directory, { recursive: true, mode: 0o700 })
      // Whose it is, for the host that finds it.
      folder = await mkdtemp(join(directory, `${process.pid}-`))
      const made = folder
      const { hooks } = this.#ports
      const place = { folder: made, zdotdir: this.#zdotdir(start), ...(hooks === undefined ? {} : { hooks }) }
      const text = await hookText(recipe, start, place)
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

  async #remove(folder: string): Promise<void> {
    try {
      await rm(folder, { recursive: true, force: true })
    } catch (error) {
      this.#ports.logger.warn('shell-integration.not-removed', { message: messageOf(error) })
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
