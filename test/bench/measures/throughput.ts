/** M1: a large output from the child to the decoded end mark, and what it costs the server. */
import type { Adapter, BlastOutcome, RunningServer } from '../adapters/adapter.ts'
import { expectedOf, loadCorpus, type Corpus } from '../corpora.ts'
import { median, medianRatio, show, span } from '../statistics.ts'
import { MB } from '../workspace.ts'
import type { MeasureContext, MeasureResult, Row } from './measure.ts'

interface Contender {
  readonly adapter: Adapter
  readonly server: RunningServer
  readonly outcomes: BlastOutcome[]
}

export const measureThroughput = async (context: MeasureContext): Promise<MeasureResult> => {
  const rows: Row[] = []
  let isIntact = true
  const contenders: Contender[] = []
  try {
    for (const adapter of context.adapters)
      contenders.push({ adapter, server: await adapter.start(context.kid), outcomes: [] })
    for (const name of context.options.corpora) {
      const corpus = loadCorpus(name)
      await roundRobin(context, contenders, corpus)
      for (const { outcomes } of contenders) isIntact &&= outcomes.every((outcome) => outcome.isIntact)
      rows.push(...rowsOf(name, contenders))
      for (const { outcomes } of contenders) outcomes.length = 0
    }
  } finally {
    for (const { server } of contenders) await server.stop()
  }
  return { title: `M1 throughput, ${show(context.options.blastBytes / MB)} MB per run`, rows, isIntact }
}

/** Every run visits every server once; one visit before them warms the servers up and is not counted. */
const roundRobin = async (
  { options, say }: MeasureContext,
  contenders: readonly Contender[],
  corpus: Corpus,
): Promise<void> => {
  const expected = expectedOf(corpus, options.blastBytes)
  for (let run = -1; run < options.runs; run += 1) {
    for (const { adapter, server, outcomes } of contenders) {
      const outcome = await server.blast({ corpus, expected })
      const speed = show(outcome.payloadBytes / MB / (outcome.ms / 1000))
      say(`M1 ${corpus.name} ${run < 0 ? 'warm-up' : `run ${String(run + 1)}`} ${adapter.name} ${speed} MB/s`)
      if (run >= 0) outcomes.push(outcome)
      else if (!outcome.isIntact) say(`M1 ${corpus.name} ${adapter.name}: the warm-up was not intact`)
    }
  }
}

const speedOf = ({ payloadBytes, ms }: BlastOutcome): number => payloadBytes / MB / (ms / 1000)
const costOf = ({ payloadBytes, cpuMs }: BlastOutcome): number => cpuMs / (payloadBytes / MB)

const rowsOf = (corpus: string, contenders: readonly Contender[]): Row[] => {
  const outcomesOf = (name: string): readonly BlastOutcome[] | undefined =>
    contenders.find(({ adapter }) => adapter.name === name)?.outcomes
  const ratioTo = (outcomes: readonly BlastOutcome[], name: string, of: (each: BlastOutcome) => number) => {
    const bases = outcomesOf(name)
    return bases === undefined ? null : medianRatio(outcomes.map(of), bases.map(of))
  }
  return contenders.map(({ adapter, outcomes }) => {
    const sum = (key: 'frames' | 'payloadBytes' | 'wireBytes'): number =>
      outcomes.reduce((total, each) => total + each[key], 0)
    return {
      corpus,
      server: adapter.name,
      'MB/s': median(outcomes.map(speedOf)),
      'MB/s span': span(outcomes.map(speedOf)),
      'x limit-pty': ratioTo(outcomes, 'limit-pty', speedOf),
      'x limit-node': ratioTo(outcomes, 'limit-node', speedOf),
      'x naive': ratioTo(outcomes, 'naive', speedOf),
      'x ttyd': ratioTo(outcomes, 'ttyd', speedOf),
      'CPU ms/MB': median(outcomes.map(costOf)),
      'CPU x naive': ratioTo(outcomes, 'naive', costOf),
      'wire B/B': sum('wireBytes') / sum('payloadBytes'),
      'frame B': sum('frames') === 0 ? null : sum('payloadBytes') / sum('frames'),
      'RSS MB': Math.max(...outcomes.map(({ rssKb }) => rssKb)) / 1000,
      intact: outcomes.every((outcome) => outcome.isIntact),
    }
  })
}
