/**
 * The record of one session: it turns facts into linked records and output into digests, and queues both for whoever
 * writes them. Knows nothing of files, batches and timers.
 */
import { createHash } from 'node:crypto'
import type { SessionId, StreamOffset } from '../../protocol-src/ids.ts'
import type { CloseReason } from '../../protocol-src/session.ts'
import { messageOf, TtyError } from '../base/errors.ts'
import type { Logger } from '../base/logger.ts'
import type { InputSource, JournalQuery, OwnEventType, SessionJournal, VerifyResult } from './journal.ts'
import type { JournalEventMap, JournalEventType } from './journal-events.ts'
import {
  emptyChain,
  parseRow,
  sealRecord,
  type ChainHead,
  type JournalRecord,
  type RecordRow,
} from './journal-record.ts'
import type { JournalTable } from './journal-table.ts'
import type { OutputStore } from './output-store.ts'
import { verifyChain } from './verify-chain.ts'

/** Output beyond which a record is made without waiting for a flush. */
const RECORD_BYTES = 256 * 1024

/** Whether records may be added: not after the release, and not to a chain that was changed from outside. */
export type ChainState = 'open' | 'released' | 'changed'

/** What a chain must agree with. */
export interface Evidence {
  /** Output from here on must be there. Read at the moment of use. */
  readonly heldFrom: () => StreamOffset
  /** Where the chain must end; null when the anchor is gone or was changed. */
  readonly head: (ChainHead & { readonly isExact: boolean }) | null
}

/** What a session's chain needs of the journal around it. */
export interface ChainPort {
  readonly logger: Logger
  /** Where the committed records are: a later table continues an earlier one. */
  tables(): readonly JournalTable[]
  /** There is something to write; `bytes` of output, or 0 for a record. */
  changed(chain: SessionChain, bytes: number): void
  /** Write what is queued now. */
  flush(): void
  evidence(chain: SessionChain): Evidence
}

/** How a chain begins: anew, or where an earlier run left it. */
export interface ChainStart {
  readonly head: ChainHead
  readonly recordedTo: StreamOffset
  readonly state: ChainState
}

export function newChain(sid: SessionId): ChainStart {
  return { head: emptyChain(sid), recordedTo: 0, state: 'open' }
}

export class SessionChain implements SessionJournal {
  readonly id: SessionId
  readonly output: OutputStore
  readonly #port: ChainPort
  readonly #queue: RecordRow[] = []
  #head: ChainHead
  #committed: ChainHead
  /** Output before this offset is named by a record. */
  #recordedTo: StreamOffset
  #state: ChainState
  /** What a person typed since the last record, and how much output there was before it. */
  #typed = { bytes: 0, after: 0 }

  constructor(parts: { id: SessionId; output: OutputStore; start: ChainStart }, port: ChainPort) {
    this.id = parts.id
    this.output = parts.output
    this.#port = port
    this.#head = parts.start.head
    this.#committed = parts.start.head
    this.#recordedTo = parts.start.recordedTo
    this.#state = parts.start.state
  }

  get lastSeq(): number {
    return this.#head.seq
  }

  get committedSeq(): number {
    return this.#committed.seq
  }

  get committed(): ChainHead {
    return this.#committed
  }

  get state(): ChainState {
    return this.#state
  }

  append<T extends OwnEventType>(type: T, data: JournalEventMap[T]): JournalRecord<T> | null {
    return this.#append(type, data)
  }

  /** The last record: nothing is added after it. */
  release(reason: CloseReason): void {
    if (this.#append('released', { reason }) !== null) this.#state = 'released'
  }

  #append<T extends JournalEventType>(type: T, data: JournalEventMap[T]): JournalRecord<T> | null {
    if (this.#state !== 'open') return this.#refuse(type, `the session is ${this.#state}`)
    this.#catchUp()
    try {
      const record = this.#seal(type, data)
      this.#port.changed(this, 0)
      return record
    } catch (error) {
      // The message names fields, and for a wrong choice the choices, but not what was given.
      return this.#refuse(type, messageOf(error))
    }
  }

  appendOutput(bytes: Uint8Array): void {
    if (bytes.length === 0) return
    if (this.#state !== 'open') {
      this.#refuse('output', `the session is ${this.#state}`)
      return
    }
    for (let at = 0; at < bytes.length; at += RECORD_BYTES) {
      this.output.append(bytes.subarray(at, at + RECORD_BYTES))
      if (this.output.end - this.#recordedTo >= RECORD_BYTES) this.#catchUp()
    }
    this.#port.changed(this, bytes.length)
  }

  appendInput(source: InputSource, bytes: number, isForced = false): void {
    if (source !== 'user' || this.#state !== 'open') {
      this.#append('input', { source, bytes, ...(isForced ? { forced: true } : {}) })
      return
    }
    if (this.#typed.bytes === 0) this.#typed.after = this.output.end
    this.#typed.bytes += bytes
    this.#port.changed(this, 0)
  }

  read({ after = 0, types, limit }: JournalQuery): readonly JournalRecord[] {
    this.#catchUp()
    try {
      const found: RecordRow[] = []
      for (const table of this.#port.tables()) {
        const seen = Math.max(after, found.at(-1)?.seq ?? 0)
        found.push(...table.rows(this.id, { after: seen, types: types ?? null, limit: limit - found.length }))
      }
      const isAsked = (row: RecordRow): boolean =>
        row.seq > after && (types === undefined || types.some((type) => type === row.type))
      found.push(...this.#queue.filter(isAsked).slice(0, limit - found.length))
      return found.map(parseRow)
    } catch (error) {
      throw new TtyError(
        'INTERNAL',
        `The journal of this session cannot be read: ${messageOf(error)}. It was changed or damaged outside the terminal; verify the session to see where.`,
        { cause: error },
      )
    }
  }

  async verify(): Promise<VerifyResult> {
    this.#port.flush()
    const { head, heldFrom } = this.#port.evidence(this)
    const result = await verifyChain({
      sid: this.id,
      tables: this.#port.tables(),
      head,
      heldFrom,
      readBytes: (from, maxBytes) => this.output.readStored(from, maxBytes),
    })
    if (!result.ok) return result
    // Asked at the end, because records may have been added, in order, while the chain was walked.
    const end = this.#state === 'changed' ? head : this.#committed
    const last = this.#port.tables().at(-1)?.last(this.id, null)
    const isBeyond = head?.isExact === true && last !== undefined && end !== null && last.seq > end.seq
    return isBeyond ? { ok: false, seq: end.seq + 1, reason: 'beyond-head' } : result
  }

  /** Name all output and input by records, and put the output where it is stored. */
  gather(): void {
    if (this.#state !== 'open') return
    this.#catchUp()
    this.output.persist()
    this.output.prune()
  }

  /** Records that no table has yet. */
  get queued(): readonly RecordRow[] {
    return this.#queue
  }

  /** The first `count` queued records are in a table. */
  committedFirst(count: number): void {
    const last = this.#queue[count - 1]
    if (last === undefined) return
    this.#committed = { seq: last.seq, hash: last.hash }
    this.#queue.splice(0, count)
  }

  /** Make the records that were put off. */
  #catchUp(): void {
    const { bytes, after } = this.#typed
    if (bytes > 0 && this.#state === 'open') {
      this.#typed.bytes = 0
      this.#recordOutput(after)
      this.#seal('input', { source: 'user', bytes })
    }
    this.#recordOutput(this.output.end)
  }

  #recordOutput(to: StreamOffset): void {
    const from = this.#recordedTo
    if (this.#state !== 'open' || from >= to) return
    const digest = createHash('sha256')
    for (let at = from; at < to;) {
      const bytes = this.output.read(at, to - at)
      // Lost before it was recorded (memory alone, and more of it than fits): the next record begins after the hole.
      if (bytes === null) {
        this.#recordedTo = to
        return
      }
      digest.update(bytes)
      at += bytes.length
    }
    this.#recordedTo = to
    this.#seal('output', { from, to, sha256: digest.digest('hex') })
  }

  #seal<T extends JournalEventType>(type: T, data: JournalEventMap[T]): JournalRecord<T> {
    const { record, row } = sealRecord(this.#head, { type, data, at: Date.now() })
    this.#head = { seq: row.seq, hash: row.hash }
    this.#queue.push(row)
    return record
  }

  #refuse(type: JournalEventType, why: string): null {
    this.#port.logger.error('journal.record-refused', { sessionId: this.id, type, why })
    return null
  }
}
