import { describe, expect, it } from 'vitest'
import { proposeSize, SCROLLBAR_PX } from '../../../../client-src/terminal/fit.ts'

const CELL = { width: 8, height: 18 }

describe('proposeSize', () => {
  it('fills the box beside the scroll bar', () => {
    expect(proposeSize({ width: 80 * 8 + SCROLLBAR_PX, height: 24 * 18 }, CELL)).toEqual({ cols: 80, rows: 24 })
    expect(proposeSize({ width: 81 * 8 + SCROLLBAR_PX - 1, height: 25 * 18 - 1 }, CELL)).toEqual({ cols: 80, rows: 24 })
  })

  it('does not lose a column to rounding', () => {
    const cell = { width: 7.8046875, height: 17.6 }
    expect(proposeSize({ width: cell.width * 113 + SCROLLBAR_PX - 1e-9, height: 17.6 * 30 - 1e-9 }, cell)).toEqual({
      cols: 113,
      rows: 30,
    })
  })

  it.each([
    ['hidden', { width: 0, height: 0 }, CELL],
    ['without height', { width: 800, height: 0 }, CELL],
    ['negative', { width: -5, height: 400 }, CELL],
    ['not laid out', { width: Number.NaN, height: 400 }, CELL],
    ['without end', { width: Number.POSITIVE_INFINITY, height: 400 }, CELL],
    ['with a cell that was not measured', { width: 800, height: 400 }, { width: 0, height: 0 }],
    ['with a cell that is none', { width: 800, height: 400 }, { width: Number.NaN, height: 18 }],
    ['narrower than two columns', { width: SCROLLBAR_PX + 15, height: 400 }, CELL],
    ['lower than a row', { width: 800, height: 17 }, CELL],
  ])('says nothing of a box that is %s', (_, box, cell) => {
    expect(proposeSize(box, cell)).toBeNull()
  })

  it('stays within what the host takes', () => {
    expect(proposeSize({ width: 1e6, height: 1e6 }, { width: 1, height: 1 })).toEqual({ cols: 1000, rows: 500 })
  })
})
