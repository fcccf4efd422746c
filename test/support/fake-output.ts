/** A session's output that a test writes. */
import type { OutputSource } from '../../host-src/tools/expect-engine.ts'

export interface FakeOutput extends OutputSource {
  print(text: string): void
  /** Begin anew. */
  set(text: string): void
  /** Let everything before `offset` go. */
  forget(offset: number): void
}

export const fakeOutput = (text = ''): FakeOutput => {
  let bytes = Buffer.from(text)
  let start = 0
  return {
    get start() {
      return start
    },
    get end() {
      return bytes.length
    },
    read: (from, maxBytes) => (from < start ? null : bytes.subarray(from, Math.min(from + maxBytes, from + 1000))),
    print: (more) => {
      bytes = Buffer.concat([bytes, Buffer.from(more)])
    },
    set: (all) => {
      bytes = Buffer.from(all)
    },
    forget: (offset) => {
      start = offset
    },
  }
}
