/** What tests of the journal start from: a directory of their own, a logger that remembers, a session that was opened. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { LogFields, Logger } from '../../host-src/base/logger.ts'
import { newSessionId } from '../../host-src/base/random-id.ts'
import type { Journal, SessionJournal } from '../../host-src/journal/journal.ts'
import type { JournalEventMap } from '../../host-src/journal/journal-events.ts'
import { openJournal, type JournalOptions } from '../../host-src/journal/open-journal.ts'
import { patternAt } from './journal-pattern.ts'

export { patternAt } from './journal-pattern.ts'

export const OPENED: JournalEventMap['opened'] = {
  kind: 'local',
  target: 'bash',
  run: { shell: '/bin/bash' },
  cwd: '/home/user',
  size: { cols: 80, rows: 24 },
  owner: { kind: 'user' },
  retryOf: null,
}

export const PROCESS_EXIT: JournalEventMap['exited'] = { exitCode: 0, signal: null, reason: 'process' }

export interface LogLine {
  level: keyof Logger
  event: string
  fields: LogFields | undefined
}

/** A logger and the lines it was given. */
export const recordingLogger = (): { logger: Logger; lines: LogLine[] } => {
  const lines: LogLine[] = []
  const log =
    (level: keyof Logger) =>
    (event: string, fields?: LogFields): void => {
      lines.push({ level, event, fields })
    }
  return { logger: { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') }, lines }
}

/** A directory that is removed after the running test. The journal's own directory inside it does not exist yet. */
export const journalDirectory = (): string => {
  const parent = mkdtempSync(join(tmpdir(), 'dsh-tty-journal-'))
  onTestFinished(() => {
    rmSync(parent, { recursive: true, force: true })
  })
  return join(parent, 'tty')
}

/** A journal that is disposed after the running test. */
export const openTestJournal = async (
  options: Partial<JournalOptions> & { directory: string },
): Promise<{ journal: Journal; lines: LogLine[] }> => {
  const { logger, lines } = recordingLogger()
  const journal = await openJournal({ mode: 'disk', keptBytes: () => 8 * 1024 * 1024, logger, ...options })
  onTestFinished(() => {
    journal.dispose()
  })
  return { journal, lines }
}

/** A new session with its first record. */
export const openTestSession = (journal: Journal): SessionJournal => {
  const session = journal.begin(newSessionId())
  session.append('opened', OPENED)
  return session
}

/** Every byte that reading gives from `from` on, or null when one of its parts is not held. */
export const readAll = (output: SessionJournal['output'], from: number): Buffer | null => {
  const parts: Uint8Array[] = []
  for (let at = from; at < output.end;) {
    const bytes = output.read(at, 100_000)
    if (bytes === null || bytes.length === 0) return null
    parts.push(Uint8Array.from(bytes))
    at += bytes.length
  }
  return Buffer.concat(parts)
}

/** Whether everything that is held reads back as the pattern. */
export const holdsPattern = (output: SessionJournal['output']): boolean =>
  readAll(output, output.start)?.equals(patternAt(output.start, output.end - output.start)) === true
