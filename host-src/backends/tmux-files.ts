/**
 * What a tmux server of ours is given: its configuration and two small programs, and how sessions are named on it. The
 * programs find everything through one variable of the server's environment, so no path is ever part of a command's text.
 */
import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PersistName } from '../../protocol-src/ids.ts'

/** Where a server's own files and those of its sessions are. */
export const TMUX_DIRECTORY_VARIABLE = 'DSH_TTY_TMUX'

/** One server per directory, so that two hosts with two homes never meet; beside the user's own, which has another name. */
export function socketOf(directory: string): string {
  return `dsh-tty-${createHash('sha256').update(directory).digest('hex').slice(0, 12)}`
}

/** A session's name on the server, and that of its folder. */
export const tmuxNameOf = (name: PersistName): string => `dsh-${name}`

/** Exactly this session, never one whose name begins like it. */
export const targetOf = (name: PersistName): string => `=${tmuxNameOf(name)}:`

export const CONFIG_FILE = 'tmux.conf'
/** In a session's folder: its exit code and signal, once its program has ended. */
export const ENDED_FILE = 'ended'
/** In a session's folder: nothing more will be recorded. */
export const RECORDED_FILE = 'recorded'
const RECORDER_FILE = 'recorder.sh'
const ENDED_SCRIPT = 'ended.sh'

/** Bytes that are kept for a host that is not there; the oldest go first, in pieces of at most a quarter. */
export const KEPT_BYTES = 32 * 1024 * 1024

/**
 * tmux is the keeper of the terminal, not its picture: no keys, no status line, no other programs. What a session prints
 * goes to its record unchanged; tmux's own history is there for whoever attaches to it by hand.
 */
const config = (historyLines: number): string => `set -g status off
set -g prefix None
set -g prefix2 None
set -g mouse off
set -g escape-time 0
set -g default-terminal screen-256color
set -ga terminal-overrides ",*:Tc"
set -g history-limit ${String(historyLines)}
set -g set-titles off
set -g visual-bell off
set -g bell-action none
set -g monitor-activity off
set -g destroy-unattached off
set -g detach-on-destroy on
set -g exit-empty on
set -g set-clipboard off
set -g default-shell /bin/sh
set -g default-command ""
setw -g automatic-rename off
setw -g allow-rename off
setw -g remain-on-exit on
setw -gq allow-passthrough on
set-hook -g pane-died "run-shell -b 'exec /bin/sh \\"\\$${TMUX_DIRECTORY_VARIABLE}/${ENDED_SCRIPT}\\" #{q:session_name} \\"#{pane_dead_status}\\" \\"#{pane_dead_signal}\\"'"
`

/**
 * Keeps what a session prints: pieces named by the offset of their first byte, the oldest removed when there is too much.
 * `dd` passes every read on at once, and a piece ends after so many reads, so that nothing has to be cut.
 */
const RECORDER = `umask 077
cd "$${TMUX_DIRECTORY_VARIABLE}/$1" || exit 1
at=$2 kept=0
set --
while :; do
  dd bs=4096 count=2048 of="$at.out" 2>/dev/null || break
  size=$(($(wc -c <"$at.out")))
  [ "$size" -gt 0 ] || { rm -f "$at.out"; break; }
  set -- "$@" "$at:$size"
  kept=$((kept + size)) at=$((at + size))
  while [ "$kept" -gt ${String(KEPT_BYTES)} ] || [ "$#" -gt 256 ]; do
    kept=$((kept - \${1#*:}))
    rm -f "\${1%%:*}.out"
    shift
  done
done
: >${RECORDED_FILE}
`

/** Writes down how a program ended, once, also while no host is there. */
const ENDED = `case $1 in dsh-*[!A-Za-z0-9_-]*) exit ;; dsh-*) ;; *) exit ;; esac
cd "$${TMUX_DIRECTORY_VARIABLE}/$1" || exit 1
[ -e ${ENDED_FILE} ] && exit
umask 077
printf '%s %s\\n' "$2" "$3" >${ENDED_FILE}.new && mv ${ENDED_FILE}.new ${ENDED_FILE}
`

/** The shell command that records a session from `offset` on. Its words are of our own alphabet. */
export const recorderCommand = (name: PersistName, offset: number): string =>
  `exec /bin/sh "$${TMUX_DIRECTORY_VARIABLE}/${RECORDER_FILE}" ${tmuxNameOf(name)} ${String(offset)}`

/** Put the files of a server where it looks for them. */
export async function writeServerFiles(directory: string, historyLines: number): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const files = { [CONFIG_FILE]: config(historyLines), [RECORDER_FILE]: RECORDER, [ENDED_SCRIPT]: ENDED }
  for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text, { mode: 0o600 })
}
