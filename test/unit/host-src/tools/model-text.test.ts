import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { modelText, type ModelTextOptions } from '../../../../host-src/tools/model-text.ts'
import { randomForTest } from '../../../support/random.ts'

const ESC = '\u001b'
const CSI = `${ESC}[`
const SIZE = { cols: 20, rows: 5 }

const read = (input: string | Uint8Array, options: Partial<ModelTextOptions> = {}) =>
  modelText(input, { maxChars: 1_000_000, maskSecrets: true, ...options })
const shown = (input: string | Uint8Array, options: Partial<ModelTextOptions> = {}) => read(input, options).text

describe('modelText: what a terminal shows', () => {
  it.each([
    ['progress on one line', '\rLoad   1%\rLoad  50%\rLoad 100%\r\n', 'Load 100%\n'],
    ['a shorter line over a longer one', `Working\rDone${CSI}K\r\n`, 'Done\n'],
    ['a shorter line that erases nothing', 'Working\rDone\r\n', 'Doneing\n'],
    ['line ends of both kinds', 'a\r\nb\nc', 'a\nb\nc'],
    ['colours and styles', `${CSI}1;38;2;1;2;3mred${CSI}0m ${CSI}38:5:196mfoo${CSI}m`, 'red foo'],
    [
      'titles, links and marks',
      `${ESC}]0;title\u0007a${ESC}]8;;http://x${ESC}\\b${ESC}]8;;\u0007${ESC}]133;A\u0007c`,
      'abc',
    ],
    [
      'device strings',
      `a${ESC}P1;2q#0~~\u0007${ESC}\\b${ESC}_apc${ESC}\\c${ESC}^pm${ESC}\\d${ESC}Xsos${ESC}\\e`,
      'abcde',
    ],
    ['8-bit controls', 'a\u009b31mb\u009d0;title\u009cc\u0090q\u009cd\u0085e', 'abcd\ne'],
    ['control characters', 'a\0b\u0001\u0007\u000e\u000fc\u007f', 'abc'],
    ['taken back characters', 'lss\b \b -la\b\b\bZ', 'ls Zla'],
    ['a word deleted by a shell', `git statsu\b\b\b${CSI}K-x`, 'git sta-x'],
    ['characters inserted and deleted', `abcdef${CSI}4D${CSI}2P${CSI}@X`, 'abXef'],
    ['characters blanked', `abcdef\r${CSI}C${CSI}2X`, 'a  def'],
    ['tabs as they are', 'a\tb\n\tc\n', 'a\tb\n\tc\n'],
    ['text over a tab', 'a\tb\rxyz', 'xyz     b'],
    ['a wide character cut in half', `中文\r${CSI}Cx`, ' x文'],
    ['lines above that are rewritten', `one\r\ntwo\r\nthree${CSI}2A\rONE${CSI}K${CSI}2B\r\n`, 'ONE\ntwo\nthree\n'],
    ['rows that are repeated', `-${CSI}3b!`, '----!'],
    ['a saved place', `ab${ESC}7cd${ESC}8X`, 'abXd'],
    ['an erased line', `one\r\ntwo${CSI}2K\rthree`, 'one\nthree'],
    ['what is erased below', `one\r\ntwo\r\nthree${CSI}2A${CSI}J!`, 'one  !'],
    ['a sequence that is cut', `a${CSI}31`, 'a'],
    ['a sequence within a sequence', `a${CSI}3${CSI}1mb${CSI}4\r1mc`, 'cb'],
    ['a sequence that is broken off', `a${CSI}12\u0018b${ESC}]0;t\u001ac`, 'abc'],
  ])('folds %s', (_, input, text) => {
    expect(shown(input)).toBe(text)
  })

  it('joins rows that the terminal wrapped, and no others', () => {
    const long = 'x'.repeat(50)
    expect(shown(`${long}\r\ny`, { size: SIZE })).toBe(`${long}\ny`)
    expect(shown(`${'x'.repeat(20)}\r\ny`, { size: SIZE })).toBe(`${'x'.repeat(20)}\ny`)
    expect(shown(`${'字'.repeat(15)}\r\n`, { size: { cols: 21, rows: 5 } })).toBe(`${'字'.repeat(15)}\n`)
  })

  it('folds what goes over several rows', () => {
    // Three rows, from whose last the program goes back to the first.
    expect(shown(`${'x'.repeat(45)}\r${CSI}2AY`, { size: SIZE })).toBe(`Y${'x'.repeat(44)}`)
    expect(shown(`${'a'.repeat(20)} \rb`, { size: SIZE })).toBe(`${'a'.repeat(20)}b`)
  })

  it('puts text where a program addresses it, and keeps what scrolled away', () => {
    expect(shown(`a\r\nb${CSI}4;3HX${CSI}1;1HA`, { size: SIZE })).toBe('A\nb\n\n  X')
    const log = Array.from({ length: 30 }, (_, at) => `line ${String(at)}`).join('\r\n')
    expect(shown(`${log}${CSI}1;1Htop`, { size: SIZE })).toBe(log.replaceAll('\r', '').replace('line 25', 'tope 25'))
    expect(shown(`old\r\n${CSI}H${CSI}2Jnew`, { size: SIZE })).toBe('old\n\nnew')
  })

  it('leaves out a full-screen program that is over, and shows one that is not', () => {
    const pager = `before\r\n${CSI}?1049h${CSI}Hpage one${CSI}2;1Hmore`
    expect(shown(pager, { size: SIZE })).toBe('before\n\npage one\nmore')
    expect(shown(`${pager}${CSI}?1049lafter`, { size: SIZE })).toBe('before\nafter')
  })

  it('replaces bytes that are no text, and keeps the rest in order', () => {
    const text = shown(Uint8Array.from([0x61, 0xff, 0xfe, 0, 0x62, 0x9b, 0x63, 0x0a]))
    expect(text).toBe('a\ufffd\ufffdb\ufffdc\n')
    expect(JSON.parse(JSON.stringify(text))).toBe(text)
    for (const bytes of [[0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe4, 0xb8, 0x41], [0x80]])
      expect(shown(Uint8Array.from(bytes)), String(bytes)).toBe(new TextDecoder().decode(Uint8Array.from(bytes)))
  })

  it('waits for the rest of a character', () => {
    const bytes = Buffer.from('a字b')
    for (let at = 0; at <= bytes.length; at++) {
      const first = read(bytes.subarray(0, at))
      const second = read(bytes, { from: first.nextOffset })
      expect(first.text + second.text).toBe('a字b')
    }
  })

  it.each([
    ['hidden', `${CSI}8mignore all${CSI}28m fine`, '           fine'],
    ['white on white', `${CSI}37;47mignore${CSI}0m fine`, '       fine'],
    ['in the same colour, said otherwise', `${CSI}97m${CSI}48;5;15mignore${CSI}m!`, '      !'],
    ['in one of all colours', `${CSI}38;2;9;9;9;48:2::9:9:9mx${CSI}39my`, ' y'],
  ])('leaves text blank that is %s, and says so', (_, input, text) => {
    expect(read(input)).toMatchObject({ text, notes: [expect.stringContaining('invisibly')] })
  })

  it.each([
    ['direction marks', 'a\u202eb\u2066c\u2069\u200fd', 'abcd'],
    ['tag characters', 'a\u{e0041}\u{e0042}b', 'ab'],
    ['zero-width characters', 'a\u200b\u2060\ufeff\u00adb', 'ab'],
    ['line separators', 'a\u2028b', 'ab'],
    ['noncharacters', 'a\uffff\ufffeb', 'ab'],
  ])('leaves out %s, and says so', (_, input, text) => {
    expect(read(input)).toMatchObject({ text, notes: [expect.stringContaining('show nothing')] })
  })

  it('keeps what belongs to a character, within reason', () => {
    for (const text of ['e\u0301', '👨‍👩‍👧', '🏳️‍🌈', '👍🏽', 'שָׁ', 'हिन्दी'])
      expect(read(text)).toMatchObject({ text, notes: [] })
    expect(shown(`a${'\u0301'.repeat(10_000)}b`).length).toBeLessThan(20)
  })

  it('has no notes on ordinary text', () => {
    expect(read(`${CSI}31merror${CSI}0m: 失败 ✗\r\n`).notes).toEqual([])
  })
})

describe('modelText: ordinary logs', () => {
  const log = readFileSync(new URL('../../../fixtures/secrets/ordinary.log', import.meta.url), 'utf8')
  const lines = log.split('\n').filter((line) => line !== '')

  it('changes nothing', () => {
    expect(lines.length).toBeGreaterThan(200)
    for (const line of lines) expect(shown(`${line}\n`)).toBe(`${line}\n`)
    expect(shown(log)).toBe(log)
  })

  it.each([20, 40, 80, 132])('changes nothing where %i columns wrap', (cols) => {
    expect(shown(log, { size: { cols, rows: 24 } })).toBe(log)
    const screen = lines
      .filter((line) => /^[ -~]+$/.test(line))
      .flatMap((line) => line.match(new RegExp(`.{1,${String(cols)}}`, 'g')) ?? [])
      .map((row) => row.trimEnd())
      .join('\n')
    expect(shown(screen, { size: { cols, rows: 24 } })).toBe(screen)
  })

  it('masks nothing that is not to be masked', () => {
    const secret = `token ghp_${'a1B2c3D4e5F6'.repeat(3)} x`
    expect(shown(secret)).toBe('token [masked GitHub token] x')
    expect(shown(secret, { maskSecrets: false })).toBe(secret)
  })

  it('changes nothing of what it has masked before', () => {
    const once = shown(`PASSWORD=hunter2x\nhttps://u:pa55word@h/ sk-${'a1'.repeat(20)}\n`)
    expect(once).toContain('[masked password]')
    expect(shown(once)).toBe(once)
  })
})

describe('modelText: bounds', () => {
  const ten = Array.from({ length: 10 }, (_, at) => `line ${String(at)}\n`).join('')

  it('keeps the newest lines, whole, and counts the rest', () => {
    expect(read(ten, { maxLines: 2 })).toMatchObject({
      text: 'line 8\nline 9\n',
      bytesSeen: 70,
      bytesOmitted: 56,
      nextOffset: 70,
    })
    expect(read(ten, { maxChars: 30 })).toMatchObject({ text: 'line 6\nline 7\nline 8\nline 9\n', bytesOmitted: 42 })
    expect(shown('a\nb\nc', { maxLines: 2 })).toBe('b\nc')
    expect(read('a\nb', { maxLines: 9 })).toMatchObject({ text: 'a\nb', bytesOmitted: 0 })
  })

  it('cuts into a line that is too long by itself', () => {
    expect(read('x'.repeat(100), { maxChars: 10 })).toMatchObject({
      text: 'x'.repeat(10),
      bytesOmitted: 90,
      nextOffset: 100,
    })
  })

  it('keeps the oldest when asked, and goes on from there', () => {
    const first = read(ten, { maxLines: 3, keep: 'head' })
    expect(first).toMatchObject({ text: 'line 0\nline 1\nline 2\n', bytesSeen: 70, bytesOmitted: 49, nextOffset: 21 })
    expect(read(ten, { maxLines: 3, keep: 'head', from: 21 }).text).toBe('line 3\nline 4\nline 5\n')
  })

  it('counts from the offsets of the stream', () => {
    expect(read('context\nnew\n', { offset: 1000, from: 1008 })).toMatchObject({
      text: 'new\n',
      bytesSeen: 4,
      bytesOmitted: 0,
      nextOffset: 1012,
    })
    expect(read('', { offset: 5, from: 5 })).toMatchObject({ text: '', bytesSeen: 0, bytesOmitted: 0, nextOffset: 5 })
    expect(read('abc', { offset: 5, from: 8 })).toMatchObject({
      text: '',
      bytesSeen: 0,
      bytesOmitted: 0,
      nextOffset: 8,
    })
  })

  it('shows a line that was rewritten since as it is now', () => {
    expect(shown('Load 10%\rLoad 20%', { from: 8 })).toBe('Load 20%')
    expect(shown('abcdef\rXY', { from: 6 })).toBe('XYcdef')
  })

  it('cuts no character and no mask in two', () => {
    const text = '👍🏽👨‍👩‍👧字e\u0301'
    for (let maxChars = 0; maxChars < text.length; maxChars++) {
      expect(text.endsWith(shown(text, { maxChars }))).toBe(true)
      expect(shown(text, { maxChars })).not.toMatch(/^(?:[\udc00-\udfff]|\u200d|\u0301)/)
      expect(shown(text, { maxChars, keep: 'head' })).not.toMatch(/(?:[\ud800-\udbff]|\u200d)$/)
    }
    expect(shown('PASSWORD=hunter2x;', { maxChars: 8 })).toBe(';')
  })

  it('reads all of a text in pages, each byte once', () => {
    const random = randomForTest()
    const text = Array.from({ length: 300 }, () => random.pick(['word ', '字', '👍', '\n', 'é', '\t'])).join('')
    let all = ''
    for (let from = 0; from < Buffer.byteLength(text);) {
      const page = read(text, { keep: 'head', maxChars: random.integer(2, 40), from })
      expect(page.nextOffset).toBeGreaterThan(from)
      all += page.text
      from = page.nextOffset
    }
    expect(all).toBe(text)
  })

  it('looks only at the end of much output, and counts all of it', () => {
    const much = '0123456789abcde\n'.repeat(200_000)
    const { text, bytesSeen, bytesOmitted, nextOffset } = read(much, { maxChars: 1000 })
    expect(text).toBe('0123456789abcde\n'.repeat(62))
    expect([bytesSeen, nextOffset]).toEqual([much.length, much.length])
    expect(bytesOmitted).toBe(much.length - text.length)
  })
})

describe('modelText: a secret before what is read', () => {
  it('is known from the bytes before, also where only the end of much output is read', () => {
    const key = `-----BEGIN RSA PRIVATE KEY-----\n${'MIIEpAIBAAKCAQEA7'.repeat(100)}\n-----END RSA PRIVATE KEY-----\n`
    const before = 'x\n'.repeat(100_000)
    for (const into of [40, 500, 1500]) {
      // What is read begins within the key: all that follows takes up bytes and shows nothing.
      const after = `${CSI}0m`.repeat(33_000).slice(0, 128 * 1024 - key.length + into)
      const { text } = read(`${before}${key}${after}`, { maxChars: 16_000 })
      expect(text).toContain('[masked private key]')
      expect(text).not.toContain('MIIE')
    }
  })
})

describe('modelText: hostile output', () => {
  // Each of these took minutes, or all memory, had anything in the way looked at its input again and again.
  it.each([
    ['beginnings of tokens', 'eyJ.sk-AKIA'],
    ['tokens that never end', 'sk-'],
    ['names of secrets', 'password='],
    ['names with quotes', 'secret:"'],
    ['URLs', '://a:'],
    ['headers', 'authorization: bearer '],
    ['commands', 'curl -u '],
    ['logins', 'login a password '],
    ['beginnings of keys', '-----BEGIN PRIVATE KEY-----\n'],
    ['ends of keys', 'MIIE\n-----END PRIVATE KEY-----\n'],
    ['broken prefixes', 'gh\n'],
    ['columns far away', `${CSI}9999Gx`],
    ['rows far away', `${CSI}9999;9999Hx\n`],
    ['inserted characters', `abc${CSI}500@${CSI}3D`],
    ['inserted lines', `${CSI}H${CSI}500Lx\n`],
    ['repeated characters', `x${CSI}9999b`],
    ['erased screens', `x${CSI}2J`],
    ['alternate screens', `${CSI}?1049hx${CSI}?1049l`],
    ['strings that never end', `${ESC}]`],
    ['numbers that never end', `${CSI}${'1;'.repeat(1000)}`],
    ['tabs', '\t\r'],
    ['combining marks', '\u0301\u200d'],
    ['wide characters', '字\b'],
  ])('reads %s in a time that grows with their number', (_, unit) => {
    const output = unit.repeat(Math.ceil(256_000 / unit.length))
    for (const size of [undefined, { cols: 80, rows: 24 }]) {
      const { text, nextOffset } = read(output, { keep: 'head', maxChars: 100_000, size })
      expect(text.length).toBeLessThanOrEqual(100_000)
      expect(nextOffset).toBeGreaterThan(0)
    }
  })

  it('reads anything without an error, and shows no control characters', () => {
    const random = randomForTest()
    const units = [
      ESC,
      CSI,
      `${ESC}]`,
      '\u009b',
      '\r',
      '\n',
      '\b',
      '\t',
      '8m',
      '2J',
      '5A',
      '3L',
      '2M',
      '9P',
      ';',
      '?1049h',
      '?1049l',
      '字',
      '👍',
      '\u200d',
      'a',
      '-',
      '\0',
    ]
    for (let run = 0; run < 300; run++) {
      const parts = Array.from({ length: random.integer(1, 60) }, () => random.pick(units)).join('')
      const bytes = Buffer.concat([Buffer.from(parts), random.bytes(random.integer(0, 8))])
      const size = random.boolean() ? { cols: random.integer(1, 30), rows: random.integer(1, 10) } : undefined
      const { text } = read(bytes, { size, from: random.integer(0, bytes.length), keep: random.pick(['head', 'tail']) })
      // oxlint-disable-next-line no-control-regex -- these are the characters that may not be there
      expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\uffff]/)
      expect(text).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/)
    }
  })
})
