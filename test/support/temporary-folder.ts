/** A folder for one test, removed after it. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

export const temporaryFolder = async (): Promise<string> => {
  const path = await mkdtemp(join(tmpdir(), 'dsh-tty-unit-'))
  onTestFinished(() => rm(path, { recursive: true, force: true }))
  return path
}
