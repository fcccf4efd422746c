/** What every measure gets and gives. */
import type { Adapter } from '../adapters/adapter.ts'
import type { CorpusName } from '../corpora.ts'

/** What the command line asked for. */
export interface BenchOptions {
  readonly runs: number
  /** Bytes per blast. */
  readonly blastBytes: number
  readonly corpora: readonly CorpusName[]
  readonly stallSeconds: number
  readonly echoSamples: number
  readonly sessions: readonly [few: number, many: number]
}

export interface MeasureContext {
  readonly options: BenchOptions
  readonly kid: string
  /** Those that take part in this measure and are here. */
  readonly adapters: readonly Adapter[]
  /** Progress, one line. */
  readonly say: (line: string) => void
}

/** A cell of a table: what is not measured is null and shows as a dash. */
export type Cell = number | string | boolean | null

/** One row of a measure's table; the names of the columns carry their units. */
export type Row = Readonly<Record<string, Cell>>

export interface MeasureResult {
  readonly title: string
  readonly rows: readonly Row[]
  /** False when bytes were lost, doubled or changed. */
  readonly isIntact: boolean
}
