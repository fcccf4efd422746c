/** What stands over the terminal on screen for a moment, and what a person may answer to it. */

/** How a paste goes to the program, if at all. */
export type PasteChoice = 'lines' | 'one-line' | 'nothing'

export interface PopupModel {
  /** Text that waits for a person to look at it, as it came. */
  readonly paste: string | null
}

export const NO_POPUPS: PopupModel = { paste: null }
