/**
 * The rows in one SQLite file, through Node's own `node:sqlite`, loaded when the first file is opened. The file has mode
 * 0600, and so have its write-ahead log and index. Checkpoints are made by hand: an automatic one would stall a commit.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { SessionId } from '../../protocol-src/ids.ts'
import type { FilePort } from './file-port.ts'
import { emptyChain, type ChainHead, type RecordRow } from './journal-record.ts'
import type { JournalTable, RowQuery, SessionRows } from './journal-table.ts'

/** Append only: what a file has been through is never edited, a change is a new step. */
const MIGRATIONS: readonly string[] = [
  // `number` orders sessions by their first commit. The index leaves out the two frequent types, which nobody looks up.
  `CREATE TABLE sessions (number INTEGER PRIMARY KEY, sid TEXT NOT NULL UNIQUE, forgotten INTEGER NOT NULL DEFAULT 0) STRICT;
   CREATE TABLE records (
     sid TEXT NOT NULL, seq INTEGER NOT NULL, id TEXT NOT NULL, at INTEGER NOT NULL, type TEXT NOT NULL,
     data TEXT NOT NULL, hash TEXT NOT NULL, PRIMARY KEY (sid, seq)) STRICT, WITHOUT ROWID;
   CREATE INDEX rare_records ON records (sid, type, seq) WHERE type NOT IN ('output', 'input');`,
]

const FREQUENT_TYPES: ReadonlySet<string> = new Set(['output', 'input'])
const COLUMNS = 'seq, id, at, type, data, hash'
/** Rows deleted in one go: about a millisecond. */
const SWEEP_ROWS = 500
const SQLITE_BUSY = 5

/** The file was written by a version of this plugin that knows more migrations. */
export class NewerVersionError extends Error {
  override readonly name = 'NewerVersionError'
}

/**
 * Open the file at `path`, making or migrating it.
 * @throws NewerVersionError, Node's system errors, and SQLite's (`code` ERR_SQLITE_ERROR with `errcode`)
 */
export async function openSqliteTable(path: string, files: FilePort): Promise<JournalTable> {
  // Made beforehand, so that it never has another mode; SQLite gives its other two files the same.
  const fd = files.openAppend(path)
  let database: DatabaseSync | undefined
  try {
    const sqlite = await import('node:sqlite')
    database = new sqlite.DatabaseSync(path)
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0')
    migrate(database)
    return new SqliteTable(database, { path, fd, files })
  } catch (error) {
    database?.close()
    files.close(fd)
    throw error
  }
}

/** The numeric result code of an SQLite error without its extension, or null. */
export function sqliteCodeOf(error: unknown): number | null {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : null
}

function migrate(database: DatabaseSync): void {
  database.exec('CREATE TABLE IF NOT EXISTS versions (version INTEGER PRIMARY KEY, appliedAt INTEGER NOT NULL) STRICT')
  const row = database.prepare('SELECT coalesce(max(version), 0) AS version FROM versions').get()
  const version = Number(row?.['version'])
  if (version > MIGRATIONS.length)
    throw new NewerVersionError(
      `the journal has version ${String(version)}, and this plugin knows versions up to ${String(MIGRATIONS.length)}`,
    )
  for (const [at, step] of MIGRATIONS.entries()) {
    if (at < version) continue
    inTransaction(database, () => {
      database.exec(step)
      database.prepare('INSERT INTO versions (version, appliedAt) VALUES (?, ?)').run(at + 1, Date.now())
    })
  }
}

function inTransaction(database: DatabaseSync, work: () => void): void {
  database.exec('BEGIN IMMEDIATE')
  try {
    work()
    database.exec('COMMIT')
  } catch (error) {
    // After some errors (a full disk) SQLite has rolled back by itself.
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}

interface DatabaseFile {
  readonly path: string
  /** Closed after the database only: closing any descriptor of a file gives up the process's locks on it. */
  readonly fd: number
  readonly files: FilePort
}

class SqliteTable implements JournalTable {
  readonly #database: DatabaseSync
  readonly #file: DatabaseFile
  /** `log`: the log is on its way to the disk. `pages`: its pages are copied, and the copies are on theirs. */
  #checkpoint: 'none' | 'log' | 'pages' = 'none'
  #isClosed = false
  readonly #addSession: StatementSync
  readonly #addRow: StatementSync
  readonly #rows: StatementSync
  readonly #last: StatementSync
  readonly #lastFrequent: StatementSync
  readonly #lastRare: StatementSync
  /** Whose row in `sessions` is known to be there. */
  readonly #known = new Set<SessionId>()

  constructor(database: DatabaseSync, file: DatabaseFile) {
    this.#file = file
    this.#database = database
    const newest = `SELECT ${COLUMNS} FROM records WHERE sid = ?`
    this.#addSession = database.prepare('INSERT INTO sessions (sid) VALUES (?) ON CONFLICT DO NOTHING')
    this.#addRow = database.prepare(`INSERT INTO records (sid, ${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)`)
    this.#rows = database.prepare(`SELECT ${COLUMNS} FROM records WHERE sid = ? AND seq > ? ORDER BY seq LIMIT ?`)
    this.#last = database.prepare(`${newest} ORDER BY seq DESC LIMIT 1`)
    this.#lastFrequent = database.prepare(`${newest} AND +type = ? ORDER BY seq DESC LIMIT 1`)
    this.#lastRare = database.prepare(
      `${newest} AND type = ? AND type NOT IN ('output', 'input') ORDER BY seq DESC LIMIT 1`,
    )
  }

  commit(batch: readonly SessionRows[]): boolean {
    if (this.#checkpoint !== 'none') return false
    try {
      inTransaction(this.#database, () => {
        for (const { sid, rows } of batch) {
          if (!this.#known.has(sid)) this.#addSession.run(sid)
          for (const { seq, id, at, type, data, hash } of rows) this.#addRow.run(sid, seq, id, at, type, data, hash)
        }
      })
    } catch (error) {
      if (sqliteCodeOf(error) === SQLITE_BUSY) return false
      throw error
    }
    for (const { sid } of batch) this.#known.add(sid)
    return true
  }

  rows(sid: SessionId, { after, types, limit }: RowQuery): readonly RecordRow[] {
    if (types === null) return this.#rows.all(sid, after, limit).map(toRow)
    const isRare = types.every((type) => !FREQUENT_TYPES.has(type))
    const marks = types.map(() => '?').join(', ')
    const statement = this.#database.prepare(
      `SELECT ${COLUMNS} FROM records WHERE sid = ? AND seq > ? AND type IN (${marks})
       ${isRare ? "AND type NOT IN ('output', 'input')" : ''} ORDER BY seq LIMIT ?`,
    )
    return statement.all(sid, after, ...types, limit).map(toRow)
  }

  base(sid: SessionId): ChainHead {
    return emptyChain(sid)
  }

  last(sid: SessionId, type: string | null): RecordRow | undefined {
    if (type === null) return toRowOrNone(this.#last.get(sid))
    return toRowOrNone((FREQUENT_TYPES.has(type) ? this.#lastFrequent : this.#lastRare).get(sid, type))
  }

  sessions(): readonly SessionId[] {
    const rows = this.#database.prepare('SELECT sid FROM sessions WHERE forgotten = 0 ORDER BY number').all()
    return rows.map((row) => row['sid'] as SessionId)
  }

  forget(sid: SessionId): void {
    this.#database.prepare('UPDATE sessions SET forgotten = 1 WHERE sid = ?').run(sid)
    this.#known.delete(sid)
  }

  sweep(): boolean {
    const row = this.#database.prepare('SELECT sid FROM sessions WHERE forgotten = 1 LIMIT 1').get()
    if (row === undefined) return false
    const sid = row['sid'] as SessionId
    const deleted = this.#database
      .prepare(
        'DELETE FROM records WHERE sid = ? AND seq IN (SELECT seq FROM records WHERE sid = ? ORDER BY seq LIMIT ?)',
      )
      .run(sid, sid, SWEEP_ROWS)
    if (deleted.changes === 0) this.#database.prepare('DELETE FROM sessions WHERE sid = ?').run(sid)
    return true
  }

  /**
   * What stalls in a checkpoint is waiting for the disk, so that happens outside: the log reaches the disk before its pages
   * are copied, and the copies reach it before a commit may write over the log.
   */
  async checkpoint(): Promise<void> {
    if (this.#checkpoint !== 'none' || this.#isClosed) return
    const { path, fd, files } = this.#file
    this.#checkpoint = 'log'
    try {
      const log = files.openAppend(`${path}-wal`)
      try {
        await files.sync(log)
      } finally {
        files.close(log)
      }
      if (!this.#isAt('log')) return
      this.#checkpoint = 'pages'
      this.#database.exec('PRAGMA synchronous = OFF; PRAGMA wal_checkpoint(PASSIVE); PRAGMA synchronous = NORMAL')
      await files.sync(fd)
    } catch (error) {
      // After `settle` it is done or given up, and the file may be closed.
      if (!this.#isAt('none')) throw error
    } finally {
      this.#checkpoint = 'none'
    }
  }

  settle(): void {
    // Copies must reach the disk before a commit writes over the log, or the end removes it.
    if (this.#checkpoint === 'pages') this.#file.files.syncNow(this.#file.fd)
    this.#checkpoint = 'none'
  }

  close(): void {
    if (this.#isClosed) return
    this.settle()
    this.#isClosed = true
    // The last connection to close also moves the log into the file and removes it.
    this.#database.close()
    this.#file.files.close(this.#file.fd)
  }

  /** The stage may change during an await. */
  #isAt(stage: 'none' | 'log' | 'pages'): boolean {
    return this.#checkpoint === stage
  }
}

function toRowOrNone(row: Record<string, unknown> | undefined): RecordRow | undefined {
  return row === undefined ? undefined : toRow(row)
}

/** What a stranger wrote into the file may be of another type: it then gives another hash, never an exception. */
function toRow(row: Record<string, unknown>): RecordRow {
  return {
    seq: Number(row['seq']),
    id: String(row['id']),
    at: Number(row['at']),
    type: String(row['type']),
    data: String(row['data']),
    hash: String(row['hash']),
  }
}
