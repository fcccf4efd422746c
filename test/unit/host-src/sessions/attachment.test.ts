import { describe, expect, it } from 'vitest'
import { Attachment } from '../../../../host-src/sessions/attachment.ts'
import { OutputLog } from '../../../../host-src/sessions/output-log.ts'
import {
  ACK_EVERY_BYTES,
  HIGH_WATER_BYTES,
  LOW_WATER_BYTES,
  OUTPUT_FRAME_BYTES,
} from '../../../../protocol-src/limits.ts'
import { randomForTest } from '../../../support/random.ts'
import { RecordingSink } from '../../../support/recording-sink.ts'

const SIZE = { cols: 80, rows: 24 }

const make = (log: OutputLog, resumeFrom: number | null = null) => {
  const sink = new RecordingSink()
  let holdChanges = 0
  const attachment = new Attachment(log, sink, { size: SIZE, resumeFrom, onHoldChange: () => (holdChanges += 1) })
  sink.next = attachment.start.from
  return { sink, attachment, holdChanges: () => holdChanges }
}

describe('the start of an attachment', () => {
  it('continues from an offset that is held, else replays', () => {
    const log = new OutputLog(1024)
    log.append(Buffer.alloc(300_000, 0x41))
    expect(make(log, log.end).attachment.start).toEqual({ mode: 'delta', from: log.end, liveFrom: log.end })
    expect(make(log, log.end - 10).attachment.start.mode).toBe('delta')
    const replay = { mode: 'replay', from: log.replayStart, liveFrom: log.end }
    expect(make(log, 0).attachment.start).toEqual(replay)
    expect(make(log, null).attachment.start).toEqual(replay)
    // An offset of another life of the session, beyond what ever was.
    expect(make(log, log.end + 1).attachment.start).toEqual(replay)
  })
})

describe('Attachment', () => {
  it('sends nothing before begin and nothing after detach', () => {
    const log = new OutputLog(1024 * 1024)
    const { sink, attachment } = make(log)
    log.append(Buffer.from('abc'))
    attachment.flush()
    attachment.announceSize(SIZE, true)
    expect(sink.events).toEqual([])
    attachment.begin()
    expect(sink.text).toBe('abc')
    attachment.detach()
    log.append(Buffer.from('def'))
    attachment.flush()
    attachment.finish({ exitCode: 0, signal: null })
    expect(sink.text).toBe('abc')
    expect(sink.events).toEqual(['data'])
  })

  it('holds at the high-water mark and goes on at the low one', () => {
    expect(ACK_EVERY_BYTES).toBeLessThanOrEqual(LOW_WATER_BYTES)
    expect(LOW_WATER_BYTES).toBeLessThan(HIGH_WATER_BYTES)
    const log = new OutputLog(8 * 1024 * 1024)
    log.append(Buffer.alloc(1024 * 1024, 0x41))
    const { sink, attachment, holdChanges } = make(log)
    attachment.begin()
    expect(attachment.isHeld).toBe(true)
    expect(sink.bytes.length).toBeGreaterThanOrEqual(HIGH_WATER_BYTES)
    expect(sink.bytes.length).toBeLessThan(HIGH_WATER_BYTES + OUTPUT_FRAME_BYTES)
    const sent = sink.bytes.length
    attachment.acknowledge(sent - LOW_WATER_BYTES - 1)
    expect(sink.bytes.length).toBe(sent)
    attachment.acknowledge(sent - LOW_WATER_BYTES)
    expect(sink.bytes.length).toBeGreaterThan(sent)
    expect(holdChanges()).toBe(3)
  })

  it('ignores acknowledgements of what was never sent or was acknowledged before', () => {
    const log = new OutputLog(8 * 1024 * 1024)
    log.append(Buffer.alloc(1024 * 1024, 0x41))
    const { sink, attachment } = make(log)
    attachment.begin()
    const sent = sink.bytes.length
    for (const lie of [sent + 1, log.end, Number.MAX_SAFE_INTEGER, 0]) attachment.acknowledge(lie)
    expect(attachment.isHeld).toBe(true)
    expect(sink.bytes.length).toBe(sent)
  })

  it('starts a viewer anew when the bytes it lacks are gone, once, and then continues', () => {
    const log = new OutputLog(512 * 1024)
    const { sink, attachment } = make(log)
    attachment.begin()
    for (let n = 0; n < 100; n += 1) {
      log.append(Buffer.alloc(16 * 1024, 0x41))
      attachment.flush()
    }
    expect(attachment.isHeld).toBe(true)
    expect(sink.resyncs).toEqual([])
    attachment.acknowledge(sink.next ?? 0)
    expect(sink.resyncs).toEqual([{ from: log.replayStart, liveFrom: log.end }])
    while (attachment.isHeld) attachment.acknowledge(sink.next ?? 0)
    expect(sink.next).toBe(log.end)
    expect(sink.resyncs).toHaveLength(1)
  })

  it('announces the end after the last byte, once, also to a viewer that lags', () => {
    const log = new OutputLog(8 * 1024 * 1024)
    log.append(Buffer.alloc(1024 * 1024, 0x41))
    const { sink, attachment } = make(log)
    attachment.begin()
    attachment.finish({ exitCode: 3, signal: null })
    expect(sink.events).toEqual(['data'])
    while (attachment.isHeld) attachment.acknowledge(sink.next ?? 0)
    attachment.finish({ exitCode: 3, signal: null })
    attachment.flush()
    expect(sink.events).toEqual(['data', `exited 3 at ${1024 * 1024}`])
    expect(sink.bytes.length).toBe(1024 * 1024)
  })

  it('gives every byte once and in order under random reads, acknowledgements and floods', () => {
    const random = randomForTest()
    const log = new OutputLog(1024 * 1024)
    const sum = Buffer.alloc(900_000)
    const { sink, attachment } = make(log)
    attachment.begin()
    let written = 0
    for (let step = 0; step < 400; step += 1) {
      const chunk = Buffer.from(random.bytes(random.pick([1, 10, 1000, 4095])))
      chunk.copy(sum, written)
      written += chunk.length
      log.append(chunk)
      if (random.boolean()) attachment.flush()
      if (random.boolean(0.1)) attachment.acknowledge(random.integer(0, sink.next ?? 0))
    }
    do attachment.acknowledge(sink.next ?? 0)
    while ((sink.next ?? 0) < written && (attachment.flush(), true))
    expect(sink.bytes.equals(sum.subarray(0, written))).toBe(true)
  })
})
