/** What can be said of a terminal on the page from outside. */
import type { TerminalSize } from '../../protocol-src/session.ts'
import type { CommandOutcome } from '../../screen-src/terminal-state.ts'

/** `none` before it was on screen for the first time. */
export type Renderer = 'webgl' | 'dom' | 'none'

export interface ViewFacts {
  readonly size: TerminalSize
  readonly isDriver: boolean
  readonly renderer: Renderer
  /** The grid has another size than would fit here, because another viewer drives it. */
  readonly isLetterboxed: boolean
  /** The next character is typed with Ctrl. */
  readonly isCtrlHeld: boolean
}

/** A command whose first row is on screen. */
export interface ShownMark {
  /** Ordinal in the session. */
  readonly id: number
  readonly outcome: CommandOutcome
  /** From the top of the screen. */
  readonly row: number
  /** Whether the beginning of what it printed is still there. */
  readonly hasOutput: boolean
}

export interface MarkFacts {
  /** Where the first cell is in the container, in CSS pixels. */
  readonly left: number
  readonly top: number
  readonly rowHeight: number
  /** Rows of the screen. */
  readonly rows: number
  readonly shown: readonly ShownMark[]
  /** The command that stands on top of its output; its row is above the screen. */
  readonly sticky: ShownMark | null
  /** The shell waits, and nothing is typed. */
  readonly isAtPrompt: boolean
  /** The command that a person went to last, and how often they went somewhere. */
  readonly jump: { readonly id: number; readonly count: number } | null
}
