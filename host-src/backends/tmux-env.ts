/** With what environment a tmux server of ours is started: next to nothing, because whatever it has, its sessions inherit. */
import { isHostVariable } from './child-env.ts'
import { TMUX_DIRECTORY_VARIABLE } from './tmux-files.ts'

/** What finds programs and says which language and user. A directory for sockets would hide sessions from a later host. */
const KEPT_NAMES = ['PATH', 'HOME', 'USER', 'LOGNAME', 'LANG', 'LC_ALL', 'LC_CTYPE', 'TMPDIR']

export function serverEnv(
  host: Readonly<Record<string, string | undefined>>,
  directory: string,
): Readonly<Record<string, string>> {
  const env: Record<string, string> = { PATH: '/usr/local/bin:/usr/bin:/bin', SHELL: '/bin/sh', TERM: 'dumb' }
  for (const name of KEPT_NAMES) {
    const value = host[name]
    if (value !== undefined && !isHostVariable(name)) env[name] = value
  }
  env[TMUX_DIRECTORY_VARIABLE] = directory
  return env
}
