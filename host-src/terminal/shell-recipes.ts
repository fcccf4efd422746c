/**
 * Which file and arguments make which shell mark its prompts and commands, wherever it runs. Writes nothing and starts nothing.
 */
import { readFile } from 'node:fs/promises'
import { basename, join, posix } from 'node:path'
import type { MarkNonce } from '../../protocol-src/ids.ts'

export interface ShellStart {
  readonly shell: string
  /** As without integration. */
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly nonce: MarkNonce
}

/** One file of a start: the hook it is made from, and its name where the shell looks for it. */
export interface Recipe {
  readonly hook: string
  readonly file: string
  /** A text as the shell reads it back. */
  quoted(text: string): string
  args(folder: string, start: ShellStart): readonly string[]
  /** What the shell finds the file by, beside its arguments. */
  env?(folder: string): Readonly<Record<string, string>>
}

export const posixQuoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`
const fishQuoted = (text: string): string => `'${text.replaceAll(/['\\]/g, String.raw`\$&`)}'`
const pwshQuoted = (text: string): string => `'${text.replaceAll("'", "''")}'`

export const BASH: Recipe = {
  hook: 'bash.sh',
  file: 'bashrc',
  quoted: posixQuoted,
  // Bash reads this only where it is no login shell: the file does then what a login shell would have done.
  args: (folder) => ['--rcfile', posix.join(folder, 'bashrc'), '-i'],
}

export const ZSH: Recipe = {
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
  args: (folder, { args }) => [...args, '--init-command', `source ${fishQuoted(posix.join(folder, 'init.fish'))}`],
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

/** What makes this shell mark, or null where nothing does. */
export const recipeOf = (shell: string): Recipe | null =>
  RECIPES.find(([name]) => name.test(basename(shell)))?.[1] ?? null

export interface HookPlace {
  /** Where the file will be. */
  readonly folder: string
  /** The user's own ZDOTDIR, or null. */
  readonly zdotdir: string | null
  /** Where the hooks are; beside this file, in the sources and when built. */
  readonly hooks?: URL
}

/** The text of the file, with everything put in. */
export async function hookText(recipe: Recipe, start: ShellStart, place: HookPlace): Promise<string> {
  const hook = await readFile(new URL(recipe.hook, place.hooks ?? besideThis()), 'utf8')
  const { zdotdir, folder } = place
  const words: Readonly<Record<string, string>> = {
    FOLDER: recipe.quoted(folder),
    NONCE: start.nonce,
    LOGIN: start.args.includes('-l') ? '1' : '0',
    HAS_ZDOTDIR: zdotdir === null ? '0' : '1',
    ZDOTDIR: recipe.quoted(zdotdir ?? ''),
  }
  return hook.replace(/@([A-Z_]+)@/g, (word, name: string) => words[name] ?? word)
}

const besideThis = (): URL => new URL('./hooks/', import.meta.url)
