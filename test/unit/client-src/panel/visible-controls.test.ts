import { describe, expect, it } from 'vitest'
import { visibleControls } from '../../../../client-src/panel/visible-controls.ts'

const shown = (text: string): string =>
  visibleControls(text)
    .map((part) => part.text)
    .join('')

describe('visible controls', () => {
  it('show every control by a sign, and line ends as line ends', () => {
    expect(shown('a\u001b[0m\tb\u007f\r\nc\rd\u0000')).toBe('a^[[0m^Ib^?\nc\nd^@')
    expect(shown('\u0085\u009b')).toBe('<U+0085><U+009B>')
  })

  it('show what turns text around, has no width, or is a tag', () => {
    expect(shown('a\u202eb\u2066c\u200bd\ufeffe\u{e0041}f')).toBe('a<U+202E>b<U+2066>c<U+200B>d<U+FEFF>e<U+E0041>f')
  })

  it('tell signs from text that only looks like them', () => {
    expect(visibleControls('^[\u001b')).toEqual([
      { text: '^[', isSign: false },
      { text: '^[', isSign: true },
    ])
  })

  it('leave other text alone', () => {
    expect(visibleControls('ls 终端 é')).toEqual([{ text: 'ls 终端 é', isSign: false }])
    expect(visibleControls('')).toEqual([])
  })
})
