/**
 * Ends the whole process tree of a session and looks whether it is gone. "Ended" is what was seen in the process table,
 * not that a signal was sent.
 */
import type { Termination } from '../../protocol-src/session.ts'
import { delay } from '../base/async.ts'
import { systemCodeOf } from '../base/errors.ts'
import type { ProcessRow, ProcessTable } from './process-table.ts'

const POLL_MS = 15
/** How long survivors of SIGKILL are waited for: a process in uninterruptible teardown may take its time. */
const KILL_WAIT_MS = 2_000

export interface TreeRoot {
  readonly pid: number
  readonly sessionId: string
  /** Whether its exit is known: from then on its pid may name a stranger. */
  readonly isOver: () => boolean
}

/**
 * The living members of a tree: descendants by parent chain, everything in the root's session, everything on the root's
 * terminal while the root lives (later the terminal's number may be a new session's), and everything that carries the
 * session's marker in its environment (a grandchild that called setsid and was re-parented has only that left).
 */
export class ProcessTree {
  readonly #table: ProcessTable
  readonly #root: TreeRoot
  /** Every member ever seen, as `pid:startedAt`, so that a process stays a member after its parent went. */
  readonly #known = new Set<string>()
  readonly #unmarked = new Set<string>()
  /** The process group that the host is in. */
  #hostGroup: number | null = null

  constructor(table: ProcessTable, root: TreeRoot) {
    this.#table = table
    this.#root = root
  }

  async members(): Promise<ProcessRow[]> {
    const all = await this.#table.list()
    this.#hostGroup = all.find((row) => row.pid === process.pid)?.pgid ?? null
    const rows = all.filter((row) => !row.isZombie && row.pid !== process.pid)
    const members = new Set(this.#directMembers(rows).map((row) => row.pid))
    const strangers = rows.filter((row) => !members.has(row.pid) && !this.#unmarked.has(keyOf(row)))
    const marked = await this.#table.marked(
      strangers.map((row) => row.pid),
      this.#root.sessionId,
    )
    for (const row of strangers) {
      if (marked.has(row.pid)) members.add(row.pid)
      else if (row.ppid !== 1 && row.pid < this.#root.pid) this.#unmarked.add(keyOf(row))
    }
    for (let grew = true; grew;) {
      grew = false
      for (const row of rows) {
        if (members.has(row.pid) || !members.has(row.ppid)) continue
        members.add(row.pid)
        grew = true
      }
    }
    const found = rows.filter((row) => members.has(row.pid))
    for (const row of found) this.#known.add(keyOf(row))
    return found
  }

  #directMembers(rows: readonly ProcessRow[]): ProcessRow[] {
    const bearer = rows.find((row) => row.pid === this.#root.pid)
    const root = this.#root.isOver() ? undefined : bearer
    const tty = root === undefined || !leadsItsGroup(root) || NO_TTY.has(root.tty) ? null : root.tty
    // A number is not given out again while it names a session that has members.
    const sid = bearer === root ? this.#root.pid : null
    return rows.filter(
      (row) => row === root || row.sid === sid || (tty !== null && row.tty === tty) || this.#known.has(keyOf(row)),
    )
  }

  /**
   * Ask with SIGHUP (as a closing terminal does), wait up to `graceMs`, SIGKILL what is left, and look.
   * Stopped processes are continued so that they can act on the request.
   */
  async terminate(graceMs: number): Promise<Termination> {
    let members = await this.members()
    const root = this.#root.isOver() ? undefined : members.find((row) => row.pid === this.#root.pid)
    const isStarting = root !== undefined && !leadsItsGroup(root)
    // The shell passes it on to its jobs; without a shell each is asked itself.
    const groups = new Set(root === undefined ? members.map((row) => row.pgid) : [root.pgid, root.foreground])
    const targets = isStarting
      ? [root.pid]
      : [...groups].filter((group) => this.#isTheirs(group)).map((group) => -group)
    for (const target of targets) {
      send(target, 'SIGHUP')
      send(target, 'SIGCONT')
    }
    members = await this.#waitForNone(graceMs)
    const killed = new Set<number>()
    const deadline = Date.now() + KILL_WAIT_MS
    while (members.length > 0 && Date.now() < deadline) {
      for (const row of members) {
        send(row.pid, 'SIGKILL')
        killed.add(row.pid)
      }
      members = await this.#waitForNone(Math.min(100, deadline - Date.now()))
    }
    return {
      verified: members.length === 0,
      killed: [...killed].filter((pid) => !members.some((row) => row.pid === pid)).sort((a, b) => a - b),
      survivors: members.map((row) => ({ pid: row.pid, command: row.command })),
    }
  }

  /** A child has its parent's group until it takes one of its own, and the host's is everybody's who started it. */
  #isTheirs(group: number): boolean {
    return group > 1 && group !== this.#hostGroup
  }

  async #waitForNone(forMs: number): Promise<ProcessRow[]> {
    const deadline = Date.now() + forMs
    for (;;) {
      const members = await this.members()
      if (members.length === 0 || Date.now() >= deadline) return members
      await delay(POLL_MS)
    }
  }
}

/** Until its setsid a root just forked is in the host's group and session, and on the terminal the host was started from. */
const leadsItsGroup = (root: ProcessRow): boolean => root.pgid === root.pid

const NO_TTY = new Set(['0', '?', '??'])

const keyOf = (row: ProcessRow): string => `${String(row.pid)}:${row.startedAt}`

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    // ESRCH: gone already, which is what we want. EPERM: not ours to signal; it shows up as a survivor.
    if (systemCodeOf(error) !== 'ESRCH' && systemCodeOf(error) !== 'EPERM') throw error
  }
}
