import { expect, it } from 'vitest'
import { markKey } from '../../../../client-src/terminal/mark-keys.ts'

const press = (names: string, key: string) => ({
  key,
  ctrlKey: names.includes('Ctrl'),
  shiftKey: names.includes('Shift'),
  altKey: names.includes('Alt'),
  metaKey: names.includes('Meta'),
})

it.each([
  ['Ctrl Shift', false, 'ArrowUp', 'previous'],
  ['Ctrl Shift', true, 'ArrowDown', 'next'],
  ['Meta', true, 'ArrowUp', 'previous'],
  ['Meta', true, 'ArrowDown', 'next'],
] as const)('%s with an arrow goes to a command (on a Mac: %s, %s)', (names, isMac, key, direction) => {
  expect(markKey(press(names, key), { isMac, isAlternate: false })).toBe(direction)
  // A full-screen program has its keys for itself.
  expect(markKey(press(names, key), { isMac, isAlternate: true })).toBeNull()
})

it.each([
  ['', 'ArrowUp'],
  ['Ctrl', 'ArrowUp'],
  ['Shift', 'ArrowUp'],
  ['Meta', 'ArrowUp'],
  ['Ctrl Shift Alt', 'ArrowUp'],
  ['Ctrl Shift Meta', 'ArrowUp'],
  ['Ctrl Shift', 'PageUp'],
  ['Ctrl Shift', 'a'],
])('leaves %s %s to the program', (names, key) => {
  expect(markKey(press(names, key), { isMac: false, isAlternate: false })).toBeNull()
})
