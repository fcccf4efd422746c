/** Where rows are kept, as a port, and the table that keeps them in memory. Knows nothing of what a row means. */
import type { SessionId } from '../../protocol-src/ids.ts'
import { emptyChain, type ChainHead, type RecordRow } from './journal-record.ts'

export interface SessionRows {
  readonly sid: SessionId
  /** Ascending, following what the table has. */
  readonly rows: readonly RecordRow[]
}

export interface RowQuery {
  readonly after: number
  readonly types: readonly string[] | null
  readonly limit: number
}

/** Every operation may throw what its storage throws. */
export interface JournalTable {
  /** All or nothing. @returns false when somebody else holds the storage right now: then try again later */
  commit(batch: readonly SessionRows[]): boolean
  rows(sid: SessionId, query: RowQuery): readonly RecordRow[]
  /** What the first row of the session links to: seq 0, unless older rows were dropped. */
  base(sid: SessionId): ChainHead
  last(sid: SessionId, type: string | null): RecordRow | undefined
  /** In order of their first commit. */
  sessions(): readonly SessionId[]
  /** Forget a session at once; its rows go with `sweep`. */
  forget(sid: SessionId): void
  /** Delete a bounded number of forgotten rows. @returns whether there are more */
  sweep(): boolean
  /** Move the write-ahead log into the file, without stalling; until it is done `commit` gives false. */
  checkpoint(): Promise<void>
  /** End a checkpoint that is under way now, stalling if need be, so that the next commit goes through. */
  settle(): void
  close(): void
}

/** Records kept per session in memory, at most; the oldest go. A kilobyte each at worst is 4 MiB. */
const MAX_MEMORY_ROWS = 4096

interface MemorySession {
  readonly rows: RecordRow[]
  base: ChainHead
}

export class MemoryTable implements JournalTable {
  readonly #sessions = new Map<SessionId, MemorySession>()

  commit(batch: readonly SessionRows[]): boolean {
    for (const { sid, rows } of batch) {
      const [first] = rows
      if (first === undefined) continue
      const session = this.#sessions.get(sid) ?? { rows: [], base: emptyChain(sid) }
      this.#sessions.set(sid, session)
      session.rows.push(...rows)
      // In chunks, so that a row is not moved for each row that comes.
      if (session.rows.length > MAX_MEMORY_ROWS * 1.25) {
        const dropped = session.rows.splice(0, session.rows.length - MAX_MEMORY_ROWS)
        session.base = dropped.at(-1) ?? session.base
      }
    }
    return true
  }

  rows(sid: SessionId, { after, types, limit }: RowQuery): readonly RecordRow[] {
    const found: RecordRow[] = []
    for (const row of this.#sessions.get(sid)?.rows ?? []) {
      if (found.length >= limit) break
      if (row.seq > after && (types === null || types.includes(row.type))) found.push(row)
    }
    return found
  }

  base(sid: SessionId): ChainHead {
    const { seq, hash } = this.#sessions.get(sid)?.base ?? emptyChain(sid)
    return { seq, hash }
  }

  last(sid: SessionId, type: string | null): RecordRow | undefined {
    return this.#sessions.get(sid)?.rows.findLast((row) => type === null || row.type === type)
  }

  sessions(): readonly SessionId[] {
    return [...this.#sessions.keys()]
  }

  forget(sid: SessionId): void {
    this.#sessions.delete(sid)
  }

  sweep(): boolean {
    return false
  }

  async checkpoint(): Promise<void> {
    // Nothing is written ahead.
  }

  settle(): void {
    // No checkpoint takes time.
  }

  close(): void {
    this.#sessions.clear()
  }
}
