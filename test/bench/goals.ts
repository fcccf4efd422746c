/** What the product has to reach, and whether a table says it does. Goals are information: they fail nothing. */
import type { MeasureName } from './adapters/adapter.ts'
import type { Row } from './measures/measure.ts'

interface Goal {
  readonly measure: MeasureName
  /** The rows it is about, beside `server` being ours. */
  readonly where: Readonly<Record<string, string>>
  readonly column: string
  readonly limit: number
  readonly sense: 'at least' | 'at most'
}

const atLeast = (measure: MeasureName, column: string, limit: number): Omit<Goal, 'where'> => ({
  measure,
  column,
  limit,
  sense: 'at least',
})
const atMost = (measure: MeasureName, column: string, limit: number): Omit<Goal, 'where'> => ({
  measure,
  column,
  limit,
  sense: 'at most',
})

const GOALS: readonly Goal[] = [
  { ...atLeast('M1', 'x limit-pty', 0.95), where: { corpus: 'plain' } },
  { ...atLeast('M1', 'x limit-pty', 0.78), where: { corpus: 'ansi' } },
  { ...atLeast('M1', 'x limit-pty', 0.8), where: { corpus: 'cjk' } },
  { ...atLeast('M1', 'x ttyd', 1.25), where: {} },
  { ...atLeast('M1', 'x naive', 1.4), where: {} },
  { ...atMost('M1', 'CPU ms/MB', 6), where: {} },
  { ...atMost('M1', 'CPU x naive', 0.55), where: {} },
  { ...atMost('M3', 'p50 x limit-ws idle', 1.5), where: { situation: 'idle' } },
  { ...atMost('M3', 'p50 x limit-ws idle', 1.7), where: { situation: 'another floods' } },
  { ...atMost('M4', 'RSS growth MB', 24), where: {} },
  { ...atMost('M4', 'seen at 10 MB/s ms', 25), where: {} },
  { ...atMost('M5', 'first screen ms', 5), where: { situation: 'empty viewer' } },
  { ...atMost('M5', 'whole ms', 80), where: { situation: 'empty viewer' } },
  { ...atMost('M6', 'RSS KB per session', 40), where: {} },
  { ...atMost('M6', 'live KB per session', 40), where: {} },
  { ...atMost('M6', 'CPU % idle', 0.5), where: {} },
  { ...atMost('M6', 'echo p99 x idle', 3), where: {} },
  { ...atMost('M7', 'import and apply ms', 50), where: {} },
  { ...atLeast('scanner', 'GB/s', 0.7), where: { corpus: 'ansi' } },
  { ...atLeast('marks', 'x emulator', 20), where: {} },
]

/** Names of the columns that say which row it is. */
const LABELS = ['corpus', 'situation']

/** One line of the last table for every goal that `rows` say something about. */
export const judge = (measure: MeasureName, rows: readonly Row[]): Row[] =>
  GOALS.filter((goal) => goal.measure === measure).flatMap(({ where, column, limit, sense }) =>
    rows.flatMap((row) => {
      const isMeant = Object.entries(where).every(([key, value]) => row[key] === value)
      const value = row[column]
      if (!isMeant || (row['server'] ?? 'ours') !== 'ours' || typeof value !== 'number') return []
      const label = LABELS.flatMap((key) => row[key] ?? [])[0] ?? ''
      const isMet = sense === 'at least' ? value >= limit : value <= limit
      return [
        { measure, what: label, column, value, goal: `${sense} ${String(limit)}`, verdict: isMet ? 'met' : 'MISSED' },
      ]
    }),
  )
