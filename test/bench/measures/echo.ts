/** M3: one byte to the child in raw mode and back, on an idle server and while another session of it floods. */
import { setTimeout as delay } from 'node:timers/promises'
import { ECHOING, type Adapter } from '../adapters/adapter.ts'
import { startFlooder } from '../flooder.ts'
import { median, medianRatio, percentile } from '../statistics.ts'
import type { Terminal } from '../terminal.ts'
import type { MeasureContext, MeasureResult, Row } from './measure.ts'

const BASE = 'limit-ws'
/** Between two keys, so that each finds the server at rest. */
const KEY_GAP_MS = [3, 5, 4, 7] as const
const WARM_UP_KEYS = 50
const KEY = Buffer.from('a')

interface Samples {
  readonly idle: number[][]
  readonly flooded: number[][]
}

export const measureEcho = async (context: MeasureContext): Promise<MeasureResult> => {
  const { options, adapters, say } = context
  const samples = new Map<Adapter, Samples>(adapters.map((adapter) => [adapter, { idle: [], flooded: [] }]))
  for (let run = 0; run < options.runs; run += 1) {
    for (const [adapter, { idle, flooded }] of samples) {
      const server = await adapter.start(context.kid)
      try {
        const terminal = await server.openTerminal()
        if (adapter.name !== BASE) {
          terminal.type('echo\n')
          await terminal.untilText(ECHOING)
        }
        await echoTimes(terminal, WARM_UP_KEYS)
        idle.push(await echoTimes(terminal, options.echoSamples))
        // The bare echo has no session that could flood: another process's flood is what it competes with.
        const flooder = await startFlooder(adapter.name === BASE ? null : { name: adapter.name, port: server.port })
        flooded.push(await echoTimes(terminal, options.echoSamples))
        await flooder.stop()
        terminal.close()
      } finally {
        await server.stop()
      }
      const last = idle.at(-1)
      say(`M3 run ${String(run + 1)} ${adapter.name} p50 ${last === undefined ? '–' : median(last).toFixed(2)} ms`)
    }
  }
  const base = [...samples].find(([{ name }]) => name === BASE)?.[1]
  const rows = [...samples].flatMap(([{ name }, { idle, flooded }]) => [
    rowOf('idle', name, { runs: idle, bases: base?.idle }),
    rowOf('another floods', name, { runs: flooded, bases: base?.idle }),
  ])
  return { title: 'M3 key echo', rows, isIntact: true }
}

/** Milliseconds from a key to its echo, one key after the other. */
export const echoTimes = async (terminal: Terminal, count: number): Promise<number[]> => {
  const times: number[] = []
  for (let key = 0; key < count; key += 1) {
    await delay(KEY_GAP_MS[key % KEY_GAP_MS.length])
    times.push(await echoOnce(terminal))
  }
  return times
}

const echoOnce = (terminal: Terminal): Promise<number> =>
  new Promise((resolve) => {
    const started = performance.now()
    const stop = terminal.listen(() => {
      stop()
      resolve(performance.now() - started)
    })
    terminal.type(KEY)
  })

const rowOf = (
  situation: string,
  server: string,
  { runs, bases }: { runs: readonly number[][]; bases: readonly number[][] | undefined },
): Row => {
  const p50s = runs.map((run) => median(run))
  return {
    situation,
    server,
    'p50 ms': median(p50s),
    'p95 ms': median(runs.map((run) => percentile(run, 0.95))),
    'p99 ms': median(runs.map((run) => percentile(run, 0.99))),
    'p50 x limit-ws idle':
      bases === undefined
        ? null
        : medianRatio(
            p50s,
            bases.map((run) => median(run)),
          ),
  }
}
