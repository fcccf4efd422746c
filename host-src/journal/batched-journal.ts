/**
 * The journal: gathers what sessions record and writes it in batches, off the path of the bytes. When the disk fails it
 * goes on in memory, and says so once.
 */
import type { JournalHealth } from '../../protocol-src/host-frames.ts'
import { join } from 'node:path'
import type { SessionId, StreamOffset } from '../../protocol-src/ids.ts'
import type { CloseReason } from '../../protocol-src/session.ts'
import { detached } from '../base/async.ts'
import { messageOf } from '../base/errors.ts'
import { Emitter, type Disposable, type Event } from '../base/lifecycle.ts'
import type { Logger } from '../base/logger.ts'
import { AnchoredSession } from './anchored-session.ts'
import { BatchTimer } from './batch-timer.ts'
import type { Journal, PastSession, SessionJournal } from './journal.ts'
import { reasonOf } from './journal-fault.ts'
import { MemoryTable, type JournalTable } from './journal-table.ts'
import { OutputStore } from './output-store.ts'
import type { JournalDisk, RecoveredSession } from './recovery.ts'
import { ReleasedSessions, type ReleasedLimits } from './released-sessions.ts'
import { SegmentFiles } from './segment-files.ts'
import { newChain, SessionChain, type ChainPort } from './session-chain.ts'

/** How often, after something was written, quiet sessions are put to rest and the write-ahead log is looked at. */
const REST_MS = 1_000
const SWEEP_MS = 20 // between two bites of rows that are deleted
/** Records in the log, 1.7 KB each, at which it is emptied: in a quiet moment, and when a flood leaves none. */
const QUIET_CHECKPOINT_RECORDS = 500
const BUSY_CHECKPOINT_RECORDS = 4_000
/** Flushes in a row that found the file held by another process, after which the disk is given up: about ten seconds. */
const MAX_BUSY_FLUSHES = 100

export interface JournalParts {
  /** Null keeps everything in memory. */
  readonly disk: (JournalDisk & { readonly lock: Disposable }) | null
  readonly health: JournalHealth
  readonly recovered: readonly RecoveredSession[]
  /** Output to keep per session. Read at the moment of use. */
  readonly keptBytes: () => number
  readonly released: ReleasedLimits
  readonly logger: Logger
}

export class BatchedJournal implements Journal {
  readonly onHealthChange: Event<JournalHealth>
  readonly #parts: JournalParts
  readonly #healthChanges: Emitter<JournalHealth>
  readonly #memory = new MemoryTable()
  readonly #sessions = new Map<SessionId, AnchoredSession>()
  readonly #released: ReleasedSessions
  /** With something to write. */
  readonly #dirty = new Set<AnchoredSession>()
  /** Written to since they were last put to rest. */
  readonly #awake = new Set<AnchoredSession>()
  readonly #port: ChainPort
  readonly #timer = new BatchTimer({
    flush: () => {
      this.flush()
    },
    rest: () => {
      this.#restAll()
    },
  })
  #health: JournalHealth
  #tables: readonly JournalTable[]
  #unmovedRecords = 0
  #busyFlushes = 0
  #isDisposed = false

  constructor(parts: JournalParts) {
    const { disk } = parts
    this.#parts = parts
    this.#health = parts.health
    this.#healthChanges = new Emitter(parts.logger)
    this.onHealthChange = this.#healthChanges.event
    this.#tables = [disk?.table ?? this.#memory]
    this.#port = {
      logger: parts.logger,
      tables: () => this.#tables,
      changed: (chain, bytes) => {
        this.#changed(chain, bytes)
      },
      flush: () => {
        this.flush()
      },
      evidence: ({ id }) => this.#require(id).evidence(this.#health.mode === 'disk' ? (disk?.anchors ?? null) : null),
    }
    this.#released = new ReleasedSessions(parts.released)
    for (const session of parts.recovered) {
      const output = this.#newStore(session.id, session.segments, session.start.recordedTo)
      const chain = new SessionChain({ id: session.id, output, start: session.start }, this.#port)
      this.#sessions.set(session.id, new AnchoredSession(chain, session))
      if (session.released !== null) this.#released.add(session.id, session.released)
    }
    if (disk !== null) this.#timer.restIn(REST_MS)
  }

  get health(): JournalHealth {
    return this.#health
  }

  begin(id: SessionId): SessionJournal {
    if (this.#sessions.has(id)) throw new RangeError('the journal has a session of this id already')
    const disk = this.#health.mode === 'disk' ? this.#parts.disk : null
    const segments = disk === null ? null : new SegmentFiles(join(disk.outputDirectory, id), disk.files)
    const chain = new SessionChain({ id, output: this.#newStore(id, segments, 0), start: newChain(id) }, this.#port)
    this.#sessions.set(id, new AnchoredSession(chain, null))
    return chain
  }

  find(id: SessionId): SessionJournal | undefined {
    return this.#sessions.get(id)?.chain
  }

  pastSessions(): readonly PastSession[] {
    return [...this.#sessions.values()].flatMap(({ past, chain: { id, output } }) => {
      if (past === null) return []
      const releasedReason = this.#released.reasonOf(id)
      return { ...past, releasedReason, output: { start: output.start, end: output.end } }
    })
  }

  releaseSession(id: SessionId, reason: CloseReason): void {
    const session = this.#sessions.get(id)
    if (session === undefined || this.#released.has(id)) return
    const { chain } = session
    if (chain.state === 'open') {
      chain.release(reason)
      this.flush()
      this.#onDisk(({ anchors }) => {
        session.settleWithoutOutput(anchors)
      })
    }
    chain.output.removeAll()
    if (chain.state === 'released' && this.#health.mode === 'disk') this.#released.add(id, { reason, at: Date.now() })
    else this.#forget(id)
    this.#timer.restIn(REST_MS)
  }

  flush(): void {
    this.#timer.reset()
    if (this.#dirty.size === 0) return
    const sessions = [...this.#dirty]
    this.#dirty.clear()
    for (const { chain } of sessions) chain.gather()
    this.#write(sessions)
    for (const session of sessions) this.#awake.add(session)
    this.#timer.restIn(REST_MS)
  }

  dispose(): void {
    if (this.#isDisposed) return
    this.#onDisk(({ table }) => {
      table.settle()
    })
    this.flush()
    this.#isDisposed = true
    this.#timer.stop()
    for (const session of this.#sessions.values()) {
      this.#rest(session)
      session.chain.output.useMemory()
    }
    try {
      this.#parts.disk?.table.close()
      this.#parts.disk?.lock.dispose()
    } catch (error) {
      this.#parts.logger.warn('journal.close-failed', { message: messageOf(error) })
    }
    this.#healthChanges.dispose()
  }

  #newStore(id: SessionId, segments: SegmentFiles | null, at: StreamOffset): OutputStore {
    return new OutputStore({
      segments,
      at,
      onPrunable: () => {
        const session = this.#sessions.get(id)
        if (session !== undefined) this.#changed(session.chain, 0)
      },
      keptBytes: this.#parts.keptBytes,
      onFault: (error) => {
        this.#degrade(error)
      },
    })
  }

  #changed(chain: SessionChain, bytes: number): void {
    const session = this.#sessions.get(chain.id)
    if (session === undefined) return
    this.#dirty.add(session)
    this.#timer.gathered(bytes)
  }

  /** Commit the queues. Their output is in its files already, so that no record names bytes that a crash could lose. */
  #write(sessions: readonly AnchoredSession[]): void {
    const queues = sessions
      .map((session) => ({ session, rows: session.chain.queued }))
      .filter(({ rows }) => rows.length > 0)
    const batch = queues.map(({ session: { chain }, rows }) => ({ sid: chain.id, rows }))
    let isDone = false
    this.#onDisk(({ table, anchors }) => {
      for (const { session } of queues) session.loosen(anchors)
      isDone = table.commit(batch)
      if (!isDone) this.#tryAgain(sessions)
    })
    if (!isDone && this.#health.mode !== 'disk') isDone = this.#memory.commit(batch)
    if (!isDone) return
    this.#busyFlushes = 0
    for (const { session, rows } of queues) {
      this.#unmovedRecords += rows.length
      session.chain.committedFirst(rows.length)
    }
    this.#onDisk(({ anchors }) => {
      for (const session of sessions) {
        session.advance(anchors)
        session.chain.output.sweep()
      }
    })
  }

  #tryAgain(sessions: readonly AnchoredSession[]): void {
    this.#busyFlushes++
    if (this.#busyFlushes > MAX_BUSY_FLUSHES) throw new Error('another process holds the journal file')
    for (const session of sessions) this.#dirty.add(session)
    this.#timer.gathered(0)
  }

  /** Between bursts: quiet sessions give up memory and open files, the log is emptied, old records go. */
  #restAll(): void {
    for (const session of this.#awake) {
      if (this.#dirty.has(session)) continue
      this.#rest(session)
      this.#awake.delete(session)
    }
    const isQuiet = this.#dirty.size === 0
    this.#onDisk(({ table }) => {
      if (this.#unmovedRecords > (isQuiet ? QUIET_CHECKPOINT_RECORDS : BUSY_CHECKPOINT_RECORDS)) this.#checkpoint(table)
      if (!isQuiet) return
      for (const id of this.#released.takeExpired(Date.now())) this.#forget(id)
      if (table.sweep()) this.#timer.restIn(SWEEP_MS)
    })
    if (this.#awake.size > 0 || !isQuiet) this.#timer.restIn(REST_MS)
  }

  #checkpoint(table: JournalTable): void {
    this.#unmovedRecords = 0
    detached(this.#parts.logger, 'empty the write-ahead log', async () => {
      try {
        await table.checkpoint()
        // What was held back meanwhile does not wait for its next turn.
        this.flush()
      } catch (error) {
        this.#degrade(error)
      }
    })
  }

  #rest(session: AnchoredSession): void {
    session.chain.output.rest()
    this.#onDisk(({ anchors }) => {
      session.settle(anchors)
    })
  }

  /** Remove every trace of a session. Where the disk has failed, its file is left as it is. */
  #forget(id: SessionId): void {
    for (const session of this.#dirty) if (session.chain.id === id) this.#dirty.delete(session)
    this.#sessions.delete(id)
    this.#memory.forget(id)
    this.#onDisk(({ table, anchors, files, outputDirectory }) => {
      table.forget(id)
      anchors.remove(id)
      files.removeDirectory(join(outputDirectory, id))
    })
  }

  /** Run `work` while the disk is in use; when it throws, the disk no longer is. */
  #onDisk(work: (disk: JournalDisk) => void): void {
    const { disk } = this.#parts
    if (disk === null || this.#health.mode !== 'disk') return
    try {
      work(disk)
    } catch (error) {
      this.#degrade(error)
    }
  }

  #degrade(error: unknown): void {
    if (this.#health.mode !== 'disk') return
    const reason = reasonOf(error)
    this.#health = { mode: 'degraded', reason }
    // What is in the file stays readable.
    this.#tables = [...this.#tables, this.#memory]
    for (const { chain } of this.#sessions.values()) chain.output.useMemory()
    this.#parts.logger.warn('journal.degraded', { reason, message: messageOf(error) })
    this.#healthChanges.fire(this.#health)
  }

  #require(id: SessionId): AnchoredSession {
    const session = this.#sessions.get(id)
    if (session === undefined) throw new RangeError('the journal no longer has this session')
    return session
  }
}
