import { closeSync, openSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { PtyReader, TypingClock } from '../../../../host-src/backends/pty-reader.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

const BATCH_BYTES = 64 * 1024

/** A reader on a descriptor in which `waiting` waits. */
const readerOf = async (waiting: string, state: { held?: number; typing?: TypingClock } = {}) => {
  const path = join(await temporaryFolder(), 'waiting')
  await writeFile(path, waiting)
  const fd = openSync(path, 'r')
  onTestFinished(() => {
    closeSync(fd)
  })
  const announced: string[] = []
  const reader = new PtyReader({
    fd,
    heldByStream: () => state.held ?? 0,
    typing: state.typing ?? new TypingClock(),
    announce: (bytes) => announced.push(Buffer.from(bytes).toString()),
  })
  return { reader, announced }
}

describe('PtyReader', () => {
  it('announces what waits together with what came, in order', async () => {
    const { reader, announced } = await readerOf('cdef')
    reader.take(Buffer.from('ab'))
    expect(announced).toEqual(['abcdef'])
  })

  it('announces at most one frame per turn and leaves the rest for the next', async () => {
    const { reader, announced } = await readerOf('x'.repeat(3 * BATCH_BYTES))
    reader.take(Buffer.from('a'))
    reader.take(Buffer.from('b'))
    expect(announced.map((text) => [text[0], text.length])).toEqual([
      ['a', BATCH_BYTES],
      ['b', BATCH_BYTES],
    ])
  })

  it('reads nothing past bytes that the stream has taken already', async () => {
    const { reader, announced } = await readerOf('later', { held: 10 })
    reader.take(Buffer.from('ab'))
    expect(announced).toEqual(['ab'])
  })

  it('takes one read per turn for 50 ms after a key in any session', async () => {
    const typing = new TypingClock()
    const now = vi.spyOn(performance, 'now').mockReturnValue(1000)
    const { reader, announced } = await readerOf('cd', { typing })
    typing.typed()
    now.mockReturnValue(1049)
    reader.take(Buffer.from('a'))
    now.mockReturnValue(1050)
    reader.take(Buffer.from('b'))
    expect(announced).toEqual(['a', 'bcd'])
  })

  it('announces all that is left when the terminal is about to be closed', async () => {
    const { reader, announced } = await readerOf('x'.repeat(2.5 * BATCH_BYTES))
    reader.readRest()
    expect(announced.join('')).toHaveLength(2.5 * BATCH_BYTES)
  })

  it('passes a chunk on that is larger than a batch', async () => {
    const { reader, announced } = await readerOf('tail')
    reader.take(Buffer.from('x'.repeat(BATCH_BYTES + 1)))
    expect(announced.join('')).toHaveLength(BATCH_BYTES + 1)
  })
})
