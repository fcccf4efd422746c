import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Emitter } from '../../../../host-src/base/lifecycle.ts'
import { OrphanReaper } from '../../../../host-src/sessions/retention.ts'
import type { SessionRegistry } from '../../../../host-src/sessions/session-registry.ts'
import type { PersistName } from '../../../../protocol-src/ids.ts'
import { FakeBackend, settled } from '../../../support/fake-backend.ts'
import { recordingLogger, type RecordingLogger } from '../../../support/recording-logger.ts'
import { view } from '../../../support/recording-sink.ts'
import { testRegistry } from '../../../support/test-registry.ts'

const REQUEST = { spec: { kind: 'local' as const }, size: { cols: 80, rows: 24 }, owner: { kind: 'user' as const } }

let backend: FakeBackend
let logger: RecordingLogger
const JOURNAL_REST_MS = 10_000

let registry: SessionRegistry
let reaper: OrphanReaper
let graceSec: number
let endsKept: boolean
let graceChanges: Emitter<void>

beforeEach(() => {
  vi.useFakeTimers()
  backend = new FakeBackend()
  logger = recordingLogger()
  graceSec = 120
  graceChanges = new Emitter(logger)
  registry = testRegistry(backend, { maxSessions: () => 16, logger })
  endsKept = false
  reaper = new OrphanReaper({
    registry,
    graceSec: () => graceSec,
    endsKept: () => endsKept,
    onGraceChange: graceChanges.event,
    logger,
  })
})
afterEach(() => {
  reaper.dispose()
  vi.useRealTimers()
})

const setGrace = (seconds: number): void => {
  graceSec = seconds
  graceChanges.fire()
}

describe('OrphanReaper', () => {
  it('ends a session that nobody came back to, after the grace period and not before', async () => {
    await registry.open(REQUEST)
    await vi.advanceTimersByTimeAsync(119_999)
    expect(registry.all).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(registry.all).toHaveLength(0)
    expect(backend.pty.isOver).toBe(true)
    expect(logger.of('session.reaped')).toHaveLength(1)
  })

  it.each([1, 40, 5000])('ends it too when the clock says at that time that %d ms are left', async (early) => {
    await registry.open(REQUEST)
    // Timers count whole milliseconds of another clock; and clocks are put back.
    vi.setSystemTime(Date.now() - early)
    await vi.advanceTimersByTimeAsync(120_000)
    expect(registry.all).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(early)
    expect(registry.all).toHaveLength(0)
  })

  it('lets a session that outlives the host go on, unless the setting says that it ends as well', async () => {
    backend.keeps = true
    const spec = { kind: 'local' as const, persist: 'build' as PersistName }
    const session = await registry.open({ ...REQUEST, spec })
    await vi.advanceTimersByTimeAsync(1_000_000)
    expect(registry.all).toEqual([session])
    expect(registry.liveCount).toBe(0)
    expect(registry.findKept(spec)).toBe(session)
    const { attachment } = view(session)
    expect(registry.liveCount).toBe(1)
    session.detach(attachment)
    endsKept = true
    graceChanges.fire()
    await vi.advanceTimersByTimeAsync(120_000)
    expect(registry.all).toEqual([])
  })

  it('counts from the moment when the last viewer left', async () => {
    const session = await registry.open(REQUEST)
    const { attachment } = view(session)
    await vi.advanceTimersByTimeAsync(1_000_000)
    expect(registry.all).toHaveLength(1)
    session.detach(attachment)
    await vi.advanceTimersByTimeAsync(60_000)
    const again = view(session)
    await vi.advanceTimersByTimeAsync(1_000_000)
    session.detach(again.attachment)
    await vi.advanceTimersByTimeAsync(119_999)
    expect(registry.all).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(registry.all).toHaveLength(0)
  })

  it('ends at once with a grace period of 0, but not a session whose client is about to attach', async () => {
    graceSec = 0
    const session = registry.reserve(REQUEST)
    const hold = session.hold()
    await registry.launch(session, REQUEST)
    await vi.advanceTimersByTimeAsync(1000)
    const { attachment } = view(session)
    hold.dispose()
    await vi.advanceTimersByTimeAsync(1000)
    expect(registry.all).toHaveLength(1)
    session.detach(attachment)
    await vi.advanceTimersByTimeAsync(0)
    expect(registry.all).toHaveLength(0)
  })

  it('ends a launch whose client left while it was in flight', async () => {
    graceSec = 0
    backend.mode = 'manual'
    const session = registry.reserve(REQUEST)
    const hold = session.hold()
    const outcome = expect(registry.launch(session, REQUEST)).rejects.toMatchObject({ code: 'CANCELLED' })
    hold.dispose()
    await vi.advanceTimersByTimeAsync(0)
    await backend.launches[0]?.succeed()
    await outcome
    expect(registry.all).toEqual([])
    expect(backend.pty.isOver).toBe(true)
  })

  it('applies a changed grace period to those who already wait (WS-03)', async () => {
    await registry.open(REQUEST)
    await vi.advanceTimersByTimeAsync(30_000)
    setGrace(3600)
    await vi.advanceTimersByTimeAsync(1_000_000)
    expect(registry.all).toHaveLength(1)
    setGrace(0)
    await vi.advanceTimersByTimeAsync(0)
    expect(registry.all).toHaveLength(0)
  })

  it('reaps each when its own time has come', async () => {
    await registry.open(REQUEST)
    await vi.advanceTimersByTimeAsync(60_000)
    await registry.open(REQUEST)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(registry.all).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(registry.all).toHaveLength(0)
  })

  it('never ends agents’ sessions, nor ended ones', async () => {
    await registry.open({ ...REQUEST, owner: { kind: 'agent', agentId: 'a' } })
    await registry.open(REQUEST)
    await backend.pty.exit()
    setGrace(0)
    await vi.advanceTimersByTimeAsync(10_000_000)
    expect(registry.all).toHaveLength(2)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('reaps a session once, though its end takes long and the list changes meanwhile', async () => {
    await registry.open(REQUEST)
    const slow = backend.pty
    let finish: () => void = () => {}
    slow.termination = new Promise((resolve) => {
      finish = () => resolve({ verified: true, killed: [], survivors: [] })
    })
    await vi.advanceTimersByTimeAsync(120_000)
    for (let n = 0; n < 5; n += 1) {
      const other = await registry.open({ ...REQUEST, owner: { kind: 'agent', agentId: 'a' } })
      await vi.advanceTimersByTimeAsync(1000)
      await other.close('agent')
    }
    finish()
    await settled()
    expect(logger.of('session.reaped')).toHaveLength(1)
    expect(slow.terminations).toBe(1)
  })

  it('has a timer only while there are orphans, and none after disposal', async () => {
    // The journal has its own, which are gone when it has written and rested.
    const timers = (): number => {
      vi.advanceTimersByTime(JOURNAL_REST_MS)
      return vi.getTimerCount()
    }
    expect(timers()).toBe(0)
    const session = await registry.open(REQUEST)
    expect(timers()).toBe(1)
    const { attachment } = view(session)
    expect(timers()).toBe(0)
    session.detach(attachment)
    expect(timers()).toBe(1)
    reaper.dispose()
    expect(timers()).toBe(0)
    session.rename('x')
    expect(timers()).toBe(0)
  })
})
