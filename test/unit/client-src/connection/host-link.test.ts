import { describe, expect, it } from 'vitest'
import type { AttachStart, Viewer } from '../../../../client-src/connection/attachment.ts'
import { HostLink } from '../../../../client-src/connection/host-link.ts'
import { encodeBinaryFrame } from '../../../../protocol-src/binary-frame.ts'
import { ACK_EVERY_BYTES, MAX_INPUT_FRAME_BYTES } from '../../../../protocol-src/limits.ts'
import { randomForTest } from '../../../support/random.ts'
import { descriptor, fakeNet, OTHER_INSTANCE, settled, sid, type FakeSocket } from './fake-host.ts'

const A = sid('a')
const SIZE = { cols: 80, rows: 24 }
const bytes = (text: string) => new TextEncoder().encode(text)

const open = async () => {
  const net = fakeNet()
  const link = new HostLink(net.ports)
  link.start()
  await settled()
  net.socket.welcome([descriptor(A)])
  return { net, link }
}

class RecordingViewer implements Viewer {
  text = ''
  readonly starts: AttachStart[] = []
  readonly events: string[] = []
  size = SIZE
  wantedSize = () => this.size
  started = (start: AttachStart) => {
    this.starts.push(start)
    if (start.mode !== 'delta') this.text = ''
  }
  snapshot = (part: number, chunk: Uint8Array) =>
    void this.events.push(`part ${String(part)} ${new TextDecoder().decode(chunk)}`)
  snapshotEnd = (hash: string) => void this.events.push(`complete ${hash}`)
  output = (chunk: Uint8Array) => {
    this.text += new TextDecoder().decode(chunk)
  }
  resized = ({ cols, rows }: { cols: number; rows: number }, isDriver: boolean) =>
    void this.events.push(`size ${String(cols)}x${String(rows)} ${String(isDriver)}`)
  command = ({ id }: { id: number }) => void this.events.push(`command ${String(id)}`)
  exited = ({ exitCode }: { exitCode: number | null }) => void this.events.push(`exited ${String(exitCode)}`)
  ended = (end: { kind: string; reason?: string }) => void this.events.push(`ended ${end.kind} ${end.reason ?? ''}`)
  inputRefused = (why: string) => void this.events.push(`refused ${why}`)
}

const at = (offset: number, change = 0) => ({ offset, change })

/** Answer the last attach request. */
const answer = async (
  socket: FakeSocket,
  reply: {
    handle: number
    mode?: AttachStart['mode']
    from: number
    change?: number
    liveFrom?: number
    inputSeq?: number
    lostBytes?: number
  },
) => {
  const { id, sid: of } = socket.last('attach')
  const { handle, mode = 'replay', from, change = 0, liveFrom = from, inputSeq = 0, lostBytes = 0 } = reply
  const start = { mode, from: at(from, change), size: SIZE, liveFrom, lostBytes }
  socket.say({ type: 'ok', re: id, result: { session: descriptor(of), handle, inputSeq, start, markNonce: null } })
  await settled()
}

const attached = async () => {
  const { net, link } = await open()
  const viewer = new RecordingViewer()
  const attachment = link.attach(A, viewer)
  await answer(net.socket, { handle: 1, from: 0 })
  return { net, link, viewer, attachment }
}

const reconnected = async ({ net, link }: Pick<Awaited<ReturnType<typeof attached>>, 'net' | 'link'>) => {
  if (!net.socket.isClosed) net.socket.break()
  link.wake()
  await settled()
  net.socket.welcome([descriptor(A)])
}

describe('requests', () => {
  it('gives each request its own answer, whatever the order', async () => {
    const { net, link } = await open()
    const first = link.open({ kind: 'local' }, SIZE)
    const second = link.open({ kind: 'local', cwd: '/tmp' }, SIZE)
    const [one, two] = net.socket.frames.filter((frame) => frame.type === 'open')
    net.socket.say({ type: 'ok', re: two?.id ?? 0, result: { session: descriptor(sid('b')) } })
    net.socket.say({ type: 'ok', re: one?.id ?? 0, result: { session: descriptor(A) } })
    expect((await first).id).toBe(A)
    expect((await second).id).toBe(sid('b'))
  })

  it('takes the first answer only', async () => {
    const { net, link } = await open()
    const asked = link.open({ kind: 'local' }, SIZE)
    const { id } = net.socket.last('open')
    net.socket.say({ type: 'error', re: id, error: { code: 'SHELL_UNUSABLE', message: 'm', details: { path: '/x' } } })
    net.socket.say({ type: 'ok', re: id, result: { session: descriptor(A) } })
    await expect(asked).rejects.toMatchObject({ code: 'SHELL_UNUSABLE', details: { path: '/x' } })
    expect(link.link.getSnapshot().kind).toBe('open')
  })

  it('says what was not answered', async () => {
    const { net, link } = await open()
    const asked = link.rename(A, 'x')
    const failure = expect(asked).rejects.toMatchObject({
      code: 'NO_REPLY',
      message: expect.stringContaining('rename'),
    })
    net.socket.pong()
    await net.clock.pass(10_000)
    await failure
  })

  it('refuses an answer that is not as agreed', async () => {
    const { net, link } = await open()
    const asked = link.open({ kind: 'local' }, SIZE)
    net.socket.say({ type: 'ok', re: net.socket.last('open').id, result: { session: 'none' } })
    await expect(asked).rejects.toMatchObject({ code: 'BAD_REPLY' })
  })

  it('ends at once when the link breaks, and without one', async () => {
    const { net, link } = await open()
    const asked = link.close(A)
    net.socket.break()
    await expect(asked).rejects.toMatchObject({ code: 'DISCONNECTED' })
    await expect(link.close(A)).rejects.toMatchObject({ code: 'DISCONNECTED' })
    expect(net.socket.count('close')).toBe(1)
  })
})

describe('output', () => {
  it('reaches the viewer in order', async () => {
    const { net, viewer } = await attached()
    net.socket.output(1, 0, 'ab')
    net.socket.output(1, 2, 'cd')
    expect(viewer.text).toBe('abcd')
  })

  it.each([
    ['a gap', 5],
    ['a repetition', 1],
  ])('attaches again from where it stopped after %s', async (_, offset) => {
    const { net, viewer } = await attached()
    net.socket.output(1, 0, 'ab')
    net.socket.output(1, offset, 'xx')
    net.socket.output(1, 2, 'late')
    expect(viewer.text).toBe('ab')
    expect(net.socket.count('detach')).toBe(1)
    expect(net.socket.last('attach')).toMatchObject({ resumeFrom: at(2) })
    await answer(net.socket, { handle: 2, mode: 'delta', from: 2 })
    net.socket.output(1, 2, 'old handle')
    net.socket.output(2, 2, 'cd')
    expect(viewer.text).toBe('abcd')
  })

  it('gives up a session whose output never arrives in order', async () => {
    const { net, attachment } = await attached()
    for (let handle = 1; handle < 10; handle += 1) {
      net.socket.output(handle, 99, 'x')
      if (attachment.state.getSnapshot().kind !== 'waiting') break
      await answer(net.socket, { handle: handle + 1, from: 0 })
    }
    expect(attachment.state.getSnapshot()).toMatchObject({ kind: 'failed', error: { code: 'BAD_REPLY' } })
    expect(net.socket.count('attach')).toBeLessThan(6)
  })

  it('continues after a reconnect without losing or repeating a byte', async () => {
    const all = await attached()
    const { net, viewer } = all
    net.socket.output(1, 0, 'abc')
    const old = net.socket
    await reconnected(all)
    expect(net.socket.last('attach')).toMatchObject({ resumeFrom: at(3) })
    old.output(1, 3, 'ghost')
    await answer(net.socket, { handle: 1, mode: 'delta', from: 3, liveFrom: 5 })
    net.socket.output(1, 3, 'def')
    expect(viewer.text).toBe('abcdef')
    expect(viewer.starts.at(-1)).toMatchObject({ mode: 'delta', lostBytes: 0, liveFrom: 5 })
  })

  it('says how much is lost when the host no longer has it', async () => {
    const all = await attached()
    all.net.socket.output(1, 0, 'abc')
    await reconnected(all)
    await answer(all.net.socket, { handle: 1, from: 1000 })
    all.net.socket.output(1, 1000, 'z')
    expect(all.viewer.starts.at(-1)).toMatchObject({ mode: 'replay', from: at(1000), lostBytes: 997 })
    expect(all.viewer.text).toBe('z')
  })

  it('is asked for from the start of another run of the host, which counts its stream anew', async () => {
    const all = await attached()
    all.net.socket.output(1, 0, 'before')
    all.net.socket.break()
    all.link.wake()
    await settled()
    all.net.socket.welcome([descriptor(A)], OTHER_INSTANCE)
    await settled()
    expect(all.net.socket.last('attach')).toMatchObject({ resumeFrom: null })
    await answer(all.net.socket, { handle: 1, from: 0 })
    all.net.socket.output(1, 0, 'kept')
    expect(all.viewer.text).toBe('kept')
  })

  it('starts anew where the host says so', async () => {
    const { net, viewer } = await attached()
    net.socket.output(1, 0, 'abc')
    const start = { mode: 'replay', from: at(50, 4), size: SIZE, liveFrom: 60, lostBytes: 50 } as const
    net.socket.say({ type: 'resync', handle: 1 as never, start })
    net.socket.output(1, 50, 'new')
    expect(viewer.starts.at(-1)).toMatchObject({ mode: 'replay', from: at(50, 4), liveFrom: 60, lostBytes: 47 })
    expect(viewer.text).toBe('new')
  })

  it('refuses a continuation from elsewhere', async () => {
    const all = await attached()
    all.net.socket.output(1, 0, 'abc')
    await reconnected(all)
    await answer(all.net.socket, { handle: 1, mode: 'delta', from: 7 })
    expect(all.attachment.state.getSnapshot()).toMatchObject({ kind: 'failed' })
    all.net.socket.output(1, 7, 'x')
    expect(all.viewer.text).toBe('abc')
  })

  it('attaches once what is first looked at because the host listed it', async () => {
    const net = fakeNet()
    const link = new HostLink(net.ports)
    link.sessions.subscribe(() => link.attach(A, new RecordingViewer()))
    link.start()
    await settled()
    net.socket.welcome([descriptor(A)])
    expect(net.socket.count('attach')).toBe(1)
  })

  it('survives five reconnects in a second with one attachment', async () => {
    const all = await attached()
    all.net.socket.output(1, 0, 'abc')
    for (let times = 0; times < 5; times += 1) {
      await reconnected(all)
      await all.net.clock.pass(150)
    }
    expect(all.net.socket.count('attach')).toBe(1)
    await answer(all.net.socket, { handle: 1, mode: 'delta', from: 3 })
    expect(all.viewer.starts).toHaveLength(2)
    expect(all.attachment.state.getSnapshot().kind).toBe('attached')
  })

  it('is exactly what the program wrote, however often the socket breaks', async () => {
    const random = randomForTest()
    const all = await attached()
    let written = ''
    let sent = 0
    for (let step = 0; step < 300; step += 1) {
      written += String(step).padStart(random.integer(1, 8), '.')
      if (random.boolean(0.1)) {
        await reconnected(all)
        const { resumeFrom } = all.net.socket.last('attach')
        sent = resumeFrom?.offset ?? 0
        await answer(all.net.socket, { handle: 1, mode: 'delta', from: sent })
      }
      // Some frames die on the way; the host counts them as sent all the same.
      while (sent < written.length && random.boolean(0.8)) {
        const piece = written.slice(sent, sent + random.integer(1, 12))
        const handle = all.attachment.handle
        if (handle !== null && !random.boolean(0.03)) all.net.socket.output(handle, sent, piece)
        sent += piece.length
        if (all.attachment.handle === null) {
          const { resumeFrom } = all.net.socket.last('attach')
          sent = resumeFrom?.offset ?? 0
          await answer(all.net.socket, { handle: step + 1000, mode: 'delta', from: sent })
        }
      }
    }
    await reconnected(all)
    const from = all.net.socket.last('attach').resumeFrom?.offset ?? 0
    await answer(all.net.socket, { handle: 1, mode: 'delta', from })
    all.net.socket.output(1, from, written.slice(from))
    expect(all.viewer.text).toBe(written)
  })
})

describe('acknowledgements', () => {
  it('say what was parsed: every so many bytes, and when nothing is left to parse', async () => {
    const { net, attachment } = await attached()
    net.socket.output(1, 0, 'x'.repeat(ACK_EVERY_BYTES + 10))
    attachment.acknowledge(100)
    expect(net.socket.count('ack')).toBe(0)
    attachment.acknowledge(ACK_EVERY_BYTES)
    expect(net.socket.last('ack')).toMatchObject({ handle: 1, offset: ACK_EVERY_BYTES })
    attachment.acknowledge(ACK_EVERY_BYTES + 5)
    expect(net.socket.count('ack')).toBe(1)
    attachment.acknowledge(ACK_EVERY_BYTES + 10)
    expect(net.socket.last('ack').offset).toBe(ACK_EVERY_BYTES + 10)
  })

  it('name nothing that an earlier connection sent', async () => {
    const all = await attached()
    all.net.socket.output(1, 0, 'abc')
    await reconnected(all)
    await answer(all.net.socket, { handle: 1, mode: 'delta', from: 3 })
    all.attachment.acknowledge(3)
    expect(all.net.socket.count('ack')).toBe(0)
  })
})

describe('input', () => {
  it('is numbered from 1 and cut into frames of the largest size', async () => {
    const { net, attachment } = await attached()
    attachment.input(bytes('a'))
    attachment.input(bytes('x'.repeat(MAX_INPUT_FRAME_BYTES + 1)))
    expect(net.socket.inputs.map(({ seq, text }) => [seq, text.length])).toEqual([[1, 1]])
    net.socket.say({ type: 'inputAck', handle: 1 as never, seq: 1 })
    net.socket.say({ type: 'inputAck', handle: 1 as never, seq: 2 })
    expect(net.socket.inputs.map(({ seq, text }) => [seq, text.length])).toEqual([
      [1, 1],
      [2, MAX_INPUT_FRAME_BYTES],
      [3, 1],
    ])
  })

  it('is sent again after a reconnect only as far as the host does not have it', async () => {
    const all = await attached()
    for (const key of 'abcd') all.attachment.input(bytes(key))
    all.net.socket.say({ type: 'inputAck', handle: 1 as never, seq: 1 })
    await reconnected(all)
    await answer(all.net.socket, { handle: 7, mode: 'delta', from: 0, inputSeq: 3 })
    expect(all.net.socket.inputs).toEqual([{ handle: 7, seq: 4, text: 'd' }])
    all.attachment.input(bytes('e'))
    expect(all.net.socket.inputs.at(-1)).toEqual({ handle: 7, seq: 5, text: 'e' })
  })

  it('is refused, not kept, while there is no link', async () => {
    const all = await attached()
    all.net.socket.break()
    all.attachment.input(bytes('rm'))
    expect(all.viewer.events).toEqual(['refused disconnected'])
    await reconnected(all)
    await answer(all.net.socket, { handle: 1, mode: 'delta', from: 0 })
    expect(all.net.socket.inputs).toEqual([])
  })

  it('gives up, and says so, what a host that forgot might take twice', async () => {
    const all = await attached()
    all.attachment.input(bytes('a'))
    all.net.socket.say({ type: 'inputAck', handle: 1 as never, seq: 1 })
    all.attachment.input(bytes('b'))
    await reconnected(all)
    await answer(all.net.socket, { handle: 1, mode: 'delta', from: 0, inputSeq: 0 })
    expect(all.viewer.events).toEqual(['refused lost'])
    expect(all.net.socket.inputs).toEqual([])
    all.attachment.input(bytes('c'))
    expect(all.net.socket.inputs).toEqual([{ handle: 1, seq: 1, text: 'c' }])
  })

  it('drops the rest of a paste that the program does not read', async () => {
    const { net, attachment, viewer } = await attached()
    attachment.input(bytes('x'.repeat(3 * MAX_INPUT_FRAME_BYTES)))
    net.socket.say({ type: 'error', sid: A, error: { code: 'INPUT_BACKLOG', message: '' } })
    net.socket.say({ type: 'inputAck', handle: 1 as never, seq: 1 })
    attachment.input(bytes('q'))
    expect(viewer.events).toEqual(['refused backlog'])
    expect(net.socket.inputs.map(({ seq, text }) => [seq, text.length])).toEqual([
      [1, MAX_INPUT_FRAME_BYTES],
      [2, 1],
    ])
  })

  it('continues from the number that the host expects', async () => {
    const { net, attachment } = await attached()
    attachment.input(bytes('a'))
    attachment.input(bytes('b'))
    const error = { code: 'INPUT_OUT_OF_ORDER', message: '', details: { expected: 1, got: 2 } } as const
    net.socket.say({ type: 'error', sid: A, error })
    expect(net.socket.inputs.map(({ seq }) => seq)).toEqual([1, 2, 1, 2])
  })
})

describe('sizes', () => {
  it('are sent one at a time, the newest of those that wait', async () => {
    const { net, attachment } = await attached()
    for (const cols of [81, 82, 83]) attachment.resize({ cols, rows: 24 })
    expect(net.socket.count('resize')).toBe(1)
    net.socket.say({ type: 'ok', re: net.socket.last('resize').id, result: {} })
    await settled()
    expect(net.socket.count('resize')).toBe(2)
    expect(net.socket.last('resize').size.cols).toBe(83)
  })

  const size = (cols: number, change: number, offset = 0) =>
    ({ type: 'size', handle: 1 as never, at: at(offset, change), size: { cols, rows: 30 }, driver: false }) as const

  it('come from the host with who drives, in the order of the stream', async () => {
    const { net, viewer } = await attached()
    net.socket.say(size(100, 1))
    net.socket.say({ ...size(1, 2), handle: 9 as never, driver: true })
    net.socket.output(1, 0, 'ab')
    net.socket.say({ ...size(90, 2, 2), driver: true })
    expect(viewer.events).toEqual(['size 100x30 false', 'size 90x30 true'])
  })

  it.each([
    ['one is missing before it', size(100, 2)],
    ['it was told before', size(100, 0)],
    ['bytes are missing before it', size(100, 1, 5)],
  ])('attach again from where it stopped when %s', async (_, frame) => {
    const { net, viewer } = await attached()
    net.socket.say(frame)
    expect(viewer.events).toEqual([])
    expect(net.socket.last('attach').resumeFrom).toEqual(at(0))
  })

  it('count in the place from which a viewer goes on', async () => {
    const all = await attached()
    all.net.socket.say(size(100, 1))
    all.net.socket.output(1, 0, 'ab')
    await reconnected(all)
    expect(all.net.socket.last('attach').resumeFrom).toEqual(at(2, 1))
    await answer(all.net.socket, { handle: 1, mode: 'delta', from: 2, change: 0 })
    expect(all.attachment.state.getSnapshot()).toMatchObject({ kind: 'failed' })
  })
})

describe('a snapshot', () => {
  const part = (socket: FakeSocket, handle: number, number: number, text: string) => {
    const frame = { kind: 'snapshot', handle: handle as never, part: number, bytes: bytes(text) } as const
    socket.sayRaw(encodeBinaryFrame(frame).buffer)
  }
  const end = (socket: FakeSocket, parts: number) => {
    socket.say({ type: 'snapshotEnd', handle: 1 as never, parts, hash: 'h' })
  }
  const begun = async () => {
    const { net, link } = await open()
    const viewer = new RecordingViewer()
    const attachment = link.attach(A, viewer)
    await answer(net.socket, { handle: 1, mode: 'snapshot', from: 500, change: 3 })
    return { net, link, viewer, attachment }
  }

  it('comes in parts, and the stream goes on where it was taken', async () => {
    const { net, viewer } = await begun()
    part(net.socket, 1, 0, 'screen')
    part(net.socket, 1, 1, 'history')
    end(net.socket, 2)
    net.socket.output(1, 500, 'next')
    expect(viewer.starts.at(-1)).toMatchObject({ mode: 'snapshot', from: at(500, 3), lostBytes: 0 })
    expect(viewer.events).toEqual(['part 0 screen', 'part 1 history', 'complete h'])
    expect(viewer.text).toBe('next')
  })

  it.each([
    ['a part is missing', (socket: FakeSocket) => part(socket, 1, 1, 'x')],
    ['output comes before its parts', (socket: FakeSocket) => socket.output(1, 500, 'x')],
    ['it ends before it began', (socket: FakeSocket) => end(socket, 1)],
  ])('is asked for again when %s', async (_, spoil) => {
    const { net, viewer } = await begun()
    spoil(net.socket)
    expect(viewer.events).toEqual([])
    expect(net.socket.count('attach')).toBe(2)
    expect(net.socket.last('attach').resumeFrom).toBeNull()
  })

  it.each([
    ['it says that more parts came', (socket: FakeSocket) => end(socket, 2)],
    ['output comes before it is complete', (socket: FakeSocket) => socket.output(1, 500, 'x')],
  ])('is asked for again when %s', async (_, spoil) => {
    const { net, viewer } = await begun()
    part(net.socket, 1, 0, 'screen')
    spoil(net.socket)
    expect(viewer.events).toEqual(['part 0 screen'])
    expect(net.socket.count('attach')).toBe(2)
    expect(net.socket.last('attach').resumeFrom).toBeNull()
  })

  it('that a broken socket cut short leaves nothing to go on from', async () => {
    const all = await begun()
    part(all.net.socket, 1, 0, 'screen')
    await reconnected(all)
    expect(all.net.socket.last('attach').resumeFrom).toBeNull()
  })

  it('that is not what it said is not asked for again: output alone is exact', async () => {
    const { net, attachment } = await begun()
    part(net.socket, 1, 0, 'screen')
    part(net.socket, 1, 1, 'history')
    end(net.socket, 2)
    attachment.snapshotFailed()
    expect(net.socket.last('attach')).toMatchObject({ resumeFrom: null, noSnapshot: true })
  })
})

describe('the end', () => {
  it('is told once, after the last byte', async () => {
    const { net, viewer } = await attached()
    net.socket.output(1, 0, 'bye')
    net.socket.say({ type: 'exited', handle: 1 as never, exit: { exitCode: 3, signal: null }, offset: 3 })
    expect(viewer.events).toEqual(['exited 3'])
  })

  it('is not believed while bytes before it are missing', async () => {
    const { net, viewer } = await attached()
    net.socket.say({ type: 'exited', handle: 1 as never, exit: { exitCode: 0, signal: null }, offset: 3 })
    expect(viewer.events).toEqual([])
    expect(net.socket.last('attach').resumeFrom).toEqual(at(0))
  })

  it('of a session that was closed carries the reason, and nothing attaches again', async () => {
    const all = await attached()
    all.net.socket.say({ type: 'sessions', sessions: [] })
    all.net.socket.say({ type: 'closed', sid: A, reason: 'agent', termination: null })
    expect(all.viewer.events).toEqual(['ended closed agent'])
    await reconnected(all)
    expect(all.net.socket.count('attach')).toBe(0)
  })

  it('of every session that another run of the host does not know', async () => {
    const { net, link, viewer } = await attached()
    net.socket.break()
    link.wake()
    await settled()
    net.socket.welcome([], OTHER_INSTANCE)
    expect(viewer.events).toEqual(['ended unknown '])
    expect(link.host.getSnapshot()?.instance).toBe(OTHER_INSTANCE)
    expect(net.socket.count('attach')).toBe(0)
  })

  it('of a session that went between the list and the attach', async () => {
    const { net, link } = await open()
    const viewer = new RecordingViewer()
    link.attach(A, viewer)
    const { id } = net.socket.last('attach')
    net.socket.say({ type: 'error', re: id, error: { code: 'SESSION_NOT_FOUND', message: '' } })
    await settled()
    expect(viewer.events).toEqual(['ended unknown '])
  })

  it('of an attachment leaves nothing at the host, also while it is being made', async () => {
    const { net, link } = await open()
    const viewer = new RecordingViewer()
    const attachment = link.attach(A, viewer)
    attachment.dispose()
    expect(net.socket.count('detach')).toBe(1)
    await answer(net.socket, { handle: 1, from: 0 })
    net.socket.output(1, 0, 'x')
    expect(viewer.text).toBe('')
    expect(viewer.starts).toEqual([])
  })
})
