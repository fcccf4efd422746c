/**
 * One host per directory: a file with the owner's process id and start time. A lock whose owner is gone is taken over. The
 * start time tells a process from another one that was given its number later.
 */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { systemCodeOf } from '../base/errors.ts'
import type { Disposable } from '../base/lifecycle.ts'
import type { FilePort } from './file-port.ts'

/** What is known of processes, as a port. */
export interface ProcessPort {
  readonly pid: number
  /** When the process started, in whatever unit the system gives; '?' where it gives none; null when it is gone. */
  startOf(pid: number): string | null
}

export const nodeProcesses: ProcessPort = {
  pid: process.pid,
  startOf(pid) {
    try {
      process.kill(pid, 0)
    } catch (error) {
      if (systemCodeOf(error) !== 'EPERM') return null
    }
    try {
      // The name is in parentheses and may hold anything, so count fields from the last ')'. See proc_pid_stat(5).
      const text = readFileSync(`/proc/${String(pid)}/stat`, 'latin1')
      const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
      return fields[0] === 'Z' ? null : (fields[19] ?? '?')
    } catch {
      // No /proc on this system, or the process has just ended: then it only counts as alive until the next look.
      return '?'
    }
  },
}

/**
 * Take the lock at `path`. Dispose to give it back.
 * @returns null when a living process has it
 * @throws Node's system error
 */
export function takeLock(path: string, files: FilePort, processes: ProcessPort = nodeProcesses): Disposable | null {
  // The last part makes the text unique, so that a lock is recognised as one's own.
  const own = `${String(processes.pid)} ${processes.startOf(processes.pid) ?? '?'} ${randomUUID()}\n`
  for (let attempt = 0; attempt < 5; attempt++) {
    if (files.createText(path, own)) return { dispose: () => giveBack(path, own, files) }
    const held = files.readText(path)
    if (held === null) continue
    if (isAlive(held, processes)) return null
    takeAway(path, held, files)
  }
  return null
}

function isAlive(text: string, processes: ProcessPort): boolean {
  const [pid, start] = text.split(' ')
  if (pid === undefined || !/^\d+$/.test(pid)) return false
  const seen = processes.startOf(Number(pid))
  if (seen === null) return false
  return seen === '?' || start === '?' || seen === start
}

/** Remove the stale lock `text`, and only it: another host may have replaced it since it was read. */
function takeAway(path: string, text: string, files: FilePort): void {
  const aside = `${path}.${randomUUID()}.stale`
  try {
    files.rename(path, aside)
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return
    throw error
  }
  const taken = files.readText(aside)
  if (taken !== null && taken !== text) files.createText(path, taken)
  files.removeFile(aside)
}

function giveBack(path: string, own: string, files: FilePort): void {
  if (files.readText(path) === own) files.removeFile(path)
}
