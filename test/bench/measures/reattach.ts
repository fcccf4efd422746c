/** M5: how long it takes until a viewer that comes back to a session shows all of it, and whether it shows the same. */
import { setTimeout as delay } from 'node:timers/promises'
import { hashState } from '../../../screen-src/hash.ts'
import { prependHistory, restore } from '../../../screen-src/restore.ts'
import { newEmulator } from '../../unit/screen-src/emulator.ts'
import { ourDialect } from '../adapters/index.ts'
import { END, type RunningServer } from '../adapters/adapter.ts'
import type { Rejoin } from '../adapters/our-dialect.ts'
import { SIZE } from '../adapters/dialect.ts'
import { bytesOfLines, loadCorpus } from '../corpora.ts'
import { median } from '../statistics.ts'
import { Terminal } from '../terminal.ts'
import { MB } from '../workspace.ts'
import type { MeasureContext, MeasureResult } from './measure.ts'

const LINES = 10_000
/** Long enough for the host to take the state of what it was not asked about. */
const QUIET_MS = 4_000
const MISSED_BYTES = 100_000

interface Screen {
  write(bytes: Uint8Array, parsed?: () => void): void
  /** Part of a state, the screen first. */
  take(part: number, bytes: Uint8Array): void
  /** One value for everything in it. */
  state(): Promise<string>
}

interface Return {
  readonly mode: string
  readonly firstMs: number
  readonly wholeMs: number
  readonly wireBytes: number
  readonly isIdentical: boolean
}

export const measureReattach = async (context: MeasureContext): Promise<MeasureResult> => {
  const { options, adapters, kid, say } = context
  const whole: Return[] = []
  const quiet: Return[] = []
  const missed: Return[] = []
  for (const adapter of adapters) {
    const server = await adapter.start(kid)
    try {
      for (let run = 0; run < options.runs; run += 1) {
        const outcome = await returnTwice(server, kid)
        whole.push(outcome.whole)
        quiet.push(outcome.quiet)
        missed.push(outcome.missed)
        say(`M5 run ${String(run + 1)} ${adapter.name} ${outcome.quiet.wholeMs.toFixed(0)} ms`)
      }
    } finally {
      await server.stop()
    }
  }
  return {
    title: `M5 coming back after ${String(LINES)} coloured lines`,
    rows: [
      rowOf('empty viewer', quiet),
      rowOf('empty viewer, at once', whole),
      rowOf(`missed ${String(MISSED_BYTES / 1000)} KB`, missed),
    ],
    isIntact: [...whole, ...quiet, ...missed].every(({ isIdentical }) => isIdentical),
  }
}

const rowOf = (situation: string, returns: readonly Return[]) => ({
  situation,
  server: 'ours',
  mode: returns[0]?.mode ?? '–',
  'first screen ms': median(returns.map(({ firstMs }) => firstMs)),
  'whole ms': median(returns.map(({ wholeMs }) => wholeMs)),
  'wire MB': median(returns.map(({ wireBytes }) => wireBytes)) / MB,
  identical: returns.every(({ isIdentical }) => isIdentical),
})

/** A session with a long past, a viewer that comes to it with nothing, and one that was away for a moment. */
const returnTwice = async (
  server: RunningServer,
  kid: string,
): Promise<{ whole: Return; quiet: Return; missed: Return }> => {
  const corpus = loadCorpus('ansi')
  const reference = newScreen()
  const dialect = await ourDialect(server.port, { kid })
  const first = new Terminal({ port: server.port, dialect })
  const screen = newScreen()
  first.listen((bytes) => {
    screen.write(bytes.slice())
    reference.write(bytes.slice())
  })
  await first.until((tail) => (tail.endsWith('~~READY~~\r\n') ? true : null))
  const sid = dialect.attached?.session.id
  if (sid === undefined) throw new Error('the host did not say which session it is')
  first.type(`blast ${corpus.path} ${String(bytesOfLines(corpus, LINES))}\n`)
  await first.untilText(END)
  const left = dialect.position
  first.close()

  const whole = await comeBack(server, { screen: newScreen(), rejoin: { sid, resumeFrom: null }, kid, reference })
  await delay(QUIET_MS)
  const quiet = await comeBack(server, { screen: newScreen(), rejoin: { sid, resumeFrom: null }, kid, reference })

  const elsewhere = await ourDialect(server.port, { kid, rejoin: { sid, resumeFrom: left } })
  const other = new Terminal({ port: server.port, dialect: elsewhere })
  other.listen((bytes) => {
    reference.write(bytes.slice())
  })
  await elsewhere.whenAttached
  other.type(`blast ${corpus.path} ${String(MISSED_BYTES)}\n`)
  await other.untilText(END)
  other.close()
  const missed = await comeBack(server, { screen, rejoin: { sid, resumeFrom: left }, kid, reference })
  return { whole, quiet, missed }
}

const comeBack = async (
  { port }: RunningServer,
  { screen, reference, rejoin, kid }: { screen: Screen; reference: Screen; rejoin: Rejoin; kid: string },
): Promise<Return> => {
  const expected = await reference.state()
  const dialect = await ourDialect(port, { kid, rejoin })
  const started = performance.now()
  const terminal = new Terminal({ port, dialect, parsesLater: true })
  const elapsed = (): number => performance.now() - started
  let parsed = 0
  let isStateComplete = false
  let screenMs: number | null = null
  let wholeMs = 0
  const isWhole = new Promise<void>((resolve) => {
    const judge = (): void => {
      const { attached } = dialect
      if (attached === null) return
      const { mode, from } = attached.start
      if ((mode === 'snapshot' && !isStateComplete) || from.offset + parsed < attached.session.outputOffset) return
      wholeMs = elapsed()
      resolve()
    }
    dialect.onSnapshotPart = (part, bytes) => {
      screen.take(part, bytes)
      // Output that follows a quiet session's state is none: the screen is right.
      if (part === 0) screenMs = elapsed()
    }
    dialect.onSnapshotEnd = () => {
      isStateComplete = true
      judge()
    }
    terminal.listen((bytes) => {
      screen.write(bytes, () => {
        terminal.parsed(bytes.length)
        parsed += bytes.length
        judge()
      })
    })
    void dialect.whenAttached.then(judge)
  })
  const attached = await dialect.whenAttached
  await isWhole
  const { wireBytes } = terminal.traffic
  terminal.close()
  // A replay and a delta are right only when they are whole, and so is a state that output follows.
  const isScreenRight = attached.start.from.offset === attached.session.outputOffset
  return {
    mode: attached.start.mode,
    firstMs: isScreenRight ? (screenMs ?? wholeMs) : wholeMs,
    wholeMs,
    wireBytes,
    isIdentical: (await screen.state()) === expected,
  }
}

const newScreen = (): Screen => {
  const emulator = newEmulator({ ...SIZE, scrollback: LINES })
  return {
    write: (bytes, parsed) => {
      emulator.write(bytes, parsed)
    },
    take: (part, bytes) => {
      if (part === 0) restore(emulator, bytes)
      else prependHistory(emulator, bytes)
    },
    state: () =>
      new Promise((resolve) => {
        emulator.write('', () => {
          resolve(hashState(emulator))
        })
      }),
  }
}
