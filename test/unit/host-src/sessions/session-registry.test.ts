import { beforeEach, describe, expect, it, vi } from 'vitest'
import { TtyError } from '../../../../host-src/base/errors.ts'
import type { SessionRegistry } from '../../../../host-src/sessions/session-registry.ts'
import type { PersistName, SessionId } from '../../../../protocol-src/ids.ts'
import { MAX_RETAINED_SESSIONS } from '../../../../protocol-src/limits.ts'
import { FakeBackend, settled } from '../../../support/fake-backend.ts'
import { randomForTest } from '../../../support/random.ts'
import { recordingLogger, type RecordingLogger } from '../../../support/recording-logger.ts'
import { testRegistry } from '../../../support/test-registry.ts'

const REQUEST = { spec: { kind: 'local' as const }, size: { cols: 80, rows: 24 }, owner: { kind: 'user' as const } }

let backend: FakeBackend
let logger: RecordingLogger
let registry: SessionRegistry
let limit: number

beforeEach(() => {
  backend = new FakeBackend()
  logger = recordingLogger()
  limit = 4
  registry = testRegistry(backend, { maxSessions: () => limit, logger })
})

describe('the limit', () => {
  it('lets one of two opens have the last place, though neither has started', async () => {
    limit = 1
    backend.mode = 'manual'
    const opens = [registry.open(REQUEST), registry.open(REQUEST)]
    await settled()
    await backend.launches[0]?.succeed()
    const outcomes = await Promise.allSettled(opens)
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
    expect((outcomes[1] as PromiseRejectedResult).reason).toMatchObject({
      code: 'SESSION_LIMIT',
      details: { limit: 1, setting: 'maxSessions' },
    })
    expect(backend.launches).toHaveLength(1)
  })

  it('holds against a flood of a thousand opens, failing ones included, and leaves nothing (X-15)', async () => {
    backend.mode = 'manual'
    limit = 16
    const random = randomForTest()
    let accepted = 0
    let most = 0
    const attempts: Promise<unknown>[] = []
    for (let n = 0; n < 1000; n += 1) {
      attempts.push(
        registry.open(REQUEST).then(
          () => (accepted += 1),
          () => {},
        ),
      )
      most = Math.max(most, registry.liveCount)
      const waiting = random.pick(backend.launches)
      if (random.boolean(0.2)) await waiting.succeed()
      if (random.boolean(0.2)) await waiting.fail(new TtyError('SPAWN_FAILED', 'no'))
    }
    for (const launch of backend.launches) await launch.succeed()
    await Promise.all(attempts)
    expect(most).toBe(16)
    expect(accepted).toBeGreaterThan(0)
    expect(backend.launches.length).toBeLessThan(1000)
    await registry.shutdown()
    expect(registry.all).toEqual([])
    expect(backend.launches.filter(({ pty }) => !pty.isOver && pty.terminations === 0 && pty.sizes.length > 0)).toEqual(
      [],
    )
  })

  it('gives a place back when a launch fails, and passes the reason on', async () => {
    limit = 1
    backend.mode = 'manual'
    const failing = registry.open(REQUEST)
    const outcome = expect(failing).rejects.toMatchObject({ code: 'CWD_UNUSABLE' })
    await backend.launches[0]?.fail(new TtyError('CWD_UNUSABLE', 'gone'))
    await outcome
    expect(registry.liveCount).toBe(0)
    expect(registry.list()).toEqual([])
  })

  it('counts live sessions only, and follows the setting at once', async () => {
    limit = 2
    await registry.open(REQUEST)
    await backend.pty.exit()
    await registry.open(REQUEST)
    await registry.open(REQUEST)
    await expect(registry.open(REQUEST)).rejects.toMatchObject({ code: 'SESSION_LIMIT' })
    limit = 3
    await registry.open(REQUEST)
    expect(registry.list()).toHaveLength(4)
  })
})

describe('retention of ended sessions', () => {
  const exitInOrder = async (count: number): Promise<SessionId[]> => {
    limit = 16
    const ids: SessionId[] = []
    for (let n = 0; n < count; n += 1) {
      ids.push((await registry.open(REQUEST)).id)
      await backend.pty.exit()
      vi.advanceTimersByTime(1)
    }
    return ids
  }

  beforeEach(() => {
    vi.useFakeTimers()
    return () => void vi.useRealTimers()
  })

  it('keeps sixteen and lets the one go that ended first, with one log line naming it', async () => {
    const ids = await exitInOrder(MAX_RETAINED_SESSIONS + 2)
    await settled()
    expect(registry.list().map(({ id }) => id)).toEqual(ids.slice(2))
    expect(logger.of('session.evicted').map(({ fields }) => fields['sessionId'])).toEqual(ids.slice(0, 2))
    expect(registry.get(ids[0] as SessionId)).toBeUndefined()
    expect(() => registry.require(ids[0] as SessionId)).toThrow(expect.objectContaining({ code: 'SESSION_NOT_FOUND' }))
  })

  it('never lets the one go that has just ended, though it was opened before all others', async () => {
    limit = 16
    const first = await registry.open(REQUEST)
    const firstPty = backend.pty
    const others = await exitInOrder(MAX_RETAINED_SESSIONS)
    await firstPty.exit()
    await settled()
    expect(registry.get(first.id)?.phase).toBe('exited')
    expect(registry.get(others[0] as SessionId)).toBeUndefined()
    expect(registry.list()).toHaveLength(MAX_RETAINED_SESSIONS)
  })

  it('does not count a session that is being closed', async () => {
    const ids = await exitInOrder(MAX_RETAINED_SESSIONS)
    const running = await registry.open(REQUEST)
    await running.close('user')
    await settled()
    expect(registry.list().map(({ id }) => id)).toEqual(ids)
    expect(logger.of('session.evicted')).toEqual([])
  })
})

describe('the list', () => {
  it('is announced at every change of it, and not for output', async () => {
    let changes = 0
    registry.onChange(() => (changes += 1))
    const session = await registry.open(REQUEST)
    const afterOpen = changes
    expect(afterOpen).toBeGreaterThan(0)
    backend.pty.print('x'.repeat(100_000))
    expect(changes).toBe(afterOpen)
    session.rename('build')
    expect(registry.list()[0]?.title).toBe('build')
    expect(changes).toBe(afterOpen + 1)
    await session.close('user')
    expect(registry.list()).toEqual([])
    expect(changes).toBeGreaterThan(afterOpen + 1)
  })
})

describe('a session that outlives the host', () => {
  const named = (persist: string | false) => ({
    ...REQUEST,
    spec: { kind: 'local' as const, persist: persist as PersistName },
  })

  beforeEach(() => {
    backend.keeps = true
    registry = testRegistry(backend, { maxSessions: () => limit, logger, persistByDefault: () => true })
  })

  it("is what the setting makes of the user's, unless they opt out, and not of an agent's", async () => {
    const agent = { kind: 'agent' as const, agentId: 'a' }
    const [mine, plain, theirs] = [
      await registry.open(REQUEST),
      await registry.open(named(false)),
      await registry.open({ ...REQUEST, owner: agent }),
    ]
    expect(mine.persist).toBe(`t-${mine.id}`)
    expect([plain.persist, theirs.persist]).toEqual([null, null])
    expect(registry.findKept(mine.descriptor.spec)).toBe(mine)
    expect(registry.findKept(REQUEST.spec)).toBeUndefined()
  })

  it('says so when its kind of session cannot', async () => {
    backend.keeps = false
    const session = await registry.open(named('x'))
    expect(session.descriptor).toMatchObject({
      persist: null,
      notices: [{ code: 'PERSIST_UNAVAILABLE', reason: 'remote', version: null }],
    })
  })

  it('is let go with the host, not ended, and has no end on record', async () => {
    const session = await registry.open(named('x'))
    const leaves = vi.fn()
    Object.assign(backend.pty, { leave: leaves })
    await registry.shutdown()
    expect([leaves.mock.calls.length, backend.pty.terminations]).toEqual([1, 0])
    expect(session.journal.read({ types: ['exited', 'terminated'], limit: 9 })).toEqual([])
  })
})

describe('shutdown', () => {
  it('refuses new sessions and resolves when every process was looked for, late ones included', async () => {
    await registry.open(REQUEST)
    const running = backend.pty
    backend.mode = 'manual'
    const late = registry.open(REQUEST)
    const outcome = expect(late).rejects.toMatchObject({ code: 'CANCELLED' })
    let isDown = false
    const down = registry.shutdown().then(() => (isDown = true))
    await expect(registry.open(REQUEST)).rejects.toMatchObject({ code: 'SHUTTING_DOWN' })
    await settled()
    expect(isDown).toBe(false)
    await backend.launches[1]?.succeed()
    await down
    await outcome
    expect(running.isOver).toBe(true)
    expect(backend.pty.isOver).toBe(true)
    expect(registry.all).toEqual([])
  })
})
