/** The process table, read from /proc (Linux). Facts only: who is there, who are its children, what is its environment. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { until } from './wait.ts'

/** One process as the kernel sees it. */
export interface ProcessFacts {
  pid: number
  parentPid: number
  /** Process group id. */
  groupId: number
  /** Session id; a PTY's shell leads its own. */
  sessionId: number
  /** Kernel state letter; `Z` is a zombie. */
  state: string
  /** Program name, at most 15 characters. */
  name: string
  /** Arguments as started; empty for a zombie. */
  argv: readonly string[]
}

const readProcess = (pid: number): ProcessFacts | null => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name is in parentheses and may itself contain any character.
    const open = stat.indexOf('(')
    const close = stat.lastIndexOf(')')
    const [state = '', parentPid, groupId, sessionId] = stat.slice(close + 2).split(' ')
    const argv = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1)
    return {
      pid,
      parentPid: Number(parentPid),
      groupId: Number(groupId),
      sessionId: Number(sessionId),
      state,
      name: stat.slice(open + 1, close),
      argv,
    }
  } catch {
    return null // ended while we looked
  }
}

/** Every process there is now. */
export const allProcesses = (): ProcessFacts[] =>
  readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .flatMap((entry) => readProcess(Number(entry)) ?? [])

/** True while `pid` runs; a zombie that nobody has collected yet is not alive. */
export const isAlive = (pid: number): boolean => {
  const facts = readProcess(pid)
  return facts !== null && facts.state !== 'Z' && facts.state !== 'X'
}

/** Living direct children of `pid`. */
export const childrenOf = (pid: number): ProcessFacts[] =>
  allProcesses().filter((each) => each.parentPid === pid && each.state !== 'Z')

/** Living descendants of `pid`, nearest first. */
export const descendantsOf = (pid: number): ProcessFacts[] => {
  const all = allProcesses().filter((each) => each.state !== 'Z')
  const found: ProcessFacts[] = []
  let generation = [pid]
  while (generation.length > 0) {
    const next = all.filter((each) => generation.includes(each.parentPid))
    found.push(...next)
    generation = next.map((each) => each.pid)
  }
  return found
}

/** The environment that `pid` was started with; empty when it is gone or not ours to read. */
export const environmentOf = (pid: number): Readonly<Record<string, string>> => {
  try {
    const entries = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').filter(Boolean)
    return Object.fromEntries(
      entries.map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]),
    )
  } catch {
    return {}
  }
}

/** Living processes started with the variable `name` equal to `value`. Finds orphans that left their parent. */
export const withEnvironment = (name: string, value: string): ProcessFacts[] =>
  allProcesses().filter((each) => each.state !== 'Z' && environmentOf(each.pid)[name] === value)

/** Working directory of `pid`, or null when it is gone. */
export const cwdOf = (pid: number): string | null => {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return null
  }
}

/** Resolves when every pid is gone; fails naming those that are not. */
export const untilGone = async (pids: readonly number[], timeoutMs = 5000): Promise<void> => {
  await until(() => pids.every((pid) => !isAlive(pid)), { what: `processes ${pids.join(', ')} to end`, timeoutMs })
}
