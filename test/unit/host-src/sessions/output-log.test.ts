import { describe, expect, it } from 'vitest'
import { OutputLog } from '../../../../host-src/sessions/output-log.ts'
import { randomForTest } from '../../../support/random.ts'
import { visibleText } from '../../../support/visible-text.ts'

const KIB = 1024
const COLOURED = new TextEncoder().encode('\x1b[38;5;196mRED\x1b[0m')

/** `bytes` of coloured text, in reads of random length. */
const fill = (log: OutputLog, bytes: number, lengthOf: () => number): Buffer => {
  const stream = Buffer.alloc(bytes)
  for (let at = 0; at < bytes; at += COLOURED.length) stream.set(COLOURED.subarray(0, bytes - at), at)
  for (let at = 0; at < bytes;) {
    const chunk = stream.subarray(at, at + lengthOf())
    log.append(chunk)
    at += chunk.length
  }
  return stream
}

const readFrom = (log: OutputLog, from: number, maxBytes: number): Buffer => {
  const parts: Buffer[] = []
  for (let at = from; at < from + maxBytes;) {
    const part = log.read(at, from + maxBytes - at)
    if (part.length === 0) break
    parts.push(Buffer.from(part))
    at += part.length
  }
  return Buffer.concat(parts)
}

describe('OutputLog', () => {
  it('replays from the very beginning while it holds that', () => {
    const log = new OutputLog(64 * KIB)
    expect(log.replayStart).toBe(0)
    log.append(Buffer.from('\x1b[38;5;1'))
    expect(log.replayStart).toBe(0)
    expect(log.holds(0)).toBe(true)
    expect(log.holds(9)).toBe(false)
  })

  it('starts a replay between sequences at a hundred fill levels (WS-07)', async () => {
    const random = randomForTest()
    for (let run = 0; run < 100; run += 1) {
      const log = new OutputLog(64 * KIB)
      const stream = fill(log, 300 * KIB + random.integer(0, 200 * KIB), () => random.integer(1, 4096))
      expect(log.replayStart).toBeGreaterThan(0)
      expect(log.holds(log.replayStart)).toBe(true)
      // What is lost to the cut is at most one cut distance, one read and one slab.
      expect(log.end - log.replayStart).toBeGreaterThan(24 * KIB)
      const head = readFrom(log, log.replayStart, 600)
      expect(head.equals(stream.subarray(log.replayStart, log.replayStart + 600))).toBe(true)
      expect(await visibleText(head)).toMatch(/^(RED)+R?E?D?$|^(R?E?D)?(RED)+/)
      expect(await visibleText(head)).not.toMatch(/[0-9;m[]/)
    }
  })

  it('holds what it says it holds', () => {
    const log = new OutputLog(64 * KIB)
    fill(log, 400 * KIB, () => 4096)
    const { replayStart, end } = log
    expect(log.holds(replayStart)).toBe(true)
    expect(log.holds(end)).toBe(true)
    expect(log.holds(end + 1)).toBe(false)
    expect(log.holds(0)).toBe(false)
    expect(() => log.read(0, 1)).toThrow(RangeError)
  })

  it('starts at its end when no cut is left, as inside one endless string', () => {
    const log = new OutputLog(64 * KIB)
    log.append(Buffer.from('\x1b]52;c;'))
    fill(log, 10, () => 1)
    for (let read = 0; read < 100; read += 1) log.append(Buffer.alloc(4096, 0x41))
    expect(log.holds(log.replayStart)).toBe(true)
  })
})
