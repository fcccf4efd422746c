/** Looking at a session at any moment and from anywhere: no byte is lost, repeated or cut in the middle of a sequence. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { HIGH_WATER_BYTES } from '../../protocol-src/limits.ts'
import { DEFAULT_SETTINGS } from '../../protocol-src/settings.ts'
import { startInProcessHost, type InProcessHost } from '../support/in-process-host.ts'
import { randomForTest } from '../support/random.ts'
import { sha256Of } from '../support/output-record.ts'
import { startTcpProxy } from '../support/tcp-proxy.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { visibleText } from '../support/visible-text.ts'
import { ViewerTerminal } from '../support/viewer-terminal.ts'
import { until } from '../support/wait.ts'
import type { ClientView, WsClient } from '../support/ws-client.ts'

const KEPT_BYTES = DEFAULT_SETTINGS.journalMaxMb * 1024 * 1024
/** Whole segment files are dropped: as much more may be there, and as much again until the next batch is written. */
const SEGMENT_BYTES = 8 * 1024 * 1024

let host: InProcessHost
let client: WsClient
beforeAll(async () => {
  host = await startInProcessHost()
  client = await host.connect()
})
afterEach(async () => {
  for (const { id } of (await client.request({ type: 'list' })).sessions)
    await client.request({ type: 'close', sid: id })
})
afterAll(() => host.dispose())

/** What `seq from to` prints on a terminal. */
const seqText = (from: number, to: number): string => {
  let text = ''
  for (let n = from; n <= to; n += 1) text += `${n}\r\n`
  return text
}

/** Slow enough that viewers come and go while it runs, fast enough for a test. */
const floodOf = (to: number): string =>
  `i=0; while [ $i -lt 20 ]; do seq $((i*${to / 20}+1)) $(((i+1)*${to / 20})); sleep 0.02; i=$((i+1)); done`

describe('attaching while output flows (WS-05)', () => {
  it('gives each of ten viewers the same bytes, whenever they come', async () => {
    const random = randomForTest()
    const first = await client.start({ command: `read -r _; ${floodOf(20_000)}` })
    const late: Promise<ClientView>[] = []
    first.input('\n')
    for (let n = 0; n < 10; n += 1) {
      const after = random.integer(0, 100_000)
      late.push(
        (async () => {
          await until(() => first.record.length >= after || first.exited, { what: 'its moment', pollMs: 1 })
          const viewer = await host.connect()
          return viewer.attach(first.sid)
        })(),
      )
    }
    const views = [first, ...(await Promise.all(late))]
    await Promise.all(views.map((view) => view.untilExited()))
    const wanted = `\r\n${seqText(1, 20_000)}`
    for (const view of views) {
      expect(view.record.faults).toEqual([])
      expect(view.record.length).toBe(wanted.length)
      expect(view.record.sha256).toBe(sha256Of(wanted))
      expect(view.exited?.offset).toBe(wanted.length)
    }
  })
})

describe('a broken socket', () => {
  it('costs no byte and repeats none: the client continues where it was', async () => {
    const random = randomForTest()
    const proxy = await startTcpProxy(host.port)
    let user = await host.connect({ url: proxy.url, ticketUrl: host.url })
    const started = await user.start({ command: `read -r _; ${floodOf(20_000)}` })
    const { record, sid } = started
    started.input('\n')
    let breaks = 0
    let view = started
    while (view.exited === undefined) {
      const from = record.length
      const goal = from + random.integer(1, 20_000)
      await until(() => record.length >= goal || view.exited || user.closed, { what: 'some output', pollMs: 1 })
      if (view.exited !== undefined) break
      proxy.cut()
      await until(() => user.closed, { what: 'the socket to break' })
      breaks += 1
      user = await host.connect({ url: proxy.url, ticketUrl: host.url, clientId: user.id })
      view = await user.attach(sid, { record })
      expect(view.start.start.mode).toBe('delta')
    }
    expect(breaks).toBeGreaterThan(0)
    expect(record.faults).toEqual([])
    expect(record.sha256).toBe(sha256Of(`\r\n${seqText(1, 20_000)}`))
    expect(record.resyncs).toBe(0)
    await proxy.close()
  })

  it('types everything once: what was not acknowledged is sent again and dropped where it had arrived', async () => {
    const proxy = await startTcpProxy(host.port)
    let user = await host.connect({ url: proxy.url, ticketUrl: host.url })
    const view = await user.start({ command: 'stty -echo; printf ready; exec cat' })
    await view.untilText(/ready/)
    const lines = Array.from({ length: 300 }, (_, at) => `line ${at + 1}\n`)
    let { record } = view
    let current = view
    let sent = 0
    for (let round = 0; round < 10; round += 1) {
      for (; sent < (round + 1) * 30; sent += 1) current.sendInput(sent + 1, Buffer.from(lines[sent] ?? ''))
      proxy.cut()
      await until(() => user.closed, { what: 'the socket to break' })
      user = await host.connect({ url: proxy.url, ticketUrl: host.url, clientId: user.id })
      current = await user.attach(view.sid, { record })
      record = current.record
      // The client sends again from what it knows was taken; one more repeats on purpose.
      for (let seq = Math.max(1, current.start.inputSeq); seq <= sent; seq += 1)
        current.sendInput(seq, Buffer.from(lines[seq - 1] ?? ''))
    }
    await until(() => record.text.includes('line 300\r\n'), { what: 'the last line' })
    expect(record.text).toBe(`ready${lines.map((line) => line.replace('\n', '\r\n')).join('')}`)
    expect(record.faults).toEqual([])
    await proxy.close()
  })
})

describe('a replay that cannot begin at the beginning (WS-07)', () => {
  it('never begins inside a sequence', async () => {
    const folder = await temporaryFolder()
    const line = '\x1b[38;5;196mRED\x1b[0m'.repeat(40)
    await writeFile(join(folder, 'red'), `${line}\n`.repeat(1000))
    const runs = Math.ceil((KEPT_BYTES * 2) / (line.length * 1000))
    const first = await client.start(
      { command: `for i in $(seq ${runs}); do cat ${folder}/red; done; read -r _; cat ${folder}/red` },
      { keepBytes: 1000 },
    )
    const total = runs * (line.length + 2) * 1000
    await until(() => first.record.next >= total, { what: 'the ring to overflow', timeoutMs: 30_000 })
    const viewer = await host.connect()
    // What the screen has not parsed is kept, whatever the bound.
    await client.request({ type: 'hash', sid: first.sid })
    const { output } = host.composition.registry.require(first.sid).journal
    await until(() => output.start > 0, { what: 'the oldest output to go' })
    const view = await viewer.attach(first.sid, { noSnapshot: true })
    expect(view.start.start.mode).toBe('replay')
    expect(view.start.start.from.offset).toBeGreaterThan(0)
    await until(() => view.record.next >= total, { what: 'the replay' })
    expect(await visibleText(view.record.bytes.subarray(0, 4000))).toMatch(/^R?E?D?(RED)+R?E?D?$/)
    expect(view.record.length).toBeGreaterThan(KEPT_BYTES - 200_000)
    expect(view.record.length).toBeLessThan(KEPT_BYTES + SEGMENT_BYTES)
    first.input('\n')
    await Promise.all([first.untilExited(), view.untilExited()])
    expect(view.record.faults).toEqual([])
    expect(view.record.next).toBe(first.record.next)
  })
})

describe('a full-screen program without newlines (WS-10)', () => {
  it('costs bounded memory and a bounded replay', async () => {
    const folder = await temporaryFolder()
    await writeFile(join(folder, 'frame'), `\x1b[H${'x'.repeat(1900)}`)
    const command = `f=$(cat ${folder}/frame); i=0; while [ $i -lt 8000 ]; do printf '%s' "$f"; i=$((i+1)); done; read -r _`
    const first = await client.start({ command }, { keepBytes: 1000 })
    const total = 8000 * 1903
    await until(() => first.record.next >= total, { what: 'the frames', timeoutMs: 30_000 })
    const viewer = await host.connect()
    const view = await viewer.attach(first.sid, { keepBytes: 5000, noSnapshot: true })
    await until(() => view.record.next >= total, { what: 'the replay' })
    expect(view.record.length).toBeLessThanOrEqual(KEPT_BYTES + SEGMENT_BYTES)
    expect(view.record.faults).toEqual([])
    expect(viewer.of('resync')).toEqual([])
  })
})

describe('a client that does not acknowledge (WS-11, X-18)', () => {
  it('gets no more than the high-water mark, and its program waits; others are not disturbed', async () => {
    const lazy = await client.start({ command: 'yes' }, { acks: 'none' })
    await until(() => lazy.record.length >= HIGH_WATER_BYTES, { what: 'the high-water mark' })
    const other = await host.connect()
    const shell = await other.start()
    shell.input('echo $((6*7))\n')
    await shell.untilText(/\r42\r/)
    expect(lazy.record.length).toBeLessThan(HIGH_WATER_BYTES + 64 * 1024)
    const produced = host.composition.registry.require(lazy.sid).descriptor.outputOffset
    expect(produced - lazy.record.length).toBeLessThan(1024 * 1024)
    // Ctrl-C works in the middle of it.
    lazy.input('\x03')
    lazy.setAcks('auto')
    expect((await lazy.untilExited()).exit).toEqual({ exitCode: null, signal: 'SIGINT' })
    expect(lazy.record.faults).toEqual([])
  })

  it('does not stop those who keep up, costs bounded memory, and starts anew with the tail when it reads again', async () => {
    const reader = await client.start(
      { command: 'read -r _; yes 0123456789 | head -c 16000000; printf end; read -r _' },
      { keepBytes: 4000 },
    )
    const sleeper = await host.connect()
    const terminal = new ViewerTerminal()
    const slow = await sleeper.attach(reader.sid, { acks: 'none', terminal })
    const before = process.memoryUsage().rss
    reader.input('\n')
    await until(() => reader.text.endsWith('end'), { what: 'the reader to get everything', timeoutMs: 40_000 })
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024)
    expect(slow.record.length).toBeLessThan(HIGH_WATER_BYTES + 64 * 1024)
    expect(sleeper.closed).toBeNull()
    slow.setAcks('auto')
    await until(() => slow.record.next === reader.record.next, { what: 'the tail', timeoutMs: 30_000 })
    expect(slow.record.resyncs).toBe(1)
    expect(slow.record.faults).toEqual([])
    await until(() => /0\d*end/.test(terminal.text), { what: 'the tail on its screen' })
    const { hash } = await client.request({ type: 'hash', sid: reader.sid })
    expect(terminal.hash).toBe(hash)
  })

  it('and whose socket takes nothing any more does not fill the host’s memory; its session lives', async () => {
    const proxy = await startTcpProxy(host.port)
    const stuck = await host.connect({ url: proxy.url, ticketUrl: host.url })
    const view = await stuck.start({ command: 'yes' })
    await until(() => view.record.length > 100_000, { what: 'the flood' })
    proxy.set('down', { frozen: true })
    const session = host.composition.registry.require(view.sid)
    // Nothing is acknowledged any more, so the program is paused after a bounded amount.
    let last = -1
    await until(
      () => {
        const { outputOffset } = session.descriptor
        const isStill = outputOffset === last
        last = outputOffset
        return isStill
      },
      { what: 'the flood to stop', pollMs: 200 },
    )
    proxy.set('down', { frozen: false })
    await until(() => view.record.length > last, { what: 'the flood to go on' })
    expect(view.record.faults).toEqual([])
    expect(session.phase).toBe('running')
    await proxy.close()
  })
})
