/** How fast the host finds the places where a stream may be cut: on one core, in the chunks that the reader delivers. */
import { GroundScanner } from '../../../host-src/terminal/ground-scanner.ts'
import { loadCorpus } from '../corpora.ts'
import { median, span } from '../statistics.ts'
import type { MeasureContext, MeasureResult } from './measure.ts'

const CHUNK_BYTES = 64 * 1024
const GB = 1e9

export const measureScanner = ({ options }: MeasureContext): Promise<MeasureResult> => {
  const rows = options.corpora.map((name) => {
    const { block } = loadCorpus(name)
    const rates: number[] = []
    for (let run = -1; run < options.runs; run += 1) {
      const scanner = new GroundScanner()
      const started = performance.now()
      for (let at = 0; at < block.length; at += CHUNK_BYTES) scanner.feed(block.subarray(at, at + CHUNK_BYTES))
      if (run >= 0) rates.push(block.length / GB / ((performance.now() - started) / 1000))
    }
    return { corpus: name, 'GB/s': median(rates), 'GB/s span': span(rates) }
  })
  return Promise.resolve({ title: 'Ground scanner', rows, isIntact: true })
}
