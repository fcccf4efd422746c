/** What the journal offers to those who own sessions and those who read them. */
import type { JournalHealth } from '../../protocol-src/host-frames.ts'
import type { SessionId, StreamOffset } from '../../protocol-src/ids.ts'
import type { CloseReason, Owner, TerminalSize } from '../../protocol-src/session.ts'
import type { Event } from '../base/lifecycle.ts'
import type { JournalEventMap, JournalEventType } from './journal-events.ts'
import type { ChainHead, JournalRecord } from './journal-record.ts'
import type { OutputReader } from './output-store.ts'

export interface JournalQuery {
  /** Only records with a greater `seq`; 0 or absent starts at the first. */
  readonly after?: number
  /** Only records of these types; absent for all. */
  readonly types?: readonly JournalEventType[]
  /** At most as many records. */
  readonly limit: number
}

export type VerifyFailure =
  /** A record is not there: deleted, or moved away. */
  | 'gap'
  /** A record's fields do not give its hash: edited, inserted, or moved here. */
  | 'hash'
  /** A record's payload is not one of its type. */
  | 'payload'
  /** The last records are not there: the chain ends before its anchored head. */
  | 'cut-tail'
  /** There are records after the anchored head. */
  | 'beyond-head'
  /** The anchor is absent, unreadable, or names another hash. */
  | 'anchor'
  /** Bytes that are kept do not give the digest of the record. */
  | 'bytes'
  /** Bytes that should be kept are not there. */
  | 'bytes-missing'

export type VerifyResult =
  | {
      readonly ok: true
      /** Two readers that see the same `head.hash` have read the same history. */
      readonly head: ChainHead
      /** Output records whose bytes were compared, and those whose bytes are no longer kept. */
      readonly outputs: { readonly verified: number; readonly pruned: number }
    }
  | { readonly ok: false; readonly seq: number; readonly reason: VerifyFailure }

/** What an owner appends by name: `output`, `input` and `released` come with the output, the input and the release. */
export type OwnEventType = Exclude<JournalEventType, 'output' | 'input' | 'released'>

export type InputSource = JournalEventMap['input']['source']

/** The record of one session. */
export interface SessionJournal {
  readonly id: SessionId
  readonly output: OutputReader
  /** `seq` of the newest record, 0 when there is none. Output that is not yet recorded has none. */
  readonly lastSeq: number
  /** `seq` up to which records are in the file (in memory mode: gathered). */
  readonly committedSeq: number
  /**
   * Record a fact, after all output so far. Synchronous and cheap: it queues, and the queue is written within 100 ms.
   * Never throws.
   * @returns the record; null when it was refused, with a line in the log: the payload is not one of `type`, the session
   * was released, or its file was found changed
   */
  append<T extends OwnEventType>(type: T, data: JournalEventMap[T]): JournalRecord<T> | null
  /** Store output; its record follows by itself. The bytes are copied. Never throws. */
  appendOutput(bytes: Uint8Array): void
  /**
   * Somebody typed as many bytes. What a person types in one batch, with no other record in between, is one record, so that
   * a key costs nothing before its echo; every submission of others has its own. Never throws.
   * @param isForced although a person may have been typing
   */
  appendInput(source: InputSource, bytes: number, isForced?: boolean): void
  /**
   * Records in order, those not yet written included; output not yet recorded is recorded first.
   * @throws TtyError INTERNAL when the file cannot be read or a stored record is not one of the catalogue
   */
  read(query: JournalQuery): readonly JournalRecord[]
  /**
   * Recompute the chain, and the digests where the bytes are still kept. Yields to other work in between.
   * Rejects with what the storage throws when it cannot be read at all.
   */
  verify(): Promise<VerifyResult>
}

/** A session of an earlier run of the host, as the file knows it. */
export interface PastSession {
  readonly id: SessionId
  readonly opened: JournalEventMap['opened']
  /** Epoch milliseconds. */
  readonly startedAt: number
  /** Null when it goes on without the host, and when the file was found changed, so that nothing could be added. */
  readonly exited: JournalEventMap['exited'] | null
  readonly exitedAt: number | null
  readonly terminated: JournalEventMap['terminated'] | null
  readonly releasedReason: CloseReason | null
  readonly owner: Owner
  readonly isHidden: boolean
  /** The person's name for it. */
  readonly title: string | null
  readonly cwd: string | null
  readonly size: TerminalSize
  /** Output still held: from, and after the last byte. */
  readonly output: { readonly start: StreamOffset; readonly end: StreamOffset }
  /** False when the quick check at the start found the file changed from outside; `verify` names the place. */
  readonly isSound: boolean
}

export interface Journal {
  readonly health: JournalHealth
  /** At most one change: from disk to degraded. */
  readonly onHealthChange: Event<JournalHealth>
  /** Begin the record of a new session. @throws RangeError when there is one of this id */
  begin(id: SessionId): SessionJournal
  /** A session of this run or of an earlier one that was not released. */
  find(id: SessionId): SessionJournal | undefined
  /** Sessions of earlier runs, oldest first; those released among them while their records are kept. */
  pastSessions(): readonly PastSession[]
  /**
   * Record `released` and drop the session's output. Its records stay until enough later sessions were released; in memory,
   * and when its file was found changed, they go at once. Does nothing for a session that is not there.
   */
  releaseSession(id: SessionId, reason: CloseReason): void
  /** Write what is queued now. */
  flush(): void
  /** Write what is queued and let go of the directory. Sessions without `exited` get `host stopped` at the next start. */
  dispose(): void
}
