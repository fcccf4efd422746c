/** What stands over the terminal on screen for a moment, and what a person may answer to it. */

/** How a paste goes to the program, if at all. */
export type PasteChoice = 'lines' | 'one-line' | 'nothing'

/** A link under the pointer, and where in the window that is. */
export interface HoveredLink {
  readonly href: string
  readonly x: number
  readonly y: number
}

export interface PopupModel {
  /** Text that waits for a person to look at it, as it came. */
  readonly paste: string | null
  readonly hovered: HoveredLink | null
  /** To choose from; null while nobody chooses. */
  readonly links: readonly string[] | null
}

export const NO_POPUPS: PopupModel = { paste: null, hovered: null, links: null }
