/** The parts of a screen that need no thread: where a stream may be cut, what asks something, what happens in which order. */
import { describe, expect, it } from 'vitest'
import { lastGround } from '../../../../host-src/terminal/screen-cut.ts'
import { QueryScanner } from '../../../../host-src/terminal/screen-queries.ts'
import { ScreenTimeline } from '../../../../host-src/terminal/screen-timeline.ts'
import { isAtGround } from '../../../../screen-src/capture.ts'
import { randomForTest } from '../../../support/random.ts'
import { feed, newEmulator } from '../../screen-src/emulator.ts'
import { randomSequence } from '../../screen-src/sequences.ts'
import { loadStreams } from '../../screen-src/streams.ts'

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

describe('lastGround', () => {
  it.each([
    ['text', 4],
    ['text\u001b', 4],
    ['text\u001b[', 4],
    ['text\u001b[38;5', 4],
    ['text\u001b[38;5m', 11],
    ['a\u001b]0;title', 1],
    ['a\u001b]0;title\u001b', 1],
    ['a\u001b]0;title\u001b\\', 12],
    ['a\u001b]0;title\u0007b', 12],
    ['a\u001bPq\u0007', 1],
    ['a\u001b(', 1],
    ['a\u001b(0', 4],
    ['a\u001b[1\u001b[', 4],
    ['a\u001b[1\u0018b', 6],
    ['汉', 3],
    ['a\u009b1', 1],
    ['', 0],
  ])('of %j is %i', (text, expected) => {
    expect(lastGround(bytesOf(text))).toBe(expected)
  })

  it('of an unfinished character is before it', () => {
    expect(lastGround(bytesOf('a汉').subarray(0, 3))).toBe(1)
    expect(lastGround(bytesOf('…').subarray(0, 2))).toBe(0)
  })

  it('is where the emulator is at ground, for every cut of every recorded stream but the malformed one', () => {
    for (const { name, bytes, cols, rows } of loadStreams()) {
      const emulator = newEmulator({ cols, rows })
      let fed = 0
      let misses = 0
      for (let to = 1; to <= bytes.length; to++) {
        const ground = fed + lastGround(bytes.subarray(fed, to))
        feed(emulator, bytes.subarray(fed, ground))
        fed = ground
        if (!isAtGround(emulator)) misses += 1
      }
      expect(bytes.length - fed, name).toBeLessThan(4)
      if (name !== 'broken') expect(misses, name).toBe(0)
    }
  })
})

describe('QueryScanner', () => {
  it('sees every sequence that makes the emulator answer, however it was cut', () => {
    const random = randomForTest()
    for (const question of ['c', '0c', '>c', '5n', '6n', '?6n', '4$p', '?25$p', '?2026$p', '18t']
      .map((rest) => `\u001b[${rest}`)
      .concat(['\u001bP$qr\u001b\\', '\u001bP$q"p\u001b\\', '\u001b]10;?\u0007', '\u001b]4;1;?\u001b\\', '\u009bc'])) {
      const scanner = new QueryScanner()
      const noise = (): string => Array.from({ length: 5 }, () => randomSequence(random)).join('')
      const before = `${noise()}\u001b\\\u0018`
      scanner.feed(bytesOf(before))
      const bytes = bytesOf(question)
      const cut = random.integer(0, bytes.length)
      const seen = [scanner.feed(bytes.subarray(0, cut)), scanner.feed(bytes.subarray(cut)), scanner.feed(bytesOf(' '))]
      expect(
        seen.includes(true),
        `${JSON.stringify(before)} then ${JSON.stringify(question)} cut at ${String(cut)}`,
      ).toBe(true)
    }
  })

  it('lets coloured text, titles and prompts pass', () => {
    const scanner = new QueryScanner()
    const text =
      '\u001b[1;31mred\u001b[0m é ñ\u001b]0;title\u0007\u001b]133;A\u001b\\$ \u001b[?2004h\u001b[K\u001b]8;;http://a\u001b\\x'
    expect(scanner.feed(bytesOf(text.repeat(50)))).toBe(false)
  })
})

describe('ScreenTimeline', () => {
  const SMALL = { cols: 20, rows: 5 }
  const LARGE = { cols: 90, rows: 30 }

  it('gives resizes at their offsets, in order, also several at one', () => {
    const timeline = new ScreenTimeline()
    timeline.resize(10, SMALL)
    timeline.resize(10, LARGE)
    timeline.resize(30, SMALL)
    expect(timeline.next(0, 0, 100)).toEqual({ kind: 'write', to: 10, answers: false })
    expect(timeline.next(10, 0, 100)).toEqual({ kind: 'resize', size: SMALL, sizeChanges: 1 })
    expect(timeline.next(10, 1, 100)).toEqual({ kind: 'resize', size: LARGE, sizeChanges: 2 })
    expect(timeline.next(10, 2, 100)).toEqual({ kind: 'write', to: 30, answers: false })
    expect(timeline.next(30, 3, 30)).toBeNull()
    timeline.forget(10, 2)
    expect(timeline.next(30, 2, 100)).toEqual({ kind: 'resize', size: SMALL, sizeChanges: 3 })
  })

  it('answers only where it should, and not what was answered', () => {
    const timeline = new ScreenTimeline()
    timeline.answer(10, true)
    timeline.answer(20, false)
    expect(timeline.next(0, 0, 100)).toEqual({ kind: 'write', to: 10, answers: false })
    expect(timeline.next(10, 0, 100)).toEqual({ kind: 'write', to: 20, answers: true })
    timeline.answered(15)
    expect(timeline.next(10, 0, 100)).toEqual({ kind: 'write', to: 15, answers: false })
    expect(timeline.next(15, 0, 100)).toEqual({ kind: 'write', to: 20, answers: true })
    timeline.forget(12, 0)
    expect(timeline.next(15, 0, 100)).toEqual({ kind: 'write', to: 20, answers: true })
    expect(timeline.next(20, 0, 100)).toEqual({ kind: 'write', to: 100, answers: false })
  })

  it('leaves out what it was told to, but no resize in it', () => {
    const timeline = new ScreenTimeline()
    timeline.resize(50, SMALL)
    timeline.skip(40, 60)
    expect(timeline.next(30, 0, 100)).toEqual({ kind: 'write', to: 40, answers: false })
    expect(timeline.next(40, 0, 100)).toEqual({ kind: 'skip', to: 50 })
    expect(timeline.next(50, 0, 100)).toEqual({ kind: 'resize', size: SMALL, sizeChanges: 1 })
    expect(timeline.next(50, 1, 100)).toEqual({ kind: 'skip', to: 60 })
    expect(timeline.next(60, 1, 100)).toEqual({ kind: 'write', to: 100, answers: false })
  })
})
