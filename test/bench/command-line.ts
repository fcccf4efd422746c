/** What `npm run bench -- …` takes. */
import { parseArgs } from 'node:util'
import { UserError } from '../../scripts/user-error.ts'
import { ADAPTERS } from './adapters/index.ts'
import type { MeasureName } from './adapters/adapter.ts'
import type { BenchOptions } from './measures/measure.ts'
import { MB } from './workspace.ts'

export const MEASURE_NAMES: readonly MeasureName[] = ['M1', 'M3', 'M4', 'M5', 'M6', 'M7', 'scanner', 'marks']

const USAGE =
  'Usage: npm run bench -- [--quick] [--only M1,M3] [--servers ours,naive] [--runs N] [--size MB] [--json FILE]'

export interface CommandLine {
  readonly bench: BenchOptions
  readonly measures: readonly MeasureName[]
  readonly servers: readonly string[]
  readonly json: string | null
}

/** @throws UserError that names the wrong word */
export const parseCommandLine = (args: readonly string[]): CommandLine => {
  const values = parseFlags(args)
  const isQuick = values.quick ?? false
  return {
    bench: {
      runs: wholeNumber('--runs', values.runs ?? (isQuick ? '2' : '5')),
      blastBytes: wholeNumber('--size', values.size ?? (isQuick ? '20' : '100')) * MB,
      corpora: isQuick ? ['ansi'] : ['plain', 'ansi', 'cjk'],
      stallSeconds: isQuick ? 2 : 20,
      echoSamples: isQuick ? 100 : 500,
      sessions: isQuick ? [5, 20] : [10, 100],
    },
    measures: chosen('--only', values.only, MEASURE_NAMES),
    servers: chosen(
      '--servers',
      values.servers,
      ADAPTERS.map(({ name }) => name),
    ),
    json: values.json ?? null,
  }
}

const parseFlags = (args: readonly string[]) => {
  try {
    return parseArgs({
      args: [...args],
      options: {
        quick: { type: 'boolean' },
        only: { type: 'string' },
        servers: { type: 'string' },
        runs: { type: 'string' },
        size: { type: 'string' },
        json: { type: 'string' },
      },
    }).values
  } catch (error) {
    throw new UserError(`Cannot measure: ${error instanceof Error ? error.message : String(error)}. ${USAGE}`)
  }
}

const wholeNumber = (flag: string, text: string): number => {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1)
    throw new UserError(`Cannot measure: ${flag} must be a whole number above 0, not "${text}". ${USAGE}`)
  return value
}

/** @returns all of them when nothing was chosen */
const chosen = <T extends string>(flag: string, text: string | undefined, all: readonly T[]): readonly T[] => {
  if (text === undefined) return all
  const wanted = text.split(',').map((word) => word.trim())
  const unknown = wanted.find((word) => !all.some((each) => each === word))
  if (unknown !== undefined)
    throw new UserError(`Cannot measure: ${flag} knows ${all.join(', ')}, not "${unknown}". ${USAGE}`)
  return all.filter((each) => wanted.includes(each))
}
