/**
 * The commands of one session: its output goes through the parser of marks to the tracker, and what the tracker learns goes
 * to the journal and to whoever listens. The nonce stays in here and in the parser.
 */
import type { CommandRecord } from '../../protocol-src/command.ts'
import type { MarkNonce, StreamOffset } from '../../protocol-src/ids.ts'
import { MAX_LISTED_COMMAND_CHARS } from '../../protocol-src/limits.ts'
import type { SessionDescriptor } from '../../protocol-src/session.ts'
import type { Logger } from '../base/logger.ts'
import type { SessionJournal } from '../journal/journal.ts'
import type { OutputReader } from '../journal/output-store.ts'
import { CommandTracker, type KnownCommands } from '../terminal/command-tracker.ts'
import { CwdReports, type Machine } from '../terminal/cwd-report.ts'
import { MarkParser } from '../terminal/mark-parser.ts'
import { cutText } from '../terminal/mark-text.ts'
import { ShellWatch } from './shell-watch.ts'

const REREAD_BYTES = 256 * 1024

export interface SessionCommandsParts {
  readonly journal: SessionJournal
  /** Null where nobody writes marks. */
  readonly nonce: MarkNonce | null
  /** Whether the process is one command and no shell that runs several. */
  readonly isOneCommand: boolean
  readonly machine: Machine
  /** Names what its process runs; null where that cannot be known. */
  readonly image: () => string | null
  readonly logger: Logger
  /** A command started or ended. */
  readonly announce: (command: CommandRecord) => void
  /** What the descriptor says changed. */
  readonly changed: () => void
}

export class SessionCommands {
  readonly tracker: CommandTracker
  readonly #parts: SessionCommandsParts
  readonly #parser: MarkParser | null
  #reports: CwdReports
  readonly #watch: ShellWatch
  /** Whether the process lives; undefined before its start. */
  #isAlive: boolean | undefined

  constructor(parts: SessionCommandsParts) {
    this.#parts = parts
    const { journal, nonce, logger } = parts
    const now = (record: { readonly at: number } | null): number => record?.at ?? Date.now()
    this.tracker = new CommandTracker({
      started: ({ id, text, truncated, outputFrom, promptAt }) =>
        now(journal.append('commandStarted', { id, text, truncated, outputFrom, promptAt })),
      finished: ({ id, exitCode, outputTo }) => now(journal.append('commandFinished', { id, exitCode, outputTo })),
      lost: (id) => {
        journal.append('commandLost', { id })
      },
      prompted: () => {
        journal.append('prompt', {})
      },
      moved: (path) => {
        journal.append('cwd', { path })
      },
      command: parts.announce,
      changed: parts.changed,
    })
    this.#watch = new ShellWatch({
      image: parts.image,
      isCommandRunning: () => this.tracker.current !== null,
      replaced: () => {
        this.tracker.shellReplaced()
      },
    })
    this.#reports = this.#reportsOf(parts.machine)
    this.#parser =
      nonce === null
        ? null
        : new MarkParser(nonce, {
            mark: (mark) => {
              this.#watch.marked()
              this.tracker.take(mark)
            },
            nonceSeen: (at) => {
              if (!this.tracker.isTrusted) return
              journal.append('marksDistrusted', { at })
              logger.warn('marks.distrusted', { at })
              this.tracker.distrust()
            },
          })
  }

  /** What the descriptor says of it. */
  get facts(): Pick<SessionDescriptor, 'running' | 'lastCommand' | 'currentCommand' | 'commandsSeen'> {
    const { last, current, seen } = this.tracker
    const running = this.#parts.isOneCommand || this.#isAlive === false ? this.#isAlive : this.tracker.running
    return {
      ...(running === undefined ? {} : { running }),
      lastCommand: last === null ? null : listed(last),
      currentCommand: current === null ? null : listed(current),
      commandsSeen: seen,
    }
  }

  /** Paths are of another machine, with these names. */
  runsOn(hostNames: readonly string[]): void {
    const names = hostNames.map((name) => name.toLowerCase())
    const short = names.map((name) => name.split('.', 1)[0] ?? name)
    this.#reports = this.#reportsOf({ hostNames: [...names, ...short], isWindows: false })
  }

  #reportsOf(machine: Machine): CwdReports {
    return new CwdReports(machine, (path) => {
      this.tracker.hintCwd(path)
    })
  }

  /** The process lives. @param cwd where it starts */
  started(cwd: string | null): void {
    this.#isAlive = true
    if (cwd !== null) this.tracker.startIn(cwd)
  }

  /** Output came. @param at its offset */
  feed(bytes: Uint8Array, at: StreamOffset): void {
    if (this.tracker.isTrusted) this.#parser?.feed(bytes, at)
    if (!this.tracker.cwdIsProven) this.#reports.feed(bytes)
    this.#watch.plan()
  }

  /** The process ended, after the last byte. */
  ended(at: StreamOffset): void {
    this.#isAlive = false
    this.#watch.dispose()
    this.tracker.processEnded(at)
  }

  dispose(): void {
    this.#watch.dispose()
  }

  /**
   * Go on where an earlier run stopped. Its last output may have been stored without what its marks say, so that is read
   * again.
   */
  adopt(known: KnownCommands, output: OutputReader): void {
    this.#isAlive = true
    this.tracker.resume(known)
    const newest = known.commands.at(-1)
    let at = Math.max(output.start, newest?.outputTo ?? newest?.outputFrom ?? 0)
    while (at < output.end) {
      const bytes = output.read(at, REREAD_BYTES)
      if (bytes === null || bytes.length === 0) return
      // Not a view: what is found in it may append to the output's own memory.
      const copy = bytes.slice()
      this.feed(copy, at)
      at += copy.length
    }
  }

  restore(known: KnownCommands): void {
    this.#isAlive = false
    this.tracker.restore(known)
  }
}

/** As it stands in a list of sessions, which every client gets after every command. */
function listed(command: CommandRecord): CommandRecord {
  const { text } = command
  if (text === null || text.length <= MAX_LISTED_COMMAND_CHARS) return command
  return { ...command, text: cutText(text, MAX_LISTED_COMMAND_CHARS), truncated: true }
}
