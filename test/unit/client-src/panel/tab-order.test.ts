import { describe, expect, it } from 'vitest'
import { keptInside, placeOf, stepAside, type Box } from '../../../../client-src/panel/tab-order.ts'

/** Widths 100, 50, 200, 50, each 2 apart. */
const BOXES: readonly Box[] = [
  { left: 0, width: 100 },
  { left: 102, width: 50 },
  { left: 154, width: 200 },
  { left: 356, width: 50 },
]

describe('a dragged tab', () => {
  it.each([
    [1, 0, 1],
    [1, 101, 1],
    [1, 103, 2],
    [1, 230, 3],
    [1, -50, 1],
    [1, -53, 0],
    [0, 27, 0],
    [0, 28, 1],
    [3, -101, 3],
    [3, -103, 2],
    [3, -356, 0],
    [9, 10, 9],
  ])('from place %i by %i pixels goes to place %i', (from, dx, to) => {
    expect(placeOf(BOXES, from, dx)).toBe(to)
  })

  it('stays in the strip', () => {
    expect(keptInside(BOXES, 1, -500)).toBe(-102)
    expect(keptInside(BOXES, 1, 500)).toBe(254)
    expect(keptInside(BOXES, 1, 12)).toBe(12)
    expect(keptInside([], 0, 12)).toBe(0)
  })

  it('has the others step aside, and only those between', () => {
    const aside = (from: number, to: number) => [0, 1, 2, 3].map((at) => stepAside(at, { from, to, room: 52 }))
    expect(aside(0, 2)).toEqual([0, -52, -52, 0])
    expect(aside(3, 1)).toEqual([0, 52, 52, 0])
    expect(aside(1, 1)).toEqual([0, 0, 0, 0])
  })
})
