import { describe, expect, it } from 'vitest'
import {
  textOfOutput,
  type OutputSource,
  type OutputText,
  type TextLimits,
} from '../../../../host-src/terminal/command-output.ts'
import { plainText } from '../../../../host-src/terminal/plain-text.ts'
import { randomForTest } from '../../../support/random.ts'

/** @param start offset of the first byte that is held. @param partBytes the most that one read gives */
const sourceOf = (text: string | Uint8Array, start = 0, partBytes = 7): OutputSource => {
  const bytes = Buffer.from(text)
  return {
    start,
    end: bytes.length,
    read: (from, maxBytes) =>
      from < start ? null : bytes.subarray(from, Math.min(bytes.length, from + Math.min(maxBytes, partBytes))),
  }
}
const LIMITS: TextLimits = { cols: 40, maxBytes: 10_000, keep: 'last' }
const textOf = (text: string, limits: Partial<TextLimits> = {}): OutputText =>
  textOfOutput(sourceOf(text), { from: 0, to: null }, { ...LIMITS, ...limits })

describe('the text of output', () => {
  it.each([
    ['plain lines', 'one\r\ntwo\r\n', 'one\ntwo'],
    ['a line without an end', 'abc', 'abc'],
    ['nothing', '', ''],
    ['an empty line', '\r\n', ''],
    ['two empty lines', '\r\n\r\n', '\n'],
    ['blanks at the end of a line', 'a  \r\nb  ', 'a  \nb  '],
    ['colours', '\x1b[31mred\x1b[0m \x1b[38;5;1mx\x1b[m\u009b1my', 'red xy'],
    [
      'titles, links and marks',
      '\x1b]0;t\x07a\x1b]8;;http://x\x1b\\b\x1b]8;;\x1b\\c\x1b]133;D;0\x07d\u009d0;t\u009ce',
      'abcde',
    ],
    ['other strings', 'a\x1bP$q"p\x1b\\b\x1b_x\x07y\x1b\\c\x1b^z\x1b\\d', 'abcd'],
    ['a string that is undone', 'a\x1b]0;title\x18b', 'ab'],
    ['a sequence that is cut off', 'a\x1b[3', 'a'],
    ['a string without an end, which takes the rest as on the screen', 'a\x1b]0;title', 'a'],
    ['modes, keypads and character sets', '\x1b[?2004l\x1b=\x1b>\x1b(B\x1b7a\x1b8', 'a'],
    ['bells and other controls', 'a\x07b\x00c\x0ed', 'abcd'],
    ['characters beyond ASCII', 'é中😀👩‍💻e\u0301', 'é中😀👩‍💻e\u0301'],
    ['a counter', '1%\r2%\r100%\r\n', '100%'],
    ['a shorter line over a longer one', 'long line\rshort', 'shortline'],
    ['an erased line', 'evil\x1b[2K\rgood', 'good'],
    ['the rest of a line erased', 'long line\rab\x1b[K', 'ab'],
    ['the beginning of a line erased', 'abc\x1b[1Kd', '   d'],
    ['corrections', 'abx\bc', 'abc'],
    ['moves in a line', 'abc\x1b[2Dx\x1b[5Cy\x1b[1Gz', 'zxc    y'],
    ['tabs', 'a\tb', 'a       b'],
    ['deleted and inserted characters', 'abcd\r\x1b[2Pcd\r\x1b[1@x', 'xcd'],
    ['characters pushed over the end of the row', `${'a'.repeat(40)}\r\x1b[999@b`, `b${' '.repeat(39)}`],
    ['deleted characters of one row', `${'a'.repeat(40)}bc\r\x1b[1D`, `${'a'.repeat(40)}bc`],
    ['a move beyond any border', 'a\x1b[999999999Cb', `a${' '.repeat(38)}b`],
    [
      'a line that wraps, overwritten where the cursor is',
      `${'a'.repeat(50)}\rb`,
      `${'a'.repeat(40)}b${'a'.repeat(9)}`,
    ],
    ['a line as long as the terminal is wide', `${'a'.repeat(40)}\rb`, `b${'a'.repeat(39)}`],
    ['the alternate screen', 'a\r\n\x1b[?1049hhidden\r\nlines\x1b[?1049lb', 'a\nb'],
    ['wide characters, each two cells', '中文\rab', 'ab文'],
  ])('of %s is what a person reads', (_name, output, expected) => {
    expect(textOf(output)).toEqual({ text: expected, truncated: false })
  })

  const ZSH = `\x1b[1m\x1b[7m%\x1b[27m\x1b[1m\x1b[0m${' '.repeat(39)}\r \r`
  const ROOT_ZSH = ZSH.replace('%', '#')
  const FISH = `\x1b[2m⏎\x1b(B\x1b[m${' '.repeat(39)}\r⏎ \r\x1b[K`
  it.each([
    ['zsh', ZSH],
    ['zsh of the superuser', ROOT_ZSH],
    ['zsh with another sign', ZSH.replace('%', '<no end>')],
    ['zsh without a sign', `${' '.repeat(40)}\r \r`],
    ['zsh with a bare sign', `%${' '.repeat(39)}\r \r`],
    ['fish', FISH],
    ['fish without Unicode', FISH.replaceAll('⏎', '^J')],
  ])('does not have what %s prints before the prompt', (_name, filler) => {
    expect(textOf(`hi\r\n${filler}`).text).toBe('hi')
    expect(textOf(filler).text).toBe('')
    expect(textOf(`abc${filler}`).text).toBe('abc')
    expect(textOf(`50%${filler}`).text).toBe('50%')
  })

  it.each(['50%   \r', 'a         \r', '# title\r\n', '⏎', '\x1b[7m%\x1b[0m'])(
    'keeps what only looks like that: %j',
    (output) => {
      expect(textOf(output).text).toContain(plainText(output, 40).trim())
    },
  )
})

describe('a range of output', () => {
  const lines = Array.from({ length: 100 }, (_, at) => `line ${at}`).join('\r\n')

  it('is read by its offsets', () => {
    const source = sourceOf('0123456789')
    expect(textOfOutput(source, { from: 3, to: 6 }, LIMITS)).toEqual({ text: '345', truncated: false })
    expect(textOfOutput(source, { from: 8, to: 99 }, LIMITS)).toEqual({ text: '89', truncated: false })
    expect(textOfOutput(source, { from: 5, to: 5 }, LIMITS)).toEqual({ text: '', truncated: false })
    expect(textOfOutput(source, { from: 50, to: null }, LIMITS)).toEqual({ text: '', truncated: false })
  })

  it('that is too long gives its first or its last whole lines, and says so', () => {
    const first = textOf(lines, { maxBytes: 100, keep: 'first' })
    expect(first.truncated).toBe(true)
    expect(first.text.split('\n').at(0)).toBe('line 0')
    expect(lines.startsWith(first.text.replaceAll('\n', '\r\n'))).toBe(true)
    const last = textOf(lines, { maxBytes: 100 })
    expect(last.truncated).toBe(true)
    expect(last.text.split('\n').at(-1)).toBe('line 99')
    expect(lines.endsWith(`\n${last.text.replaceAll('\n', '\r\n')}`)).toBe(true)
  })

  it('that is no longer all held gives what is, and says so', () => {
    const source = sourceOf(lines, 500)
    const { text, truncated } = textOfOutput(source, { from: 0, to: null }, LIMITS)
    expect(truncated).toBe(true)
    expect(lines.slice(500).endsWith(text.replaceAll('\n', '\r\n'))).toBe(true)
    expect(textOfOutput(source, { from: 0, to: 400 }, LIMITS)).toEqual({ text: '', truncated: true })
  })

  it('of one long line gives what it can', () => {
    expect(textOf('x'.repeat(500), { maxBytes: 100 })).toEqual({ text: 'x'.repeat(100), truncated: true })
  })

  it('that cannot be read any more is empty and not whole', () => {
    const source: OutputSource = { start: 0, end: 10, read: () => null }
    expect(textOfOutput(source, { from: 0, to: null }, LIMITS)).toEqual({ text: '', truncated: true })
  })

  it('has no control character but newlines, whatever was printed', () => {
    const random = randomForTest()
    const pieces = [
      '\x1b[',
      '\x1b]',
      '0;x',
      '\x07',
      '\r',
      '\n',
      '31m',
      '\x1b[?1049h',
      '\x1b[?1049l',
      '99999999C',
      '\x1bP',
      '\x9b',
      'é',
      '\t',
      '\b',
      '5@',
      '9P',
    ]
    for (let round = 0; round < 500; round += 1) {
      const parts = Array.from({ length: random.integer(0, 40) }, () =>
        random.boolean(0.8) ? Buffer.from(random.pick(pieces)) : Buffer.from(random.bytes(random.integer(0, 10))),
      )
      const { text } = textOfOutput(sourceOf(Buffer.concat(parts)), { from: 0, to: null }, LIMITS)
      // oxlint-disable-next-line no-control-regex -- they are what must not be there
      expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/)
    }
  })
})
