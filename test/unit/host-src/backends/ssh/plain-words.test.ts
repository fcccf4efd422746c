import { describe, expect, it } from 'vitest'
import { plainLines, plainWords } from '../../../../../host-src/backends/ssh/plain-words.ts'

describe('words of another machine', () => {
  it('lose what a terminal or a page would obey', () => {
    expect(plainWords('\u001b[31mred\u0007 \u202eevil\u2066\u0000 <b>', 100)).toBe('[31mred evil <b>')
  })

  it('come on one line, or with their lines', () => {
    expect(plainWords('a\r\n b\tc', 100)).toBe('a b c')
    expect(plainLines('a\r\nb\u0007', 100)).toBe('a\nb')
  })

  it('are cut', () => {
    expect(plainWords('abcdef', 4)).toBe('abc…')
  })
})
