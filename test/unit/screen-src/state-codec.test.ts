/** What a decoder does with bytes from nowhere, and how large a state gets. */
import { describe, expect, it } from 'vitest'
import { randomForTest } from '../../support/random.ts'
import { FormatError } from '../../../screen-src/bytes.ts'
import { capture } from '../../../screen-src/capture.ts'
import { hashState } from '../../../screen-src/hash.ts'
import { prependHistory, restore } from '../../../screen-src/restore.ts'
import { decodeHistory, decodeScreen, encodeScreen, encodeState } from '../../../screen-src/state-codec.ts'
import { StateError } from '../../../screen-src/terminal-state.ts'
import { NULL_CONTENT } from '../../../screen-src/xterm-internals.ts'
import { feed, newEmulator } from './emulator.ts'

const sample = () => {
  const emulator = newEmulator({ cols: 30, rows: 6, scrollback: 40 })
  feed(emulator, '\u001b[1;38;5;200mcolour\u001b[0m e\u0301 汉\t\u001b]8;;http://a\u001b\\link\r\n'.repeat(30))
  return { emulator, encoded: encodeState(capture(emulator)) }
}

const refusal = (run: () => unknown): Error | null => {
  try {
    run()
    return null
  } catch (error) {
    return error as Error
  }
}

describe('decoding', () => {
  it('refuses noise and damaged parts with a FormatError, and never fails otherwise', { timeout: 30_000 }, () => {
    const random = randomForTest()
    const { encoded } = sample()
    const parts = [encoded.screenPart, ...encoded.historyParts]
    let refused = 0
    for (let round = 0; round < 6000; round++) {
      const bytes = random.boolean(0.3) ? random.bytes(random.integer(0, 80)) : random.pick(parts).slice()
      if (random.boolean(0.3) && bytes.length > 1) {
        bytes[0] = random.pick([0x53, 0x48])
        bytes[1] = 1
      }
      for (let change = random.integer(0, 3); change >= 0 && bytes.length > 0; change--)
        bytes[random.integer(0, bytes.length - 1)] = random.integer(0, 255)
      const cut = random.boolean(0.2) ? bytes.subarray(0, random.integer(0, bytes.length)) : bytes
      for (const decode of [decodeScreen, decodeHistory]) {
        const error = refusal(() => decode(cut))
        if (error !== null) refused += 1
        expect(error === null || error instanceof FormatError, error?.stack).toBe(true)
      }
    }
    expect(refused).toBeGreaterThan(6000)
  })

  it('gives an emulator only states in which it can go on', { timeout: 30_000 }, () => {
    const random = randomForTest()
    const { encoded } = sample()
    let accepted = 0
    for (let round = 0; round < 2000; round++) {
      const bytes = encoded.screenPart.slice()
      bytes[random.integer(2, bytes.length - 1)] = random.integer(0, 255)
      const target = newEmulator({ cols: 20, rows: 4 })
      const error = refusal(() => restore(target, bytes))
      if (error !== null) expect(error instanceof FormatError || error instanceof StateError, error.stack).toBe(true)
      else accepted += 1
      const text = `still alive\u001b[5;5H\u001b[2J${'\r\n'.repeat(30)}\u001b[?1049h\u001b[H\u001b[9M\u001b[?1049l`
      expect(
        refusal(() => {
          feed(target, text)
        }),
        `changed ${JSON.stringify([...bytes])}`,
      ).toBeNull()
    }
    expect(accepted).toBeGreaterThan(100)
  })

  it.each([
    ['a cursor below the screen', { y: 6 }],
    ['a cursor beyond the last column', { x: 31 }],
    ['a bottom margin below the screen', { scrollBottom: 6 }],
    ['margins upside down', { scrollTop: 4, scrollBottom: 2 }],
    ['fewer lines than the screen has', { base: 1000 }],
    ['a line that does not exist', { lines: [null, null, null, null, null, null], historyLines: 25 }],
  ])('refuses %s', (_, change) => {
    const state = decodeScreen(sample().encoded.screenPart)
    expect(() => decodeScreen(encodeScreen({ ...state, normal: { ...state.normal, ...change } }))).toThrow(FormatError)
  })

  it('refuses few bytes that claim much memory', () => {
    const cells = new Uint32Array(3 * 4096)
    for (let at = 0; at < cells.length; at += 3) cells[at] = NULL_CONTENT
    const blank = { length: 4096, isWrapped: false, cells, combined: {}, extended: null }
    const state = decodeScreen(sample().encoded.screenPart)
    const lines = Array.from({ length: 2000 }, () => blank)
    const bytes = encodeScreen({ ...state, normal: { ...state.normal, lines, historyLines: 25, maxLines: 3000 } })
    expect(bytes.length).toBeLessThan(20_000)
    expect(() => decodeScreen(bytes)).toThrow('more cells')
  })

  it('refuses a part of another version and says so', () => {
    const { encoded } = sample()
    const other = encoded.screenPart.slice()
    other[1] = (other[1] ?? 0) + 1
    expect(() => decodeScreen(other)).toThrow('another version')
    expect(() => decodeHistory(encoded.screenPart)).toThrow('something else')
  })

  it('refuses the scrollback of another state', () => {
    const { emulator, encoded } = sample()
    const target = newEmulator({ cols: 20, rows: 4 })
    expect(() => {
      prependHistory(target, encoded.historyParts[0] as Uint8Array)
    }).toThrow(StateError)
    restore(target, encoded.screenPart)
    expect(() => hashState(target)).toThrow('has not arrived')
    for (const part of encoded.historyParts) prependHistory(target, part)
    expect(hashState(target)).toBe(hashState(emulator))
  })
})

describe('size', () => {
  it('keeps 10,000 coloured lines of 120 columns below 2 MB, and the screen below 10 KB', { timeout: 30_000 }, () => {
    const emulator = newEmulator({ cols: 120, rows: 40, scrollback: 10_000 })
    const line = Array.from(
      { length: 10 },
      (_, at) => `\u001b[38;5;${String(at * 20)}mcoloured ${String(at)} \u001b[0m`,
    ).join('')
    feed(emulator, `${line}\r\n`.repeat(10_100))
    const { screenPart, historyParts } = encodeState(capture(emulator))
    const historyBytes = historyParts.reduce((sum, part) => sum + part.length, 0)
    expect(historyBytes).toBeGreaterThan(1_000_000)
    expect(historyBytes).toBeLessThan(2_000_000)
    expect(screenPart.length).toBeLessThan(10_000)
  })
})
