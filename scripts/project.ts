/** Where things are in this checkout, and what its manifest says. Knows nothing of building or running. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Absolute path of the checkout. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url)).replace(/[\\/]$/, '')

/** An absolute path inside the checkout. */
export const inRoot = (...parts: string[]): string => join(ROOT, ...parts)

/** The fields of package.json that scripts rely on. */
export interface Manifest {
  name: string
  version: string
  files: string[]
  dependencies: Record<string, string>
  peerDependencies: Record<string, string>
  dsh: { client: { external?: string[] } }
}

/** Reads package.json anew on every call. */
export const readManifest = (): Manifest => JSON.parse(readFileSync(inRoot('package.json'), 'utf8')) as Manifest

/** True when the module with this `import.meta.url` is the script that was started. */
export const isMain = (metaUrl: string): boolean => process.argv[1] === fileURLToPath(metaUrl)
