/** Where a popup goes beside what it belongs to: under it, or above, and always inside the window. Pure. */

export interface Point {
  readonly x: number
  readonly y: number
}

export interface Edges {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

interface Size {
  readonly width: number
  readonly height: number
}

const GAP_PX = 4
const MARGIN_PX = 8

export function placeBeside(anchor: Edges, popup: Size, view: Size): Point {
  const below = anchor.bottom + GAP_PX
  const above = anchor.top - GAP_PX - popup.height
  const hasRoomBelow = below + popup.height <= view.height - MARGIN_PX
  const y = hasRoomBelow || (above < MARGIN_PX && view.height - anchor.bottom >= anchor.top) ? below : above
  const within = (wanted: number, size: number, room: number): number =>
    Math.max(MARGIN_PX, Math.min(wanted, room - MARGIN_PX - size))
  return { x: within(anchor.left, popup.width, view.width), y: within(y, popup.height, view.height) }
}
