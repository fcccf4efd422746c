/** The commands beside the active terminal, as the panel shows them: what is at which row, and what is known of it. */
import type { TabKey } from './tab-store.ts'

export interface CommandMarkModel {
  /** Ordinal in the session. */
  readonly id: number
  /** From the top of the screen. */
  readonly row: number
  /** A number is an exit code. `unknown`: it does not run any more, and nobody said how it ended. */
  readonly outcome: 'running' | 'unknown' | number
  /** What was typed; null when nobody knows. */
  readonly text: string | null
  /** Whether `text` is only its beginning. */
  readonly isCut: boolean
  readonly cwd: string | null
  /** Epoch milliseconds. */
  readonly startedAt: number
  readonly durationMs: number | null
  /** Whether there is output to be copied. */
  readonly hasOutput: boolean
}

export interface EndedCommand {
  readonly id: number
  readonly text: string | null
  readonly exitCode: number | null
  /** Lines that it printed; null when nobody knows. */
  readonly lines: number | null
}

export interface MarksModel {
  readonly tab: TabKey | null
  /** Where the first cell of the terminal is in its place, and how high a row is, in CSS pixels. */
  readonly left: number
  readonly top: number
  readonly rowHeight: number
  /** Rows of the screen. */
  readonly rows: number
  readonly marks: readonly CommandMarkModel[]
  /** The command that stands on top of its output, which is scrolled. */
  readonly sticky: CommandMarkModel | null
  /** The shell waits, and nothing is typed. */
  readonly isAtPrompt: boolean
  /** The command that ended last while somebody looked, for who cannot see it. */
  readonly ended: EndedCommand | null
  /** The mark that is to have the keyboard, and how often one was asked for. */
  readonly jump: { readonly id: number; readonly count: number } | null
}

export const NO_MARKS: MarksModel = {
  tab: null,
  left: 0,
  top: 0,
  rowHeight: 0,
  rows: 0,
  marks: [],
  sticky: null,
  isAtPrompt: false,
  ended: null,
  jump: null,
}
