import { describe, expect, it } from 'vitest'
import { ByteRing } from '../../../../host-src/base/byte-ring.ts'
import { randomForTest } from '../../../support/random.ts'

const SLAB_BYTES = 64 * 1024

/** Everything from `from` on, read in pieces of at most `maxBytes`. */
const readAll = (ring: ByteRing, from: number, maxBytes: number): Buffer => {
  const parts: Buffer[] = []
  let at = from
  for (;;) {
    const view = ring.read(at, maxBytes)
    if (view.length === 0) return Buffer.concat(parts)
    expect(view.length).toBeLessThanOrEqual(maxBytes)
    parts.push(Buffer.from(view))
    at += view.length
  }
}

describe('ByteRing', () => {
  it('agrees with a plain array at every step of a random history', () => {
    const random = randomForTest()
    for (let run = 0; run < 12; run += 1) {
      const capacity = random.pick([1, 100, 4096, 5000, SLAB_BYTES, 200_000])
      const ring = new ByteRing(capacity)
      let model = Buffer.alloc(0)
      for (let step = 0; step < 60; step += 1) {
        const chunk = Buffer.alloc(random.pick([0, 1, 7, 4095, 4096, 4097, 30_000, 150_000]), random.integer(0, 255))
        if (chunk.length > 0) chunk[random.integer(0, chunk.length - 1)] = random.integer(0, 255)
        ring.append(chunk)
        model = Buffer.concat([model, chunk])
        expect(ring.end).toBe(model.length)
        expect(ring.end - ring.start).toBeGreaterThanOrEqual(Math.min(capacity, model.length))
        expect(ring.end - ring.start).toBeLessThanOrEqual(capacity + 2 * SLAB_BYTES)
        const from = random.integer(ring.start, ring.end)
        const got = readAll(ring, from, random.pick([1000, 4096, SLAB_BYTES, 1_000_000]))
        expect(got.equals(model.subarray(from))).toBe(true)
      }
    }
  })

  it('copies what it is given', () => {
    const ring = new ByteRing(100)
    const chunk = Buffer.from('abc')
    ring.append(chunk)
    chunk.fill(0)
    expect(Buffer.from(ring.read(0, 10)).toString()).toBe('abc')
  })

  it('refuses offsets that it does not hold', () => {
    const ring = new ByteRing(10)
    for (let step = 0; step < 4; step += 1) ring.append(new Uint8Array(SLAB_BYTES))
    expect(ring.start).toBeGreaterThan(0)
    for (const bad of [ring.start - 1, ring.end + 1, -1]) expect(() => ring.read(bad, 1)).toThrow(RangeError)
    expect(ring.read(ring.end, 10)).toHaveLength(0)
  })

  it('goes on in the slabs it dropped, so that a flood leaves no garbage', () => {
    const ring = new ByteRing(4 * SLAB_BYTES)
    const buffers = new Set<ArrayBufferLike>()
    for (let step = 0; step < 100; step += 1) {
      ring.append(new Uint8Array(SLAB_BYTES))
      buffers.add(ring.read(ring.end - 1, 1).buffer)
    }
    expect(buffers.size).toBeLessThan(15)
  })

  it('keeps a small session small', () => {
    const ring = new ByteRing(8 * 1024 * 1024)
    ring.append(new Uint8Array(10))
    expect(ring.read(0, 10).buffer.byteLength).toBeLessThanOrEqual(4096)
  })
})
