/** What is known of the account at the other end of a connection: its shell, its home, what surrounds a shell there. */
import { randomBytes } from 'node:crypto'
import type { Machine } from '../machine.ts'

export interface RemoteFacts {
  /** Absolute path of the login shell, or empty. */
  readonly shell: string
  readonly home: string
  readonly hostName: string
  /** Where temporary files go; a path without anything that a shell would take for more. */
  readonly temporary: string
  readonly zdotdir: string | null
  /** Whether bash would be in POSIX mode. */
  readonly isPosix: boolean
  /** Whether what zsh reads before everything else looks at ZDOTDIR. */
  readonly zshLooksAtZdotdir: boolean
}

/** What folders of starts are called there. */
export const FOLDER_PREFIX = 'dsh-tty-start-'

/** No quotes and no newlines: it goes through shells of every kind. */
const LOOK = [
  'echo $0',
  'echo "shell=$SHELL"',
  'echo "home=$HOME"',
  'echo "name=$(uname -n)"',
  'echo "temporary=${TMPDIR:-/tmp}"',
  'echo "zdotdir=${ZDOTDIR+=}${ZDOTDIR:-}"',
  'echo "posix=${POSIXLY_CORRECT+1}"',
  'echo "zshenv=$(cat /etc/zshenv /etc/zsh/zshenv 2>/dev/null | grep -c ZDOTDIR)"',
  'echo $0',
  // What starts of long ago have left, whose connection was lost at once.
  `find "\${TMPDIR:-/tmp}" -maxdepth 1 -type d -user "$(id -u)" -name "${FOLDER_PREFIX}*" -mmin +60 -exec rm -rf {} + 2>/dev/null`,
].join('; ')

const PLAIN_PATH = /^\/[A-Za-z0-9._/+-]*$/

/** @returns null where no POSIX shell answers */
export async function lookAt(
  machine: Machine,
  options: { timeoutMs: number; signal: AbortSignal },
): Promise<RemoteFacts | null> {
  // What the user's files print at the start of every shell is not of it.
  const fence = `dsh-tty-${randomBytes(8).toString('hex')}`
  const { stdout } = await machine.run(['/bin/sh', '-c', LOOK, fence], options)
  const [, body] = stdout.split(`${fence}\n`)
  return body === undefined ? null : factsFrom(body)
}

export function factsFrom(body: string): RemoteFacts | null {
  const facts = new Map<string, string>()
  for (const line of body.split('\n')) {
    const at = line.indexOf('=')
    if (at > 0) facts.set(line.slice(0, at), line.slice(at + 1))
  }
  const get = (name: string): string => facts.get(name) ?? ''
  const [shell, home, temporary, zdotdir] = [get('shell'), get('home'), get('temporary'), get('zdotdir')]
  if (!home.startsWith('/')) return null
  return {
    shell: shell.startsWith('/') ? shell : '',
    home,
    hostName: get('name'),
    temporary: PLAIN_PATH.test(temporary) ? temporary.replace(/\/+$/, '') : '/tmp',
    zdotdir: zdotdir.startsWith('=') ? zdotdir.slice(1) : null,
    isPosix: get('posix') !== '',
    zshLooksAtZdotdir: Number(get('zshenv')) > 0,
  }
}
