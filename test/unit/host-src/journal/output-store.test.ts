import { beforeEach, describe, expect, test, vi } from 'vitest'
import {
  DISK_BACKLOG_BYTES,
  MEMORY_BACKLOG_BYTES,
  MIN_KEPT_BYTES,
  OutputStore,
} from '../../../../host-src/journal/output-store.ts'
import { SegmentFiles } from '../../../../host-src/journal/segment-files.ts'
import { faultyFiles, MemoryFiles, type Faults } from '../../../support/journal-files.ts'
import { holdsPattern, patternAt } from '../../../support/journal-fixture.ts'
import { randomForTest } from '../../../support/random.ts'

const MB = 1024 * 1024
const DIRECTORY = '/output/sid'

let files: MemoryFiles
let faults: Faults
let onFault: ReturnType<typeof vi.fn<(error: unknown) => void>>
let kept: number

const segmentsIn = (): SegmentFiles => new SegmentFiles(DIRECTORY, faultyFiles(files, faults))
const newStore = (kind: 'disk' | 'memory'): OutputStore =>
  new OutputStore({ segments: kind === 'disk' ? segmentsIn() : null, keptBytes: () => kept, onFault })

const fill = (store: OutputStore, bytes: number, step = 200_000): void => {
  for (let left = bytes; left > 0; left -= step) store.append(patternAt(store.end, Math.min(step, left)))
}
/** As a flush does. */
const flush = (store: OutputStore): void => {
  store.persist()
  store.prune()
  store.sweep()
}
const names = (): readonly string[] => [...files.list(DIRECTORY)].sort((a, b) => parseInt(a) - parseInt(b))
const expectIntact = (store: OutputStore): void => {
  expect(holdsPattern(store)).toBe(true)
}

beforeEach(() => {
  files = new MemoryFiles()
  faults = new Map()
  onFault = vi.fn<(error: unknown) => void>()
  kept = 2 * MB
})

describe.each(['disk', 'memory'] as const)('output kept in %s', (kind) => {
  test('reads back what was appended, from any offset, after any sequence of operations', () => {
    const random = randomForTest()
    const store = newStore(kind)
    for (let run = 0; run < 400; run++) {
      fill(store, random.integer(1, random.boolean(0.1) ? 700_000 : 20_000), random.integer(1, 300_000))
      if (random.boolean(0.2)) flush(store)
      if (random.boolean(0.1)) store.rest()
      const from = random.integer(store.start, store.end)
      expect(store.holds(from)).toBe(true)
      const bytes = store.read(from, random.integer(1, 100_000))
      expect(bytes !== null && Buffer.from(patternAt(from, bytes.length)).equals(bytes)).toBe(true)
      if (from < store.end) expect(bytes?.length).toBeGreaterThan(0)
    }
    expectIntact(store)
    expect(onFault).not.toHaveBeenCalled()
  })

  test('gives nothing outside of what it holds, and an empty read at the end only', () => {
    const store = newStore(kind)
    expect(store.read(0, 10)).toEqual(new Uint8Array(0))
    store.append(patternAt(0, 10))
    expect(store.read(10, 10)).toEqual(new Uint8Array(0))
    expect([store.read(11, 1), store.read(-1, 1)]).toEqual([null, null])
    expect([store.holds(10), store.holds(11), store.holds(-1)]).toEqual([true, false, false])
  })

  test('keeps as much as asked for, and not much more', () => {
    const store = newStore(kind)
    fill(store, 10 * MB)
    flush(store)
    expect(store.end - store.start).toBeGreaterThanOrEqual(kept)
    expect(store.end - store.start).toBeLessThanOrEqual(kept * 1.25 + 300_000)
    expectIntact(store)
  })

  test('follows a change of how much to keep, but never below what viewers need', () => {
    const store = newStore(kind)
    fill(store, 6 * MB)
    kept = 5 * MB
    fill(store, 4 * MB)
    flush(store)
    expect(store.end - store.start).toBeGreaterThanOrEqual(5 * MB)
    kept = 0
    fill(store, 300_000)
    flush(store)
    expect(store.end - store.start).toBeGreaterThanOrEqual(MIN_KEPT_BYTES)
    expect(store.end - store.start).toBeLessThan(3 * MB)
  })

  test('drops nothing at and after the pin', () => {
    const store = newStore(kind)
    fill(store, 1000)
    store.setPin(1000)
    fill(store, 7 * MB)
    flush(store)
    expect(store.start).toBeLessThanOrEqual(1000)
    store.setPin(store.end)
    fill(store, 1)
    flush(store)
    expect(store.start).toBeGreaterThan(1000)
    expectIntact(store)
  })

  test('says when the pinned part is at its limit, and when it is well below again', () => {
    const limit = kind === 'disk' ? DISK_BACKLOG_BYTES : MEMORY_BACKLOG_BYTES
    const store = newStore(kind)
    // The pin may lie anywhere; only the distance counts, and a file of 256 MiB would be a slow test.
    fill(store, 9 * MB)
    store.setPin(store.end - limit + 1)
    expect(store.isBacklogFull).toBe(false)
    store.append(patternAt(store.end, 1))
    expect(store.isBacklogFull).toBe(true)
    store.setPin(store.end - limit * 0.8)
    expect(store.isBacklogFull).toBe(true)
    store.setPin(store.end - limit * 0.7)
    expect(store.isBacklogFull).toBe(false)
    store.setPin(null)
    expect(store.isBacklogFull).toBe(false)
  })

  test('holds nothing after its removal', () => {
    const store = newStore(kind)
    fill(store, 3 * MB)
    flush(store)
    store.removeAll()
    expect([store.start, store.end]).toEqual([3 * MB, 3 * MB])
    expect(names()).toEqual([])
    expect(files.openPaths).toEqual([])
  })
})

describe('output in files', () => {
  test('names each file by the offset of its first byte, without gap or overlap', () => {
    const store = newStore('disk')
    fill(store, 5 * MB)
    store.persist()
    let end = 0
    for (const name of names()) {
      expect(name).toBe(`${end}.seg`)
      end += files.size(`${DIRECTORY}/${name}`)
    }
    expect(end).toBe(store.end)
    expect(names().length).toBeGreaterThan(3)
  })

  test('writes by itself once a slice has gathered, and in large slices', () => {
    const write = vi.spyOn(files, 'write')
    const store = newStore('disk')
    for (let at = 0; at < 1000; at++) store.append(patternAt(store.end, 1000))
    expect(write.mock.calls.length).toBeLessThan(40)
    expect(names().reduce((sum, name) => sum + files.size(`${DIRECTORY}/${name}`), 0)).toBeGreaterThan(700_000)
  })

  test('unlinks what it dropped only when told, and from the front', () => {
    const store = newStore('disk')
    fill(store, 8 * MB)
    store.persist()
    const before = names()
    store.prune()
    expect(store.start).toBeGreaterThan(0)
    expect(store.fileStart).toBe(store.start)
    expect(names()).toEqual(before)
    const removed: string[] = []
    vi.spyOn(files, 'removeFile').mockImplementation((path) => {
      removed.push(path)
      files.contents.delete(path)
    })
    store.sweep()
    expect(names()[0]).toBe(`${store.start}.seg`)
    expect(removed[0]).toBe(`${DIRECTORY}/0.seg`)
  })

  test('at rest holds no memory and no open file, and reads and writes as before', () => {
    const store = newStore('disk')
    fill(store, 500_000)
    store.persist()
    expect(files.openPaths.length).toBe(1)
    store.rest()
    expect(files.openPaths).toEqual([])
    const read = vi.spyOn(files, 'read')
    expect(store.read(499_000, 10)).toEqual(Buffer.from(patternAt(499_000, 10)))
    expect(read).toHaveBeenCalledOnce()
    expect(files.openPaths).toEqual([])
    fill(store, 500_000)
    store.persist()
    expectIntact(store)
    expect(names()[0]).toBe('0.seg')
  })

  test('does not rest while bytes are only in memory', () => {
    const store = newStore('disk')
    fill(store, 1000)
    store.rest()
    expectIntact(store)
  })

  test('is found again, with the bytes that no record names cut off', () => {
    const store = newStore('disk')
    fill(store, 3 * MB)
    store.persist()
    store.rest()
    const end = 2 * MB + 12_345
    const segments = SegmentFiles.recover(DIRECTORY, files, { end, cut: true })
    const found = new OutputStore({ segments, keptBytes: () => kept, onFault })
    expect([found.start, found.end]).toEqual([0, end])
    expectIntact(found)
    fill(found, MB)
    flush(found)
    expectIntact(found)
  })

  test('cuts nothing when it is only looked at', () => {
    const store = newStore('disk')
    fill(store, MB)
    store.persist()
    const before = names().map((name) => files.size(`${DIRECTORY}/${name}`))
    expect(SegmentFiles.recover(DIRECTORY, files, { end: 1000, cut: false }).end).toBe(1000)
    expect(names().map((name) => files.size(`${DIRECTORY}/${name}`))).toEqual(before)
  })

  test('uses no file before a hole', () => {
    const store = newStore('disk')
    fill(store, 3 * MB)
    store.persist()
    const [, second = ''] = names()
    files.truncate(`${DIRECTORY}/${second}`, 10)
    const segments = SegmentFiles.recover(DIRECTORY, files, { end: 3 * MB, cut: true })
    expect(segments.start).toBeGreaterThan(parseInt(second))
    expect(segments.end).toBe(3 * MB)
  })
})

describe.each([
  ['ENOSPC', 'write'],
  ['EIO', 'write'],
  ['EACCES', 'openAppend'],
  ['EACCES', 'makeDirectory'],
] as const)('when the disk fails with %s at %s', (code, operation) => {
  test('output goes on in memory, bounded, and its owner is told once', () => {
    const store = newStore('disk')
    if (operation === 'write') fill(store, 3 * MB)
    faults.set(operation, code)
    fill(store, MB)
    expect(onFault).toHaveBeenCalledOnce()
    expect(onFault.mock.calls[0]?.[0]).toMatchObject({ code })
    expectIntact(store)
    fill(store, 30 * MB)
    flush(store)
    expect(onFault).toHaveBeenCalledOnce()
    expect(store.end - store.start).toBeGreaterThanOrEqual(kept)
    expect(store.end - store.start).toBeLessThan(kept + MB)
    expectIntact(store)
  })
})

describe('when the disk fails', () => {
  test('what is in files stays readable, until it is dropped like everything else', () => {
    const store = newStore('disk')
    fill(store, 1.5 * MB)
    store.persist()
    faults.set('write', 'ENOSPC')
    fill(store, 300_000)
    expect(store.start).toBe(0)
    expectIntact(store)
  })

  test('a part of a slice that was written counts', () => {
    const store = newStore('disk')
    let calls = 0
    vi.spyOn(files, 'write').mockImplementation((fd, bytes) => {
      if (calls++ > 0) throw Object.assign(new Error('full'), { code: 'ENOSPC' })
      return MemoryFiles.prototype.write.call(files, fd, bytes.subarray(0, 1000))
    })
    fill(store, MB)
    expect(onFault).toHaveBeenCalledOnce()
    expect(store.start).toBe(0)
    expectIntact(store)
  })

  test('bytes that can no longer be read are lost by name, never an exception', () => {
    const store = newStore('disk')
    fill(store, 1.5 * MB)
    flush(store)
    store.rest()
    store.append(patternAt(store.end, 100))
    faults.set('openRead', 'EIO')
    expect(store.read(5, 10)).toBeNull()
    expect(store.holds(5)).toBe(false)
    expect(store.start).toBe(1.5 * MB)
    expectIntact(store)
    expect(onFault).toHaveBeenCalledOnce()
  })

  test('a pinned backlog in memory has a hard bound', () => {
    const store = newStore('disk')
    store.setPin(0)
    faults.set('write', 'ENOSPC')
    fill(store, 20 * MB)
    expect(store.isBacklogFull).toBe(true)
    expect(store.end - store.start).toBeLessThanOrEqual(17 * MB)
    expect(store.holds(0)).toBe(false)
    expectIntact(store)
  })

  test('nothing is unlinked any more: the next run must find what the records name', () => {
    const store = newStore('disk')
    fill(store, 3 * MB)
    store.persist()
    const before = names()
    faults.set('write', 'ENOSPC')
    fill(store, 300_000)
    faults.clear()
    expect(store.start).toBeLessThan(MB + 300_000)
    flush(store)
    expect(names()).toEqual(before)
    store.removeAll()
    expect(names()).toEqual(before)
    expect(store.start).toBe(store.end)
  })
})
