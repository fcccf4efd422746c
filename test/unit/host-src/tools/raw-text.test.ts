import { describe, expect, it } from 'vitest'
import type { ModelTextOptions } from '../../../../host-src/tools/model-text.ts'
import { rawModelText } from '../../../../host-src/tools/raw-text.ts'
import { randomForTest } from '../../../support/random.ts'

const ESC = '\u001b'
const read = (text: string | Uint8Array, options: Partial<ModelTextOptions> = {}) =>
  rawModelText(typeof text === 'string' ? new TextEncoder().encode(text) : text, {
    maxChars: 100_000,
    maskSecrets: true,
    ...options,
  })
const shown = (text: string | Uint8Array, options: Partial<ModelTextOptions> = {}) => read(text, options).text

describe('rawModelText', () => {
  it.each([
    ['lines', 'a\r\nb\nc\td', 'a\nb\nc\td'],
    ['progress', '\rLoad 1%\rLoad 2%', '\\rLoad 1%\\rLoad 2%'],
    ['colours', `${ESC}[1;31mred${ESC}[0m`, '\\e[1;31mred\\e[0m'],
    ['8-bit sequences', '\u009b1mx', '\\e[1mx'],
    ['short sequences', `${ESC}7${ESC}(0q${ESC}=`, '\\e7\\e(0q\\e='],
    ['backspaces and bells', 'ab\b\u0007', 'ab\\b\\a'],
    ['other controls', 'a\0\u007fb', 'a\\x00\\x7fb'],
    ['what shows nothing', 'a\u202eb\u200b', 'a\\u{202e}b\\u{200b}'],
    ['backslashes', 'C:\\x', 'C:\\\\x'],
    ['text of any script', '字👍é', '字👍é'],
    ['sequences that are cut', `a${ESC}[3`, 'a\\e[3'],
    ['a sequence within a sequence', `${ESC}${ESC}[1mx`, '\\e\\e[1mx'],
    ['the beginning of a sequence', `a${ESC}`, 'a\\e'],
  ])('shows %s', (_, input, text) => {
    expect(shown(input)).toBe(text)
  })

  it.each([
    ['titles', `${ESC}]0;secret\u0007`, '\\e]…'],
    ['clipboards', `${ESC}]52;c;c2VjcmV0${ESC}\\`, '\\e]…'],
    ['marks of a shell', `${ESC}]133;C;k=0123456789abcdef0123456789abcdef;c=ls\u0007`, '\\e]…'],
    ['device strings', `${ESC}Pq#0${ESC}\\${ESC}_x${ESC}\\${ESC}^x${ESC}\\${ESC}Xx${ESC}\\`, '\\eP…\\e_…\\e^…\\eX…'],
    ['8-bit strings', '\u009d0;t\u009c\u0090q\u009c', '\\e]…\\eP…'],
    ['strings that are cut', `${ESC}]133;A;k=0123`, '\\e]…'],
  ])('never shows the payload of %s', (_, input, text) => {
    expect(shown(`a${input}`)).toBe(`a${text}`)
  })

  it('replaces bytes that are no text', () => {
    expect(shown(Uint8Array.from([0x61, 0xff, 0x9b, 0x62]))).toBe('a\ufffd\ufffdb')
  })

  it('is bounded, and counts like any other text', () => {
    const output = 'one\r\ntwo\r\nthree\r\n'
    expect(read(output, { maxLines: 1 })).toMatchObject({
      text: 'three\n',
      bytesSeen: 17,
      bytesOmitted: 10,
      nextOffset: 17,
    })
    expect(read(output, { keep: 'head', maxLines: 1 })).toMatchObject({
      text: 'one\n',
      bytesOmitted: 12,
      nextOffset: 5,
    })
    expect(read(output, { offset: 100, from: 105 })).toMatchObject({
      text: 'two\nthree\n',
      bytesSeen: 12,
      nextOffset: 117,
    })
  })

  it('takes anything, and shows no control character', () => {
    const random = randomForTest()
    const units = [
      ESC,
      `${ESC}[`,
      `${ESC}]`,
      `${ESC}P`,
      '\u009b',
      '\u009d',
      '\u0007',
      '\r',
      '\n',
      '\b',
      '8m',
      '字',
      'a',
      ' ',
      '\0',
    ]
    for (let run = 0; run < 300; run++) {
      const parts = Array.from({ length: random.integer(1, 40) }, () => random.pick(units)).join('')
      const { text } = read(Buffer.concat([Buffer.from(parts), random.bytes(random.integer(0, 8))]))
      // oxlint-disable-next-line no-control-regex -- these are the characters that may not be there
      expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/)
    }
  })
})
