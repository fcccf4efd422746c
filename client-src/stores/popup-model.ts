/** What stands over the terminal on screen for a moment, and what a person may answer to it. */

/** How a paste goes to the program, if at all. */
export type PasteChoice = 'lines' | 'one-line' | 'nothing'

/** A link under the pointer, and where in the window that is. */
export interface HoveredLink {
  readonly href: string
  readonly x: number
  readonly y: number
}

export interface FindQuery {
  readonly text: string
  readonly isCase: boolean
  readonly isWord: boolean
  readonly isRegExp: boolean
}

/** What is known of a search. */
export interface FindModel {
  /** Grows each time somebody asks for it. */
  readonly opening: number
  /** What to look for at first; empty for what there was. */
  readonly seed: string
  /** Why the pattern is none. */
  readonly reason: string | null
  readonly count: number
  /** There are more than were counted. */
  readonly isMore: boolean
  /** From 1; 0 when none was gone to. */
  readonly current: number
}

export interface PopupModel {
  /** Text that waits for a person to look at it, as it came. */
  readonly paste: string | null
  readonly hovered: HoveredLink | null
  /** To choose from; null while nobody chooses. */
  readonly links: readonly string[] | null
  readonly find: FindModel | null
}

export const NO_POPUPS: PopupModel = { paste: null, hovered: null, links: null, find: null }
