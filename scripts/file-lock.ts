/** A lock between processes: a directory that one of them manages to create, with its owner's process id inside. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { UserError } from './user-error.ts'

const POLL_MS = 200
/** An owner that has not written its id after this long died in between. */
const UNSIGNED_LIMIT_MS = 5000

/**
 * Runs `work` while holding the lock at `path`. A lock whose owner is gone is taken over.
 * Rejects with a UserError when a living owner keeps it longer than `limitMs`.
 */
export const withLock = async <T>(path: string, limitMs: number, work: () => Promise<T>): Promise<T> => {
  const deadline = Date.now() + limitMs
  let unsignedSince: number | null = null
  while (!(await tryTake(path))) {
    const owner = await ownerOf(path)
    unsignedSince = owner === null ? (unsignedSince ?? Date.now()) : null
    const abandoned = owner === null ? Date.now() - (unsignedSince ?? 0) > UNSIGNED_LIMIT_MS : !isAlive(owner)
    if (abandoned) await rm(path, { recursive: true, force: true })
    else if (Date.now() > deadline) {
      throw new UserError(`Gave up waiting for ${path}: process ${owner} holds it. End that process, or wait for it.`)
    } else await delay(POLL_MS)
  }
  try {
    return await work()
  } finally {
    await rm(path, { recursive: true, force: true })
  }
}

const tryTake = async (path: string): Promise<boolean> => {
  try {
    await mkdir(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
  await writeFile(join(path, 'owner'), String(process.pid))
  return true
}

const ownerOf = async (path: string): Promise<number | null> => {
  const text = await readFile(join(path, 'owner'), 'utf8').catch(() => '')
  return /^\d+$/.test(text) ? Number(text) : null
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
