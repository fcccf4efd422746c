/**
 * A program's whole start - environment, directory, arguments - in one file that a POSIX shell runs once and removes: so none
 * of it is in an argument that others can read, and none in the environment of whatever starts the program.
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { randomBytes } from 'node:crypto'

export interface FileStart {
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  /** Variables that the shell may find and the program must not. */
  readonly without: readonly string[]
}

/** Names that a shell cannot give away, or keeps for itself and refuses to have set. */
const OWN_NAMES = new Set([
  '_',
  'UID',
  'EUID',
  'PPID',
  'SHELLOPTS',
  'BASHOPTS',
  'BASH_VERSINFO',
  'BASH_ARGC',
  'BASH_ARGV',
])
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** The text for a POSIX shell. @param path of the file itself */
export function startScript({ argv, env, cwd, without }: FileStart, path: string): string {
  const set = Object.entries(env).filter(([name]) => NAME.test(name) && !OWN_NAMES.has(name))
  const unset = [...without, 'OLDPWD'].filter((name) => NAME.test(name) && env[name] === undefined)
  // The directory first, because entering it sets PWD; the program last, because with PATH its name may mean another.
  return [
    `rm -f -- ${quoted(path)}`,
    `cd -- ${quoted(cwd)} || exit 126`,
    `unset ${unset.join(' ')}`,
    ...set.map(([name, value]) => `export ${name}=${quoted(value)}`),
    `exec ${argv.map(quoted).join(' ')}`,
    '',
  ].join('\n')
}

/** @returns the arguments that run it */
export async function writeStartFile(folder: string, start: FileStart): Promise<readonly string[]> {
  const path = join(folder, `start-${randomBytes(6).toString('hex')}.sh`)
  await writeFile(path, startScript(start, path), { mode: 0o600, flag: 'wx' })
  return ['/bin/sh', path]
}
