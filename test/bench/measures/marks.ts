/**
 * How fast the host looks for a shell's marks, beside how fast its emulator parses the same: on one core, in the chunks that
 * the reader delivers. Once with the marks of a shell alone, and once also with what shells without hooks report.
 */
import xterm from '@xterm/headless'
import { CwdReports, thisMachine } from '../../../host-src/terminal/cwd-report.ts'
import { MarkParser } from '../../../host-src/terminal/mark-parser.ts'
import { newMarkNonce } from '../../../host-src/base/random-id.ts'
import { loadCorpus } from '../corpora.ts'
import { median, span } from '../statistics.ts'
import type { MeasureContext, MeasureResult } from './measure.ts'

const CHUNK_BYTES = 64 * 1024
const GB = 1e9
/** The emulator takes its time. */
const EMULATED_BYTES = 2 * 1024 * 1024
const NOBODY = { mark: () => undefined, nonceSeen: () => undefined }

const rateOf = async (bytes: number, run: () => void | Promise<void>): Promise<number> => {
  const started = performance.now()
  await run()
  return bytes / GB / ((performance.now() - started) / 1000)
}

const inChunks = (block: Uint8Array, feed: (chunk: Uint8Array, at: number) => void): void => {
  for (let at = 0; at < block.length; at += CHUNK_BYTES) feed(block.subarray(at, at + CHUNK_BYTES), at)
}

const emulate = async (block: Uint8Array): Promise<void> => {
  const terminal = new xterm.Terminal({ cols: 120, rows: 40, scrollback: 10_000, allowProposedApi: true })
  inChunks(block, (chunk) => {
    terminal.write(chunk)
  })
  await new Promise<void>((resolve) => {
    terminal.write('', resolve)
  })
  terminal.dispose()
}

export const measureMarks = async ({ options }: MeasureContext): Promise<MeasureResult> => {
  const rows = []
  for (const name of options.corpora) {
    const { block } = loadCorpus(name)
    const part = block.subarray(0, EMULATED_BYTES)
    const rates: { marks: number[]; reports: number[]; emulator: number[] } = { marks: [], reports: [], emulator: [] }
    for (let run = -1; run < options.runs; run += 1) {
      const parser = new MarkParser(newMarkNonce(), NOBODY)
      const reports = new CwdReports(thisMachine(), () => undefined)
      const marks = await rateOf(block.length, () => {
        inChunks(block, (chunk, at) => {
          parser.feed(chunk, at)
        })
      })
      const both = await rateOf(block.length, () => {
        inChunks(block, (chunk, at) => {
          parser.feed(chunk, at)
          reports.feed(chunk)
        })
      })
      const emulator = await rateOf(part.length, () => emulate(part))
      if (run < 0) continue
      rates.marks.push(marks)
      rates.reports.push(both)
      rates.emulator.push(emulator)
    }
    const emulator = median(rates.emulator)
    rows.push({
      corpus: name,
      'GB/s': median(rates.marks),
      'GB/s span': span(rates.marks),
      'with reports GB/s': median(rates.reports),
      'emulator GB/s': emulator,
      'x emulator': median(rates.reports) / emulator,
    })
  }
  return { title: 'Marks of shells', rows, isIntact: true }
}
