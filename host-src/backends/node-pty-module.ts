/** Loads node-pty when the first session needs it; a machine where it cannot load keeps a working host and a clear error. */
import { chmod, readdir, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type * as nodePty from 'node-pty'
import { TtyError, messageOf, systemCodeOf } from '../base/errors.ts'

export type NodePty = Pick<typeof nodePty, 'spawn'>

let loaded: Promise<NodePty> | undefined

/** @throws TtyError PTY_UNAVAILABLE */
export function loadNodePty(): Promise<NodePty> {
  loaded ??= load().catch((error: unknown) => {
    loaded = undefined // a repaired installation works at the next try
    throw error
  })
  return loaded
}

async function load(): Promise<NodePty> {
  try {
    await repairSpawnHelper(dirname(createRequire(import.meta.url).resolve('node-pty/package.json')))
    return await import('node-pty')
  } catch (error) {
    throw new TtyError(
      'PTY_UNAVAILABLE',
      `Terminals cannot be started: the native part of node-pty did not load on ${process.platform}-${process.arch} (${messageOf(error)}). Install the plugin again on this machine.`,
      {
        cause: error,
        details: { platform: `${process.platform}-${process.arch}`, reason: messageOf(error) },
      },
    )
  }
}

/** npm packs node-pty's macOS spawn-helper without its execute bit when install scripts are blocked (node-pty#850); set it. */
export async function repairSpawnHelper(
  packageDir: string,
  platform: NodeJS.Platform = process.platform,
): Promise<void> {
  if (platform !== 'darwin') return
  const prebuilds = join(packageDir, 'prebuilds')
  for (const folder of (await readdir(prebuilds)).filter((name) => name.startsWith('darwin-'))) {
    const helper = join(prebuilds, folder, 'spawn-helper')
    try {
      const { mode } = await stat(helper)
      if ((mode & 0o111) !== 0o111) await chmod(helper, mode | 0o755)
    } catch (error) {
      if (systemCodeOf(error) !== 'ENOENT') throw error
    }
  }
}
