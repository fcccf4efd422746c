/** The recorded streams of test/fixtures/streams, and how to feed one with its resizes. */
import { readdirSync, readFileSync } from 'node:fs'
import { feed, type Emulator } from './emulator.ts'

const FOLDER = new URL('../../fixtures/streams/', import.meta.url)

/** What scripts/record-streams.ts writes beside the bytes. */
interface StreamInfo {
  about: string
  cols: number
  rows: number
  /** In force from the byte at `offset` on. */
  resizes: { offset: number; cols: number; rows: number }[]
}

export interface Stream extends StreamInfo {
  name: string
  bytes: Uint8Array
}

export const loadStreams = (): Stream[] =>
  readdirSync(FOLDER)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => {
      const name = file.replace('.json', '')
      const info = JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) as StreamInfo
      return { ...info, name, bytes: new Uint8Array(readFileSync(new URL(`${name}.bin`, FOLDER))) }
    })

/** Feed the bytes from `from` up to `to`, and the resizes that come before them; none at `to` itself. */
export const feedRange = (emulator: Emulator, stream: Stream, { from, to }: { from: number; to: number }): void => {
  let at = from
  for (const { offset, cols, rows } of stream.resizes) {
    if (offset < from || offset >= to) continue
    feed(emulator, stream.bytes.subarray(at, offset))
    emulator.resize(cols, rows)
    at = offset
  }
  feed(emulator, stream.bytes.subarray(at, to))
}
