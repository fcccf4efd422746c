/** M6: what an idle session costs, as the slope between few and many (a process's first megabytes say nothing). */
import { setTimeout as delay } from 'node:timers/promises'
import { ECHOING } from '../adapters/adapter.ts'
import { startFlooder } from '../flooder.ts'
import { cpuMsOf, rssKbOf } from '../process-cost.ts'
import { median, percentile } from '../statistics.ts'
import type { Terminal } from '../terminal.ts'
import { echoTimes } from './echo.ts'
import type { MeasureContext, MeasureResult, Row } from './measure.ts'

/** What follows the openings: batches, first checkpoints. */
const SETTLE_SECONDS = 5
const IDLE_SECONDS = 5

export const measureMemory = async (context: MeasureContext): Promise<MeasureResult> => {
  const { options, adapters, kid, say } = context
  const [few, many] = options.sessions
  const rows: Row[] = []
  for (const adapter of adapters) {
    const server = await adapter.start(kid)
    const pid = server.pid ?? 0
    const terminals: Terminal[] = []
    const firstPromptMs: number[] = []
    const openUpTo = async (count: number): Promise<{ rssKb: number; liveKb: number | null }> => {
      while (terminals.length < count) {
        const started = performance.now()
        terminals.push(await server.openTerminal())
        firstPromptMs.push(performance.now() - started)
      }
      const liveBytes = await server.collectGarbage()
      return { rssKb: rssKbOf(pid), liveKb: liveBytes === null ? null : liveBytes / 1000 }
    }
    try {
      const atFew = await openUpTo(few)
      const atMany = await openUpTo(many)
      await delay(SETTLE_SECONDS * 1000)
      const before = cpuMsOf(pid)
      await delay(IDLE_SECONDS * 1000)
      const cpuShare = (cpuMsOf(pid) - before) / (IDLE_SECONDS * 10)
      const crowd = await crowdEcho(terminals, {
        samples: options.echoSamples,
        flood: () => startFlooder({ name: adapter.name, port: server.port }),
      })
      rows.push({
        server: adapter.name,
        sessions: many,
        'RSS MB': atMany.rssKb / 1000,
        'RSS KB per session': (atMany.rssKb - atFew.rssKb) / (many - few),
        // What the allocator has grown by once stays; this is what the sessions hold.
        'live KB per session':
          atMany.liveKb === null || atFew.liveKb === null ? null : (atMany.liveKb - atFew.liveKb) / (many - few),
        'CPU % idle': cpuShare,
        'first prompt ms': median(firstPromptMs),
        'echo p99 ms': crowd.idleMs,
        'echo p99 ms, one floods': crowd.floodedMs,
        'echo p99 x idle': crowd.floodedMs / crowd.idleMs,
        'start ms': server.startMs,
      })
      say(`M6 ${adapter.name} ${String(many)} sessions`)
    } finally {
      for (const terminal of terminals) terminal.close()
      await server.stop()
    }
  }
  return { title: `M6 idle sessions, slope from ${String(few)} to ${String(many)}`, rows, isIntact: true }
}

const crowdEcho = async (
  terminals: readonly Terminal[],
  { samples, flood }: { samples: number; flood: () => ReturnType<typeof startFlooder> },
): Promise<{ idleMs: number; floodedMs: number }> => {
  const terminal = terminals[0]
  if (terminal === undefined) throw new RangeError('a crowd has at least one session')
  terminal.type('echo\n')
  await terminal.untilText(ECHOING)
  const idleMs = percentile(await echoTimes(terminal, samples), 0.99)
  const flooder = await flood()
  const floodedMs = percentile(await echoTimes(terminal, samples), 0.99)
  await flooder.stop()
  return { idleMs, floodedMs }
}
