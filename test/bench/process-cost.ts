/** What a process has used so far, from /proc (Linux). */
import { readFileSync } from 'node:fs'

/** Clock ticks per second in /proc: 100 on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100

/** User and system time of all its threads, in milliseconds (a multiple of 10). */
export const cpuMsOf = (pid: number): number => {
  const stat = readFileSync(`/proc/${String(pid)}/stat`, 'latin1')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_SECOND
}

/** Resident memory in kilobytes. */
export const rssKbOf = (pid: number): number => {
  const match = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${String(pid)}/status`, 'latin1'))
  return match === null ? 0 : Number(match[1])
}
