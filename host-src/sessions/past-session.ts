/** Rebuilds from its records what a session of an earlier run needs to be read. */
import type { JournalEventMap } from '../journal/journal-events.ts'
import type { SessionJournal } from '../journal/journal.ts'
import type { CommandRecord } from '../../protocol-src/command.ts'
import { MAX_COMMANDS } from '../../protocol-src/limits.ts'
import type { LaunchSpec, TerminalSize } from '../../protocol-src/session.ts'
import type { KnownCommands } from '../terminal/command-tracker.ts'
import { SessionStream } from './session-stream.ts'

const PAGE_RECORDS = 1000

/** What the records of a session give. */
export interface Recorded {
  /** With the sizes at the offsets where they came into force. */
  readonly stream: SessionStream
  readonly commands: KnownCommands
}

/** @param start the size at its start, and the directory at its end */
export function restoreRecorded(
  journal: SessionJournal,
  start: { readonly size: TerminalSize; readonly cwd: string | null },
): Recorded {
  const stream = new SessionStream(journal, start.size)
  const commands = new Map<number, CommandRecord>()
  let [offset, seen, cwd] = [0, 0, null as string | null]
  let [running, isTrusted] = [undefined as boolean | undefined, true]
  for (let after = 0; ;) {
    const records = journal.read({ after, types: RESTORED, limit: PAGE_RECORDS })
    for (const record of records) {
      after = record.seq
      switch (record.type) {
        case 'output':
          offset = record.data.to
          break
        case 'resized':
          stream.restoreChange(offset, record.data)
          break
        case 'cwd':
          cwd = record.data.path
          break
        case 'commandStarted':
          seen = record.data.id
          commands.set(seen, { ...record.data, ...UNENDED, cwd, startedAt: record.at })
          commands.delete(seen - MAX_COMMANDS)
          running = true
          break
        case 'commandFinished': {
          const command = commands.get(record.data.id)
          if (command !== undefined) commands.set(command.id, { ...command, ...record.data, endedAt: record.at })
          if (record.data.id === seen) running = false
          break
        }
        case 'prompt':
          if (running !== true) running = false
          break
        case 'commandLost':
          running = undefined
          break
        case 'marksDistrusted':
          ;[running, isTrusted] = [undefined, false]
          break
        default:
      }
    }
    if (records.length < PAGE_RECORDS) break
  }
  return { stream, commands: { commands: [...commands.values()], seen, cwd: start.cwd, running, isTrusted } }
}

const RESTORED = [
  'output',
  'resized',
  'cwd',
  'prompt',
  'commandStarted',
  'commandFinished',
  'commandLost',
  'marksDistrusted',
] as const
const UNENDED = { endedAt: null, exitCode: null, outputTo: null } as const

/** What would run it again. */
export function specOf({ run, cwd, host, persist }: JournalEventMap['opened']): LaunchSpec {
  const command = 'argv' in run ? run.argv.at(-1) : undefined
  const rest = {
    ...(cwd === null ? {} : { cwd }),
    ...(command === undefined ? {} : { command }),
    ...(persist === undefined ? {} : { persist }),
  }
  return host === undefined ? { kind: 'local', ...rest } : { kind: 'ssh', host, ...rest }
}
