/** Every recorded stream, cut at every byte: who starts from the state there ends where one ends that never left. */
import { describe, expect, it } from 'vitest'
import { capture, isAtGround } from '../../../screen-src/capture.ts'
import { hashEncoded, hashScreen, hashState } from '../../../screen-src/hash.ts'
import { prependHistory, restore } from '../../../screen-src/restore.ts'
import { decodeState, encodeState, type EncodedState } from '../../../screen-src/state-codec.ts'
import { MARK_NONCE } from '../../../scripts/record-streams/sequences.ts'
import { differenceOf } from './differences.ts'
import { feed, newEmulator, type Emulator } from './emulator.ts'
import { feedRange, loadStreams, type Stream } from './streams.ts'

const SCROLLBACK = 30
/** Of the ground points, how many are also followed to the end of the stream. */
const TO_THE_END = 60

const emulatorFor = ({ cols, rows }: Stream): Emulator =>
  newEmulator({ cols, rows, scrollback: SCROLLBACK }, { markNonce: MARK_NONCE })

const restoreAll = (emulator: Emulator, { screenPart, historyParts }: EncodedState): void => {
  restore(emulator, screenPart)
  for (const part of historyParts) prependHistory(emulator, part)
}

describe.each(loadStreams())('stream $name ($about)', (stream) => {
  const { bytes } = stream

  it('is the same after a restore at every byte', { timeout: 120_000 }, () => {
    const reference = emulatorFor(stream)
    // Restored at the last ground point and compared there; the other one is fed the same in two pieces.
    const visitor = emulatorFor(stream)
    const cutVisitor = emulatorFor(stream)
    const differences: string[] = []
    const report = (place: string, difference: string | null): void => {
      if (difference !== null) differences.push(`${place}: ${difference}`)
    }
    let last = { offset: 0, encoded: encodeState(capture(reference)) }
    restoreAll(visitor, last.encoded)
    let cuts = 0
    for (let offset = 1; offset <= bytes.length && differences.length < 5; offset++) {
      feedRange(reference, stream, { from: offset - 1, to: offset })
      if (!isAtGround(reference)) continue
      const state = capture(reference)
      for (let cut = last.offset + 1; cut < offset; cut++) {
        restoreAll(cutVisitor, last.encoded)
        feedRange(cutVisitor, stream, { from: last.offset, to: cut })
        feedRange(cutVisitor, stream, { from: cut, to: offset })
        report(`state at ${String(last.offset)}, cut at ${String(cut)}`, differenceOf(state, capture(cutVisitor)))
      }
      feedRange(visitor, stream, { from: last.offset, to: offset })
      report(`state at ${String(last.offset)}, up to ${String(offset)}`, differenceOf(state, capture(visitor)))
      cuts += offset - last.offset
      last = { offset, encoded: encodeState(state) }
      restoreAll(visitor, last.encoded)
      report(`restored at ${String(offset)}`, differenceOf(state, capture(visitor)))
      if (hashState(visitor) !== hashEncoded(last.encoded)) report(`restored at ${String(offset)}`, 'hash')
    }
    expect(differences).toEqual([])
    expect(cuts).toBe(last.offset)
    // Only a stream that ends in the middle of something may leave bytes over.
    expect(bytes.length - last.offset).toBeLessThan(4)
  })

  it('ends the same when it goes on from a state, and in one piece as in single bytes', { timeout: 120_000 }, () => {
    const whole = emulatorFor(stream)
    feedRange(whole, stream, { from: 0, to: bytes.length })
    const steps = emulatorFor(stream)
    const visitor = emulatorFor(stream)
    const every = Math.max(1, Math.floor(bytes.length / TO_THE_END))
    for (let offset = 0; offset <= bytes.length; offset++) {
      if (offset > 0) feedRange(steps, stream, { from: offset - 1, to: offset })
      if (offset % every !== 0 || !isAtGround(steps)) continue
      restoreAll(visitor, encodeState(capture(steps)))
      feedRange(visitor, stream, { from: offset, to: bytes.length })
      expect(isAtGround(visitor)).toBe(isAtGround(whole))
      if (!isAtGround(whole)) continue
      expect(differenceOf(capture(whole), capture(visitor)), `from ${String(offset)}`).toBeNull()
      expect(hashState(visitor)).toBe(hashState(whole))
    }
    if (isAtGround(whole)) expect(differenceOf(capture(whole), capture(steps))).toBeNull()
  })

  it('goes on before its scrollback arrives, and ends the same', { timeout: 120_000 }, () => {
    const reference = emulatorFor(stream)
    const visitor = emulatorFor(stream)
    const last = stream.resizes.at(-1)?.offset ?? 0
    const every = Math.max(1, Math.floor((bytes.length - last) / 20))
    for (let offset = last; offset < bytes.length; offset += every) {
      feedRange(reference, stream, { from: Math.max(0, offset === last ? 0 : offset - every), to: offset })
      if (offset === last) for (const { cols, rows } of stream.resizes.slice(-1)) reference.resize(cols, rows)
      if (!isAtGround(reference)) continue
      const { screenPart, historyParts } = encodeState(capture(reference))
      const control = emulatorFor(stream)
      restoreAll(control, { screenPart, historyParts })
      restore(visitor, screenPart)
      expect(hashScreen(visitor)).toBe(hashScreen(reference))
      const rest = bytes.subarray(offset)
      feed(control, rest)
      feed(visitor, rest)
      for (const part of historyParts.toReversed()) prependHistory(visitor, part)
      if (!isAtGround(control)) continue
      expect(differenceOf(capture(control), capture(visitor)), `from ${String(offset)}`).toBeNull()
    }
  })

  it('survives its encoding', () => {
    const reference = emulatorFor(stream)
    feedRange(reference, stream, { from: 0, to: Math.floor(bytes.length / 2) })
    for (let at = Math.floor(bytes.length / 2); at < bytes.length && !isAtGround(reference); at++)
      feed(reference, bytes.subarray(at, at + 1))
    const state = capture(reference)
    const encoded = encodeState(state)
    const decoded = decodeState(encoded)
    expect(differenceOf(state, decoded)).toBeNull()
    expect(hashEncoded(encodeState(decoded))).toBe(hashEncoded(encoded))
  })
})
