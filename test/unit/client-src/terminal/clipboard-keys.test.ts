import { describe, expect, it } from 'vitest'
import type { KeyPress } from '../../../../client-src/keys.ts'
import { clipboardKey } from '../../../../client-src/terminal/clipboard-keys.ts'
import { harmlessPaste } from '../../../../client-src/terminal/pasted-text.ts'

const press = (chord: string): KeyPress => ({
  key: chord.at(-1) ?? '',
  ctrlKey: chord.includes('^'),
  shiftKey: chord.includes('S'),
  altKey: chord.includes('A'),
  metaKey: chord.includes('M'),
})

describe('clipboardKey', () => {
  it.each([
    // chord, mac, selection, meaning
    ['^c', false, true, 'copy-or-interrupt'],
    ['^c', false, false, null],
    ['^SC', false, true, 'copy'],
    ['^SC', false, false, 'nothing'],
    ['^SV', false, false, 'paste'],
    ['^v', false, true, null],
    ['Mc', true, true, 'copy'],
    ['Mc', true, false, 'nothing'],
    ['Mv', true, false, 'paste'],
    ['Mc', false, true, null],
    ['^Ac', false, true, null],
    ['^SX', false, true, null],
    ['c', false, true, null],
  ] as const)('%s on a mac: %s, selection: %s', (chord, isMac, hasSelection, meaning) => {
    expect(clipboardKey(press(chord), { isMac, hasSelection })).toBe(meaning)
  })
})

describe('harmlessPaste', () => {
  it.each([
    ['plain text\r\nand more\tof it', 'plain text\r\nand more\tof it'],
    ['echo safe\u001b[201~\nid\n\u001b[200~', 'echo safe[201~\nid\n[200~'],
    ['\u009b201~id', '201~id'],
    ['\u001b[20\u001b[201~1~', '[20[201~1~'],
    ['\u0080\u0085\u009f\u00a0é汉👍', '\u00a0é汉👍'],
  ])('%j', (text, harmless) => {
    expect(harmlessPaste(text)).toBe(harmless)
  })
})
