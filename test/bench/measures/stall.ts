/**
 * M4: a viewer that stops reading while the child floods, and how soon Ctrl-C shows afterwards; then the same for viewers
 * that read, at 10 MB/s (about what a browser's terminal parses) and at full speed.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { ECHOING, type RunningServer } from '../adapters/adapter.ts'
import { loadCorpus } from '../corpora.ts'
import { rssKbOf } from '../process-cost.ts'
import { median } from '../statistics.ts'
import type { Terminal } from '../terminal.ts'
import { MB } from '../workspace.ts'
import { echoTimes } from './echo.ts'
import type { MeasureContext, MeasureResult, Row } from './measure.ts'

const FLOOD_SECONDS = 120
const SLOW_READER = 10 * MB
const READ_SECONDS = 2
const SAMPLE_MS = 100
const NEIGHBOUR_KEYS = 60
const MARKER = /INT~(\d+)~TNI/
const INTERRUPT = Buffer.from([3])

interface Interrupt {
  /** From the key to SIGINT in the child, milliseconds. */
  readonly obeyedMs: number
  /** From the key to the child's answer on the viewer's screen; null when it never came. */
  readonly seenMs: number | null
}

interface StallRun {
  readonly growthMb: number
  readonly neighbourMs: number
  readonly afterStall: Interrupt
  readonly slow: Interrupt
  readonly fast: Interrupt
}

export const measureStall = async (context: MeasureContext): Promise<MeasureResult> => {
  const { options, adapters, say } = context
  const runs = new Map(adapters.map((adapter) => [adapter, [] as StallRun[]]))
  for (let run = 0; run < options.runs; run += 1) {
    for (const [adapter, list] of runs) {
      const server = await adapter.start(context.kid)
      try {
        const stalled = await stall(server, options.stallSeconds)
        const outcome = {
          ...stalled,
          slow: await interruptReader(server, SLOW_READER),
          fast: await interruptReader(server, Infinity),
        }
        list.push(outcome)
        say(`M4 run ${String(run + 1)} ${adapter.name} +${outcome.growthMb.toFixed(0)} MB`)
      } finally {
        await server.stop()
      }
    }
  }
  const rows = [...runs].map(([{ name }, list]) => rowOf(name, list))
  return { title: `M4 a viewer that stalls for ${String(options.stallSeconds)} s`, rows, isIntact: true }
}

const floodLine = (): string => `flood ${loadCorpus('ansi').path} ${String(FLOOD_SECONDS)}\n`

const stall = async (
  server: RunningServer,
  seconds: number,
): Promise<Pick<StallRun, 'growthMb' | 'neighbourMs' | 'afterStall'>> => {
  const neighbour = await server.openTerminal()
  neighbour.type('echo\n')
  await neighbour.untilText(ECHOING)
  await echoTimes(neighbour, NEIGHBOUR_KEYS)
  const terminal = await server.openTerminal()
  await server.collectGarbage()
  const before = rssKbOf(server.pid ?? 0)
  terminal.stall()
  terminal.type(floodLine())
  let highest = before
  const sampler = setInterval(() => {
    highest = Math.max(highest, rssKbOf(server.pid ?? 0))
  }, SAMPLE_MS)
  const echoing = echoTimes(neighbour, NEIGHBOUR_KEYS)
  await delay(seconds * 1000)
  clearInterval(sampler)
  const neighbourMs = median(await echoing)
  terminal.resume()
  const afterStall = await interrupt(terminal)
  await terminal.end()
  await neighbour.end()
  return { growthMb: (highest - before) / 1000, neighbourMs, afterStall }
}

const interruptReader = async (server: RunningServer, bytesPerSecond: number): Promise<Interrupt> => {
  const terminal = await server.openTerminal()
  terminal.pace(bytesPerSecond)
  terminal.type(floodLine())
  await delay(READ_SECONDS * 1000)
  const outcome = await interrupt(terminal)
  await terminal.end()
  return outcome
}

/** The child stamps the signal with the same clock that this process reads. */
const interrupt = async (terminal: Terminal): Promise<Interrupt> => {
  const typed = process.hrtime.bigint()
  const answered = terminal.until((tail) => {
    const stamp = MARKER.exec(tail)?.[1]
    return stamp === undefined ? null : { stamp: BigInt(stamp), seen: process.hrtime.bigint() }
  })
  try {
    terminal.type(INTERRUPT)
    const { stamp, seen } = await answered
    return { obeyedMs: Number(stamp - typed) / 1e6, seenMs: Number(seen - typed) / 1e6 }
  } catch {
    return { obeyedMs: Infinity, seenMs: null } // the connection was lost, and with it the session
  }
}

const rowOf = (server: string, runs: readonly StallRun[]): Row => {
  const seen = (of: (run: StallRun) => Interrupt): number | null => {
    const times = runs.flatMap((run) => of(run).seenMs ?? [])
    return times.length < runs.length ? null : median(times)
  }
  return {
    server,
    'RSS growth MB': median(runs.map(({ growthMb }) => growthMb)),
    'neighbour echo p50 ms': median(runs.map(({ neighbourMs }) => neighbourMs)),
    'session lives': runs.every(({ afterStall }) => afterStall.seenMs !== null),
    'SIGINT ms': median(runs.map(({ afterStall }) => afterStall.obeyedMs)),
    'seen after stall ms': seen(({ afterStall }) => afterStall),
    'seen at 10 MB/s ms': seen(({ slow }) => slow),
    'seen at full speed ms': seen(({ fast }) => fast),
  }
}
