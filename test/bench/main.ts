/** `npm run bench`: measures what was asked for, prints a table each and the goals last. Fails only when bytes did. */
import { writeFileSync } from 'node:fs'
import { cpus, release } from 'node:os'
import { isMain } from '../../scripts/project.ts'
import { runMain, UserError } from '../../scripts/user-error.ts'
import { ADAPTERS } from './adapters/index.ts'
import type { MeasureName } from './adapters/adapter.ts'
import { parseCommandLine } from './command-line.ts'
import { judge } from './goals.ts'
import { measureEcho } from './measures/echo.ts'
import { measureMarks } from './measures/marks.ts'
import { measureLoad } from './measures/load.ts'
import type { MeasureContext, MeasureResult, Row } from './measures/measure.ts'
import { measureMemory } from './measures/memory.ts'
import { measureReattach } from './measures/reattach.ts'
import { measureScanner } from './measures/scanner.ts'
import { measureStall } from './measures/stall.ts'
import { measureThroughput } from './measures/throughput.ts'
import { tableOf } from './table.ts'
import { ensureKid } from './workspace.ts'

const MEASURES: Readonly<Record<MeasureName, (context: MeasureContext) => Promise<MeasureResult>>> = {
  M1: measureThroughput,
  M3: measureEcho,
  M4: measureStall,
  M5: measureReattach,
  M6: measureMemory,
  M7: measureLoad,
  scanner: measureScanner,
  marks: measureMarks,
}

/** Those that measure a part of ours in this process. */
const WITHOUT_SERVER: ReadonlySet<MeasureName> = new Set(['scanner', 'marks'])

const print = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

/** Progress goes where it does not end up in a file of tables. */
const say = (line: string): void => {
  process.stderr.write(`  ${line}\n`)
}

const main = async (args: readonly string[]): Promise<void> => {
  const { bench, measures, servers, json } = parseCommandLine(args)
  if (process.platform !== 'linux')
    throw new UserError('The bench reads the cost of a process from /proc, so it runs on Linux only.')
  const kid = ensureKid()
  const present = ADAPTERS.filter((adapter) => {
    const reason = servers.includes(adapter.name) ? adapter.missing() : 'not asked for'
    if (reason !== null && reason !== 'not asked for') print(`${adapter.name} is skipped: ${reason}.`)
    return reason === null
  })
  const results: Partial<Record<MeasureName, MeasureResult>> = {}
  const verdicts: Row[] = []
  for (const name of measures) {
    const adapters = present.filter((adapter) => adapter.measures.includes(name))
    if (adapters.length === 0 && !WITHOUT_SERVER.has(name)) continue
    const result = await MEASURES[name]({ options: bench, kid, adapters, say })
    results[name] = result
    verdicts.push(...judge(name, result.rows))
    for (const line of ['', ...tableOf(result.title, result.rows)]) print(line)
  }
  const machine = { cores: cpus().length, kernel: release(), node: process.version }
  const title = `Goals (${String(machine.cores)} cores, Linux ${machine.kernel}, Node ${machine.node}, medians of ${String(bench.runs)})`
  for (const line of ['', ...tableOf(title, verdicts)]) print(line)
  if (json !== null) writeFileSync(json, `${JSON.stringify({ machine, options: bench, results, verdicts }, null, 2)}\n`)
  const damaged = Object.entries(results).filter(([, { isIntact }]) => !isIntact)
  if (damaged.length > 0) throw new UserError(`Not intact: ${damaged.map(([name]) => name).join(', ')}.`)
}

if (isMain(import.meta.url)) runMain(() => main(process.argv.slice(2)))
