/**
 * How a shell or command is started on another machine: a script in a folder of its own that only this account can read, which
 * removes that folder as the first thing it or its shell does. It comes over a channel of its own, so that nothing of it, the
 * nonce least of all, stands in the arguments of a process there. No file of the user is touched.
 */
import { randomBytes } from 'node:crypto'
import { basename } from 'node:path'
import type { MarkNonce, SessionId } from '../../../protocol-src/ids.ts'
import { ZSH, BASH, hookText, posixQuoted, recipeOf, type Recipe } from '../../terminal/shell-recipes.ts'
import { SESSION_MARKER } from '../child-env.ts'
import type { Machine } from '../machine.ts'
import { FOLDER_PREFIX, type RemoteFacts } from './remote-facts.ts'

export interface RemoteStart {
  readonly sessionId: SessionId
  readonly nonce: MarkNonce
  readonly cwd: string | null
  readonly command: string | null
  readonly hasHooks: boolean
}

/** Shells that take `-l`. */
const LOGIN_SHELLS = /^(?:ba|z|fi|da|k|a|mk|tc|c)?sh(?:-?\d[\d.]*)?$/
/** In no hook. */
const END_OF_FILE = 'DSH_TTY_END_OF_FILE'

export function newFolder({ temporary }: RemoteFacts): string {
  return `${temporary}/${FOLDER_PREFIX}${randomBytes(12).toString('hex')}`
}

/** The script that becomes the shell or the command. */
export async function startScript(facts: RemoteFacts, start: RemoteStart, folder: string): Promise<string> {
  const { cwd, command } = start
  const shell = facts.shell === '' ? '/bin/sh' : facts.shell
  const hooks = command === null && start.hasHooks ? await hooked({ shell, facts, start, folder }) : null
  return [
    `__dsh_folder=${posixQuoted(folder)}`,
    // Where the last line fails, and where the connection goes before it.
    `trap 'rm -rf -- "$__dsh_folder"' EXIT`,
    "trap 'exit 129' HUP TERM",
    ...(hooks === null ? ['rm -rf -- "$__dsh_folder"'] : hooks.lines),
    `${SESSION_MARKER}=${posixQuoted(start.sessionId)}`,
    `export ${SESSION_MARKER}`,
    // Not seen otherwise, because what the server runs is this script and no login shell.
    ...(command === null ? ['[ -e "$HOME/.hushlogin" ] || cat /run/motd.dynamic /etc/motd 2>/dev/null'] : []),
    ...(cwd === null ? [] : [`cd -- ${posixQuoted(cwd)} 2>/dev/null`]),
    `exec ${[...(hooks?.env ?? []), ...execWords(shell, command, hooks)].join(' ')}`,
    '',
  ].join('\n')
}

function execWords(shell: string, command: string | null, hooks: Hooked | null): string[] {
  const args = hooks?.args ?? (command === null ? loginArgs(shell) : ['-c', command])
  return [shell, ...args].map(posixQuoted)
}

const loginArgs = (shell: string): string[] => (LOGIN_SHELLS.test(basename(shell)) ? ['-l'] : [])

interface Hooked {
  readonly lines: readonly string[]
  readonly args: readonly string[]
  /** Words before the program. */
  readonly env: readonly string[]
}

async function hooked(of: {
  shell: string
  facts: RemoteFacts
  start: RemoteStart
  folder: string
}): Promise<Hooked | null> {
  const { shell, facts, start, folder } = of
  const recipe = recipeOf(shell)
  if (recipe === null || !isPossible(recipe, facts)) return null
  const wish = { shell, args: loginArgs(shell), env: {}, nonce: start.nonce }
  const text = await hookText(recipe, wish, { folder, zdotdir: facts.zdotdir })
  const env = Object.entries(recipe.env?.(folder) ?? {}).map(([name, value]) => `${name}=${posixQuoted(value)}`)
  return {
    lines: [`cat >"$__dsh_folder/${recipe.file}" <<'${END_OF_FILE}'`, text.trimEnd(), END_OF_FILE],
    args: recipe.args(folder, wish),
    env: env.length === 0 ? [] : ['env', ...env],
  }
}

function isPossible(recipe: Recipe, facts: RemoteFacts): boolean {
  if (recipe === BASH) return !facts.isPosix
  if (recipe === ZSH) return !facts.zshLooksAtZdotdir
  return true
}

const PUT =
  'umask 077; mkdir "$0" && cat >"$0/start" && if [ -z "$1" ] || cd -- "$1"; then echo here; else echo home; fi 2>/dev/null'

/**
 * Put the script where it is started from.
 * @returns whether the directory that is asked for can be entered; null when the script could not be put there
 */
export async function putScript(
  machine: Machine,
  put: { folder: string; script: string; cwd: string | null },
  options: { timeoutMs: number; signal: AbortSignal },
): Promise<{ isCwdUsable: boolean } | null> {
  const { folder, script, cwd } = put
  const { exitCode, stdout } = await machine.run(['/bin/sh', '-c', PUT, folder, cwd ?? ''], {
    input: script,
    ...options,
  })
  return exitCode === 0 ? { isCwdUsable: stdout.trimEnd().endsWith('here') } : null
}

export const startCommand = (folder: string): string => `exec /bin/sh ${folder}/start`

/** Nothing of a start that came to nothing stays. */
export async function removeFolder(machine: Machine, folder: string, options: { timeoutMs: number }): Promise<void> {
  await machine.run(['/bin/rm', '-rf', '--', folder], options)
}
