/** Which command stands on top of its own output while a person has scrolled into it. Pure. */

/** A command and the rows of the buffer that are its. */
export interface CommandRows {
  /** Its first row. */
  readonly row: number
  /** The first row that is not its any more. */
  readonly end: number
}

export interface Sight {
  /** The first row on screen. */
  readonly top: number
  /** The program writes below what is on screen. */
  readonly isScrolled: boolean
  /** Rows with a selection, both included; null without. */
  readonly selected: { readonly from: number; readonly to: number } | null
}

/**
 * @param commands in their order
 * @returns the command whose line is above the screen and whose output fills the first row and more; null when none is, or when
 * its line would cover what is selected
 */
export function stickyOf<T extends CommandRows>(
  commands: readonly T[],
  { top, isScrolled, selected }: Sight,
): T | null {
  if (!isScrolled || (selected !== null && selected.from <= top && selected.to >= top)) return null
  const above = commands.findLast(({ row }) => row < top)
  return above !== undefined && above.end > top + 1 ? above : null
}
