/** Whether a process still runs the program that it ran before: `exec` keeps the number and changes everything else. */
import { readFileSync } from 'node:fs'

/** Fields of proc_pid_stat(5), counted from the one after the name, which is the third. */
const START_CODE = 26 - 3
const START_STACK = 28 - 3

/**
 * Where Linux put code and stack of the program, which is somewhere else after every exec, also of the same file.
 * @returns null when the process is gone
 */
export function linuxImageOf(pid: number): string | null {
  try {
    const text = readFileSync(`/proc/${String(pid)}/stat`, 'latin1')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const [code, stack] = [fields[START_CODE], fields[START_STACK]]
    return code === undefined || stack === undefined ? null : `${code} ${stack}`
  } catch {
    return null // gone, or of a kernel that does not tell
  }
}

/** Whether a process has ended, its parent may not have heard of it. Undefined where the system does not tell. */
export function hasEnded(pid: number): boolean | undefined {
  try {
    const text = readFileSync(`/proc/${String(pid)}/stat`, 'latin1')
    return /^[ZX]/.test(text.slice(text.lastIndexOf(')') + 2))
  } catch {
    return process.platform === 'linux' ? true : undefined
  }
}
