/** Random streams with random sizes: chunks do not matter, and a restored terminal goes on like the one it came from. */
import { expect, it } from 'vitest'
import { randomForTest } from '../../support/random.ts'
import { capture, isAtGround } from '../../../screen-src/capture.ts'
import { hashScreen, hashState } from '../../../screen-src/hash.ts'
import { prependHistory, restore } from '../../../screen-src/restore.ts'
import { decodeState, encodeState } from '../../../screen-src/state-codec.ts'
import { MARK_NONCE } from '../../../scripts/record-streams/sequences.ts'
import { differenceOf } from './differences.ts'
import { feed, newEmulator, type Emulator } from './emulator.ts'
import { randomSequence } from './sequences.ts'

const ROUNDS = 60
const STEPS = 120

const feedInBytes = (emulator: Emulator, bytes: Uint8Array): void => {
  for (let at = 0; at < bytes.length; at++) feed(emulator, bytes.subarray(at, at + 1))
}

it('gives the same state however the stream was cut, and wherever it was restored', { timeout: 60_000 }, () => {
  const random = randomForTest()
  for (let round = 0; round < ROUNDS; round++) {
    const shape = { cols: random.integer(2, 30), rows: random.integer(1, 10), scrollback: random.integer(1, 30) }
    const whole = newEmulator(shape, { markNonce: MARK_NONCE })
    const inBytes = newEmulator(shape, { markNonce: MARK_NONCE })
    const visitor = newEmulator({ cols: 10, rows: 5, scrollback: 5 }, { markNonce: MARK_NONCE })
    const history: string[] = []
    let isRestored = false
    const all = (): Emulator[] => (isRestored ? [whole, inBytes, visitor] : [whole, inBytes])
    const write = (text: string): void => {
      history.push(text)
      const bytes = new TextEncoder().encode(text)
      feed(whole, bytes)
      feedInBytes(inBytes, bytes)
      if (isRestored) feed(visitor, bytes)
    }
    const check = (what: string): void => {
      expect(isAtGround(inBytes)).toBe(isAtGround(whole))
      if (!isAtGround(whole)) return
      const state = capture(whole)
      const place = `${what} in round ${String(round)} after ${JSON.stringify(history.slice(-5))}`
      expect(differenceOf(state, capture(inBytes)), `single bytes, ${place}`).toBeNull()
      if (!isRestored) return
      expect(differenceOf(state, capture(visitor)), `restored, ${place}`).toBeNull()
      expect(hashState(visitor)).toBe(hashState(whole))
      expect(hashScreen(visitor)).toBe(hashScreen(whole))
    }
    for (let step = 0; step < STEPS; step++) {
      if (random.boolean(0.05)) {
        const [cols, rows] = [random.integer(2, 30), random.integer(1, 10)]
        history.push(`resize ${String(cols)}x${String(rows)}`)
        for (const each of all()) each.resize(cols, rows)
      } else write(randomSequence(random))
      check('going on')
      if (!isAtGround(whole) || !random.boolean(0.1)) continue
      const state = capture(whole)
      const encoded = encodeState(state)
      expect(differenceOf(state, decodeState(encoded))).toBeNull()
      isRestored = true
      restore(visitor, encoded.screenPart)
      // Output goes on while the scrollback is under way.
      while (random.boolean()) write(randomSequence(random))
      for (const part of random.shuffle(encoded.historyParts)) prependHistory(visitor, part)
      check('after the scrollback arrived')
    }
  }
})
