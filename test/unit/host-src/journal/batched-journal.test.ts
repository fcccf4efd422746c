import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { sha256Hex } from '../../../../host-src/base/canonical-json.ts'
import { newSessionId } from '../../../../host-src/base/random-id.ts'
import { MemoryTable } from '../../../../host-src/journal/journal-table.ts'
import type { JournalHealth } from '../../../../protocol-src/host-frames.ts'
import { openJournal, type JournalOptions } from '../../../../host-src/journal/open-journal.ts'
import { faultyFiles, MemoryFiles, type Faults } from '../../../support/journal-files.ts'
import {
  holdsPattern,
  openTestSession,
  patternAt,
  PROCESS_EXIT,
  readAll,
  recordingLogger,
} from '../../../support/journal-fixture.ts'

const MB = 1024 * 1024

const open = async (options: Partial<JournalOptions> = {}) => {
  const files = new MemoryFiles()
  const faults: Faults = new Map()
  const table = new MemoryTable()
  const { logger, lines } = recordingLogger()
  const journal = await openJournal({
    mode: 'disk',
    directory: '/tty',
    keptBytes: () => 2 * MB,
    logger,
    files: faultyFiles(files, faults),
    openTable: () => Promise.resolve(table),
    ...options,
  })
  return { journal, files, faults, table, lines, session: openTestSession(journal) }
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe.each(['disk', 'memory'] as const)('a journal in mode %s', (mode) => {
  test('records facts and output in the order in which they came', async () => {
    const { journal, session } = await open({ mode })
    session.appendOutput(patternAt(0, 10))
    session.appendOutput(patternAt(10, 5))
    session.appendInput('user', 2)
    session.appendOutput(patternAt(15, 7))
    session.append('exited', PROCESS_EXIT)
    const records = session.read({ limit: 100 })
    expect(records.map(({ seq, type }) => [seq, type])).toEqual([
      [1, 'opened'],
      [2, 'output'],
      [3, 'input'],
      [4, 'output'],
      [5, 'exited'],
    ])
    expect(records[1]?.data).toEqual({ from: 0, to: 15, sha256: sha256Hex(patternAt(0, 15)) })
    expect(records[3]?.data).toEqual({ from: 15, to: 22, sha256: sha256Hex(patternAt(15, 7)) })
    expect(holdsPattern(session.output)).toBe(true)
    journal.dispose()
  })

  test('reads the same before and after a flush, by number, type and count', async () => {
    const { journal, session } = await open({ mode })
    for (let at = 0; at < 20; at++) {
      session.append('cwd', { path: `/${at}` })
      session.append('prompt', {})
      if (at === 9) journal.flush()
    }
    const look = () => [
      session.read({ limit: 1000 }),
      session.read({ after: 17, limit: 6 }),
      session.read({ types: ['cwd'], after: 30, limit: 1000 }),
      session.read({ types: ['cwd'], limit: 15 }),
      session.read({ types: [], limit: 5 }),
    ]
    const before = look()
    expect(before.map(({ length }) => length)).toEqual([41, 6, 5, 15, 0])
    expect(before[1]?.map(({ seq }) => seq)).toEqual([18, 19, 20, 21, 22, 23])
    journal.flush()
    expect(look()).toEqual(before)
  })

  test('commits at the latest 100 ms after the first record, all in one batch', async () => {
    const commit = vi.spyOn(MemoryTable.prototype, 'commit')
    const { session } = await open({ mode })
    commit.mockClear()
    vi.advanceTimersByTime(60)
    session.append('prompt', {})
    vi.advanceTimersByTime(39)
    expect(session.committedSeq).toBe(0)
    vi.advanceTimersByTime(1)
    expect(session.committedSeq).toBe(2)
    expect(commit).toHaveBeenCalledOnce()
  })

  test('makes one record of the output between two flushes', async () => {
    const { session } = await open({ mode })
    vi.advanceTimersByTime(100)
    for (let at = 0; at < 50; at++) session.appendOutput(patternAt(at * 100, 100))
    vi.advanceTimersByTime(100)
    session.appendOutput(patternAt(5000, 1))
    vi.advanceTimersByTime(100)
    expect(session.read({ types: ['output'], limit: 10 }).map(({ data }) => data)).toEqual([
      { from: 0, to: 5000, sha256: sha256Hex(patternAt(0, 5000)) },
      { from: 5000, to: 5001, sha256: sha256Hex(patternAt(5000, 1)) },
    ])
  })

  test('makes a record of every 256 KiB without waiting', async () => {
    const { session } = await open({ mode })
    session.appendOutput(patternAt(0, MB))
    for (let at = 0; at < 64; at++) session.appendOutput(patternAt(session.output.end, 10_000))
    const ranges = session
      .read({ types: ['output'], limit: 100 })
      .map(({ data }) => data as { from: number; to: number })
    expect(ranges.slice(0, 5).map(({ to }) => to)).toEqual([1, 2, 3, 4].map((n) => n * 256 * 1024).concat(MB + 270_000))
    expect(ranges.map(({ from }) => from).slice(1)).toEqual(ranges.map(({ to }) => to).slice(0, -1))
  })

  test('does not wait for the timer under a flood', async () => {
    const { session } = await open({ mode })
    for (let at = 0; at < 5; at++) session.appendOutput(patternAt(session.output.end, MB))
    vi.advanceTimersByTime(1)
    expect(session.committedSeq).toBeGreaterThan(16)
  })

  test('has no timer while nothing is recorded', async () => {
    const { session } = await open({ mode })
    session.appendOutput(patternAt(0, 100))
    await vi.advanceTimersByTimeAsync(5000)
    expect(vi.getTimerCount()).toBe(0)
  })

  test('refuses what is no event, in the log and not with an exception', async () => {
    const { session, lines } = await open({ mode })
    expect(session.append('cwd', { path: 'x'.repeat(5000) })).toBeNull()
    expect(session.append('prompt', { text: 'hunter2' } as never)).toBeNull()
    expect(session.lastSeq).toBe(1)
    const refused = lines.filter(({ event }) => event === 'journal.record-refused')
    expect(refused.map(({ fields }) => fields?.['type'])).toEqual(['cwd', 'prompt'])
    expect(JSON.stringify(lines)).not.toContain('hunter2')
  })

  test('takes nothing after the release', async () => {
    const { journal, session } = await open({ mode })
    session.appendOutput(patternAt(0, 10))
    journal.releaseSession(session.id, 'user')
    expect(session.append('prompt', {})).toBeNull()
    session.appendOutput(patternAt(10, 10))
    expect(session.output.end).toBe(10)
    expect(session.output.read(0, 10)).toBeNull()
    journal.releaseSession(session.id, 'user')
    journal.releaseSession(newSessionId(), 'user')
  })

  test('knows each session once', async () => {
    const { journal, session } = await open({ mode })
    expect(journal.find(session.id)).toBe(session)
    expect(journal.find(newSessionId())).toBeUndefined()
    expect(() => journal.begin(session.id)).toThrow(RangeError)
  })

  test('proves its chain and its bytes', async () => {
    vi.useRealTimers()
    const { journal, session } = await open({ mode })
    session.appendOutput(patternAt(0, 5 * MB))
    session.append('exited', PROCESS_EXIT)
    const result = await session.verify()
    expect(result).toMatchObject({ ok: true, head: { seq: session.lastSeq } })
    const { verified, pruned } = result.ok ? result.outputs : { verified: 0, pruned: 0 }
    expect(verified).toBeGreaterThanOrEqual(8)
    expect(pruned).toBeGreaterThan(5)
    expect(verified + pruned).toBe(20)
    journal.dispose()
  })
})

describe('the health of a journal', () => {
  test('is memory by setting without a warning, and touches no file', async () => {
    const { journal, files, lines } = await open({ mode: 'memory' })
    expect(journal.health).toEqual({ mode: 'memory-by-setting' })
    journal.dispose()
    expect([files.contents.size, lines]).toEqual([0, []])
  })

  test.each([
    ['ENOSPC', 'no-space'],
    ['EACCES', 'no-access'],
    ['EIO', 'failed'],
  ] as const)('turns on %s in use to degraded (%s): one warning, one event, nothing lost', async (code, reason) => {
    const { journal, faults, lines, session } = await open()
    const seen: JournalHealth[] = []
    journal.onHealthChange((health) => seen.push(health))
    session.appendOutput(patternAt(0, 1000))
    vi.advanceTimersByTime(100)
    const other = openTestSession(journal)
    for (const operation of ['write', 'openAppend', 'overwriteText'] as const) faults.set(operation, code)
    for (let at = 1000; at < 400_000; at += 1000) {
      session.appendOutput(patternAt(at, 1000))
      other.appendOutput(patternAt(at, 1000))
      if (at % 50_000 === 0) vi.advanceTimersByTime(150)
    }
    session.append('exited', PROCESS_EXIT)
    await vi.advanceTimersByTimeAsync(5000)
    expect(journal.health).toEqual({ mode: 'degraded', reason })
    expect(seen).toEqual([{ mode: 'degraded', reason }])
    expect(lines.filter(({ level }) => level === 'warn').map(({ event }) => event)).toEqual(['journal.degraded'])
    expect([session.output.start, holdsPattern(session.output)]).toEqual([0, true])
    const records = session.read({ limit: 10_000 })
    expect(records.map(({ seq }) => seq)).toEqual(records.map((_, at) => at + 1))
    expect(records.at(-1)?.type).toBe('exited')
    vi.useRealTimers()
    expect(await session.verify()).toMatchObject({ ok: true })
    expect(await other.verify()).toMatchObject({ ok: true })
    const late = openTestSession(journal)
    late.appendOutput(patternAt(0, 10))
    expect(readAll(late.output, 0)?.length).toBe(10)
    journal.releaseSession(session.id, 'user')
    journal.dispose()
  })

  test('warns once, also when more fails later', async () => {
    const { journal, faults, lines, session } = await open()
    const other = openTestSession(journal)
    for (const each of [session, other]) each.appendOutput(patternAt(0, 1.5 * MB))
    journal.flush()
    faults.set('write', 'EIO').set('openRead', 'EIO')
    session.appendOutput(patternAt(session.output.end, 300_000))
    expect([session.output.read(0, 10), other.output.read(0, 10)]).toEqual([null, null])
    journal.flush()
    expect(lines.map(({ event }) => event)).toEqual(['journal.degraded'])
    expect([holdsPattern(session.output), holdsPattern(other.output)]).toEqual([true, true])
  })

  test('degrades when the table cannot commit, and keeps the records', async () => {
    const { journal, table, session, lines } = await open()
    vi.spyOn(table, 'commit').mockImplementation(() => {
      throw Object.assign(new Error('full'), { errcode: 13 })
    })
    vi.advanceTimersByTime(100)
    expect(journal.health).toEqual({ mode: 'degraded', reason: 'no-space' })
    session.append('prompt', {})
    vi.advanceTimersByTime(100)
    expect(session.read({ limit: 10 }).map(({ seq }) => seq)).toEqual([1, 2])
    expect(lines.length).toBe(1)
  })

  test('waits for a table that somebody else holds, and degrades when that does not end', async () => {
    const { journal, table, session } = await open()
    const commit = vi.spyOn(table, 'commit').mockReturnValue(false)
    vi.advanceTimersByTime(5000)
    expect(journal.health).toEqual({ mode: 'disk' })
    commit.mockRestore()
    vi.advanceTimersByTime(100)
    expect(session.committedSeq).toBe(1)
    vi.spyOn(table, 'commit').mockReturnValue(false)
    session.append('prompt', {})
    vi.advanceTimersByTime(20_000)
    expect(journal.health).toMatchObject({ mode: 'degraded' })
    expect(session.read({ limit: 10 }).length).toBe(2)
  })

  test('is degraded from the start when the directory cannot be used', async () => {
    const files = faultyFiles(new MemoryFiles(), new Map([['makeDirectory', 'EACCES']]))
    const { journal, lines, session } = await open({ files })
    expect(journal.health).toEqual({ mode: 'degraded', reason: 'no-access' })
    expect(lines.map(({ level, event }) => [level, event])).toEqual([['warn', 'journal.degraded']])
    session.appendOutput(patternAt(0, 10))
    expect(readAll(session.output, 0)?.length).toBe(10)
  })
})

describe('order of writing', () => {
  test('bytes are in their file before the record that names them is committed, and files go after the anchor', async () => {
    const { journal, files, table, session } = await open()
    const sizes = () =>
      files.list(`/tty/output/${session.id}`).map((name) => files.size(`/tty/output/${session.id}/${name}`))
    const seen: string[] = []
    const commit = table.commit.bind(table)
    vi.spyOn(table, 'commit').mockImplementation((batch) => {
      const named = batch.flatMap(({ rows }) => rows).filter(({ type }) => type === 'output')
      const to = Math.max(0, ...named.map(({ data }) => (JSON.parse(data) as { to: number }).to))
      seen.push('commit')
      expect(
        Math.max(
          0,
          ...files
            .list(`/tty/output/${session.id}`)
            .map((name) => parseInt(name) + files.size(`/tty/output/${session.id}/${name}`)),
        ),
      ).toBeGreaterThanOrEqual(to)
      return commit(batch)
    })
    const overwriteText = files.overwriteText.bind(files)
    vi.spyOn(files, 'overwriteText').mockImplementation((path, text) => {
      seen.push(text.includes('"isExact":true') ? 'anchor exactly' : 'anchor')
      overwriteText(path, text)
    })
    const removeFile = files.removeFile.bind(files)
    vi.spyOn(files, 'removeFile').mockImplementation((path) => {
      seen.push('unlink')
      removeFile(path)
    })
    session.appendOutput(patternAt(0, 3.5 * MB))
    vi.advanceTimersByTime(100)
    expect(sizes().length).toBeGreaterThan(2)
    expect(seen.slice(0, 4)).toEqual(['anchor', 'commit', 'anchor', 'unlink'])
    seen.length = 0
    await vi.advanceTimersByTimeAsync(2000)
    expect(seen).toEqual(['anchor exactly'])
    session.append('prompt', {})
    seen.length = 0
    vi.advanceTimersByTime(100)
    expect(seen).toEqual(['anchor', 'commit', 'anchor'])
    journal.dispose()
  })

  test('an idle session holds no open file', async () => {
    const { files, session } = await open()
    session.appendOutput(patternAt(0, 1000))
    vi.advanceTimersByTime(150)
    expect(files.openPaths.length).toBe(1)
    await vi.advanceTimersByTimeAsync(1000)
    expect(files.openPaths).toEqual([])
  })
})

describe('records of released sessions', () => {
  test('go by count and by age, the oldest release first; those of others stay untouched', async () => {
    const { journal, session, table } = await open({ released: { count: 3, ageMs: 1e9 } })
    const others = Array.from({ length: 5 }, () => openTestSession(journal))
    for (const other of others) {
      other.appendOutput(patternAt(0, 100))
      vi.advanceTimersByTime(10)
      journal.releaseSession(other.id, 'user')
    }
    await vi.advanceTimersByTimeAsync(1000)
    expect(others.map(({ id }) => journal.find(id) !== undefined)).toEqual([false, false, true, true, true])
    expect(table.sessions().length).toBe(4)
    vi.useRealTimers()
    for (const other of others.slice(2)) {
      expect(other.read({ limit: 10 }).map(({ type }) => type)).toEqual(['opened', 'output', 'released'])
      expect(await other.verify()).toMatchObject({ ok: true, outputs: { verified: 0, pruned: 1 } })
    }
    expect(await session.verify()).toMatchObject({ ok: true })
    journal.dispose()
  })
})
