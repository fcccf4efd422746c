/** Throughput through one terminal: command sent to end mark decoded, and whether every byte came through. */
import { crc32 } from 'node:zlib'
import { cpuMsOf, rssKbOf } from '../process-cost.ts'
import type { Terminal } from '../terminal.ts'
import { END, type Blast, type BlastOutcome } from './adapter.ts'

const LIMIT_MS = 120_000

export const blastThrough = async (terminal: Terminal, pid: number, blast: Blast): Promise<BlastOutcome> => {
  const { corpus, expected } = blast
  let [crc, seen] = [0, 0]
  terminal.listen((bytes) => {
    const counted = bytes.subarray(0, Math.max(0, expected.bytes - seen))
    crc = crc32(counted, crc)
    seen += bytes.length
  })
  const before = terminal.traffic
  const cpuBefore = cpuMsOf(pid)
  const started = performance.now()
  const ended = terminal.until((tail) => (tail.endsWith(END) ? true : null), LIMIT_MS)
  terminal.type(`blast ${corpus.path} ${String(expected.rawBytes)}\n`)
  await ended
  const ms = performance.now() - started
  const after = terminal.traffic
  return {
    ms,
    cpuMs: cpuMsOf(pid) - cpuBefore,
    isIntact: seen === expected.bytes + END.length && crc === expected.crc,
    wireBytes: after.wireBytes - before.wireBytes,
    payloadBytes: after.payloadBytes - before.payloadBytes,
    frames: after.frames - before.frames,
    rssKb: rssKbOf(pid),
  }
}
