import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { newSessionId } from '../../../../host-src/base/random-id.ts'
import { SessionStream } from '../../../../host-src/sessions/session-stream.ts'
import { ViewPlanner, type ScreenSnapshot, type SessionScreen } from '../../../../host-src/sessions/view-planner.ts'
import { REPLAY_MAX_BYTES } from '../../../../protocol-src/limits.ts'
import { recordingLogger } from '../../../support/recording-logger.ts'
import { memoryJournal } from '../../../support/test-registry.ts'

const SIZE = { cols: 80, rows: 24 }

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const make = (snapshot: (() => Promise<ScreenSnapshot>) | null) => {
  const stream = new SessionStream(memoryJournal().begin(newSessionId()), SIZE)
  const logger = recordingLogger()
  const unused = (): never => {
    throw new Error('not asked for here')
  }
  const screen: SessionScreen | null =
    snapshot === null
      ? null
      : { snapshot, hash: unused, visible: unused, noted: unused, held: unused, changed: unused, dispose: unused }
  return { stream, logger, planner: new ViewPlanner(stream, screen, logger) }
}
const long = Buffer.alloc(REPLAY_MAX_BYTES + 1, 0x41)
const taken = (offset: number, change: number): ScreenSnapshot => ({
  position: { offset, change },
  screenPart: Uint8Array.of(1),
  rest: { historyParts: [Uint8Array.of(2)], hash: 'h' },
})

describe('a viewer starts', () => {
  it('with what it lacks, when it is somewhere in the stream', () => {
    const { stream, planner } = make(() => Promise.reject(new Error('not asked for here')))
    stream.append(long)
    stream.change({ cols: 90, rows: 24 }, null)
    const start = planner.plan({ resumeFrom: { offset: 10, change: 0 } })
    expect(start).toMatchObject({ start: { mode: 'delta', from: { offset: 10, change: 0 }, size: SIZE, lostBytes: 0 } })
  })

  it('with everything, at once, when that is little', () => {
    const { stream, planner } = make(() => Promise.reject(new Error('not asked for here')))
    stream.append(long.subarray(1))
    for (const resumeFrom of [null, { offset: REPLAY_MAX_BYTES + 5, change: 0 }])
      expect(planner.plan({ resumeFrom })).toMatchObject({
        start: { mode: 'replay', from: { offset: 0, change: 0 }, liveFrom: REPLAY_MAX_BYTES, lostBytes: 0 },
      })
  })

  it('with the state, when everything is much', async () => {
    const { stream, planner } = make(() => Promise.resolve(taken(100, 1)))
    stream.change({ cols: 90, rows: 24 }, null)
    stream.append(long)
    const { start, snapshot } = await planner.plan({ resumeFrom: null })
    expect(start).toMatchObject({
      mode: 'snapshot',
      from: { offset: 100, change: 1 },
      size: { cols: 90, rows: 24 },
      lostBytes: 0,
    })
    expect(snapshot).toEqual({ screenPart: Uint8Array.of(1), rest: { historyParts: [Uint8Array.of(2)], hash: 'h' } })
  })

  it.each([
    ['it wants none', { noSnapshot: true }, () => Promise.resolve(taken(100, 0))],
    ['there is none', {}, null],
    ['it cannot be taken', {}, () => Promise.reject(new Error('inside a sequence'))],
    ['it is of a place that is not in the stream', {}, () => Promise.resolve(taken(1e9, 0))],
  ] as const)('with the output instead of the state, when %s', async (_, wish, snapshot) => {
    const { stream, planner } = make(snapshot)
    stream.append(long)
    expect((await planner.plan({ resumeFrom: null, ...wish })).start.mode).toBe('replay')
  })

  it('with the screen although the scrollback is not there; it has as long again to come', async () => {
    const { stream, planner, logger } = make(() => Promise.resolve({ ...taken(100, 0), rest: new Promise(() => {}) }))
    stream.append(long)
    const { snapshot } = await planner.plan({ resumeFrom: null })
    const late = expect(snapshot?.rest).rejects.toThrow(/too late/)
    await vi.advanceTimersByTimeAsync(5_000)
    await late
    expect(logger.of('screen.history-late')).toHaveLength(1)
  })

  it('with a scrollback that may fail when the viewer is gone, to the harm of nobody', async () => {
    const unheard: unknown[] = []
    const hear = (reason: unknown): void => void unheard.push(reason)
    process.on('unhandledRejection', hear)
    try {
      const rest = Promise.reject(new Error('the session was closed'))
      const { stream, planner, logger } = make(() => Promise.resolve({ ...taken(100, 0), rest }))
      stream.append(long)
      expect((await planner.plan({ resumeFrom: null })).start.mode).toBe('snapshot')
      vi.useRealTimers()
      await new Promise(setImmediate)
      expect(logger.of('screen.history-failed')).toHaveLength(1)
      expect(unheard).toEqual([])
    } finally {
      process.off('unhandledRejection', hear)
    }
  })

  it('with the output when the state does not come in time; the session waits for nobody', async () => {
    const { stream, planner, logger } = make(() => new Promise(() => {}))
    stream.append(long)
    const plan = planner.plan({ resumeFrom: null })
    await vi.advanceTimersByTimeAsync(5_000)
    expect((await plan).start.mode).toBe('replay')
    expect(logger.of('screen.snapshot-late')).toHaveLength(1)
  })
})
