import { describe, expect, it } from 'vitest'
import { paneRange, paneSize, within } from '../../../../client-src/guests/pane-size.ts'

const RIGHT = { side: 'right', min: 120, size: null } as const
const BOTTOM = { side: 'bottom', min: 100, size: null } as const

describe('the size of a pane', () => {
  it('is a third of the room until somebody chose one', () => {
    expect(paneSize(900, RIGHT)).toBe(300)
    expect(paneSize(900, { ...RIGHT, size: 411 })).toBe(411)
  })

  it('leaves the terminal its least, and keeps its own', () => {
    expect(paneSize(500, { ...RIGHT, size: 480 })).toBe(340)
    expect(paneSize(500, { ...RIGHT, size: 10 })).toBe(120)
    expect(paneSize(300, { ...BOTTOM, size: 290 })).toBe(228)
  })

  it('gives way where there is no room for both', () => {
    expect(paneRange(200, { side: 'right', min: 400 })).toEqual({ least: 48, most: 48 })
    expect(paneRange(320, { side: 'right', min: 400 })).toEqual({ least: 160, most: 160 })
    expect(paneSize(0, RIGHT)).toBe(48)
  })

  it('is whole pixels', () => {
    expect(paneSize(1000, RIGHT)).toBe(333)
    expect(within({ least: 10, most: 20 }, 15.6)).toBe(16)
  })
})
