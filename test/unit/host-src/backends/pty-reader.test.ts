import { describe, expect, it, vi } from 'vitest'
import { PtyReader, TypingClock } from '../../../../host-src/backends/pty-reader.ts'

const BATCH_BYTES = 64 * 1024
/** What the kernel gives at most, whatever the room. */
const KERNEL_READ_BYTES = 4095

/** A reader of a terminal in which `waiting` waits. */
const readerOf = (waiting: string, { held = 0, typing = new TypingClock() } = {}) => {
  let rest = Buffer.from(waiting)
  const read = vi.fn((target: Uint8Array, offset: number): number => {
    if (rest.length === 0) throw Object.assign(new Error('EAGAIN'), { code: 'EAGAIN' })
    const part = rest.subarray(0, Math.min(KERNEL_READ_BYTES, target.length - offset))
    target.set(part, offset)
    rest = rest.subarray(part.length)
    return part.length
  })
  const announced: string[] = []
  const reader = new PtyReader({
    read,
    heldByStream: () => held,
    typing,
    announce: (bytes) => announced.push(Buffer.from(bytes).toString()),
  })
  return { reader, announced, read }
}

describe('PtyReader', () => {
  it('announces what waits together with what came, in order', () => {
    const { reader, announced } = readerOf('c'.repeat(KERNEL_READ_BYTES) + 'def')
    reader.take(Buffer.from('ab'))
    expect(announced).toEqual([`ab${'c'.repeat(KERNEL_READ_BYTES)}def`])
  })

  it('knows from a short read that nothing more waits, because a read that fails is dear', () => {
    const { reader, announced, read } = readerOf('cdef')
    reader.take(Buffer.from('ab'))
    expect(announced).toEqual(['abcdef'])
    expect(read).toHaveBeenCalledTimes(1)
  })

  it('announces what came when nothing else waits', () => {
    const { reader, announced } = readerOf('')
    reader.take(Buffer.from('ab'))
    expect(announced).toEqual(['ab'])
  })

  it('announces at most one frame per turn and leaves the rest for the next', () => {
    const { reader, announced } = readerOf('x'.repeat(3 * BATCH_BYTES))
    reader.take(Buffer.from('a'))
    reader.take(Buffer.from('b'))
    expect(announced.map(([first]) => first)).toEqual(['a', 'b'])
    for (const { length } of announced) {
      expect(length).toBeGreaterThan(BATCH_BYTES - 2 * KERNEL_READ_BYTES)
      expect(length).toBeLessThanOrEqual(BATCH_BYTES)
    }
  })

  it('ends its turn after a millisecond, so that a slow kernel does not hold up other sessions', () => {
    const now = vi.spyOn(performance, 'now').mockReturnValue(1000)
    const { reader, announced, read } = readerOf('x'.repeat(BATCH_BYTES))
    read.mockImplementation(() => {
      now.mockReturnValue(now() + 0.6)
      return KERNEL_READ_BYTES
    })
    reader.take(Buffer.from('a'))
    expect(read).toHaveBeenCalledTimes(2)
    expect(announced).toHaveLength(1)
  })

  it('reads nothing past bytes that the stream has taken already', () => {
    const { reader, announced, read } = readerOf('later', { held: 10 })
    reader.take(Buffer.from('ab'))
    expect(announced).toEqual(['ab'])
    expect(read).not.toHaveBeenCalled()
  })

  it('takes one read per turn for 50 ms after a key in any session', () => {
    const typing = new TypingClock()
    const now = vi.spyOn(performance, 'now').mockReturnValue(1000)
    const { reader, announced } = readerOf('cd', { typing })
    typing.typed()
    now.mockReturnValue(1049)
    reader.take(Buffer.from('a'))
    now.mockReturnValue(1050)
    reader.take(Buffer.from('b'))
    expect(announced).toEqual(['a', 'bcd'])
  })

  it('announces all that is left when the terminal is about to be closed', () => {
    const { reader, announced } = readerOf('x'.repeat(2.5 * BATCH_BYTES))
    reader.readRest()
    expect(announced.join('')).toHaveLength(2.5 * BATCH_BYTES)
  })

  it('passes a chunk on that is larger than a batch', () => {
    const { reader, announced } = readerOf('tail')
    reader.take(Buffer.from('x'.repeat(BATCH_BYTES + 1)))
    expect(announced.join('')).toHaveLength(BATCH_BYTES + 1)
  })
})
