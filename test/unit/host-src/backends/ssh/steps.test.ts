import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { DEADLINES_MS, Steps } from '../../../../../host-src/backends/ssh/steps.ts'
import type { PhaseReport, QuestionPlace } from '../../../../../protocol-src/question.ts'

const where: QuestionPlace = { user: 'ada', host: 'example.org', port: 2222, hop: 'jump', book: null }
const never = new Promise<never>(() => {})

const setUp = (abort = new AbortController()) => {
  const reports: PhaseReport[] = []
  const began: string[] = []
  const steps = new Steps({
    where,
    signal: abort.signal,
    deadlines: { ...DEADLINES_MS, connect: 1000 },
    began: (hop, phase) => began.push(`${hop} ${phase}`),
    ended: (report) => reports.push(report),
  })
  return { steps, reports, began, abort }
}

const errorOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'no error',
    (error: unknown) => error,
  )

describe('a step', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('tells that it began and how it ended', async () => {
    const { steps, reports, began } = setUp()
    expect(await steps.run('resolve', () => Promise.resolve(7))).toBe(7)
    expect(began).toEqual(['jump resolve'])
    expect(reports).toMatchObject([{ hop: 'jump', phase: 'resolve', ok: true }])
  })

  it('ends at its deadline, naming machine and step', async () => {
    const { steps, reports } = setUp()
    const ended = errorOf(steps.run('connect', () => never))
    await vi.advanceTimersByTimeAsync(1000)
    expect(await ended).toMatchObject({
      code: 'SSH_TIMEOUT',
      message: expect.stringContaining('the jump host ada@example.org:2222') as string,
      details: { hop: 'jump', phase: 'connect' },
    })
    expect(reports).toMatchObject([{ ok: false }])
  })

  it('ends at once when it is given up, and none begins after that', async () => {
    const { steps, abort } = setUp()
    const ended = errorOf(steps.run('connect', () => never))
    abort.abort()
    expect(await ended).toMatchObject({ code: 'CANCELLED' })
    expect(await errorOf(steps.run('handshake', () => Promise.resolve()))).toMatchObject({ code: 'CANCELLED' })
  })

  it('has no deadline while a person is asked, and what was left of it after that', async () => {
    const { steps, reports } = setUp()
    let answer = (): void => {}
    const answered = new Promise<void>((resolve) => {
      answer = resolve
    })
    const ended = errorOf(
      steps.run('connect', async () => {
        await steps.unhurried(() => answered)
        await never
      }),
    )
    await vi.advanceTimersByTimeAsync(60_000)
    expect(reports).toEqual([])
    answer()
    await vi.advanceTimersByTimeAsync(999)
    expect(reports).toEqual([])
    await vi.advanceTimersByTimeAsync(2)
    expect(await ended).toMatchObject({ code: 'SSH_TIMEOUT' })
  })

  it('words what it failed with by the step', async () => {
    const { steps } = setUp()
    const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
    expect(await errorOf(steps.run('connect', () => Promise.reject(refused)))).toMatchObject({
      code: 'SSH_CONNECT',
      details: { reason: 'nothing listens on that port' },
    })
    expect(await errorOf(steps.run('authenticate', () => Promise.reject(new Error('\u001b[1mno'))))).toMatchObject({
      code: 'SSH_AUTH',
      details: { reason: '[1mno' },
    })
  })
})
