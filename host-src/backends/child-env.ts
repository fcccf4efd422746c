/**
 * The environment of a local session: the user's own, without what belongs to the host process.
 * Why: a shell that inherits the host's API keys or NODE_OPTIONS leaks them to every program (electerm#4411, orca#2415).
 */
import type { SessionId } from '../../protocol-src/ids.ts'

/** Marks every process of a session, so that its tree can be found even after a double fork. */
export const SESSION_MARKER = 'DSH_TTY_SESSION'

/** Variables of the host's own runtime, packaging and surroundings, by prefix. */
const HOST_PREFIXES = ['DSH_', 'DEEPSEEK_', 'npm_', 'NPM_', 'ELECTRON_', 'VSCODE_', 'PNPM_']

/** The same, by exact name. The last two lines: terminals that the host itself was started in. */
const HOST_NAMES = new Set([
  'NODE_OPTIONS',
  'NODE_PATH',
  'NODE_ENV',
  'NODE_CHANNEL_FD',
  'NODE_COMPILE_CACHE',
  'NODE_V8_COVERAGE',
  'NODE_UNIQUE_ID',
  'NODE_EXTRA_CA_CERTS',
  'LD_PRELOAD',
  'DYLD_INSERT_LIBRARIES',
  'INIT_CWD',
  'PORT',
  'HOST',
  'CI',
  'FORCE_COLOR',
  'NO_COLOR',
  'TMUX',
  'TMUX_PANE',
  'STY',
  'WINDOW',
  'WINDOWID',
  'TERMCAP',
  'COLUMNS',
  'LINES',
  'TERM',
  'COLORTERM',
  'TERM_PROGRAM',
  'TERM_PROGRAM_VERSION',
  'TERM_SESSION_ID',
  'VTE_VERSION',
  'KONSOLE_VERSION',
  'KITTY_WINDOW_ID',
  'ITERM_SESSION_ID',
  'WT_SESSION',
  'ALACRITTY_WINDOW_ID',
  'GNOME_TERMINAL_SCREEN',
])

/** Names that say "secret". KEY only as a whole word, so that KEYBOARD_LAYOUT stays. */
const SECRET_NAME = /(^|_)(API)?KEYS?(_|$)|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|_AUTH$|AUTHTOKEN/i

/** Whether a variable of the host process is kept from sessions. */
export function isHostVariable(name: string): boolean {
  return (
    HOST_NAMES.has(name) ||
    HOST_PREFIXES.some((prefix) => name.startsWith(prefix)) ||
    SECRET_NAME.test(name) ||
    name.includes('%') ||
    name.startsWith('BASH_FUNC_')
  )
}

export interface ChildEnvRequest {
  readonly host: Readonly<Record<string, string | undefined>>
  readonly sessionId: SessionId
  readonly term: string
  readonly colorTerm: string
  readonly shell: string
  readonly cwd: string
}

/** @returns the variables of one session's first process */
export function childEnv(request: ChildEnvRequest): Record<string, string> {
  const env: Record<string, string> = {}
  for (const [name, value] of Object.entries(request.host)) {
    if (value !== undefined && !isHostVariable(name)) env[name] = value
  }
  env['PATH'] = withoutPackageBins(env['PATH'] ?? '')
  withUtf8Locale(env)
  env['TERM'] = request.term
  if (request.colorTerm !== '') env['COLORTERM'] = request.colorTerm
  env['TERM_PROGRAM'] = 'dsh-tty'
  env['SHELL'] = request.shell
  env['PWD'] = request.cwd
  env[SESSION_MARKER] = request.sessionId
  return env
}

/**
 * Without a UTF-8 locale line editors count bytes and programs print "?" (coding-agents#96). The C library takes the
 * first of LC_ALL, LC_CTYPE and LANG that is not empty; the language of messages stays where it can.
 */
function withUtf8Locale(env: Record<string, string>): void {
  const inForce = ['LC_ALL', 'LC_CTYPE', 'LANG'].map((name) => env[name] ?? '').find((value) => value !== '') ?? 'C'
  if (/utf-?8/i.test(inForce)) return
  delete env['LC_ALL']
  delete env['LC_CTYPE']
  const language = env['LANG'] ?? ''
  if (language === '' || language === 'C' || language === 'POSIX') env['LANG'] = 'C.UTF-8'
  else if (!/utf-?8/i.test(language)) env['LC_CTYPE'] = 'C.UTF-8'
}

/** npm puts its packages' tools in front of PATH when it starts the host; a user's shell has no business with them. */
function withoutPackageBins(path: string): string {
  return path
    .split(':')
    .filter((entry) => !/[/\\]node_modules[/\\]\.bin$|[/\\]node-gyp-bin$/.test(entry))
    .join(':')
}
