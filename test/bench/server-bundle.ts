/** The bench's servers, bundled as the host half is for its users: what strips types would otherwise be measured as well. */
import { copyFileSync, existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { inRoot } from '../../scripts/project.ts'
import { cachePath } from './workspace.ts'

/** Threads of the host half are files beside its bundle. */
const SCREEN_WORKER = inRoot('host-src', 'terminal', 'screen-worker.ts')

/** @param script file name in `servers/` @returns the program to start */
export const bundledServer = async (script: string): Promise<string> => {
  const name = script.replace(/\.ts$/, '')
  const source = fileURLToPath(new URL(`servers/${script}`, import.meta.url))
  copyFileSync(inRoot('package.json'), cachePath('package.json')) // the host half reads its version one folder up
  await build({
    entryPoints: [
      { in: source, out: name },
      ...(existsSync(SCREEN_WORKER) ? [{ in: SCREEN_WORKER, out: 'screen-worker' }] : []),
    ],
    outdir: cachePath('servers'),
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    logLevel: 'silent',
  })
  return cachePath(`servers/${name}.js`)
}
