import { describe, expect, it } from 'vitest'
import { asOneLine, harmlessPaste, hasLineEnd } from '../../../../client-src/terminal/pasted-text.ts'

// oxlint-disable-next-line no-control-regex -- control characters are the point
const SEQUENCE_START = /[\u001b\u009b]/

describe('a harmless paste', () => {
  it('has no control but tabs and line ends', () => {
    const all = Array.from({ length: 0xa1 }, (_, code) => String.fromCharCode(code)).join('')
    const kept = Array.from(harmlessPaste(all), (character) => character.charCodeAt(0))
    const printable = Array.from({ length: 0x5f }, (_, at) => 0x20 + at)
    expect(kept).toEqual([0x09, 0x0a, 0x0d, ...printable, 0xa0])
  })

  it('cannot make an end of its bracket from the pieces of nested ones', () => {
    for (const end of ['\u001b[201~', '\u009b201~']) {
      for (let cut = 0; cut <= end.length; cut += 1) {
        expect(harmlessPaste(end.slice(0, cut) + end + end.slice(cut))).not.toMatch(SEQUENCE_START)
      }
    }
  })

  it('keeps every other text as it is', () => {
    for (const text of ['', 'ls -la | grep "ü" 终端 👩‍👩‍👧', 'a\r\nb\nc\r\td']) expect(harmlessPaste(text)).toBe(text)
  })
})

describe('the end of a line', () => {
  it('is any of the three', () => {
    expect(['a\n', 'a\rb', 'a\r\n'].map((text) => hasLineEnd(text))).toEqual([true, true, true])
    expect(hasLineEnd('a b\tc')).toBe(false)
  })
})

describe('lines as one', () => {
  it.each([
    ['a\nb', 'a b'],
    ['a\r\nb\rc\n', 'a b c'],
    ['  a  \n\n\n  b\n', '  a b'],
    ['a \\\n  --b \\\n  --c\n', 'a --b --c'],
    ['echo \\\\\nb', 'echo \\\\ b'],
    ['a\\', 'a\\'],
    ['\n\n', ''],
  ])('%j become %j', (text, line) => {
    expect(asOneLine(text)).toBe(line)
  })
})
