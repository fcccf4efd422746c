/** Joins the marks on a terminal with what the host knows of the commands: the first say where and how, the second what and when. */
import type { CommandRecord } from '../../protocol-src/command.ts'
import type { CommandMarkModel } from '../stores/marks-model.ts'
import type { ShownMark } from '../terminal/view-facts.ts'

export class KnownCommands {
  readonly #records = new Map<number, CommandRecord>()
  #lastEnded: CommandRecord | null = null

  /** @param records newer ones replace what was known of the same commands */
  take(records: readonly CommandRecord[]): void {
    for (const record of records) this.#records.set(record.id, record)
  }

  /** One that begins or ends now. */
  hear(record: CommandRecord): void {
    this.take([record])
    if (record.endedAt !== null) this.#lastEnded = record
  }

  /** The command that ended last since this page looks. */
  get lastEnded(): CommandRecord | null {
    return this.#lastEnded
  }

  /** What was typed, whole; null when nobody knows. */
  wholeText(id: number): string | null {
    const record = this.#records.get(id)
    return record === undefined || record.truncated ? null : record.text
  }

  exitCodeOf(id: number): number | null {
    return this.#records.get(id)?.exitCode ?? null
  }

  has(id: number): boolean {
    return this.#records.has(id)
  }

  /**
   * A mark with what is known of its command; undefined when what is known is of another one.
   * @param isOver the program of the terminal has ended, so nothing runs in it
   */
  modelOf(mark: ShownMark, isOver: boolean): CommandMarkModel | undefined {
    const record = this.#records.get(mark.id)
    if (record === undefined) return undefined
    const { outcome, ...rest } = mark
    const { text, truncated: isCut, cwd, startedAt, endedAt, exitCode } = record
    if (exitCode !== null && outcome !== 'running' && exitCode !== outcome) return undefined
    const isUnknown = outcome === 'running' ? isOver : endedAt !== null && exitCode === null
    return {
      ...rest,
      outcome: isUnknown ? 'unknown' : outcome,
      text,
      isCut,
      cwd,
      startedAt,
      durationMs: endedAt === null ? null : Math.max(0, endedAt - startedAt),
    }
  }
}
