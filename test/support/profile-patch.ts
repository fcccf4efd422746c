/** Edits the user's patch of a running host's web profile, which the host applies at once. */
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { HEALTH_PATH } from '../../protocol-src/http-routes.ts'
import type { TestDsh } from './dsh.ts'
import { until } from './wait.ts'

/** Whether our route answers; the host's own page answers every unknown path with HTML. */
export const isPluginUp = async (dsh: TestDsh): Promise<boolean> => {
  const response = await fetch(dsh.url + HEALTH_PATH)
  return response.status === 200 && response.headers.get('content-type')?.includes('application/json') === true
}

/** Put a patch in force and wait for `isApplied`. The host's watcher misses a write now and then, so it is repeated. */
export const applyPatch = async (dsh: TestDsh, patch: unknown, isApplied: () => Promise<boolean>): Promise<void> => {
  const file = join(dsh.dshHome, 'profiles', 'web', 'cordis.patch.yml')
  let tries = 0
  await until(
    async () => {
      if (tries % 40 === 0) {
        await writeFile(`${file}.new`, `${JSON.stringify(patch)}\n`)
        await rename(`${file}.new`, file)
      }
      tries += 1
      return isApplied()
    },
    { what: 'the host to apply the patch', timeoutMs: 15_000, pollMs: 50 },
  )
}
