/** What a menu offers, and how keys go through it. Pure. */
import type { ReactNode } from 'react'

export interface MenuAction {
  readonly key: string
  readonly label: string
  readonly icon: ReactNode
  readonly onSelect: () => void
  /** The menu stays open. */
  readonly isStaying?: boolean
}

export interface MenuItem {
  readonly key: string
  /** What it is called, and found by when somebody types. */
  readonly label: string
  /** Drawn in place of the label. */
  readonly content?: ReactNode
  /** Beside the label, quieter. */
  readonly hint?: string
  /** Before the label. */
  readonly dot?: ReactNode
  readonly isDanger?: boolean
  /** There when it is one of several of which some are in force. */
  readonly isChecked?: boolean
  /** Says something and does nothing. */
  readonly isDisabled?: boolean
  readonly separatorBefore?: boolean
  /** Heading of this item and those after it. */
  readonly titleBefore?: string
  readonly onSelect: () => void
  /** Takes away what the item stands for, by its x or Delete; the menu stays open. */
  readonly onRemove?: () => void
  /** What the x is called. */
  readonly removeLabel?: string
  /** Buttons at its end. */
  readonly actions?: readonly MenuAction[]
}

/** Where the keyboard is: an item and a column, 0 for the item itself, from 1 its buttons. */
export interface MenuSpot {
  readonly row: number
  readonly column: number
}

/** @param columns how many stops each item has. @returns where a key goes, or null when it goes nowhere */
export function movedSpot(key: string, { row, column }: MenuSpot, columns: readonly number[]): MenuSpot | null {
  const count = columns.length
  if (count === 0) return null
  switch (key) {
    case 'ArrowDown':
      return { row: (row + 1) % count, column: 0 }
    case 'ArrowUp':
      return { row: row < 0 ? count - 1 : (row - 1 + count) % count, column: 0 }
    case 'Home':
      return { row: 0, column: 0 }
    case 'End':
      return { row: count - 1, column: 0 }
    case 'ArrowRight':
      return { row, column: Math.min(column + 1, (columns[row] ?? 1) - 1) }
    case 'ArrowLeft':
      return { row, column: Math.max(column - 1, 0) }
    default:
      return null
  }
}

/** The next item, from the one at `from` on and around, whose label begins with what was typed; -1 when there is none. */
export function typedRow(labels: readonly string[], from: number, typed: string): number {
  // One letter again and again goes through all items that begin with it.
  const isRepeated = typed.length > 1 && typed.replaceAll(typed[0] ?? '', '') === ''
  const wanted = (isRepeated ? (typed[0] ?? '') : typed).toLocaleLowerCase()
  const skip = wanted.length === 1 ? 1 : 0
  for (let step = 0; step < labels.length; step += 1) {
    const at = (Math.max(from, 0) + skip + step) % labels.length
    if (labels[at]?.toLocaleLowerCase().startsWith(wanted) === true) return at
  }
  return -1
}
