import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { InputAcks } from '../../../../host-src/gateway/input-acks.ts'
import type { AttachmentHandle } from '../../../../protocol-src/ids.ts'

const [ONE, TWO] = [1 as AttachmentHandle, 2 as AttachmentHandle]

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const newAcks = () => {
  const sent: [number, number][] = []
  return { sent, acks: new InputAcks((handle, seq) => sent.push([handle, seq])) }
}

describe('InputAcks', () => {
  it('lets the echo of a key go first, and answers several keys once', () => {
    const { sent, acks } = newAcks()
    acks.taken(ONE, 1, 1)
    acks.taken(TWO, 7, 1)
    acks.taken(ONE, 2, 1)
    expect(sent).toEqual([])
    vi.advanceTimersByTime(5)
    expect(sent).toEqual([
      [ONE, 2],
      [TWO, 7],
    ])
    vi.advanceTimersByTime(1000)
    expect(sent).toHaveLength(2)
    acks.taken(ONE, 3, 1)
    vi.advanceTimersByTime(5)
    expect(sent.at(-1)).toEqual([ONE, 3])
  })

  it('answers a paste at once, and never with an older number afterwards', () => {
    const { sent, acks } = newAcks()
    acks.taken(ONE, 1, 1)
    acks.taken(ONE, 2, 64 * 1024)
    expect(sent).toEqual([[ONE, 2]])
    vi.advanceTimersByTime(1000)
    expect(sent).toEqual([[ONE, 2]])
  })

  it('leaves no timer behind', () => {
    const { sent, acks } = newAcks()
    acks.taken(ONE, 1, 1)
    acks.dispose()
    expect(vi.getTimerCount()).toBe(0)
    vi.advanceTimersByTime(1000)
    expect(sent).toEqual([])
  })
})
