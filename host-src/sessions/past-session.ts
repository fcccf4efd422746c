/** Rebuilds from its records what a session of an earlier run needs to be read. */
import { parseEvent, type JournalEventMap } from '../journal/journal-events.ts'
import type { SessionJournal } from '../journal/journal.ts'
import type { LaunchSpec, TerminalSize } from '../../protocol-src/session.ts'
import { SessionStream } from './session-stream.ts'

const PAGE_RECORDS = 1000

/** The stream with the sizes at the offsets where they came into force. */
export function restoreStream(journal: SessionJournal, size: TerminalSize): SessionStream {
  const stream = new SessionStream(journal, size)
  let offset = 0
  for (let after = 0; ;) {
    const records = journal.read({ after, types: ['output', 'resized'], limit: PAGE_RECORDS })
    for (const { type, data, seq } of records) {
      after = seq
      if (type === 'output') offset = parseEvent('output', data).to
      else if (type === 'resized') stream.restoreChange(offset, parseEvent('resized', data))
    }
    if (records.length < PAGE_RECORDS) return stream
  }
}

/** What would run it again. */
export function specOf({ run, cwd }: JournalEventMap['opened']): LaunchSpec {
  const command = 'argv' in run ? run.argv.at(-1) : undefined
  return { kind: 'local', ...(cwd === null ? {} : { cwd }), ...(command === undefined ? {} : { command }) }
}
