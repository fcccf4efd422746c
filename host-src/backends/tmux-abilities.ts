/** What the tmux of a machine can do, read off its version. Asks once per host; starts nothing. */
import type { SessionNotice } from '../../protocol-src/session.ts'
import type { Machine } from './machine.ts'

export type MissingAbility = Extract<SessionNotice, { code: 'PERSIST_LIMITED' }>['missing'][number]
export type UnusableReason = Extract<SessionNotice, { code: 'PERSIST_UNAVAILABLE' }>['reason']

export type TmuxFound =
  | { readonly kind: 'usable'; readonly version: string; readonly missing: readonly MissingAbility[] }
  | { readonly kind: 'unusable'; readonly reason: UnusableReason; readonly version: string | null }

/** The first version with each thing that is used where it is there: major and minor number. */
const SINCE: Readonly<Record<MissingAbility, readonly [number, number]>> = {
  /** A control client can be told no output, which it would get besides the record. */
  'quiet-control': [3, 2],
  /** `pane_dead_signal`. */
  'exit-signal': [3, 3],
}
/** `send-keys -H`, `resize-window`, hooks of panes. */
const OLDEST = [3, 0] as const
const NOT_FOUND = 127
const PROBE_LIMIT_MS = 5_000

/** Never rejects. */
export async function findTmux(machine: Machine): Promise<TmuxFound> {
  try {
    const { exitCode, stdout } = await machine.run(['tmux', '-V'], { timeoutMs: PROBE_LIMIT_MS })
    if (exitCode === NOT_FOUND) return { kind: 'unusable', reason: 'missing', version: null }
    return exitCode === 0 ? abilitiesOf(stdout) : { kind: 'unusable', reason: 'failed', version: null }
  } catch {
    return { kind: 'unusable', reason: 'failed', version: null } // it is there, and the system does not let it run
  }
}

/** @param answer of `tmux -V`: "tmux 3.3a", "tmux next-3.6", "tmux master" */
export function abilitiesOf(answer: string): TmuxFound {
  const version = /^tmux (\S{1,40})\s*$/.exec(answer)?.[1]
  if (version === undefined) return { kind: 'unusable', reason: 'failed', version: null }
  const [, major, minor] = /(\d+)\.(\d+)/.exec(version) ?? []
  // Built from the newest source, without a number.
  if (major === undefined || minor === undefined || version.startsWith('openbsd'))
    return { kind: 'usable', version, missing: [] }
  const isAtLeast = ([wantedMajor, wantedMinor]: readonly [number, number]): boolean =>
    Number(major) > wantedMajor || (Number(major) === wantedMajor && Number(minor) >= wantedMinor)
  if (!isAtLeast(OLDEST)) return { kind: 'unusable', reason: 'too-old', version }
  const missing = (Object.keys(SINCE) as MissingAbility[]).filter((ability) => !isAtLeast(SINCE[ability]))
  return { kind: 'usable', version, missing }
}
