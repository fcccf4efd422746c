/** What a failed operation of the journal means to people: which of the known reasons it is. */
import type { DegradedReason } from '../../protocol-src/host-frames.ts'
import { systemCodeOf } from '../base/errors.ts'
import { NewerVersionError, sqliteCodeOf } from './sqlite-journal.ts'

const BY_SYSTEM_CODE: Readonly<Record<string, DegradedReason>> = {
  ENOSPC: 'no-space',
  EDQUOT: 'no-space',
  EACCES: 'no-access',
  EPERM: 'no-access',
  EROFS: 'no-access',
  // Something that is no directory is in the way.
  EEXIST: 'no-access',
  ENOTDIR: 'no-access',
}

/** See sqlite.org/rescode.html: READONLY, CORRUPT, FULL, CANTOPEN, NOTADB. */
const BY_SQLITE_CODE: Readonly<Record<number, DegradedReason>> = {
  8: 'no-access',
  11: 'damaged',
  13: 'no-space',
  14: 'no-access',
  26: 'damaged',
}

export function reasonOf(error: unknown): DegradedReason {
  if (error instanceof NewerVersionError) return 'newer-version'
  const system = BY_SYSTEM_CODE[systemCodeOf(error) ?? '']
  return system ?? BY_SQLITE_CODE[sqliteCodeOf(error) ?? 0] ?? 'failed'
}
