/** The host is killed at any moment of a numbered output in tmux: afterwards no line is lost and none is there twice. */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { PersistName, SessionId } from '../../protocol-src/ids.ts'
import { bootTestDsh, type TestDsh } from '../support/dsh.ts'
import { KeptServer } from '../support/kept-home.ts'
import { isAlive } from '../support/proc.ts'
import { randomForTest } from '../support/random.ts'
import { until } from '../support/wait.ts'
import { WsClient, type ClientView } from '../support/ws-client.ts'
import { LIMIT_MS, PATIENCE_MS, sizeOf } from './size.ts'

/** Each in a session of its own. */
const ROUNDS = sizeOf({ bounded: 1, full: 2 })
const KILLS = sizeOf({ bounded: 4, full: 25 })
/** Bursts and pauses, so that a kill finds all kinds of moments; a file says how far it is. */
const NUMBERS = `i=0; while :; do i=$((i+1)); echo "number $i"; case $i in *00) sleep 0.02;; esac; done`

let dsh: TestDsh
let server: KeptServer
beforeAll(async () => {
  dsh = await bootTestDsh({ settings: { tty: { journalMaxMb: 64 } } })
  server = new KeptServer(join(dsh.dshHome, 'tty'))
}, LIMIT_MS)
afterAll(async () => {
  await server.end()
  await dsh.stop()
}, LIMIT_MS)

/** What is wrong with the numbers in `text`, which begin with `first`; null when nothing is. */
const faultIn = (text: string, first: number): string | null => {
  let expected = first
  // The last line may not be whole.
  for (const line of text.split('\r\n').slice(0, -1)) {
    if (line !== `number ${expected}`) return `"${line}" where number ${expected} should be`
    expected += 1
  }
  return null
}

const look = (client: WsClient, sid: SessionId): Promise<ClientView> =>
  client.attach(sid, { noSnapshot: true, keepBytes: 64 * 1024 * 1024 })

it.each(Array.from({ length: ROUNDS }, (_, round) => round + 1))(
  'numbers go on without a gap and without a repetition, round %i',
  async () => {
    const random = randomForTest()
    const first = await WsClient.connect({ url: dsh.url })
    const { sid, start } = await first.start({ command: NUMBERS, persist: 'numbers' as PersistName })
    const pid = start.session.pid ?? 0
    let goal = 0
    let client = first
    for (let kill = 0; kill < KILLS; kill += 1) {
      const view = await look(client, sid)
      goal = Math.max(goal, view.record.next) + random.integer(1, 60_000)
      await until(() => view.record.next >= goal, { what: 'the numbers to go on', timeoutMs: PATIENCE_MS, pollMs: 1 })
      await dsh.restart('crash')
      expect(isAlive(pid)).toBe(true)
      client = await WsClient.connect({ url: dsh.url })
      const { sessions } = await client.request({ type: 'list' })
      expect(sessions.find(({ id }) => id === sid)).toMatchObject({ phase: 'running', pid, persist: 'numbers' })
      const again = await look(client, sid)
      await until(() => again.record.next > goal + 1000, { what: 'the numbers after the kill', timeoutMs: PATIENCE_MS })
      expect(again.start.start).toMatchObject({ mode: 'replay', from: { offset: 0 } })
      expect(faultIn(again.text, 1)).toBe(null)
      expect(await client.request({ type: 'verify', sid })).toMatchObject({ ok: true })
    }
    const { termination } = await client.request({ type: 'close', sid })
    expect(termination).toMatchObject({ verified: true })
    expect(await server.names()).toEqual([])
  },
  LIMIT_MS,
)
