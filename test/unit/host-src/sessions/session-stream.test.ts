import { describe, expect, it } from 'vitest'
import { newSessionId } from '../../../../host-src/base/random-id.ts'
import { restoreRecorded, specOf } from '../../../../host-src/sessions/past-session.ts'
import { SessionStream } from '../../../../host-src/sessions/session-stream.ts'
import { memoryJournal } from '../../../support/test-registry.ts'

const SIZE = { cols: 80, rows: 24 }
const MB = 1024 * 1024

const newStream = (keptBytes = 8 * MB) => {
  const journal = memoryJournal(undefined, keptBytes)
  const session = journal.begin(newSessionId())
  return { journal, session, stream: new SessionStream(session, SIZE) }
}

describe('SessionStream', () => {
  it('counts bytes and changes, and knows the size in force after each change', () => {
    const { stream } = newStream()
    const viewer = {}
    expect(stream.change(SIZE, null)).toBe(false)
    stream.append(Buffer.from('abc'))
    expect(stream.change({ cols: 100, rows: 30 }, viewer)).toBe(true)
    expect(stream.change({ cols: 100, rows: 30 }, viewer)).toBe(false)
    expect(stream.change({ cols: 100, rows: 30 }, null)).toBe(true)
    expect(stream.end).toEqual({ offset: 3, change: 2 })
    expect([0, 1, 2].map((count) => stream.sizeAfter(count).cols)).toEqual([80, 100, 100])
    expect(stream.changeAt(0)).toEqual({ offset: 3, size: { cols: 100, rows: 30 }, driver: viewer })
    expect(stream.driver).toBeNull()
  })

  it('lets a viewer go on only from a position that was and is held', () => {
    const { stream } = newStream()
    stream.append(Buffer.from('abc'))
    stream.change({ cols: 90, rows: 24 }, null)
    for (const [offset, change, holds] of [
      [0, 0, true],
      [3, 1, true],
      [4, 1, false],
      [3, 2, false],
    ] as const)
      expect(stream.holds({ offset, change }), `${String(offset)} ${String(change)}`).toBe(holds)
  })

  it('forgets the oldest of very many changes, not the size that was in force before the rest', () => {
    const { stream } = newStream()
    for (let n = 0; n < 5000; n += 1) stream.change({ cols: 20 + (n % 100), rows: 24 }, null)
    const { change } = stream.end
    expect(change).toBe(5000)
    expect(stream.holds({ offset: 0, change: 0 })).toBe(false)
    expect(stream.holds({ offset: 0, change })).toBe(true)
    const oldest = Array.from({ length: change }, (_, at) => at).find((at) => stream.changeAt(at) !== undefined) ?? -1
    expect(oldest).toBeGreaterThan(0)
    expect(stream.sizeAfter(oldest).cols).toBe(20 + ((oldest - 1) % 100))
    expect(stream.sizeAfter(oldest + 1).cols).toBe(20 + (oldest % 100))
  })

  it('replays from the beginning as long as that is held, then from between sequences', () => {
    const { stream } = newStream(MB)
    const line = Buffer.from('\x1b[38;5;196mRED\x1b[0m\r\n'.repeat(1000))
    stream.append(line)
    expect(stream.replayStart).toEqual({ offset: 0, change: 0 })
    stream.change({ cols: 99, rows: 9 }, null)
    for (let bytes = 0; bytes < 4 * MB; bytes += line.length) stream.append(line)
    // What changed after the place where the replay begins is part of the replay.
    stream.change({ cols: 50, rows: 5 }, null)
    const { offset, change } = stream.replayStart
    expect(offset).toBeGreaterThanOrEqual(stream.start)
    expect(change).toBe(1)
    const bytes = Buffer.from(stream.read(offset, 30) ?? [])
    expect(['\x1b[38', 'RED\x1b', '\x1b[0m', '\r\n\x1b', 'ED\x1b[', 'D\x1b[0', '\n\x1b[3']).toContain(
      bytes.toString().slice(0, 4),
    )
  })
})

describe('a stream that is rebuilt from its records', () => {
  it('has each size at the offset where it came into force', () => {
    const { session, stream } = newStream()
    for (const [text, cols] of [
      ['one', 100],
      ['two', 120],
      ['', 90],
      ['three', 80],
    ] as const) {
      if (text !== '') stream.append(Buffer.from(text))
      stream.change({ cols, rows: 24 }, null)
      session.append('resized', { cols, rows: 24 })
    }
    const { stream: restored } = restoreRecorded(session, { size: SIZE, cwd: null })
    expect(restored.end).toEqual(stream.end)
    for (let at = 0; at < stream.end.change; at += 1) expect(restored.changeAt(at)).toEqual(stream.changeAt(at))
  })

  it('runs again what ran', () => {
    const opened = { kind: 'local', target: 'x', size: SIZE, owner: { kind: 'user' }, retryOf: null } as const
    expect(specOf({ ...opened, run: { shell: '/bin/zsh' }, cwd: null })).toEqual({ kind: 'local' })
    expect(specOf({ ...opened, run: { argv: ['/bin/sh', '-c', 'make all'] }, cwd: '/src' })).toEqual({
      kind: 'local',
      cwd: '/src',
      command: 'make all',
    })
  })
})
