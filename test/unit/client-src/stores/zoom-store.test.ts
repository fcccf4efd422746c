import { describe, expect, it } from 'vitest'
import type { SafeStorage } from '../../../../client-src/stores/storage.ts'
import { ZoomStore } from '../../../../client-src/stores/zoom-store.ts'

const storageWith = (value?: unknown): SafeStorage & { value: unknown } => ({
  value,
  read() {
    return this.value
  },
  write(_key, next) {
    this.value = next
  },
})

describe('zoom', () => {
  it('is added to the size that is set, whatever that becomes', () => {
    const zoom = new ZoomStore(storageWith())
    expect(zoom.sizeOf(13)).toBe(13)
    zoom.change(1, 13)
    zoom.change(1, 13)
    expect([zoom.sizeOf(13), zoom.sizeOf(20)]).toEqual([15, 22])
    zoom.change(-1, 20)
    expect([zoom.sizeOf(13), zoom.sizeOf(20)]).toEqual([14, 21])
    zoom.change('reset', 20)
    expect(zoom.sizeOf(20)).toBe(20)
  })

  it('stays between 8 and 32, and comes back from there with the first step', () => {
    const zoom = new ZoomStore(storageWith())
    for (let step = 0; step < 50; step += 1) zoom.change(1, 13)
    expect(zoom.sizeOf(13)).toBe(32)
    zoom.change(-1, 13)
    expect(zoom.sizeOf(13)).toBe(31)
    for (let step = 0; step < 50; step += 1) zoom.change(-1, 13)
    expect(zoom.sizeOf(13)).toBe(8)
    zoom.change(1, 13)
    expect(zoom.sizeOf(13)).toBe(9)
    expect(zoom.sizeOf(40)).toBe(32)
  })

  it('is remembered with a version, and forgotten when that is another or the value makes no sense', () => {
    const storage = storageWith()
    new ZoomStore(storage).change(1, 13)
    expect(storage.value).toEqual({ v: 1, by: 1 })
    expect(new ZoomStore(storage).sizeOf(13)).toBe(14)
    for (const value of [{ v: 2, by: 3 }, { v: 1, by: '3' }, { v: 1, by: 1e9 }, { v: 1, by: 0.5 }, [], null, 'x'])
      expect(new ZoomStore(storageWith(value)).sizeOf(13)).toBe(13)
  })
})
