/** What the guards stop, and that they change nothing else. */
import { describe, expect, it } from 'vitest'
import { MIN_SCROLLBACK_LINES } from '../../../screen-src/emulator-options.ts'
import { capture } from '../../../screen-src/capture.ts'
import { hashState } from '../../../screen-src/hash.ts'
import { installGuards } from '../../../screen-src/guards.ts'
import { coreOf } from '../../../screen-src/xterm-internals.ts'
import { differenceOf } from './differences.ts'
import { feed, newEmulator, type Emulator } from './emulator.ts'

const linesOf = (emulator: Emulator): string[] =>
  Array.from(
    { length: emulator.buffer.active.length },
    (_, at) => emulator.buffer.active.getLine(at)?.translateToString(true) ?? '',
  )

/** What can be seen, for emulators without guards, whose state cannot be taken. */
const seenOf = (emulator: Emulator): unknown => ({
  lines: linesOf(emulator),
  cursor: [emulator.buffer.active.cursorX, emulator.buffer.active.cursorY],
})

describe('counts', () => {
  const setUps = [
    '',
    '\u001b[3;6r\u001b[4;5H',
    '\u001b[2;2r\u001b[44m',
    '\u001b[?1049h\u001b[3;6r\u001b[5;2H',
    '\u001b[?6h\u001b[2;5r',
  ]
  const text = '1\r\n22\r\n333\r\n汉\r\n5\te\u0301\r\n6\u001b[3;9H'

  /** Final characters, with their intermediates, of sequences that are guarded. */
  const finals = [
    'S',
    'T',
    'L',
    'M',
    'I',
    'Z',
    'b',
    '@',
    'P',
    'X',
    ' @',
    ' A',
    "'}",
    "'~",
    'A',
    'B',
    'C',
    'D',
    'E',
    'F',
    'G',
    'd',
    'e',
    'a',
  ]

  it.each(finals)('CSI %s shows the same with and without guards for every moderate count', (final) => {
    for (const setUp of setUps)
      for (const count of [0, 1, 2, 3, 5, 8, 13, 20, 40, 80]) {
        const [guarded, plain] = [true, false].map((isGuarded) =>
          newEmulator({ cols: 20, rows: 8 }, { isGuarded }),
        ) as [Emulator, Emulator]
        for (const each of [guarded, plain]) feed(each, `${setUp}${text}x\u001b[${String(count)}${final}|`)
        expect(seenOf(guarded), `${JSON.stringify(setUp)} ${String(count)}`).toEqual(seenOf(plain))
      }
  })

  it.each([...finals, 'J', 'K', 'g', 't'])('twelve bytes with CSI 99999999 %s come to an end', (final) => {
    const emulator = newEmulator({ cols: 120, rows: 40, scrollback: 1000 })
    feed(emulator, 'warm\u001b[5Sup')
    for (const count of ['99999999', '2147483647', '99999999999999']) feed(emulator, `x\u001b[${count}${final}`)
    // Carried out to the letter they would not come to an end within the limit of a test.
    expect(emulator.buffer.active.length).toBeLessThanOrEqual(1040)
  })

  it('leaves the screen and the cursor as the whole count would have', () => {
    const [small, large] = [
      newEmulator({ cols: 20, rows: 6, scrollback: 1 }),
      newEmulator({ cols: 20, rows: 6, scrollback: 1 }),
    ]
    feed(small, `a\u001b[${String(20 * 7 + 3)}b`)
    feed(large, `a\u001b[${String(20 * 700 + 3)}b`)
    expect(differenceOf(capture(small), capture(large))).toBeNull()
  })

  it('bounds them also when a resize has left the margins upside down', () => {
    const emulator = newEmulator({ cols: 20, rows: 10 })
    feed(emulator, '\u001b[8;10r')
    emulator.resize(20, 4)
    for (const final of 'STLM') feed(emulator, `\u001b[2147483647${final}`)
    expect(emulator.buffer.active.cursorY).toBeLessThan(4)
  })
})

describe('chunks', () => {
  it.each(['…', '“x”', '、', '🀀', '─é汉👍', '\u0080x'])('%s survives a cut at every byte', (text) => {
    const whole = newEmulator({ cols: 20, rows: 2 })
    const inBytes = newEmulator({ cols: 20, rows: 2 })
    const bytes = new TextEncoder().encode(`a${text}b`)
    feed(whole, bytes)
    for (const byte of bytes) feed(inBytes, Uint8Array.of(byte))
    expect(differenceOf(capture(whole), capture(inBytes))).toBeNull()
    expect(linesOf(inBytes)[0]).toBe(`a${text.replace('\u0080', '')}b`)
  })

  it('loses the cut character without guards, which is why they are there', () => {
    const plain = newEmulator({ cols: 20, rows: 2 }, { isGuarded: false })
    for (const byte of new TextEncoder().encode('a…b')) feed(plain, Uint8Array.of(byte))
    expect(linesOf(plain)[0]).toBe('ab')
  })

  it('does not matter with a wide character that finds no room and no wrapping', () => {
    const texts = '\u001b[?7l12345678汉汉ab'
    const whole = newEmulator({ cols: 10, rows: 2 })
    const inBytes = newEmulator({ cols: 10, rows: 2 })
    feed(whole, texts)
    for (const byte of new TextEncoder().encode(texts)) feed(inBytes, Uint8Array.of(byte))
    expect(differenceOf(capture(whole), capture(inBytes))).toBeNull()
  })
})

describe('faults of the emulator', () => {
  it('does not throw when everything above the last column of the last line is erased', () => {
    const emulator = newEmulator({ cols: 10, rows: 3 })
    feed(emulator, 'a\r\nb\u001b[99;99H\u001b[1Jc')
    expect(linesOf(emulator)).toEqual(['', '', '         c'])
    expect(() => {
      feed(newEmulator({ cols: 10, rows: 3 }, { isGuarded: false }), '\u001b[99;99H\u001b[1J')
    }).toThrow()
  })

  it('keeps at least one line above the screen, without which a resize breaks it', () => {
    expect(MIN_SCROLLBACK_LINES).toBe(1)
    const emulator = newEmulator({ cols: 60, rows: 3, scrollback: 0 })
    feed(emulator, `${'A'.repeat(300)}\u001b[3;9r\r\n`)
    for (const [cols, rows] of [
      [70, 40],
      [33, 5],
      [118, 8],
    ] as const) {
      emulator.resize(cols, rows)
      feed(emulator, '\r\n')
    }
    feed(emulator, 'A'.repeat(300))
    emulator.resize(21, 11)
    feed(emulator, '\n')
    expect(() => hashState(emulator)).not.toThrow()
  })

  it('gives the alternate screen no scrollback when the window shrank before', () => {
    const emulator = newEmulator({ cols: 20, rows: 10 })
    emulator.resize(20, 4)
    feed(emulator, `\u001b[?1049h${'line\r\n'.repeat(9)}`)
    expect(emulator.buffer.active.length).toBe(4)
  })

  it('keeps joined characters in their cells when lines are laid out anew', () => {
    const emulator = newEmulator({ cols: 6, rows: 10, scrollback: 14 })
    for (const text of ['\u0085─', '\r', '🇩🇪🇫🇷“x”', '\u001b8', '\u001b[8I', 'e\u0301─']) feed(emulator, text)
    const before = linesOf(emulator).join('')
    expect(before).toContain('🇫🇷“x')
    emulator.resize(19, 5)
    feed(emulator, '\u001b[2L')
    emulator.resize(17, 5)
    expect(linesOf(emulator)).toEqual(['     e\u0301', '', '', '  ─ 🇫🇷“x', '    ”'])
  })

  it('keeps the newest lines when there is no room for all when lines are laid out anew', () => {
    const emulator = newEmulator({ cols: 4, rows: 3, scrollback: 4 })
    emulator.resize(25, 9)
    feed(emulator, '\u001b[99;99H')
    emulator.resize(20, 1)
    feed(emulator, '世界\u001bD👨‍👩‍👧')
    emulator.resize(3, 1)
    expect(linesOf(emulator)).toEqual(['', '', ' 世', '界', ''])
  })
})

describe('sizes', () => {
  it('bounds titles, addresses, links, the lines of a link and joined text', () => {
    const emulator = newEmulator({ cols: 40, rows: 5, scrollback: 500 })
    feed(emulator, `\u001b]0;${'t'.repeat(100_000)}\u0007\u001b]8;;http://${'u'.repeat(100_000)}\u001b\\no link\r\n`)
    const core = coreOf(emulator)
    expect(core._inputHandler._windowTitle.length).toBe(4096)
    expect(core._oscLinkService._dataByLinkId.size).toBe(0)
    feed(emulator, `a${'\u0301'.repeat(10_000)}\r\n`)
    expect(JSON.stringify(linesOf(emulator)).length).toBeLessThan(2000)
    feed(emulator, `\u001b]8;;http://forgotten\u001b\\${'open\r\n'.repeat(200)}`)
    expect([...core._oscLinkService._dataByLinkId.values()][0]?.lines.length).toBe(16)
    // Each costs something with every line that scrolls.
    expect(emulator.markers.length).toBe(16)
    for (let at = 0; at < 6000; at++) feed(emulator, `\u001b]8;;http://${String(at)}\u001b\\x`)
    expect(core._oscLinkService._dataByLinkId.size).toBe(4096)
  })
})

it('says what a version of the emulator lacks', () => {
  const emulator = newEmulator({ cols: 10, rows: 3 }, { isGuarded: false })
  const core = coreOf(emulator) as unknown as { _oscLinkService: object; coreService: { decPrivateModes: object } }
  core._oscLinkService = {}
  core.coreService.decPrivateModes = { ...core.coreService.decPrivateModes, win32InputMode: false }
  expect(() => {
    installGuards(emulator)
  }).toThrow(/_oscLinkService\._nextId is not a number.*win32InputMode/)
})
