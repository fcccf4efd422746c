/** `npm run gate:lifecycle`: runs the lifecycle gate on a throwaway host, prints each step, and writes the evidence. */
import { mkdir, writeFile } from 'node:fs/promises'
import { runLifecycleGate } from './lifecycle.ts'
import { bootTestDsh } from '../support/dsh.ts'
import { build } from '../../scripts/build.ts'
import { ensureDshHost } from '../../scripts/dsh-host.ts'
import { inRoot, isMain } from '../../scripts/project.ts'
import { runMain } from '../../scripts/user-error.ts'

const EVIDENCE = 'docs/evidence/lifecycle.json'

const main = async (): Promise<void> => {
  await ensureDshHost()
  await build()
  await using dsh = await bootTestDsh()
  const steps = await runLifecycleGate(dsh, ({ number, claim, evidence }) => {
    process.stdout.write(`${String(number)}. holds: ${claim}\n   ${JSON.stringify(evidence)}\n`)
  })
  await mkdir(inRoot('docs/evidence'), { recursive: true })
  await writeFile(inRoot(EVIDENCE), `${JSON.stringify({ gate: 'lifecycle', steps }, null, 2)}\n`)
  process.stdout.write(`All ${String(steps.length)} steps hold; evidence is in ${EVIDENCE}.\n`)
}

if (isMain(import.meta.url)) runMain(main)
