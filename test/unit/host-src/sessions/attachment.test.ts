import { describe, expect, it } from 'vitest'
import { Attachment, type SnapshotRest, type ViewStart } from '../../../../host-src/sessions/attachment.ts'
import { newSessionId } from '../../../../host-src/base/random-id.ts'
import { SessionStream } from '../../../../host-src/sessions/session-stream.ts'
import {
  ACK_EVERY_BYTES,
  HIGH_WATER_BYTES,
  LOW_WATER_BYTES,
  OUTPUT_FRAME_BYTES,
} from '../../../../protocol-src/limits.ts'
import type { StreamPosition } from '../../../../protocol-src/ids.ts'
import { randomForTest } from '../../../support/random.ts'
import { RecordingSink } from '../../../support/recording-sink.ts'
import { memoryJournal } from '../../../support/test-registry.ts'

const SIZE = { cols: 80, rows: 24 }

const newStream = (keptBytes = 8 * 1024 * 1024): SessionStream =>
  new SessionStream(memoryJournal(undefined, keptBytes).begin(newSessionId()), SIZE)

/** A planner's answer: start at the oldest place from which an empty terminal may be fed. */
const replayOf = (stream: SessionStream): ViewStart => {
  const from = stream.replayStart
  const start = { mode: 'replay' as const, from, size: SIZE, liveFrom: stream.end.offset, lostBytes: from.offset }
  return { start, snapshot: null }
}

const make = (
  stream: SessionStream,
  from: StreamPosition = { offset: 0, change: 0 },
  rest?: SnapshotRest | Promise<SnapshotRest>,
) => {
  const sink = new RecordingSink()
  let holdChanges = 0
  const wishes: { noSnapshot: boolean }[] = []
  const attachment = new Attachment(stream, sink, {
    size: SIZE,
    from,
    onHoldChange: () => (holdChanges += 1),
    snapshot: rest === undefined ? null : { screenPart: Buffer.from('screen'), rest },
    planResync: (restart, wish) => {
      wishes.push(wish)
      restart(replayOf(stream))
    },
  })
  sink.next = from.offset
  return { sink, attachment, holdChanges: () => holdChanges, wishes }
}

describe('a viewer that starts with a state', () => {
  const late = () => {
    const stream = newStream()
    stream.append(Buffer.from('past'))
    let settle!: (rest: SnapshotRest) => void
    let fail!: (error: Error) => void
    const rest = new Promise<SnapshotRest>((resolve, reject) => {
      settle = resolve
      fail = reject
    })
    const made = make(stream, stream.end, rest)
    const turn = () => rest.catch(() => undefined).then(() => undefined)
    return { stream, ...made, settle, fail, turn }
  }
  const HISTORY = { historyParts: [Buffer.from('new'), Buffer.from('old')], hash: 'h' }

  it('gets the screen at once, the scrollback when it is there, and nothing of the stream before', async () => {
    const { stream, sink, attachment, settle, turn } = late()
    attachment.begin()
    expect(sink.events).toEqual(['part 0 screen'])
    stream.append(Buffer.from('next'))
    stream.change({ cols: 90, rows: 24 }, attachment)
    attachment.flush()
    attachment.finish({ exitCode: 0, signal: null })
    expect(sink.events).toEqual(['part 0 screen'])
    settle(HISTORY)
    await turn()
    const state = ['part 0 screen', 'part 1 new', 'part 2 old', '3 parts h']
    expect(sink.events).toEqual([...state, 'data', 'size 90x24 driver', 'exited 0 at 8'])
    expect(sink.text).toBe('next')
  })

  it('gets all of it in one turn when all of it is there', () => {
    const stream = newStream()
    const { sink, attachment } = make(stream, stream.end, HISTORY)
    attachment.begin()
    expect(sink.events).toEqual(['part 0 screen', 'part 1 new', 'part 2 old', '3 parts h'])
  })

  it('gets the output itself when the scrollback cannot be told', async () => {
    const { sink, attachment, wishes, fail, turn } = late()
    attachment.begin()
    fail(new Error('lost'))
    await turn()
    expect(wishes).toEqual([{ noSnapshot: true }])
    expect(sink.events).toEqual(['part 0 screen', 'resync', 'data'])
    expect(sink.text).toBe('past')
  })

  it.each(['settle', 'fail'] as const)('is left alone when it has gone meanwhile (%s)', async (how) => {
    const { sink, attachment, wishes, turn, ...end } = late()
    attachment.begin()
    attachment.detach()
    if (how === 'settle') end.settle(HISTORY)
    else end.fail(new Error('lost'))
    await turn()
    expect(wishes).toEqual([])
    expect(sink.events).toEqual(['part 0 screen'])
  })
})

describe('Attachment', () => {
  it('sends nothing before begin and nothing after detach', () => {
    const log = newStream()
    const { sink, attachment } = make(log)
    log.append(Buffer.from('abc'))
    attachment.flush()
    log.change({ cols: 90, rows: 24 }, attachment)
    expect(sink.events).toEqual([])
    attachment.begin()
    expect(sink.text).toBe('abc')
    expect(sink.events).toEqual(['data', 'size 90x24 driver'])
    attachment.detach()
    log.append(Buffer.from('def'))
    attachment.flush()
    attachment.finish({ exitCode: 0, signal: null })
    expect(sink.text).toBe('abc')
    expect(sink.events).toEqual(['data', 'size 90x24 driver'])
  })

  it('holds at the high-water mark and goes on at the low one', () => {
    expect(ACK_EVERY_BYTES).toBeLessThanOrEqual(LOW_WATER_BYTES)
    expect(LOW_WATER_BYTES).toBeLessThan(HIGH_WATER_BYTES)
    const log = newStream()
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
    const log = newStream()
    log.append(Buffer.alloc(1024 * 1024, 0x41))
    const { sink, attachment } = make(log)
    attachment.begin()
    const sent = sink.bytes.length
    for (const lie of [sent + 1, log.end.offset, Number.MAX_SAFE_INTEGER, 0]) attachment.acknowledge(lie)
    expect(attachment.isHeld).toBe(true)
    expect(sink.bytes.length).toBe(sent)
  })

  it('starts a viewer anew when it is far behind or the bytes it lacks are gone, once, and then continues', () => {
    const stream = newStream(1024 * 1024)
    const { sink, attachment } = make(stream)
    attachment.begin()
    for (let n = 0; n < 400; n += 1) {
      stream.append(Buffer.alloc(16 * 1024, 0x41))
      attachment.flush()
    }
    expect(attachment.isHeld).toBe(true)
    expect(sink.resyncs).toEqual([])
    attachment.acknowledge(sink.next ?? 0)
    expect(sink.resyncs).toEqual([replayOf(stream).start])
    expect(stream.replayStart.offset).toBeGreaterThan(0)
    for (let n = 0; n < 100 && sink.next !== stream.end.offset; n += 1) attachment.acknowledge(sink.next ?? 0)
    expect(sink.next).toBe(stream.end.offset)
    expect(sink.resyncs).toHaveLength(1)
  })

  it('goes on where it is when a new start would be no nearer to the end', () => {
    const stream = newStream()
    const { sink, attachment } = make(stream)
    attachment.begin()
    stream.append(Buffer.alloc(5 * 1024 * 1024, 0x41))
    attachment.flush()
    for (let n = 0; n < 200 && sink.next !== stream.end.offset; n += 1) attachment.acknowledge(sink.next ?? 0)
    expect(sink.next).toBe(stream.end.offset)
    expect(sink.resyncs).toEqual([])
  })

  it('tells each change of size or driver between the bytes where it happened, also to a viewer that lags', () => {
    const stream = newStream()
    const { sink, attachment } = make(stream)
    attachment.begin()
    stream.change(SIZE, attachment)
    stream.append(Buffer.from('one'))
    stream.change({ cols: 100, rows: 30 }, attachment)
    stream.change({ cols: 90, rows: 30 }, attachment)
    stream.append(Buffer.from('two'))
    stream.change({ cols: 90, rows: 30 }, null)
    attachment.flush()
    expect(sink.events).toEqual([
      'size 80x24 driver',
      'data',
      'size 100x30 driver',
      'size 90x30 driver',
      'data',
      'size 90x30',
    ])
    // One that comes back is told what it has not been told, and the rest not again.
    const resumed = make(stream, { offset: 3, change: 2 })
    resumed.attachment.begin()
    expect(resumed.sink.events).toEqual(['size 90x30', 'data', 'size 90x30'])
    expect(resumed.sink.text).toBe('two')
  })

  it('announces the end after the last byte, once, also to a viewer that lags', () => {
    const log = newStream()
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
    const log = newStream()
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
