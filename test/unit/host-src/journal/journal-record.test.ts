import { describe, expect, test } from 'vitest'
import { canonicalJson, sha256Hex } from '../../../../host-src/base/canonical-json.ts'
import { newSessionId } from '../../../../host-src/base/random-id.ts'
import { JOURNAL_EVENT_TYPES, parseEvent, type JournalEventMap } from '../../../../host-src/journal/journal-events.ts'
import { emptyChain, linkHash, parseRow, sealRecord } from '../../../../host-src/journal/journal-record.ts'
import { OPENED, PROCESS_EXIT } from '../../../support/journal-fixture.ts'

const EXAMPLES: JournalEventMap = {
  opened: OPENED,
  output: { from: 0, to: 5, sha256: 'a'.repeat(64) },
  resized: { cols: 100, rows: 30 },
  input: { source: 'agent', bytes: 3 },
  cwd: { path: '/tmp' },
  prompt: {},
  commandStarted: { id: 1, text: null, truncated: false, outputFrom: 0, promptAt: null },
  commandFinished: { id: 1, exitCode: 1, outputTo: 9 },
  commandLost: { id: 1 },
  marksDistrusted: { at: 3 },
  adopted: {},
  renamed: { title: 'build' },
  attached: { viewers: 1 },
  detached: { viewers: 0 },
  hidden: {},
  shown: {},
  exited: PROCESS_EXIT,
  terminated: { verified: true, killed: [1], survivors: [] },
  released: { reason: 'user' },
}

describe('journal events', () => {
  test.each(JOURNAL_EVENT_TYPES)('%s takes its payload, and nothing besides', (type) => {
    expect(parseEvent(type, EXAMPLES[type])).toEqual(EXAMPLES[type])
    expect(() => parseEvent(type, { ...EXAMPLES[type], typed: 'secret' })).toThrow(/typed/)
  })

  test('an output range is not empty', () => {
    expect(() => parseEvent('output', { ...EXAMPLES.output, to: 0 })).toThrow(/not empty/)
  })

  test('input has no place for what was typed', () => {
    // @ts-expect-error -- the type system refuses it as well
    const typed: JournalEventMap['input'] = { source: 'user', bytes: 1, text: 'x' }
    expect(() => parseEvent('input', typed)).toThrow(/text/)
  })
})

describe('the chain', () => {
  test('numbers from 1 without a hole and links each record to the one before', () => {
    const sid = newSessionId()
    let head = emptyChain(sid)
    let previous: string = sid
    for (let seq = 1; seq <= 5; seq++) {
      const { record, row } = sealRecord(head, { type: 'cwd', data: { path: `/${String(seq)}` }, at: 1000 + seq })
      const { hash, ...rest } = record
      expect(rest).toMatchObject({ seq, at: 1000 + seq, type: 'cwd' })
      expect(hash).toBe(sha256Hex(previous + canonicalJson(rest)))
      expect(parseRow(row)).toEqual(record)
      previous = hash
      head = row
    }
  })

  test('gives every record another id', () => {
    const head = emptyChain(newSessionId())
    const ids = Array.from({ length: 100 }, () => sealRecord(head, { type: 'prompt', data: {}, at: 0 }).record.id)
    expect(new Set(ids).size).toBe(100)
  })

  test.each(['seq', 'id', 'at', 'type', 'data'] as const)('a change of %s changes the hash', (field) => {
    const head = emptyChain(newSessionId())
    const { row } = sealRecord(head, { type: 'cwd', data: { path: '/a' }, at: 7 })
    const changed = { seq: 2, id: 'other', at: 8, type: 'prompt', data: '{"path":"/b"}' }
    expect(linkHash(head.hash, row)).toBe(row.hash)
    expect(linkHash(head.hash, { ...row, [field]: changed[field] })).not.toBe(row.hash)
  })

  test('begins with the session, so that a record cannot move to another one', () => {
    const { row } = sealRecord(emptyChain(newSessionId()), { type: 'prompt', data: {}, at: 0 })
    expect(linkHash(emptyChain(newSessionId()).hash, row)).not.toBe(row.hash)
  })

  test('stores what the schema made of the payload', () => {
    const size = { cols: 5000, rows: 1 }
    const { record } = sealRecord(emptyChain(newSessionId()), { type: 'resized', data: size, at: 0 })
    expect(record.data).toEqual({ cols: 1000, rows: 1 })
  })

  test('refuses a payload of another type, and reads no stored one that is not in the catalogue', () => {
    const head = emptyChain(newSessionId())
    expect(() => sealRecord(head, { type: 'cwd', data: {} as never, at: 0 })).toThrow(/path/)
    const { row } = sealRecord(head, { type: 'cwd', data: { path: '/' }, at: 0 })
    expect(() => parseRow({ ...row, type: 'toString' })).toThrow(/no event/)
    expect(() => parseRow({ ...row, data: '{"path":1}' })).toThrow(/path/)
    expect(() => parseRow({ ...row, data: '{' })).toThrow(SyntaxError)
  })
})
