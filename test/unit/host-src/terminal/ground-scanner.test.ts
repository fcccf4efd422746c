import { describe, expect, it } from 'vitest'
import { GroundScanner } from '../../../../host-src/terminal/ground-scanner.ts'
import { randomForTest } from '../../../support/random.ts'
import { visibleText } from '../../../support/visible-text.ts'

/**
 * Streams whose only visible characters are V, é, 中 and 😀: whatever else a terminal shows after it was fed from a cut
 * is the rest of a sequence that the cut went through.
 */
const CORPUS: Record<string, string> = {
  'coloured text': 'V\x1b[38;5;196mV\x1b[0mV\x1b[1;2;3mV',
  'text beyond ASCII': 'Vé中😀V中é😀',
  'private and intermediate parameters': 'V\x1b[?1049hV\x1b[?25l\x1b[>c\x1b[!pV\x1b[2 qV',
  'controls inside a sequence': 'V\x1b[3\r1mV\x1b[\n31mV',
  'escapes with intermediates': 'V\x1b(BV\x1b#8\x1b[2J\x1b[HV\x1b%GV',
  'OSC ended by BEL': 'V\x1b]0;title\x07V\x1b]8;;http://x.test\x07V\x1b]8;;\x07V',
  'OSC ended by ST': 'V\x1b]52;c;YWJj\x1b\\V\x1b]133;A\x1b\\V',
  'OSC with characters beyond ASCII': 'V\x1b]2;é中😀title\x07V',
  DCS: 'V\x1bP$q"p\x1b\\V\x1bP1;2;3|abc\x1b\\V',
  'BEL inside a DCS, which it does not end': 'V\x1bP1$tab\x07cd;5;196m\x1b\\V',
  'BEL inside APC, PM and SOS': 'V\x1b_ab\x07cd\x1b\\V\x1b^ab\x07cd\x1b\\V\x1bXab\x07cd\x1b\\V',
  'tmux passthrough': 'V\x1bPtmux;\x1b\x1b]0;title\x07\x1b\\V',
  'cancelled sequences': 'V\x1b[38;5\x18V\x1b]0;ab\x18V\x1bPqab\x1aV',
  'a sequence inside a sequence': 'V\x1b[38;5\x1b[31mV\x1b]0;ab\x1b[31mV\x1b\x1b\x1b[31mV',
  '8-bit controls as UTF-8': 'V\u009b38;5;196mV\u009d0;title\u0007V\u0090qab\u009cV\u009fab\u009cV',
  '8-bit controls inside sequences': 'V\x1b[38;5\u009b31mV\x1b]0;ab\u009cV\x1b[3\u009d0;ab\x07V',
  'characters beyond ASCII beside 8-bit controls': 'VéV\u0085V\u009bmVé',
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

/** Every position that the scanner takes for ground when it is fed byte by byte. */
const groundPositions = (bytes: Uint8Array): number[] => {
  const scanner = new GroundScanner()
  const positions = [0]
  for (let at = 0; at < bytes.length; at += 1) {
    scanner.feed(bytes.subarray(at, at + 1))
    if (scanner.isGround) positions.push(at + 1)
  }
  return positions
}

describe.each(Object.entries(CORPUS))('%s', (_name, text) => {
  const bytes = bytesOf(text)

  it('may be cut where the scanner says: an emulator shows no rest of a sequence', async () => {
    const positions = groundPositions(bytes)
    expect(positions).toContain(bytes.length)
    expect(positions.length).toBeGreaterThan(2)
    for (const position of positions)
      expect(await visibleText(bytes.subarray(position)), `fed from ${position}`).toMatch(/^[Vé中😀]*$/u)
  })

  it('has the same cuts however it is split into reads', () => {
    const ground = new Set(groundPositions(bytes))
    for (let first = 0; first <= bytes.length; first += 1) {
      for (let second = first; second <= bytes.length; second += 1) {
        const scanner = new GroundScanner()
        let at = 0
        for (const part of [bytes.subarray(0, first), bytes.subarray(first, second), bytes.subarray(second)]) {
          const cut = scanner.feed(part)
          if (cut !== -1) expect(ground, `cut ${at + cut} of ${first}/${second}`).toContain(at + cut)
          // The first place in this part at which a cut is safe, so none may lie before it.
          const earliest = [...ground].find((position) => position >= at && position <= at + part.length)
          expect(cut === -1 ? undefined : at + cut).toBe(earliest)
          at += part.length
        }
        expect(scanner.isGround).toBe(ground.has(bytes.length))
      }
    }
  })
})

describe('GroundScanner', () => {
  it('is right about random mixtures of the corpus', async () => {
    const random = randomForTest()
    const pieces = Object.values(CORPUS)
    for (let run = 0; run < 20; run += 1) {
      const bytes = bytesOf(Array.from({ length: 6 }, () => random.pick(pieces)).join(''))
      const scanner = new GroundScanner()
      for (let at = 0; at < bytes.length;) {
        const part = bytes.subarray(at, at + random.integer(1, 40))
        const cut = scanner.feed(part)
        if (cut !== -1)
          expect(await visibleText(bytes.subarray(at + cut)), `fed from ${at + cut}`).toMatch(/^[Vé中😀]*$/u)
        at += part.length
      }
    }
  })

  it('takes long stretches of text in one step to the same end as byte by byte', () => {
    const random = randomForTest()
    const pieces = [...Object.values(CORPUS), 'V'.repeat(70), '中'.repeat(40), 'é'.repeat(33), '\u00a0'.repeat(5)]
    for (let run = 0; run < 300; run += 1) {
      const whole = bytesOf(Array.from({ length: 8 }, () => random.pick(pieces)).join(''))
      const [inSteps, byteByByte] = [new GroundScanner(), new GroundScanner()]
      for (let at = 0; at < whole.length;) {
        const part = whole.subarray(at, at + random.integer(1, 150))
        let expected = byteByByte.isGround ? 0 : -1
        for (let end = 1; end <= part.length; end += 1) {
          byteByByte.feed(part.subarray(end - 1, end))
          if (expected === -1 && byteByByte.isGround) expected = end
        }
        expect(inSteps.feed(part)).toBe(expected)
        expect(inSteps.isGround).toBe(byteByByte.isGround)
        at += part.length
      }
    }
  })

  it('finds its way back after invalid UTF-8 and unfinished characters', () => {
    for (const broken of [
      [0xe4],
      [0xf0, 0x9f],
      [0xff, 0xfe],
      [0xc3, 0x41],
      [0x80, 0x80],
      [0xe4, 0xb8, 0x1b, 0x5b, 0x6d],
    ]) {
      const scanner = new GroundScanner()
      scanner.feed(Uint8Array.from(broken))
      scanner.feed(bytesOf('V'))
      expect(scanner.isGround).toBe(true)
    }
  })

  it('never throws and never claims ground inside a string, whatever comes', () => {
    const random = randomForTest()
    const scanner = new GroundScanner()
    for (let run = 0; run < 500; run += 1) scanner.feed(random.bytes(random.integer(0, 200)))
    scanner.feed(bytesOf('\x18'))
    expect(scanner.feed(bytesOf('V\x1b]0;'))).toBe(0)
    expect(scanner.feed(bytesOf('a'.repeat(10_000)))).toBe(-1)
    expect(scanner.feed(bytesOf('\x07'))).toBe(1)
  })
})
