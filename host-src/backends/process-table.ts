/** Who runs on this machine, as far as ending a session's tree needs to know. */
import { execFile } from 'node:child_process'
import { readFile, readdir } from 'node:fs/promises'
import { promisify } from 'node:util'
import { atMost } from '../base/async.ts'
import { systemCodeOf } from '../base/errors.ts'
import { SESSION_MARKER } from './child-env.ts'

export interface ProcessRow {
  readonly pid: number
  readonly ppid: number
  /** Process group. */
  readonly pgid: number
  /** Session (setsid) id. */
  readonly sid: number
  /** Controlling terminal as the system numbers it; 0 or '?' when there is none. */
  readonly tty: string
  /** Foreground process group of that terminal, or -1. */
  readonly foreground: number
  readonly isZombie: boolean
  /** With the pid it names one process for good, although pids are used again. */
  readonly startedAt: string
  readonly command: string
}

export interface ProcessTable {
  list(): Promise<readonly ProcessRow[]>
  /** Of `pids`, those whose environment at start carried the marker of `sessionId`. */
  marked(pids: readonly number[], sessionId: string): Promise<ReadonlySet<number>>
}

/** Sessions that end together look at every process of the machine each: unbounded, that is more files than a process may open. */
const readInTurn = atMost(32)

/** A process may end between being listed and being read, or belong to somebody else: then there is nothing to be read. */
const EXPECTED_FAILURES = new Set(['ENOENT', 'ESRCH', 'EACCES', 'EPERM'])

/** @throws when reading failed for a reason of this process, because a process that is overlooked counts as gone */
function readOrNull(path: string): Promise<string | null> {
  return readInTurn(async () => {
    try {
      return await readFile(path, 'latin1')
    } catch (error) {
      if (EXPECTED_FAILURES.has(systemCodeOf(error) ?? '')) return null
      throw error
    }
  })
}

export function parseStat(pid: number, text: string): ProcessRow | null {
  // The name is in parentheses and may hold anything, so count fields from the last ')'. See proc_pid_stat(5).
  const nameEnd = text.lastIndexOf(')')
  const fields = text.slice(nameEnd + 2).split(' ')
  const [state, ppid, pgid, sid, tty, foreground] = fields
  const startedAt = fields[19]
  if (nameEnd === -1 || state === undefined || foreground === undefined || startedAt === undefined) return null
  return {
    pid,
    ppid: Number(ppid),
    pgid: Number(pgid),
    sid: Number(sid),
    tty: tty ?? '0',
    foreground: Number(foreground),
    isZombie: state === 'Z' || state === 'X',
    startedAt,
    command: text.slice(text.indexOf('(') + 1, nameEnd),
  }
}

export const linuxProcessTable: ProcessTable = {
  async list() {
    const pids = (await readInTurn(() => readdir('/proc'))).filter((name) => /^\d+$/.test(name)).map(Number)
    const rows = await Promise.all(
      pids.map(async (pid) => {
        const text = await readOrNull(`/proc/${String(pid)}/stat`)
        return text === null ? null : parseStat(pid, text)
      }),
    )
    return rows.filter((row) => row !== null)
  },
  async marked(pids, sessionId) {
    const entry = `${SESSION_MARKER}=${sessionId}`
    const found = new Set<number>()
    await Promise.all(
      pids.map(async (pid) => {
        const environ = await readOrNull(`/proc/${String(pid)}/environ`)
        if (environ?.split('\0').includes(entry) === true) found.add(pid)
      }),
    )
    return found
  },
}

const run = promisify(execFile)

/** For POSIX systems without /proc. `ps -E` shows a process's environment to its owner on macOS. */
export const psProcessTable: ProcessTable = {
  async list() {
    const { stdout } = await run('ps', ['-axo', 'pid=,ppid=,pgid=,sess=,tt=,tpgid=,state=,lstart=,comm='], {
      maxBuffer: 32 * 1024 * 1024,
    })
    return stdout.split('\n').flatMap((line) => {
      const match =
        /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S+)\s+(-?\d+)\s+(\S+)\s+(\S+\s+\S+\s+\S+\s+\S+\s+\S+)\s+(.*)$/.exec(line)
      if (match === null) return []
      const [, pid, ppid, pgid, sid, tty, foreground, state, startedAt, command] = match
      return [
        {
          pid: Number(pid),
          ppid: Number(ppid),
          pgid: Number(pgid),
          sid: Number.parseInt(sid ?? '0', 16),
          tty: tty ?? '?',
          foreground: Number(foreground),
          isZombie: state?.startsWith('Z') === true,
          startedAt: startedAt ?? '',
          command: command ?? '',
        },
      ]
    })
  },
  async marked(pids, sessionId) {
    if (pids.length === 0) return new Set()
    const { stdout } = await run('ps', ['-E', '-ww', '-o', 'pid=,command=', '-p', pids.join(',')], {
      maxBuffer: 64 * 1024 * 1024,
    })
    const entry = `${SESSION_MARKER}=${sessionId}`
    return new Set(
      stdout
        .split('\n')
        .filter((line) => line.split(/\s+/).includes(entry))
        .map((line) => Number.parseInt(line, 10)),
    )
  },
}
