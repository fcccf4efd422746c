import { expect, test, vi } from 'vitest'
import { nodeProcesses, takeLock, type ProcessPort } from '../../../../host-src/journal/directory-lock.ts'
import { MemoryFiles } from '../../../support/journal-files.ts'

const PATH = '/tty/lock'
const processes = (pid: number, starts: Record<number, string>): ProcessPort => ({
  pid,
  startOf: (each) => starts[each] ?? null,
})

test('one of two gets the lock, and the other when it was given back', () => {
  const files = new MemoryFiles()
  const both = { 1: '100', 2: '200' }
  const first = takeLock(PATH, files, processes(1, both))
  expect(first).not.toBeNull()
  expect(takeLock(PATH, files, processes(2, both))).toBeNull()
  expect(takeLock(PATH, files, processes(1, both))).toBeNull()
  first?.dispose()
  expect(files.contents.size).toBe(0)
  expect(takeLock(PATH, files, processes(2, both))).not.toBeNull()
})

test('a lock whose owner is gone is taken over, also when its number is in use again', () => {
  const files = new MemoryFiles()
  takeLock(PATH, files, processes(1, { 1: '100' }))
  const second = takeLock(PATH, files, processes(2, { 2: '200' }))
  expect(second).not.toBeNull()
  const third = takeLock(PATH, files, processes(3, { 2: '999', 3: '300' }))
  expect(third).not.toBeNull()
  expect([...files.contents.keys()]).toEqual([PATH])
})

test('an owner whose start time cannot be told counts as alive', () => {
  const files = new MemoryFiles()
  takeLock(PATH, files, processes(1, { 1: '?' }))
  expect(takeLock(PATH, files, processes(2, { 1: '100', 2: '1' }))).toBeNull()
  expect(takeLock(PATH, files, processes(2, { 1: '?', 2: '1' }))).toBeNull()
})

test('a file that names nobody is no lock', () => {
  const files = new MemoryFiles()
  files.createText(PATH, 'nonsense\n')
  expect(takeLock(PATH, files, processes(1, { 1: '1' }))).not.toBeNull()
})

test('a lock that another host took over in between is put back', () => {
  const files = new MemoryFiles()
  const starts = { 2: '200', 3: '300' }
  files.createText(PATH, '1 100 x\n')
  const rename = files.rename.bind(files)
  // Between the look at the stale lock and its removal, host 3 is faster.
  vi.spyOn(files, 'rename').mockImplementationOnce((from, to) => {
    files.removeFile(PATH)
    expect(takeLock(PATH, files, processes(3, starts))).not.toBeNull()
    rename(from, to)
  })
  expect(takeLock(PATH, files, processes(2, starts))).toBeNull()
  expect(files.readText(PATH)).toMatch(/^3 300 /)
})

test('giving back removes only what is one’s own', () => {
  const files = new MemoryFiles()
  const lock = takeLock(PATH, files, processes(1, { 1: '100' }))
  files.overwriteText(PATH, '7 700 y')
  lock?.dispose()
  expect(files.readText(PATH)).toMatch(/^7 700 y/)
})

test('this process is seen, and one that never was is not', () => {
  expect(nodeProcesses.startOf(process.pid)).toMatch(/^\d+$|^\?$/)
  expect(nodeProcesses.startOf(2 ** 30)).toBeNull()
})
