import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { OutputPump } from '../../../../host-src/sessions/output-pump.ts'
import { COALESCE_MS, OUTPUT_FRAME_BYTES } from '../../../../protocol-src/limits.ts'

let flushes: number[]
let pump: OutputPump

beforeEach(() => {
  vi.useFakeTimers()
  flushes = []
  pump = new OutputPump(() => flushes.push(performance.now()))
})
afterEach(() => {
  pump.dispose()
  vi.useRealTimers()
})

describe('OutputPump', () => {
  it('sends the first bytes after a silence at once: an echo waits for no timer', () => {
    pump.gathered(1)
    expect(flushes).toHaveLength(1)
    expect(vi.getTimerCount()).toBe(0)
    vi.advanceTimersByTime(COALESCE_MS)
    pump.gathered(1)
    expect(flushes).toHaveLength(2)
  })

  it('gathers what follows closely into one flush', () => {
    pump.gathered(1)
    for (let n = 0; n < 10; n += 1) pump.gathered(100)
    expect(flushes).toHaveLength(1)
    expect(vi.getTimerCount()).toBe(1)
    vi.advanceTimersByTime(COALESCE_MS)
    expect(flushes).toHaveLength(2)
    expect(vi.getTimerCount()).toBe(0)
    vi.advanceTimersByTime(1000)
    expect(flushes).toHaveLength(2)
  })

  it('does not wait for the timer once a frame is full', () => {
    pump.gathered(1)
    pump.gathered(OUTPUT_FRAME_BYTES - 1)
    expect(flushes).toHaveLength(1)
    pump.gathered(1)
    expect(flushes).toHaveLength(2)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('counts anew after each flush', () => {
    pump.gathered(OUTPUT_FRAME_BYTES)
    pump.gathered(OUTPUT_FRAME_BYTES / 2)
    expect(flushes).toHaveLength(1)
    pump.flushNow()
    pump.gathered(OUTPUT_FRAME_BYTES / 2)
    expect(flushes).toHaveLength(2)
  })

  it('leaves no timer behind', () => {
    pump.gathered(1)
    pump.gathered(1)
    pump.dispose()
    expect(vi.getTimerCount()).toBe(0)
  })
})
