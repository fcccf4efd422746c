/** Where a dragged tab would go, and how the others make room. Pure. */

/** A tab's place in the strip, in CSS pixels. */
export interface Box {
  readonly left: number
  readonly width: number
}

/** As far as the strip goes. */
export function keptInside(boxes: readonly Box[], from: number, dx: number): number {
  const [first, own, last] = [boxes[0], boxes[from], boxes.at(-1)]
  if (first === undefined || own === undefined || last === undefined) return 0
  const least = first.left - own.left
  const most = last.left + last.width - own.left - own.width
  return Math.max(least, Math.min(most, dx))
}

/** Beside whose middle its leading edge has gone. */
export function placeOf(boxes: readonly Box[], from: number, dx: number): number {
  const own = boxes[from]
  if (own === undefined) return from
  const [left, right] = [own.left + dx, own.left + own.width + dx]
  return boxes.reduce((place, box, at) => {
    const middle = box.left + box.width / 2
    if (at > from && right > middle) return Math.max(place, at)
    if (at < from && left < middle) return Math.min(place, at)
    return place
  }, from)
}

/** How far the tab at `at` steps aside. @param room what the dragged one takes */
export function stepAside(at: number, { from, to, room }: { from: number; to: number; room: number }): number {
  if (at > from && at <= to) return -room
  if (at < from && at >= to) return room
  return 0
}
