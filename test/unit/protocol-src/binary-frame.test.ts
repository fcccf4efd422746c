import { describe, expect, it } from 'vitest'
import {
  BINARY_HEADER_BYTES,
  decodeBinaryFrame,
  encodeBinaryFrame,
  writeBinaryHeader,
  type BinaryFrame,
} from '../../../protocol-src/binary-frame.ts'
import type { AttachmentHandle } from '../../../protocol-src/ids.ts'
import { randomForTest, type Random } from '../../support/random.ts'

const POSITIONS = [0, 1, 0xffff_ffff, 0x1_0000_0000, 0x1_0000_0001, Number.MAX_SAFE_INTEGER]
const HANDLES = [1, 2, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff]

const randomFrame = (random: Random): BinaryFrame => {
  const handle = (random.boolean() ? random.pick(HANDLES) : random.integer(1, 0xffff_ffff)) as AttachmentHandle
  const position = random.boolean() ? random.pick(POSITIONS) : Math.floor(random.next() * Number.MAX_SAFE_INTEGER)
  const bytes = random.bytes(random.integer(0, 64))
  return random.boolean()
    ? { kind: 'output', handle, offset: position, bytes }
    : { kind: 'input', handle, seq: Math.max(1, position), bytes }
}

describe('binary frames', () => {
  it('come back as they were, wherever they lie in a larger buffer', () => {
    const random = randomForTest()
    for (let run = 0; run < 2000; run += 1) {
      const frame = randomFrame(random)
      const encoded = encodeBinaryFrame(frame)
      const around = new Uint8Array(encoded.length + 13)
      around.set(encoded, 7)
      const decoded = decodeBinaryFrame(around.subarray(7, 7 + encoded.length))
      expect(decoded).toEqual(frame)
    }
  })

  it('has the documented layout', () => {
    const handle = 0x0102_0304 as AttachmentHandle
    expect([
      ...encodeBinaryFrame({ kind: 'output', handle, offset: 0x5_0607_0809, bytes: Uint8Array.of(255) }),
    ]).toEqual([1, 0, 0, 0, 1, 2, 3, 4, 0, 0, 0, 5, 6, 7, 8, 9, 255])
    expect([...encodeBinaryFrame({ kind: 'input', handle, seq: 1, bytes: new Uint8Array(0) })]).toEqual([
      2, 0, 0, 0, 1, 2, 3, 4, 0, 0, 0, 0, 0, 0, 0, 1,
    ])
  })

  it('gives the bytes as a view, not a copy', () => {
    const data = encodeBinaryFrame({ kind: 'input', handle: 1 as AttachmentHandle, seq: 1, bytes: Uint8Array.of(1, 2) })
    const decoded = decodeBinaryFrame(data)
    if (decoded.kind !== 'input') throw new Error('an input frame was expected')
    expect(decoded.bytes.buffer).toBe(data.buffer)
  })

  it('writes a header in place without touching what follows', () => {
    const target = new Uint8Array(BINARY_HEADER_BYTES + 2).fill(7)
    writeBinaryHeader(target, { kind: 'output', handle: 9 as AttachmentHandle, offset: 2 })
    expect([...target.subarray(BINARY_HEADER_BYTES)]).toEqual([7, 7])
  })

  it('refuses what is no frame, and never throws', () => {
    const valid = encodeBinaryFrame({ kind: 'input', handle: 1 as AttachmentHandle, seq: 1, bytes: Uint8Array.of(1) })
    const damaged = (change: (bytes: Uint8Array) => void): string => {
      const copy = valid.slice()
      change(copy)
      return decodeBinaryFrame(copy).kind
    }
    expect(damaged((bytes) => bytes.set([0], 0))).toBe('invalid') // kind 0
    expect(damaged((bytes) => bytes.set([4], 0))).toBe('invalid') // unknown kind
    expect(damaged((bytes) => bytes.set([1], 1))).toBe('invalid') // reserved bytes
    expect(damaged((bytes) => bytes.set([1], 3))).toBe('invalid')
    expect(damaged((bytes) => bytes.fill(0, 4, 8))).toBe('invalid') // handle 0
    expect(damaged((bytes) => bytes.fill(0, 8, 16))).toBe('invalid') // input number 0
    expect(damaged((bytes) => bytes.fill(255, 8, 16))).toBe('invalid') // beyond 2^53
    expect(damaged((bytes) => bytes.set([0, 0x20, 0], 8))).toBe('invalid') // exactly 2^53
    for (let length = 0; length < BINARY_HEADER_BYTES; length += 1)
      expect(decodeBinaryFrame(valid.subarray(0, length)).kind).toBe('invalid')
    const random = randomForTest()
    for (let run = 0; run < 2000; run += 1) {
      const decoded = decodeBinaryFrame(random.bytes(random.integer(0, 40)))
      expect(['output', 'input', 'snapshot', 'invalid']).toContain(decoded.kind)
    }
  })
})
