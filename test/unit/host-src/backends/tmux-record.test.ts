import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { TmuxRecord, recordEndIn } from '../../../../host-src/backends/tmux-record.ts'
import { recordingLogger } from '../../../support/recording-logger.ts'
import { until } from '../../../support/wait.ts'

let folder: string
let heard: string
let lost: number[]
let record: TmuxRecord | null

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dsh-tty-record-'))
  heard = ''
  lost = []
  record = null
})
afterEach(() => {
  record?.dispose()
  rmSync(folder, { recursive: true, force: true })
})

const piece = (start: number): string => join(folder, `${String(start)}.out`)
const read = (from: number): TmuxRecord => {
  record = new TmuxRecord({
    folder,
    from,
    announce: (bytes) => {
      heard += Buffer.from(bytes).toString()
    },
    lost: (bytes) => lost.push(bytes),
    looked: () => {},
    logger: recordingLogger(),
  })
  record.start()
  return record
}
const hears = (text: string): Promise<true> => until(() => heard === text, { what: text }) as Promise<true>

describe('the record of a kept session', () => {
  it('is read from any offset on, over its pieces, and further while it grows', async () => {
    writeFileSync(piece(0), 'abcdef')
    writeFileSync(piece(6), 'ghi')
    read(4)
    await hears('efghi')
    appendFileSync(piece(6), 'jk')
    await hears('efghijk')
    writeFileSync(piece(11), '')
    appendFileSync(piece(11), 'lm')
    await hears('efghijklm')
    expect(record?.offset).toBe(13)
    expect(recordEndIn(folder)).toBe(13)
    expect(lost).toEqual([])
  })

  it('is read from its end on', async () => {
    writeFileSync(piece(0), 'abc')
    read(3)
    appendFileSync(piece(0), 'def')
    await hears('def')
  })

  it('says how much of it is gone', async () => {
    writeFileSync(piece(10), 'abc')
    read(4)
    await hears('abc')
    expect(lost).toEqual([6])
  })

  it('says so as well when it goes while it is read', async () => {
    writeFileSync(piece(0), 'abc')
    read(0)
    await hears('abc')
    rmSync(piece(0))
    writeFileSync(piece(100), 'xyz')
    await hears('abcxyz')
    expect(lost).toEqual([97])
  })

  it('may wait', async () => {
    writeFileSync(piece(0), 'abc')
    const reading = read(0)
    await hears('abc')
    reading.pause()
    appendFileSync(piece(0), 'def')
    reading.resume()
    await hears('abcdef')
  })
})
