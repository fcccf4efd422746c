/** Frames that no client of ours would send: the host answers, closes, and goes on; others are not disturbed. */
import { WebSocket } from 'ws'
import { expect, it, onTestFinished } from 'vitest'
import { encodeBinaryFrame } from '../../protocol-src/binary-frame.ts'
import type { ClientFrameInput } from '../../protocol-src/client-frames.ts'
import { WS_PATH } from '../../protocol-src/http-routes.ts'
import type { AttachmentHandle, SessionId } from '../../protocol-src/ids.ts'
import { PROTOCOL_VERSION, WS_SUBPROTOCOL, WS_TICKET_PREFIX } from '../../protocol-src/limits.ts'
import { collectGarbage } from './resources.ts'
import { startInProcessHost, type InProcessHost } from '../support/in-process-host.ts'
import { randomForTest, type Random } from '../support/random.ts'
import { until } from '../support/wait.ts'
import { fetchTicket, newClientId } from '../support/ws-client.ts'
import { LIMIT_MS, PATIENCE_MS, sizeOf } from './size.ts'

const FRAMES = sizeOf({ bounded: 5_000, full: 100_000 })
const PER_SOCKET = 50
const MAX_GROWTH_BYTES = 96 * 1024 * 1024

const NASTY: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  2 ** 53,
  -(2 ** 53),
  1e308,
  '',
  'x',
  '\0',
  '\ud800',
  'a'.repeat(5_000),
  [],
  {},
  [[]],
  { __proto__: null },
  '__proto__',
  'constructor',
  { toString: 1 },
  { length: -1 },
  '../../etc/passwd',
  '💥',
  [null],
  { cols: 1e9, rows: -1e9 },
]
const KEYS = [
  'type',
  'id',
  'sid',
  'size',
  'resumeFrom',
  'handle',
  'offset',
  'spec',
  'title',
  'n',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'x',
]

/** Frames as they should be, of the fuzzer's own session and of sessions that are not there. */
const soundFrame = (random: Random, sid: SessionId): ClientFrameInput => {
  const id = random.integer(1, 1_000)
  const size = { cols: random.integer(-5, 2_000), rows: random.integer(-5, 2_000) }
  const offset = random.integer(0, 2_000_000)
  const resumeFrom = random.boolean() ? null : { offset, change: random.integer(0, 50) }
  return random.pick<ClientFrameInput>([
    { type: 'hello', protocol: random.integer(0, 4), client: { kind: 'cli', id: newClientId() } },
    { type: 'attach', id, sid, size, resumeFrom, noSnapshot: random.boolean() },
    { type: 'detach', id, sid },
    { type: 'resize', id, sid, size },
    { type: 'ack', handle: random.integer(1, 5) as AttachmentHandle, offset },
    { type: 'rename', id, sid, title: random.boolean() ? null : 'name' },
    { type: 'list', id },
    { type: 'history', id, sid, after: random.integer(0, 100), limit: random.integer(1, 20) },
    { type: 'wait', id, sid, timeoutMs: random.integer(0, 50) },
    { type: 'ping', n: id },
    { type: 'close', id, sid: newClientId() as string as SessionId },
    { type: 'open', id, spec: { kind: 'local', cwd: '/nowhere', command: 'x'.repeat(random.integer(0, 5)) }, size },
  ])
}

/** Change one place of a value. */
const spoil = (random: Random, value: unknown): unknown => {
  if (random.boolean(0.2) || typeof value !== 'object' || value === null) return random.pick(NASTY)
  const entries = Object.entries(value)
  const at = random.integer(0, entries.length)
  if (at === entries.length) return Object.fromEntries([...entries, [random.pick(KEYS), random.pick(NASTY)]])
  if (random.boolean(0.2)) return Object.fromEntries(entries.toSpliced(at, 1))
  return Object.fromEntries(entries.map(([key, each], n) => [key, n === at ? spoil(random, each) : each]))
}

const textFrame = (random: Random, sid: SessionId): string => {
  const frame: unknown = soundFrame(random, sid)
  const text = JSON.stringify(random.boolean(0.6) ? spoil(random, frame) : frame)
  switch (random.integer(0, 11)) {
    case 0:
      return text.slice(0, random.integer(0, text.length))
    case 1:
      return text.replace('{', '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},')
    case 2:
      return '['.repeat(random.integer(1, 50_000))
    case 3:
      return Buffer.from(random.bytes(random.integer(0, 200))).toString('latin1')
    default:
      return text
  }
}

const binaryFrame = (random: Random): Uint8Array => {
  const bytes = random.bytes(random.integer(0, 64))
  if (random.boolean(0.3)) return bytes
  const handle = random.integer(1, 4) as AttachmentHandle
  const frame = encodeBinaryFrame({ kind: 'input', handle, seq: random.integer(1, 6), bytes: Buffer.from('a') })
  if (random.boolean()) frame[random.integer(0, 15)] = random.integer(0, 255)
  return frame
}

/** A socket that says hello, mostly, and then what it likes, until the host has had enough. @returns frames sent */
const misbehave = async (host: InProcessHost, random: Random, sid: SessionId): Promise<number> => {
  const ticket = await fetchTicket(host.url)
  const socket = new WebSocket(`${host.url.replace('http', 'ws')}${WS_PATH}`, [
    WS_SUBPROTOCOL,
    WS_TICKET_PREFIX + ticket,
  ])
  let isClosed = false
  socket.on('error', () => {}) // a socket that the host cut
  const closed = new Promise<void>((resolve) => {
    socket.on('close', () => {
      isClosed = true
      resolve()
    })
  })
  await new Promise((resolve) => socket.once('open', resolve).once('close', resolve))
  const hello = { type: 'hello', protocol: PROTOCOL_VERSION, client: { kind: 'cli', id: newClientId() } }
  if (random.boolean(0.9)) socket.send(JSON.stringify(hello))
  let sent = 0
  const count = random.integer(1, PER_SOCKET)
  for (; sent < count && !isClosed; sent += 1) {
    if (random.boolean(0.75)) socket.send(textFrame(random, sid))
    else socket.send(binaryFrame(random))
    if (random.boolean(0.2)) await new Promise((resolve) => setImmediate(resolve))
  }
  if (random.boolean(0.5)) socket.terminate()
  else socket.close()
  await closed
  return sent
}

it(
  'of every wrong kind do not stop the host, reach another session, change a prototype or cost memory for good',
  async () => {
    const random = randomForTest()
    const rejections: unknown[] = []
    const heard = (reason: unknown): void => void rejections.push(reason)
    process.on('unhandledRejection', heard)
    onTestFinished(() => void process.off('unhandledRejection', heard))
    const prototypes = [Object.prototype, Array.prototype, Function.prototype, Map.prototype]
    const names = prototypes.map((each) => Reflect.ownKeys(each).length)
    await using host = await startInProcessHost()
    const bystander = await host.connect()
    const quiet = await bystander.start({ command: 'stty -echo; printf ready; exec cat' })
    await quiet.untilText(/ready/)
    const target = await bystander.open({ command: 'seq 100000; cat' })
    let sent = 0
    let line = 0
    const batch = async (until: number): Promise<void> => {
      while (sent < until) {
        const counts = await Promise.all(Array.from({ length: 8 }, () => misbehave(host, random, target.id)))
        sent += counts.reduce((sum, count) => sum + count, 0)
        line += 1
        quiet.input(`line ${line}\n`)
        await quiet.untilText(new RegExp(`line ${line}\\r\\n$`), PATIENCE_MS)
        // What the fuzz has opened by luck goes, so that the limit is never what answers.
        for (const { id, phase } of host.composition.registry.list())
          if (id !== target.id && id !== quiet.sid && phase !== 'starting')
            await bystander.request({ type: 'close', sid: id })
        bystander.frames.length = 0
      }
    }
    await batch(FRAMES / 5)
    const before = collectGarbage()
    await batch(FRAMES)

    await until(() => host.composition.gateway.connectionCount === 1, {
      what: 'the sockets to be let go',
      timeoutMs: PATIENCE_MS,
    })
    expect(collectGarbage() - before).toBeLessThan(MAX_GROWTH_BYTES)
    expect(quiet.text).toBe(`ready${Array.from({ length: line }, (_, n) => `line ${n + 1}\r\n`).join('')}`)
    expect(quiet.record.faults).toEqual([])
    expect(bystander.closed).toBeNull()
    expect(host.composition.registry.require(target.id).descriptor.attachments).toBe(0)
    expect(rejections).toEqual([])
    expect(prototypes.map((each) => Reflect.ownKeys(each).length)).toEqual(names)
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
    expect(host.logger.lines.filter(({ level }) => level === 'error')).toEqual([])
  },
  LIMIT_MS,
)
