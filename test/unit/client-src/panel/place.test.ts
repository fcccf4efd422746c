import { expect, it } from 'vitest'
import { placeBeside } from '../../../../client-src/panel/place.ts'

const VIEW = { width: 320, height: 600 }
const at = (left: number, top: number, width = 30, height = 20) => ({
  left,
  top,
  right: left + width,
  bottom: top + height,
})

it.each([
  ['under what it belongs to', at(40, 100), { width: 200, height: 150 }, { x: 40, y: 124 }],
  ['above it where there is no room below', at(40, 500), { width: 200, height: 150 }, { x: 40, y: 346 }],
  ['inside at the right edge', at(280, 100), { width: 200, height: 150 }, { x: 112, y: 124 }],
  ['inside at the left edge', at(-20, 100), { width: 200, height: 150 }, { x: 8, y: 124 }],
  ['below, and inside, where it fits on neither side', at(40, 250), { width: 200, height: 400 }, { x: 40, y: 192 }],
  ['at the top when it is as high as the window', at(40, 250), { width: 200, height: 590 }, { x: 40, y: 8 }],
])('goes %s', (_, anchor, popup, place) => {
  expect(placeBeside(anchor, popup, VIEW)).toEqual(place)
})
