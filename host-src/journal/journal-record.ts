/** One record and the chain that links it to those before it. Knows nothing of where records are kept. */
import { randomUUID } from 'node:crypto'
import type { SessionId } from '../../protocol-src/ids.ts'
import { canonicalJson, sha256Hex } from '../base/canonical-json.ts'
import { isJournalEventType, parseEvent, type JournalEventMap, type JournalEventType } from './journal-events.ts'

interface RecordOf<T extends JournalEventType> {
  /** 1, 2, 3 … within a session, without a hole. */
  readonly seq: number
  /** Unique among all records of all sessions. */
  readonly id: string
  /** Epoch milliseconds; the clock may be set back, so only `seq` orders. */
  readonly at: number
  readonly type: T
  readonly data: JournalEventMap[T]
  /** SHA-256 over the previous record's hash and the canonical JSON of the fields above; hexadecimal. */
  readonly hash: string
}

/** A union over the types, so that `type` narrows `data`. */
export type JournalRecord<T extends JournalEventType = JournalEventType> = T extends JournalEventType
  ? RecordOf<T>
  : never

/** A record as it is stored: `data` is canonical JSON. */
export interface RecordRow {
  readonly seq: number
  readonly id: string
  readonly at: number
  readonly type: string
  readonly data: string
  readonly hash: string
}

/** The end of a chain: what the next record links to. */
export interface ChainHead {
  /** 0 before the first record. */
  readonly seq: number
  readonly hash: string
}

/** Before the first record stands the session's id, so that a record cannot be moved to another session. */
export function emptyChain(sid: SessionId): ChainHead {
  return { seq: 0, hash: sid }
}

/**
 * Make the record that follows `head`.
 * @throws ZodError when `data` is not a payload of `type`
 */
export function sealRecord<T extends JournalEventType>(
  head: ChainHead,
  event: { readonly type: T; readonly data: JournalEventMap[T]; readonly at: number },
): { record: JournalRecord<T>; row: RecordRow } {
  const data = parseEvent(event.type, event.data)
  const fields = {
    seq: head.seq + 1,
    id: randomUUID(),
    at: event.at,
    type: event.type,
    data: canonicalJson(data),
  }
  const row = { ...fields, hash: linkHash(head.hash, fields) }
  return { record: { ...row, data } as JournalRecord<T>, row }
}

/** The hash a row must have after `previousHash`. */
export function linkHash(previousHash: string, row: Omit<RecordRow, 'hash'>): string {
  // The canonical JSON of the record with `data` in place: the keys below are in order.
  const rest = `{"at":${canonicalJson(row.at)},"data":${row.data},"id":${canonicalJson(row.id)},"seq":${canonicalJson(row.seq)},"type":${canonicalJson(row.type)}}`
  return sha256Hex(previousHash + rest)
}

/**
 * The record a stored row stands for.
 * @throws SyntaxError, TypeError or ZodError when its type or payload is not in the catalogue
 */
export function parseRow(row: RecordRow): JournalRecord {
  if (!isJournalEventType(row.type)) throw new TypeError(`the journal has no event ${JSON.stringify(row.type)}`)
  return { ...row, data: parseEvent(row.type, JSON.parse(row.data)) } as JournalRecord
}
