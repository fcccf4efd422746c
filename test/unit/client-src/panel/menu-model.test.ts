import { describe, expect, it } from 'vitest'
import { movedSpot, typedRow } from '../../../../client-src/panel/menu-model.ts'

describe('the keyboard in a menu', () => {
  const columns = [1, 3, 1]
  it.each([
    ['ArrowDown', [0, 0], [1, 0]],
    ['ArrowDown', [2, 0], [0, 0]],
    ['ArrowDown', [1, 2], [2, 0]],
    ['ArrowUp', [0, 0], [2, 0]],
    ['ArrowUp', [-1, 0], [2, 0]],
    ['ArrowDown', [-1, 0], [0, 0]],
    ['Home', [2, 0], [0, 0]],
    ['End', [0, 0], [2, 0]],
    ['ArrowRight', [1, 0], [1, 1]],
    ['ArrowRight', [1, 2], [1, 2]],
    ['ArrowRight', [0, 0], [0, 0]],
    ['ArrowLeft', [1, 2], [1, 1]],
    ['ArrowLeft', [1, 0], [1, 0]],
  ] as const)('%s goes from %j to %j', (key, [row, column], [toRow, toColumn]) => {
    expect(movedSpot(key, { row, column }, columns)).toEqual({ row: toRow, column: toColumn })
  })

  it('goes nowhere by other keys, and nowhere where there is nothing', () => {
    expect(movedSpot('Enter', { row: 0, column: 0 }, columns)).toBeNull()
    expect(movedSpot('ArrowDown', { row: -1, column: 0 }, [])).toBeNull()
  })
})

describe('what is typed in a menu', () => {
  const labels = ['Close', 'Close others', 'Duplicate', '终端', 'Clear']
  it.each([
    ['d', 0, 2],
    ['D', 0, 2],
    ['c', 0, 1],
    ['cc', 1, 4],
    ['c', 4, 0],
    ['clo', 0, 0],
    ['cle', 0, 4],
    ['终', -1, 3],
    ['x', 0, -1],
  ])('%j from item %i finds item %i', (typed, from, found) => {
    expect(typedRow(labels, from, typed)).toBe(found)
  })
})
