import { describe, expect, it } from 'vitest'
import { FrameBuffers } from '../../../../host-src/gateway/frame-buffers.ts'

const LARGE = 60_000

describe('FrameBuffers', () => {
  it('uses a buffer again only after it was released', () => {
    const buffers = new FrameBuffers()
    const [first, second] = [buffers.take(LARGE), buffers.take(LARGE)]
    expect(second.buffer).not.toBe(first.buffer)
    buffers.release(first)
    const third = buffers.take(LARGE - 1)
    expect(third.buffer).toBe(first.buffer)
    expect(third).toHaveLength(LARGE - 1)
    expect(buffers.take(LARGE).buffer).not.toBe(first.buffer)
  })

  it('gives the length that was asked for, below and beyond what it keeps', () => {
    const buffers = new FrameBuffers()
    for (const length of [16, 17, 2048, 2049, 65_552, 65_553, 1_000_000]) {
      const frame = buffers.take(length)
      expect(frame).toHaveLength(length)
      buffers.release(frame)
    }
  })

  it('keeps no more than a handful', () => {
    const buffers = new FrameBuffers()
    const frames = Array.from({ length: 40 }, () => buffers.take(LARGE))
    for (const frame of frames) buffers.release(frame)
    const kept = new Set(frames.map(({ buffer }) => buffer))
    const again = Array.from({ length: 40 }, () => buffers.take(LARGE)).filter(({ buffer }) => kept.has(buffer))
    expect(again).toHaveLength(16)
  })
})
