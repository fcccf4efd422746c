import { expect, it } from 'vitest'
import { stickyOf } from '../../../../client-src/terminal/sticky-command.ts'

const LONG = { name: 'long', row: 10, end: 100 }
const NEXT = { name: 'next', row: 100, end: 140 }
const sight = (top: number, more: Partial<Parameters<typeof stickyOf>[1]> = {}) => ({
  top,
  isScrolled: true,
  selected: null,
  ...more,
})
const nameAt = (...args: Parameters<typeof sight>) => stickyOf([LONG, NEXT], sight(...args))?.name ?? null

it('is the command whose output begins above the screen', () => {
  expect(nameAt(11)).toBe('long')
  expect(nameAt(98)).toBe('long')
  expect(nameAt(101)).toBe('next')
})

it.each([
  ['its own line is on screen', 10, {}],
  ['nothing was run above', 5, {}],
  ['one row of it is left, and the next command follows', 99, {}],
  ['the next command is the first row', 100, {}],
  ['nobody scrolled', 50, { isScrolled: false }],
  ['its line would cover what is selected', 50, { selected: { from: 40, to: 50 } }],
])('is none when %s', (_, top, more) => {
  expect(nameAt(top, more)).toBeNull()
})

it('stays above a selection that begins below it', () => {
  expect(nameAt(50, { selected: { from: 51, to: 60 } })).toBe('long')
})
