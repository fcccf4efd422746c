/** M7: what the plugin adds to the start of its host: import and apply of the built bundle in a fresh process. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { inRoot } from '../../../scripts/project.ts'
import { UserError } from '../../../scripts/user-error.ts'
import { median, span } from '../statistics.ts'
import type { MeasureContext, MeasureResult } from './measure.ts'

const run = promisify(execFile)

export const measureLoad = async ({ options }: MeasureContext): Promise<MeasureResult> => {
  const bundle = inRoot('lib', 'index.js')
  if (!existsSync(bundle))
    throw new UserError('M7 measures the built plugin and there is none: run "npm run build" first.')
  const worker = fileURLToPath(new URL('../workers/load-plugin.ts', import.meta.url))
  const rest = inRoot('lib', 'start.js')
  const waits: number[] = []
  const costs: number[] = []
  for (let count = -1; count < options.runs; count += 1) {
    const { stdout } = await run(process.execPath, [worker, bundle, rest])
    if (count < 0) continue
    const [wait = Number.NaN, cost = Number.NaN] = stdout.split(' ').map(Number)
    waits.push(wait)
    costs.push(cost)
  }
  return {
    title: 'M7 plugin load',
    rows: [
      {
        server: 'ours',
        'import and apply ms': median(waits),
        'ms span': span(waits),
        'CPU ms until loaded': median(costs),
      },
    ],
    isIntact: true,
  }
}
