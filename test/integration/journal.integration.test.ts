import { execFile } from 'node:child_process'
import {
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  chmodSync,
  existsSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { promisify } from 'node:util'
import { beforeEach, describe, expect, test } from 'vitest'
import type { SessionId } from '../../protocol-src/ids.ts'
import { nodeFiles, type FilePort } from '../../host-src/journal/file-port.ts'
import type { VerifyResult } from '../../host-src/journal/journal.ts'
import { faultyFiles, type Faults } from '../support/journal-files.ts'
import {
  holdsPattern,
  journalDirectory,
  OPENED,
  openTestJournal,
  openTestSession,
  patternAt,
  PROCESS_EXIT,
} from '../support/journal-fixture.ts'
import { until } from '../support/wait.ts'

const MB = 1024 * 1024

let directory: string
beforeEach(() => {
  directory = journalDirectory()
})

/** Change the closed database from outside, as a stranger would. */
const tamper = (sql: string, ...values: SQLInputValue[]): void => {
  const database = new DatabaseSync(join(directory, 'journal.db'))
  try {
    database.prepare(sql).run(...values)
  } finally {
    database.close()
  }
}
const query = (sql: string): Record<string, unknown>[] => {
  const database = new DatabaseSync(join(directory, 'journal.db'), { readOnly: true })
  try {
    return database.prepare(sql).all()
  } finally {
    database.close()
  }
}
const segments = (sid: SessionId): string[] =>
  readdirSync(join(directory, 'output', sid))
    .sort((a, b) => parseInt(a) - parseInt(b))
    .map((name) => join(directory, 'output', sid, name))

/**
 * A session of nine records, closed in order: opened, output [0, 1000), input, cwd, output [1000, 2 MB …) as four records,
 * exited.
 */
const NINE = ['opened', 'output', 'input', 'cwd', 'output', 'output', 'output', 'output', 'exited']
const OUTPUT_END = 1000 + MB
const recordNine = async (): Promise<SessionId> => {
  const { journal } = await openTestJournal({ directory })
  const session = openTestSession(journal)
  session.appendOutput(patternAt(0, 1000))
  session.appendInput('user', 4)
  session.append('cwd', { path: '/tmp' })
  session.appendOutput(patternAt(1000, MB))
  session.append('exited', PROCESS_EXIT)
  expect(session.read({ limit: 20 }).map(({ type }) => type)).toEqual(NINE)
  expect(await session.verify()).toMatchObject({ ok: true, head: { seq: 9 }, outputs: { verified: 5, pruned: 0 } })
  journal.dispose()
  return session.id
}
const verifyAnew = async (sid: SessionId): Promise<VerifyResult & { isSound: boolean }> => {
  const { journal } = await openTestJournal({ directory })
  try {
    const isSound = journal.pastSessions().find(({ id }) => id === sid)?.isSound ?? false
    return { ...(await (journal.find(sid) ?? expect.fail('the session is gone')).verify()), isSound }
  } finally {
    journal.dispose()
  }
}

describe('a journal on disk', () => {
  test('is there after a restart: facts, output, chain', async () => {
    const sid = await recordNine()
    const { journal } = await openTestJournal({ directory })
    expect(journal.health).toEqual({ mode: 'disk' })
    expect(journal.pastSessions()).toMatchObject([
      {
        id: sid,
        opened: OPENED,
        exited: PROCESS_EXIT,
        releasedReason: null,
        cwd: '/tmp',
        size: OPENED.size,
        isHidden: false,
        isSound: true,
        output: { start: 0, end: OUTPUT_END },
      },
    ])
    const session = journal.find(sid) ?? expect.fail('not found')
    expect(session.read({ limit: 20 }).map(({ type }) => type)).toEqual(NINE)
    expect(holdsPattern(session.output)).toBe(true)
    expect(await session.verify()).toMatchObject({ ok: true, head: { seq: 9 }, outputs: { verified: 5 } })
  })

  test('agrees with what stands in the file, event by event', async () => {
    const { journal } = await openTestJournal({ directory })
    const session = openTestSession(journal)
    for (let at = 0; at < 10; at++) session.append('commandFinished', { id: 1, exitCode: at, outputTo: null })
    journal.flush()
    const stored = query('SELECT seq, id, hash FROM records ORDER BY seq').map((row) => ({ ...row }))
    expect(stored).toEqual(session.read({ limit: 20 }).map(({ seq, id, hash }) => ({ seq, id, hash })))
  })

  test('belongs to its owner alone: files 0600, directories 0700, whatever the umask', async () => {
    const before = process.umask(0)
    try {
      const { journal } = await openTestJournal({ directory })
      const session = openTestSession(journal)
      session.appendOutput(patternAt(0, 1000))
      journal.flush()
      const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)
      const walk = (path: string): [string, string][] => [
        [path.slice(directory.length), modeOf(path)],
        ...(statSync(path).isDirectory() ? readdirSync(path).flatMap((name) => walk(join(path, name))) : []),
      ]
      const modes = Object.fromEntries(walk(directory))
      expect(modes).toEqual({
        '': '700',
        '/journal.db': '600',
        '/journal.db-wal': '600',
        '/journal.db-shm': '600',
        '/lock': '600',
        '/heads': '700',
        [`/heads/${session.id}`]: '600',
        '/output': '700',
        [`/output/${session.id}`]: '700',
        [`/output/${session.id}/0.seg`]: '600',
      })
    } finally {
      process.umask(before)
    }
  })

  test('tightens the modes of what it finds', async () => {
    await recordNine()
    chmodSync(join(directory, 'journal.db'), 0o644)
    chmodSync(join(directory, 'output'), 0o755)
    const { journal } = await openTestJournal({ directory })
    expect(journal.health).toEqual({ mode: 'disk' })
    expect(statSync(join(directory, 'journal.db')).mode & 0o777).toBe(0o600)
    expect(statSync(join(directory, 'output')).mode & 0o777).toBe(0o700)
  })

  test('does not load SQLite before it is asked for', async () => {
    const script = `
      process.on('warning', (warning) => { if (/SQLite/.test(warning.message)) process.exitCode = 3 })
      const { openJournal } = await import(${JSON.stringify(new URL('../../host-src/journal/open-journal.ts', import.meta.url).href)})
      const log = () => {}
      const logger = { debug: log, info: log, warn: log, error: log }
      const loaded = () => process.moduleLoadList.includes('NativeModule sqlite')
      const memory = await openJournal({ mode: 'memory', directory: '/nowhere', keptBytes: () => 0, logger })
      const before = loaded()
      await openJournal({ mode: 'disk', directory: ${JSON.stringify(directory)}, keptBytes: () => 0, logger })
      console.log(JSON.stringify([before, loaded()]))`
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])
    expect(JSON.parse(stdout)).toEqual([false, true])
  })

  test('never holds what was typed', async () => {
    const canary = 'correct-horse-battery-staple'
    const { journal } = await openTestJournal({ directory })
    const session = openTestSession(journal)
    session.appendInput('user', canary.length)
    expect(session.append('cwd', { path: '/', typed: canary } as never)).toBeNull()
    expect(session.append('prompt', { typed: canary } as never)).toBeNull()
    journal.flush()
    const files = (path: string): string[] =>
      statSync(path).isDirectory() ? readdirSync(path).flatMap((name) => files(join(path, name))) : [path]
    expect(files(directory).length).toBeGreaterThan(4)
    for (const path of files(directory)) expect(readFileSync(path).includes(canary)).toBe(false)
    expect(session.read({ types: ['input'], limit: 9 }).map(({ data }) => data)).toEqual([
      { source: 'user', bytes: canary.length },
    ])
  })

  test('records what a person types in one go once, before whatever follows, and every submission of an agent', async () => {
    const { journal } = await openTestJournal({ directory })
    const session = openTestSession(journal)
    for (const bytes of [1, 1, 3]) session.appendInput('user', bytes)
    session.append('cwd', { path: '/tmp' })
    for (const bytes of [1, 1]) session.appendInput('agent', bytes)
    session.appendInput('user', 1)
    session.appendInput('agent', 1)
    session.appendInput('user', 2)
    const inputs = session.read({ types: ['input', 'cwd'], limit: 20 }).map(({ type, data }) => [type, data])
    expect(inputs).toEqual([
      ['input', { source: 'user', bytes: 5 }],
      ['cwd', { path: '/tmp' }],
      ['input', { source: 'agent', bytes: 1 }],
      ['input', { source: 'agent', bytes: 1 }],
      ['input', { source: 'user', bytes: 1 }],
      ['input', { source: 'agent', bytes: 1 }],
      ['input', { source: 'user', bytes: 2 }],
    ])
    expect(await session.verify()).toMatchObject({ ok: true })
    expect(session.committedSeq).toBe(session.lastSeq)
    journal.dispose()
  })

  test('keeps a bounded part of the output, and a chain that verifies without the rest', async () => {
    const { journal } = await openTestJournal({ directory, keptBytes: () => MB })
    const session = openTestSession(journal)
    for (let at = 0; at < 40; at++) {
      session.appendOutput(patternAt(session.output.end, 250_000))
      if (at % 4 === 0) journal.flush()
    }
    journal.flush()
    const bytes = segments(session.id).reduce((sum, path) => sum + statSync(path).size, 0)
    expect(bytes).toBeGreaterThanOrEqual(MB)
    expect(bytes).toBeLessThan(2 * MB)
    expect(session.output.start).toBeGreaterThan(8 * MB)
    expect(holdsPattern(session.output)).toBe(true)
    const result = await session.verify()
    expect(result).toMatchObject({ ok: true })
    journal.dispose()
    expect(await verifyAnew(session.id)).toMatchObject({ ok: true, isSound: true })
  })

  test('opened by a newer version is left alone', async () => {
    await recordNine()
    tamper('INSERT INTO versions (version, appliedAt) VALUES (1000, 0)')
    const { journal } = await openTestJournal({ directory })
    expect(journal.health).toEqual({ mode: 'degraded', reason: 'newer-version' })
    expect(query('SELECT count(*) AS n FROM records')).toMatchObject([{ n: 9 }])
  })

  test('that is no database is left alone', async () => {
    await recordNine()
    writeFileSync(join(directory, 'journal.db'), 'nonsense'.repeat(10_000))
    const { journal, lines } = await openTestJournal({ directory })
    expect(journal.health).toEqual({ mode: 'degraded', reason: 'damaged' })
    expect(lines.length).toBe(1)
    const session = openTestSession(journal)
    session.appendOutput(patternAt(0, 1000))
    expect(holdsPattern(session.output)).toBe(true)
  })

  test('empties its log outside of commits, and loses nothing by it', async () => {
    const { journal } = await openTestJournal({ directory })
    const session = openTestSession(journal)
    for (let at = 0; at < 1000; at++) session.append('commandFinished', { id: 1, exitCode: at, outputTo: null })
    journal.flush()
    expect(statSync(join(directory, 'journal.db')).size).toBeLessThan(100_000)
    await until(() => statSync(join(directory, 'journal.db')).size > 200_000, {
      what: 'the log to be moved into the file',
    })
    session.append('prompt', {})
    await until(() => session.committedSeq === 1002, { what: 'the commit after the checkpoint' })
    journal.dispose()
    expect(existsSync(join(directory, 'journal.db-wal'))).toBe(false)
    expect(await verifyAnew(session.id)).toMatchObject({ ok: true })
    expect(query('PRAGMA integrity_check')).toMatchObject([{ integrity_check: 'ok' }])
  })

  test('commits what is left when it is disposed in the middle of a checkpoint', async () => {
    let release = (): void => undefined
    const files: FilePort = {
      ...nodeFiles,
      sync: () =>
        new Promise((resolve) => {
          release = resolve
        }),
    }
    const { journal } = await openTestJournal({ directory, files })
    const session = openTestSession(journal)
    for (let at = 0; at < 1000; at++) session.append('commandFinished', { id: 1, exitCode: at, outputTo: null })
    journal.flush()
    const idle = release
    await until(() => release !== idle, { what: 'the checkpoint to begin' })
    session.append('prompt', {})
    journal.flush()
    expect(session.committedSeq).toBe(1001)
    journal.dispose()
    release()
    expect(session.committedSeq).toBe(1002)
    expect(await verifyAnew(session.id)).toMatchObject({ ok: true, isSound: true })
  })
})

describe('a change from outside is found and named', () => {
  test.each([
    ['an edited payload', 4, 'hash', `UPDATE records SET data = '{"path":"/etc"}' WHERE seq = 4`],
    ['an edited time', 3, 'hash', 'UPDATE records SET at = at + 1 WHERE seq = 3'],
    ['an edited first record', 1, 'hash', `UPDATE records SET data = replace(data, 'bash', 'bosh') WHERE seq = 1`],
    ['an edited last record', 9, 'hash', `UPDATE records SET data = replace(data, '0', '1') WHERE seq = 9`],
    ['an edited hash', 5, 'hash', `UPDATE records SET hash = replace(hash, substr(hash, 1, 1), 'x') WHERE seq = 5`],
    ['a payload that is not of its type', 4, 'hash', `UPDATE records SET data = '{}' WHERE seq = 4`],
    ['a deleted record', 4, 'gap', 'DELETE FROM records WHERE seq = 4'],
    ['a deleted first record', 1, 'gap', 'DELETE FROM records WHERE seq = 1'],
    ['a cut tail', 7, 'cut-tail', 'DELETE FROM records WHERE seq >= 7'],
    ['everything cut', 1, 'cut-tail', 'DELETE FROM records'],
    ['the last record cut', 9, 'cut-tail', 'DELETE FROM records WHERE seq = 9'],
    [
      'an appended record',
      10,
      'beyond-head',
      `INSERT INTO records SELECT sid, 10, id || 'x', at, 'prompt', '{}', hash FROM records WHERE seq = 9`,
    ],
  ] as const)('%s', async (_, seq, reason, sql) => {
    const sid = await recordNine()
    tamper(sql)
    expect(await verifyAnew(sid)).toMatchObject({ ok: false, seq, reason })
    // And still, after a start that must not have papered over it.
    expect(await verifyAnew(sid)).toMatchObject({ ok: false, seq, reason })
  })

  test('an inserted record, with the later ones moved up', async () => {
    const sid = await recordNine()
    tamper('UPDATE records SET seq = -seq WHERE seq >= 4')
    tamper(`INSERT INTO records SELECT sid, 4, 'new', at, 'prompt', '{}', hash FROM records WHERE seq = 3`)
    tamper('UPDATE records SET seq = 1 - seq WHERE seq < 0')
    expect(await verifyAnew(sid)).toMatchObject({ ok: false, seq: 4, reason: 'hash' })
  })

  test('a deleted record, with the later ones moved down', async () => {
    const sid = await recordNine()
    tamper('DELETE FROM records WHERE seq = 4')
    tamper('UPDATE records SET seq = -seq WHERE seq > 4')
    tamper('UPDATE records SET seq = -1 - seq WHERE seq < 0')
    expect(await verifyAnew(sid)).toMatchObject({ ok: false, seq: 4, reason: 'hash' })
  })

  test('two records in each other’s place', async () => {
    const sid = await recordNine()
    tamper('UPDATE records SET seq = -seq WHERE seq IN (3, 4)')
    tamper('UPDATE records SET seq = 7 + seq WHERE seq < 0')
    expect(await verifyAnew(sid)).toMatchObject({ ok: false, seq: 3, reason: 'hash' })
  })

  test('a whole chain that was computed anew', async () => {
    const sid = await recordNine()
    const { linkHash } = await import('../../host-src/journal/journal-record.ts')
    tamper(`UPDATE records SET data = '{"path":"/etc"}' WHERE seq = 4`)
    let hash: string = sid
    for (const row of query('SELECT seq, id, at, type, data FROM records ORDER BY seq')) {
      hash = linkHash(hash, row as never)
      tamper('UPDATE records SET hash = ? WHERE seq = ?', hash, row['seq'] as number)
    }
    expect(await verifyAnew(sid)).toMatchObject({ ok: false, seq: 9, reason: 'anchor', isSound: false })
  })

  test('an anchor that is gone, or that says something else', async () => {
    const sid = await recordNine()
    const path = join(directory, 'heads', sid)
    const text = readFileSync(path, 'utf8')
    writeFileSync(path, text.replace('"seq":9', '"seq":8'))
    expect(await verifyAnew(sid)).toMatchObject({ ok: false, seq: 8, reason: 'anchor' })
    writeFileSync(path, 'nonsense')
    expect(await verifyAnew(sid)).toMatchObject({ ok: false, seq: 9, reason: 'anchor' })
    rmSync(path)
    expect(await verifyAnew(sid)).toMatchObject({ ok: false, seq: 9, reason: 'anchor' })
  })

  test.each([
    ['the first byte', 0, 2],
    ['a byte in the middle', 600_000, 7],
    ['the last byte', OUTPUT_END - 1, 8],
  ])('%s of the output', async (_, offset, seq) => {
    const sid = await recordNine()
    const path = segments(sid).findLast((each) => parseInt(each.split('/').at(-1) ?? '') <= offset) ?? ''
    const bytes = readFileSync(path)
    const at = offset - parseInt(path.split('/').at(-1) ?? '')
    bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at)
    writeFileSync(path, bytes)
    expect(await verifyAnew(sid)).toMatchObject({ ok: false, seq, reason: 'bytes' })
  })

  test('output that was cut, or removed from the front', async () => {
    const sid = await recordNine()
    const [first = ''] = segments(sid)
    const last = segments(sid).at(-1) ?? ''
    truncateSync(last, statSync(last).size - 1)
    expect(await verifyAnew(sid)).toMatchObject({ ok: false, seq: 8, reason: 'bytes-missing', isSound: false })
    rmSync(first)
    expect(await verifyAnew(sid)).toMatchObject({ ok: false, seq: 2, reason: 'bytes-missing', isSound: false })
  })

  test('in a journal that is in use', async () => {
    const { journal } = await openTestJournal({ directory })
    const session = openTestSession(journal)
    session.appendOutput(patternAt(0, 100_000))
    session.append('prompt', {})
    journal.flush()
    const path = join(directory, 'output', session.id, '0.seg')
    const bytes = readFileSync(path)
    writeFileSync(
      path,
      Buffer.concat([bytes.subarray(0, 50_000), Buffer.from([bytes.readUInt8(50_000) ^ 1]), bytes.subarray(50_001)]),
    )
    expect(await session.verify()).toEqual({ ok: false, seq: 2, reason: 'bytes' })
    writeFileSync(path, bytes)
    expect(await session.verify()).toMatchObject({ ok: true })
    tamper('DELETE FROM records WHERE seq = 3')
    expect(await session.verify()).toEqual({ ok: false, seq: 3, reason: 'cut-tail' })
  })

  test('a session that was changed is listed, readable where it can be, and nothing is added to it', async () => {
    const sid = await recordNine()
    tamper('DELETE FROM records WHERE seq = 9')
    const { journal, lines } = await openTestJournal({ directory })
    expect(journal.pastSessions()).toMatchObject([{ id: sid, exited: null, isSound: false }])
    expect(lines.map(({ event }) => event)).toEqual(['journal.session-changed'])
    const session = journal.find(sid) ?? expect.fail('not found')
    expect(session.append('prompt', {})).toBeNull()
    expect(holdsPattern(session.output)).toBe(true)
    journal.releaseSession(sid, 'user')
    expect(journal.find(sid)).toBeUndefined()
    expect(existsSync(join(directory, 'output', sid))).toBe(false)
  })

  test('a whole session that was removed is told in the log', async () => {
    const sid = await recordNine()
    tamper('DELETE FROM records')
    tamper('DELETE FROM sessions')
    const { lines } = await openTestJournal({ directory })
    expect(lines).toMatchObject([{ level: 'warn', event: 'journal.session-missing', fields: { sessionId: sid } }])
  })

  test('reading tells of a record that is not one', async () => {
    const sid = await recordNine()
    tamper(`UPDATE records SET data = '{}' WHERE seq = 4`)
    const { journal } = await openTestJournal({ directory })
    expect(() => journal.find(sid)?.read({ limit: 20 })).toThrow(/journal of this session cannot be read/)
  })
})

describe('after a restart', () => {
  test('a session that was live has ended with its host, once', async () => {
    const first = await openTestJournal({ directory })
    const session = openTestSession(first.journal)
    session.appendOutput(patternAt(0, 5000))
    first.journal.dispose()
    for (let run = 0; run < 2; run++) {
      const { journal } = await openTestJournal({ directory })
      const exited = { exitCode: null, signal: null, reason: 'host stopped' }
      expect(journal.pastSessions()).toMatchObject([{ id: session.id, exited, output: { start: 0, end: 5000 } }])
      expect(
        journal
          .find(session.id)
          ?.read({ limit: 9 })
          .map(({ type }) => type),
      ).toEqual(['opened', 'output', 'exited'])
      expect(await journal.find(session.id)?.verify()).toMatchObject({ ok: true })
      journal.dispose()
    }
  })

  test('bytes that no record names are cut off', async () => {
    const sid = await recordNine()
    const last = segments(sid).at(-1) ?? ''
    const size = statSync(last).size
    writeFileSync(last, Buffer.alloc(7777, 1), { flag: 'a' })
    writeFileSync(join(directory, 'output', sid, `${OUTPUT_END + 7777}.seg`), 'x')
    expect(await verifyAnew(sid)).toMatchObject({ ok: true, isSound: true })
    expect(segments(sid).at(-1)).toBe(last)
    expect(statSync(last).size).toBe(size)
  })

  test('a release is remembered, the output gone, the records still there', async () => {
    const sid = await recordNine()
    const second = await openTestJournal({ directory })
    second.journal.releaseSession(sid, 'user')
    second.journal.dispose()
    expect(existsSync(join(directory, 'output', sid))).toBe(false)
    const { journal } = await openTestJournal({ directory })
    expect(journal.pastSessions()).toMatchObject([{ id: sid, releasedReason: 'user', output: { start: OUTPUT_END } }])
    expect(await journal.find(sid)?.verify()).toMatchObject({ ok: true, head: { seq: 10 }, outputs: { pruned: 5 } })
  })

  test('released sessions go by count, and leave the chains of the others alone', async () => {
    const first = await openTestJournal({ directory })
    const kept = openTestSession(first.journal)
    const released = Array.from({ length: 6 }, () => openTestSession(first.journal))
    for (const session of released) {
      session.appendOutput(patternAt(0, 100))
      for (let at = 0; at < 300; at++) session.append('prompt', {})
      first.journal.releaseSession(session.id, 'user')
    }
    first.journal.dispose()
    const { journal } = await openTestJournal({ directory, released: { count: 2, ageMs: 1e12 } })
    await until(() => query('SELECT count(*) AS n FROM sessions')[0]?.['n'] === 3, { what: 'old records to go' })
    expect(query('SELECT DISTINCT sid FROM records').length).toBe(3)
    expect(readdirSync(join(directory, 'heads')).length).toBe(3)
    expect(await journal.find(kept.id)?.verify()).toMatchObject({ ok: true })
    for (const { id } of released.slice(4)) expect(await journal.find(id)?.verify()).toMatchObject({ ok: true })
    expect(journal.find(released[3]?.id ?? kept.id)).toBeUndefined()
    journal.dispose()
    expect(query('PRAGMA integrity_check')).toMatchObject([{ integrity_check: 'ok' }])
  })

  test('hidden, size and directory are as they were last', async () => {
    const first = await openTestJournal({ directory })
    const [a, b] = [openTestSession(first.journal), openTestSession(first.journal)]
    a.append('hidden', {})
    a.append('resized', { cols: 100, rows: 50 })
    b.append('hidden', {})
    b.append('shown', {})
    first.journal.dispose()
    const { journal } = await openTestJournal({ directory })
    expect(journal.pastSessions()).toMatchObject([
      { id: a.id, isHidden: true, size: { cols: 100, rows: 50 }, cwd: OPENED.cwd },
      { id: b.id, isHidden: false, size: OPENED.size },
    ])
  })
})

describe('two hosts on one directory', () => {
  test('the second goes on in memory and says so, until the first is gone', async () => {
    const first = await openTestJournal({ directory })
    const session = openTestSession(first.journal)
    const second = await openTestJournal({ directory })
    expect(second.journal.health).toEqual({ mode: 'degraded', reason: 'locked' })
    expect(second.lines).toMatchObject([{ level: 'warn', event: 'journal.degraded', fields: { reason: 'locked' } }])
    const other = openTestSession(second.journal)
    other.appendOutput(patternAt(0, 10))
    second.journal.dispose()
    session.append('prompt', {})
    expect(await session.verify()).toMatchObject({ ok: true, head: { seq: 2 } })
    first.journal.dispose()
    const third = await openTestJournal({ directory })
    expect(third.journal.health).toEqual({ mode: 'disk' })
    expect(third.journal.pastSessions().map(({ id }) => id)).toEqual([session.id])
  })
})

describe('a directory that may not be written', () => {
  test('gives a journal in memory', async () => {
    const files = faultyFiles(nodeFiles, new Map([['makeDirectory', 'EACCES']]))
    const { journal } = await openTestJournal({ directory, files })
    expect(journal.health).toEqual({ mode: 'degraded', reason: 'no-access' })
  })
})

describe.each(['ENOSPC', 'EIO', 'EACCES'] as const)('%s in use', (code) => {
  test.each(['write', 'openAppend', 'overwriteText', 'removeFile'] as const)(
    'at %s: the terminal goes on, and the next start finds a sound file',
    async (operation) => {
      const faults: Faults = new Map()
      const files = faultyFiles(nodeFiles, faults)
      const { journal, lines } = await openTestJournal({ directory, files, keptBytes: () => MB })
      const session = openTestSession(journal)
      session.appendOutput(patternAt(0, 3 * MB))
      journal.flush()
      faults.set(operation, code)
      for (let at = 0; at < 20; at++) {
        session.appendOutput(patternAt(session.output.end, 300_000))
        session.append('prompt', {})
        if (at % 5 === 0) journal.flush()
      }
      const late = openTestSession(journal)
      late.appendOutput(patternAt(0, 100))
      journal.flush()
      expect(journal.health.mode).toBe('degraded')
      expect(lines.filter(({ level }) => level === 'warn').length).toBe(1)
      expect(holdsPattern(session.output)).toBe(true)
      expect(session.read({ types: ['prompt'], limit: 100 }).length).toBe(20)
      expect(await session.verify()).toMatchObject({ ok: true })
      faults.clear()
      journal.dispose()
      const next = await openTestJournal({ directory })
      expect(next.journal.health).toEqual({ mode: 'disk' })
      expect(await next.journal.find(session.id)?.verify()).toMatchObject({ ok: true })
      expect(next.journal.pastSessions()[0]?.exited?.reason).toBe('host stopped')
    },
  )
})
