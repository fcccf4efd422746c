/** Which program a local session starts, where, and why not. Looks at the file system; starts nothing. */
import { constants } from 'node:fs'
import { access, open, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, isAbsolute } from 'node:path'
import type { SessionNotice } from '../../protocol-src/session.ts'
import { TtyError, systemCodeOf } from '../base/errors.ts'
import type { Platform } from './platform.ts'

/** The shell in force: the setting, else the user's $SHELL, else what the platform has. */
export function chosenShell(
  setting: string,
  env: Readonly<Record<string, string | undefined>>,
  platform: Platform,
): string {
  if (setting !== '') return setting
  const own = env['SHELL']
  return own !== undefined && isAbsolute(own) ? own : platform.defaultShell(env)
}

const SCRIPT = 0x2321 // "#!"
const BINARY_MAGICS = new Set([0x7f454c46, 0xcafebabe, 0xfeedface, 0xfeedfacf, 0xcefaedfe, 0xcffaedfe])

/**
 * Refuse a shell that cannot run, before a tab flashes and dies.
 * @throws TtyError SHELL_UNUSABLE naming the path and the reason
 */
export async function assertShellUsable(path: string, platform: Platform): Promise<void> {
  const refuse = (reason: string, why: string, cause?: unknown): TtyError =>
    new TtyError(
      'SHELL_UNUSABLE',
      `The shell "${path}" cannot be started: ${why}. Choose another one in the settings of the terminal.`,
      {
        details: { path, reason },
        ...(cause === undefined ? {} : { cause }),
      },
    )
  if (!isAbsolute(path)) throw refuse('relative', 'the path is not absolute')
  let isFile: boolean
  try {
    isFile = (await stat(path)).isFile()
  } catch (error) {
    throw systemCodeOf(error) === 'ENOENT'
      ? refuse('missing', 'there is no such file', error)
      : refuse('unreadable', `it cannot be examined (${systemCodeOf(error) ?? 'unknown'})`, error)
  }
  if (!isFile) throw refuse('not-a-file', 'it is not a file')
  if (!platform.hasExecuteBit) return
  try {
    await access(path, constants.X_OK)
  } catch (error) {
    throw refuse('not-executable', 'it is not executable', error)
  }
  const head = await firstBytes(path)
  if (head !== null && head.readUInt16BE(0) !== SCRIPT && !BINARY_MAGICS.has(head.readUInt32BE(0))) {
    throw refuse('not-a-program', 'it is neither a program nor a script that starts with #!')
  }
}

/** The first four bytes, zero-filled; null when the file may be run but not read. */
async function firstBytes(path: string): Promise<Buffer | null> {
  const head = Buffer.alloc(4)
  try {
    const file = await open(path, 'r')
    try {
      await file.read(head, 0, 4, 0)
    } finally {
      await file.close()
    }
  } catch (error) {
    if (systemCodeOf(error) === 'EACCES') return null
    throw error
  }
  return head
}

/**
 * The directory to start in: the first usable of what was asked for, the home directory and the root. A directory that
 * was asked for and cannot be used gives a notice, not a dead tab.
 */
export async function chosenCwd(wanted: readonly string[]): Promise<{ cwd: string; notices: SessionNotice[] }> {
  const requested = wanted.find((path) => path !== '')
  for (const candidate of [requested, homedir(), '/']) {
    if (candidate === undefined || !isAbsolute(candidate) || !(await isUsableDirectory(candidate))) continue
    const notices: SessionNotice[] =
      requested === undefined || candidate === requested ? [] : [{ code: 'CWD_FALLBACK', requested, used: candidate }]
    return { cwd: candidate, notices }
  }
  throw new TtyError(
    'CWD_UNUSABLE',
    `The terminal cannot start in "${requested ?? homedir()}", nor in the home directory, nor in /. Check their permissions.`,
    {
      details: { path: requested ?? homedir() },
    },
  )
}

async function isUsableDirectory(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK)
    return (await stat(path)).isDirectory()
  } catch {
    return false // any reason why it cannot be entered is the same to the caller
  }
}

/** What a person calls it: the shell's name, or the command's first line. */
export function describeTarget(command: string | undefined, shell: string): string {
  if (command === undefined) return basename(shell)
  const line = command.trim().split('\n', 1)[0] ?? ''
  return line.length > 80 ? `${line.slice(0, 79)}…` : line
}
