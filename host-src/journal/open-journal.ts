/** Opens the journal of one directory, or the one in memory when that is asked for or the directory cannot be used. */
import { join } from 'node:path'
import type { DegradedReason, JournalHealth } from '../../protocol-src/host-frames.ts'
import type { SessionId } from '../../protocol-src/ids.ts'
import { messageOf } from '../base/errors.ts'
import type { Disposable } from '../base/lifecycle.ts'
import type { Logger } from '../base/logger.ts'
import { BatchedJournal } from './batched-journal.ts'
import { takeLock } from './directory-lock.ts'
import { nodeFiles, type FilePort } from './file-port.ts'
import { HeadAnchors } from './head-anchors.ts'
import { reasonOf } from './journal-fault.ts'
import type { Journal } from './journal.ts'
import type { JournalTable } from './journal-table.ts'
import { recoverSessions } from './recovery.ts'
import { DEFAULT_RELEASED_LIMITS, type ReleasedLimits } from './released-sessions.ts'
import { openSqliteTable } from './sqlite-journal.ts'

export interface JournalOptions {
  readonly mode: 'disk' | 'memory'
  /** Absolute; the journal's own. Made with mode 0700: `journal.db`, `output/`, `heads/`, `lock`. */
  readonly directory: string
  /** Bytes of output to keep per session, at least 1 MiB. Read at the moment of use, so a change holds at once. */
  readonly keptBytes: () => number
  /** Sessions of an earlier run that go on without a host. */
  readonly survivors?: ReadonlySet<SessionId>
  readonly logger: Logger
  readonly released?: ReleasedLimits
  /** Replaced in tests. */
  readonly files?: FilePort
  readonly openTable?: (path: string, files: FilePort) => Promise<JournalTable>
}

/**
 * Open the journal and finish what an earlier run left: sessions that were live then and did not survive it get `exited`
 * with reason `host stopped`. Never rejects: a directory that cannot be used gives a journal in memory, one warning, and a health that
 * says why.
 */
export async function openJournal(options: JournalOptions): Promise<Journal> {
  const { logger, keptBytes, released = DEFAULT_RELEASED_LIMITS, survivors = new Set() } = options
  const inMemory = (health: JournalHealth): Journal =>
    new BatchedJournal({ disk: null, health, recovered: [], keptBytes, released, logger })
  if (options.mode === 'memory') return inMemory({ mode: 'memory-by-setting' })
  const degraded = (reason: DegradedReason, message: string): Journal => {
    logger.warn('journal.degraded', { reason, message })
    return inMemory({ mode: 'degraded', reason })
  }
  let lock: Disposable | null = null
  let table: JournalTable | null = null
  try {
    const { directory, files = nodeFiles, openTable = openSqliteTable } = options
    const outputDirectory = join(directory, 'output')
    const headDirectory = join(directory, 'heads')
    for (const each of [directory, outputDirectory, headDirectory]) files.makeDirectory(each)
    lock = takeLock(join(directory, 'lock'), files)
    if (lock === null) return degraded('locked', `another host uses ${directory}`)
    table = await openTable(join(directory, 'journal.db'), files)
    const disk = { table, anchors: new HeadAnchors(headDirectory, files), files, outputDirectory }
    const recovered = await recoverSessions(disk, { survivors, logger })
    return new BatchedJournal({
      disk: { ...disk, lock },
      health: { mode: 'disk' },
      recovered,
      keptBytes,
      released,
      logger,
    })
  } catch (error) {
    closeQuietly(table, lock)
    return degraded(reasonOf(error), messageOf(error))
  }
}

function closeQuietly(table: JournalTable | null, lock: Disposable | null): void {
  try {
    table?.close()
    lock?.dispose()
  } catch {
    // The failure that brought us here is the one that is reported.
  }
}
