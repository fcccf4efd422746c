import { expect, it } from 'vitest'
import { touchBytes, withCtrl } from '../../../client-src/touch-keys.ts'

const PLAIN = { isApplication: false, isCtrl: false }

it.each([
  ['esc', PLAIN, '\u001b'],
  ['tab', PLAIN, '\t'],
  ['up', PLAIN, '\u001b[A'],
  ['left', { isApplication: true, isCtrl: false }, '\u001bOD'],
  ['right', { isApplication: true, isCtrl: true }, '\u001b[1;5C'],
  ['|', PLAIN, '|'],
  ['-', { isApplication: false, isCtrl: true }, '\u001f'],
  ['~', { isApplication: false, isCtrl: true }, '~'],
] as const)('sends for %s (%o) what a keyboard would', (key, held, expected) => {
  expect(touchBytes(key, held)).toBe(expected)
})

it.each([
  ['c', '\u0003'],
  ['C', '\u0003'],
  ['[', '\u001b'],
  [' ', '\0'],
  ['?', '\u007f'],
  ['/', '\u001f'],
  ['é', 'é'],
  ['1', '1'],
])('makes of %s with Ctrl what a keyboard would', (typed, expected) => {
  expect(withCtrl(typed)).toBe(expected)
})
