/** The host dies at any moment of a flood: what was written down is whole, and after the restart it can be read and run again. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { MAX_RETAINED_SESSIONS } from '../../protocol-src/limits.ts'
import type { SessionId } from '../../protocol-src/ids.ts'
import { bootTestDsh, type TestDsh } from '../support/dsh.ts'
import { randomForTest } from '../support/random.ts'
import { until } from '../support/wait.ts'
import { WireFailure, WsClient } from '../support/ws-client.ts'
import { LIMIT_MS, PATIENCE_MS, sizeOf } from './size.ts'

const CRASHES = sizeOf({ bounded: 1, full: 30 })
const FLOOD = 'i=0; while :; do i=$((i+1)); echo "number $i"; done'

let dsh: TestDsh
beforeAll(async () => {
  dsh = await bootTestDsh()
}, LIMIT_MS)
afterAll(() => dsh.stop(), LIMIT_MS)

const textOf = (count: number): string => Array.from({ length: count }, (_, n) => `number ${n + 1}\r\n`).join('')

interface Written {
  seq: number
  hash: string
  data: string
}

/** The newest output record that is on disk, read beside the running host. */
const lastOnDisk = (sid: SessionId): Written | undefined => {
  const database = new DatabaseSync(join(dsh.dshHome, 'tty', 'journal.db'), { readOnly: true })
  try {
    const sql = "SELECT seq, hash, data FROM records WHERE sid = ? AND type = 'output' ORDER BY seq DESC LIMIT 1"
    return database.prepare(sql).get(sid) as unknown as Written | undefined
  } finally {
    database.close()
  }
}

/** Up to where output is recorded, by what the host says. */
const recordedTo = async (client: WsClient, sid: SessionId): Promise<number> => {
  let after = 0
  let to = 0
  for (;;) {
    const { records } = await client.request({ type: 'history', sid, after, limit: 1000 })
    const last = records.at(-1)
    if (last === undefined) return to
    after = last.seq
    for (const { type, data } of records) if (type === 'output') to = Number(data['to'])
  }
}

const readAll = async (client: WsClient, sid: SessionId): Promise<{ text: string; end: number }> => {
  const view = await client.attach(sid, { size: { cols: 80, rows: 24 } })
  const { offset } = await view.untilExited(PATIENCE_MS)
  expect(view.record.faults).toEqual([])
  expect(view.record.next).toBe(offset)
  return { text: view.start.start.mode === 'replay' ? view.text : '', end: offset }
}

it(
  'leaves a gapless beginning of the output, with every record that was on disk',
  async () => {
    const random = randomForTest()
    for (let crash = 0; crash < CRASHES; crash += 1) {
      const client = await WsClient.connect({ url: dsh.url })
      const view = await client.start({ command: FLOOD })
      const goal = random.integer(1, 150_000)
      await until(() => view.record.next >= goal, { what: 'the flood', timeoutMs: PATIENCE_MS, pollMs: 1 })
      // What is on disk now has been there before the crash, whatever else was still on its way.
      const written = await until(() => lastOnDisk(view.sid), { what: 'a record on disk', timeoutMs: PATIENCE_MS })
      await dsh.restart('crash')

      const again = await WsClient.connect({ url: dsh.url })
      const { sessions } = await again.request({ type: 'list' })
      const found = sessions.find(({ id }) => id === view.sid)
      expect(found).toMatchObject({
        phase: 'exited',
        exitReason: 'host stopped',
        exit: { exitCode: null, signal: null },
      })
      expect(await again.request({ type: 'verify', sid: view.sid })).toMatchObject({ ok: true })
      const [kept] = (await again.request({ type: 'history', sid: view.sid, after: written.seq - 1, limit: 1 })).records
      expect(kept).toMatchObject({ seq: written.seq, hash: written.hash })
      const recorded = await recordedTo(again, view.sid)
      expect(recorded).toBeGreaterThanOrEqual(Number((JSON.parse(written.data) as { to: number }).to))
      const { text, end } = await readAll(again, view.sid)
      expect(end).toBe(recorded)
      if (text !== '') expect(textOf(Math.ceil(text.length / 9) + 1).startsWith(text)).toBe(true)
      const retry = await again.request({
        type: 'open',
        spec: { kind: 'local', command: found?.spec.command ?? '' },
        size: { cols: 80, rows: 24 },
        retryOf: view.sid,
      })
      expect(retry.session).toMatchObject({ retryOf: view.sid, phase: 'running' })
      const anew = await again.attach(retry.session.id)
      await anew.untilText(/number 3\r\n/, PATIENCE_MS)
      await again.request({ type: 'close', sid: retry.session.id })
      await again.close()
    }
  },
  LIMIT_MS,
)

it(
  'and after a stop in order ended sessions are still there: the newest, to be read and not to be typed into',
  async () => {
    const client = await WsClient.connect({ url: dsh.url })
    const ended: SessionId[] = []
    for (let n = 0; n < MAX_RETAINED_SESSIONS + 2; n += 1) {
      const view = await client.start({ command: `echo "said ${n}"` })
      await view.untilExited(PATIENCE_MS)
      ended.push(view.sid)
    }
    const { id: live } = await client.open({ command: 'echo lives; exec cat' })
    await dsh.restart('graceful')
    for (let restart = 0; restart < 2; restart += 1) {
      const again = await WsClient.connect({ url: dsh.url })
      const listed = async (): Promise<SessionId[]> =>
        (await again.request({ type: 'list' })).sessions.map(({ id }) => id)
      const kept = [...ended, live].slice(-MAX_RETAINED_SESSIONS)
      await until(async () => (await listed()).length === kept.length, { what: 'the oldest to go' })
      expect((await listed()).toSorted()).toEqual(kept.toSorted())
      const last = ended.at(-1)
      if (last === undefined) throw new Error('no session ended')
      expect((await readAll(again, last)).text).toBe(`said ${MAX_RETAINED_SESSIONS + 1}\r\n`)
      expect((await readAll(again, live)).text).toBe('lives\r\n')
      expect((await again.request({ type: 'list' })).sessions.find(({ id }) => id === live)).toMatchObject({
        phase: 'exited',
        exitReason: 'host stopped',
      })
      for (const sid of kept) expect(await again.request({ type: 'verify', sid })).toMatchObject({ ok: true })
      const view = await again.attach(last)
      view.input('x')
      await until(() => again.last('error')?.error.code === 'SESSION_EXITED', { what: 'the refusal' })
      await again.close()
      if (restart === 0) await dsh.restart('crash')
    }
    await expect(
      (await WsClient.connect({ url: dsh.url })).request({ type: 'verify', sid: ended[0] as SessionId }),
    ).rejects.toBeInstanceOf(WireFailure)
  },
  LIMIT_MS,
)
