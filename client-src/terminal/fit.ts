/** How many character cells fit into a box. Pure arithmetic, so that the guards can be read and tested. */
import { MAX_COLS, MAX_ROWS, MIN_COLS, MIN_ROWS } from '../../protocol-src/limits.ts'
import type { TerminalSize } from '../../protocol-src/session.ts'

/** CSS pixels. */
export interface Box {
  readonly width: number
  readonly height: number
}

/** Room that xterm.js's scroll bar takes at the right edge. */
export const SCROLLBAR_PX = 14

/**
 * The size that fits, or null when the box says nothing: hidden (zero), not laid out (NaN), a cell that was not measured,
 * or no room for the smallest terminal. Null must never become a size.
 */
export function proposeSize(box: Box, cell: Box): TerminalSize | null {
  const numbers = [box.width, box.height, cell.width, cell.height]
  if (!numbers.every((value) => Number.isFinite(value) && value > 0)) return null
  // Half a hundredth of a cell: what rounding in the layout takes from an exact fit.
  const cols = Math.floor((box.width - SCROLLBAR_PX) / cell.width + 0.005)
  const rows = Math.floor(box.height / cell.height + 0.005)
  if (cols < MIN_COLS || rows < MIN_ROWS) return null
  return { cols: Math.min(MAX_COLS, cols), rows: Math.min(MAX_ROWS, rows) }
}

export function isSameSize(one: TerminalSize, other: TerminalSize | null): boolean {
  return one.cols === other?.cols && one.rows === other.rows
}
