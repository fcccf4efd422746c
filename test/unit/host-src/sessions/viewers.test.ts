import { beforeEach, describe, expect, it } from 'vitest'
import { FakeBackend } from '../../../support/fake-backend.ts'
import { view, type RecordingSink } from '../../../support/recording-sink.ts'
import { testRegistry } from '../../../support/test-registry.ts'
import type { Attachment } from '../../../../host-src/sessions/attachment.ts'
import type { Session } from '../../../../host-src/sessions/session.ts'
import type { ClientId } from '../../../../protocol-src/ids.ts'
import { HIGH_WATER_BYTES } from '../../../../protocol-src/limits.ts'

const CLIENT = 'client' as ClientId

let backend: FakeBackend
let session: Session
let seq: number

beforeEach(async () => {
  backend = new FakeBackend()
  const registry = testRegistry(backend)
  session = await registry.open({ spec: { kind: 'local' }, size: { cols: 80, rows: 24 }, owner: { kind: 'user' } })
  backend.pty.sizes.length = 0
  seq = 0
})

const type = (attachment: Attachment): void => {
  seq += 1
  session.input(attachment, { client: CLIENT, seq }, Buffer.from('x'))
}
const flood = (bytes: number): void => {
  for (let at = 0; at < bytes; at += 16 * 1024) backend.pty.print(Buffer.alloc(16 * 1024, 0x41))
}
const parseAll = (attachment: Attachment, sink: RecordingSink): void => attachment.acknowledge(sink.next ?? 0)

describe('who drives the size', () => {
  it('is the only viewer, and a passive second one changes nothing', () => {
    const first = view(session, { cols: 100 })
    expect(backend.pty.sizes).toEqual(['100x24'])
    const second = view(session, { cols: 50 })
    session.resize(second.attachment, { cols: 51, rows: 20 })
    second.attachment.acknowledge(0)
    expect(backend.pty.sizes).toEqual(['100x24'])
    expect(session.isDriver(first.attachment)).toBe(true)
    expect(session.descriptor.size).toEqual({ cols: 100, rows: 24 })
  })

  it('is the viewer that typed last; its size is put in force once and every viewer is told', () => {
    const first = view(session, { cols: 100 })
    const second = view(session, { cols: 50 })
    session.resize(second.attachment, { cols: 51, rows: 20 })
    type(second.attachment)
    type(second.attachment)
    expect(backend.pty.sizes).toEqual(['100x24', '51x20'])
    expect(first.sink.events.at(-1)).toBe('size 51x20')
    expect(second.sink.events.at(-1)).toBe('size 51x20 driver')
    type(first.attachment)
    expect(backend.pty.sizes).toEqual(['100x24', '51x20', '100x24'])
  })

  it('passes to the one that typed before when the driver leaves', () => {
    const first = view(session, { cols: 100 })
    const second = view(session, { cols: 50 })
    const third = view(session, { cols: 70 })
    type(first.attachment)
    type(third.attachment)
    session.detach(third.attachment)
    expect(session.isDriver(first.attachment)).toBe(true)
    session.detach(first.attachment)
    expect(session.isDriver(second.attachment)).toBe(true)
    expect(backend.pty.sizes.at(-1)).toBe('50x24')
  })

  it('does not resize when nobody is left, nor for a viewer that already went', () => {
    const { attachment } = view(session, { cols: 100 })
    session.detach(attachment)
    session.detach(attachment)
    session.resize(attachment, { cols: 30, rows: 30 })
    expect(backend.pty.sizes).toEqual(['100x24'])
  })
})

describe('flow control', () => {
  it('pauses the program only when every viewer lags', () => {
    const fast = view(session)
    const slow = view(session)
    flood(HIGH_WATER_BYTES / 2)
    parseAll(fast.attachment, fast.sink)
    flood(HIGH_WATER_BYTES)
    parseAll(fast.attachment, fast.sink)
    expect(slow.attachment.isHeld).toBe(true)
    expect(backend.pty.isPaused).toBe(false)
    flood(HIGH_WATER_BYTES * 2)
    expect(fast.attachment.isHeld).toBe(true)
    expect(backend.pty.isPaused).toBe(true)
    parseAll(fast.attachment, fast.sink)
    while (fast.attachment.isHeld) parseAll(fast.attachment, fast.sink)
    expect(backend.pty.isPaused).toBe(false)
  })

  it('never pauses for viewers when there are none', () => {
    flood(HIGH_WATER_BYTES * 4)
    expect(backend.pty.isPaused).toBe(false)
  })

  it('resumes when the viewer that lagged leaves', () => {
    const { attachment } = view(session)
    flood(HIGH_WATER_BYTES * 2)
    expect(backend.pty.isPaused).toBe(true)
    session.detach(attachment)
    expect(backend.pty.isPaused).toBe(false)
  })

  it('pauses when the only viewer that kept up leaves', () => {
    const fast = view(session)
    view(session)
    flood(HIGH_WATER_BYTES / 2)
    parseAll(fast.attachment, fast.sink)
    flood(HIGH_WATER_BYTES)
    while (fast.attachment.isHeld) parseAll(fast.attachment, fast.sink)
    expect(backend.pty.isPaused).toBe(false)
    session.detach(fast.attachment)
    expect(backend.pty.isPaused).toBe(true)
  })

  it('lets a paused program go on when a viewer joins that keeps up', () => {
    view(session)
    flood(HIGH_WATER_BYTES * 2)
    expect(backend.pty.isPaused).toBe(true)
    const late = view(session, { from: session.end })
    expect(late.attachment.isHeld).toBe(false)
    expect(backend.pty.isPaused).toBe(false)
  })
})
