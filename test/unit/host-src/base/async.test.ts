import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { atMost, delay, detached, withDeadline } from '../../../../host-src/base/async.ts'
import { recordingLogger } from '../../../support/recording-logger.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('withDeadline', () => {
  it('gives the value in time and leaves no timer', async () => {
    expect(await withDeadline(Promise.resolve('done'), 1000)).toEqual({ timedOut: false, value: 'done' })
    expect(vi.getTimerCount()).toBe(0)
  })

  it('ends the wait, not the work', async () => {
    let finish: (value: number) => void = () => {}
    const work = new Promise<number>((resolve) => {
      finish = resolve
    })
    const waited = withDeadline(work, 50)
    await vi.advanceTimersByTimeAsync(50)
    expect(await waited).toEqual({ timedOut: true })
    finish(3)
    expect(await work).toBe(3)
  })

  it('passes a failure on and leaves no timer', async () => {
    await expect(withDeadline(Promise.reject(new Error('broken')), 1000)).rejects.toThrow('broken')
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('delay', () => {
  it('resolves after the time', async () => {
    let isOver = false
    void delay(20).then(() => (isOver = true))
    await vi.advanceTimersByTimeAsync(19)
    expect(isOver).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(isOver).toBe(true)
  })
})

describe('detached', () => {
  it('turns a rejection and a throw into one log line each', async () => {
    const logger = recordingLogger()
    detached(logger, 'reject', () => Promise.reject(new Error('later')))
    detached(logger, 'throw', () => {
      throw new Error('now')
    })
    await vi.advanceTimersByTimeAsync(0)
    expect(logger.of('detached-work.failed').map(({ fields }) => fields)).toEqual([
      { what: 'throw', message: 'now' },
      { what: 'reject', message: 'later' },
    ])
  })
})

describe('atMost', () => {
  it('runs so many at a time, in order, and goes on after a failure', async () => {
    const inTurn = atMost(2)
    const started: number[] = []
    const finish: (() => void)[] = []
    const works = [0, 1, 2, 3].map((n) =>
      inTurn(async () => {
        started.push(n)
        await new Promise<void>((resolve) => finish.push(resolve))
        if (n === 0) throw new Error('the first one fails')
        return n
      }),
    )
    const outcomes = Promise.allSettled(works)
    await Promise.resolve()
    expect(started).toEqual([0, 1])
    finish[0]?.()
    await expect(works[0]).rejects.toThrow('the first one fails')
    await vi.waitFor(() => {
      expect(started).toEqual([0, 1, 2])
    })
    finish[1]?.()
    finish[2]?.()
    await vi.waitFor(() => {
      expect(started).toEqual([0, 1, 2, 3])
    })
    finish[3]?.()
    expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled', 'fulfilled'])
  })
})
