/** How large a pane is in the room that it shares with a terminal. Pure: pixels in, pixels out. */
import type { Pane } from '../stores/pane-store.ts'

/** What stays of the terminal. */
const MIN_TERMINAL_PX = { right: 160, bottom: 72 } as const
/** The pane's own bar can always be reached. */
const LEAST_PX = 48
const PART = 1 / 3

export interface PaneRange {
  readonly least: number
  readonly most: number
}

/** @param room of terminal and pane together, along the side */
export function paneRange(room: number, { side, min }: Pick<Pane, 'side' | 'min'>): PaneRange {
  const most = Math.max(LEAST_PX, Math.round(room) - MIN_TERMINAL_PX[side])
  return { least: Math.max(LEAST_PX, Math.min(Math.round(min), most)), most }
}

export function paneSize(room: number, pane: Pick<Pane, 'side' | 'min' | 'size'>): number {
  return within(paneRange(room, pane), pane.size ?? room * PART)
}

export function within({ least, most }: PaneRange, wanted: number): number {
  return Math.max(least, Math.min(most, Math.round(wanted)))
}
