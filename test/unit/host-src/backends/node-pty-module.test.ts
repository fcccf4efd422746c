import { chmod, mkdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { repairSpawnHelper } from '../../../../host-src/backends/node-pty-module.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

const packageWith = async (mode: number): Promise<{ folder: string; helper: string }> => {
  const folder = await temporaryFolder()
  await mkdir(join(folder, 'prebuilds', 'darwin-arm64'), { recursive: true })
  await mkdir(join(folder, 'prebuilds', 'darwin-x64'))
  await mkdir(join(folder, 'prebuilds', 'linux-x64'))
  const helper = join(folder, 'prebuilds', 'darwin-arm64', 'spawn-helper')
  await writeFile(helper, '')
  await chmod(helper, mode)
  return { folder, helper }
}

describe('repairSpawnHelper', () => {
  it('gives the helper its run bits back on macOS, and does not mind one that is not there', async () => {
    const { folder, helper } = await packageWith(0o644)
    await repairSpawnHelper(folder, 'darwin')
    expect((await stat(helper)).mode & 0o777).toBe(0o755)
  })

  it('touches nothing elsewhere', async () => {
    const { folder, helper } = await packageWith(0o644)
    await repairSpawnHelper(folder, 'linux')
    expect((await stat(helper)).mode & 0o777).toBe(0o644)
  })
})
