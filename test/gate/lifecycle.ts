/**
 * The lifecycle gate: seven steps that must hold for the sentence "a session outlives every window", each with evidence
 * from outside the host: the process table, a second client, the database file. Throws at the first step that does not hold.
 */
import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import type { HistoryRecord } from '../../protocol-src/host-frames.ts'
import type { SessionId } from '../../protocol-src/ids.ts'
import { allProcesses, withEnvironment } from '../support/proc.ts'
import type { TestDsh } from '../support/dsh.ts'
import { until } from '../support/wait.ts'
import { WsClient, type ClientView } from '../support/ws-client.ts'

export interface GateStep {
  readonly number: number
  readonly claim: string
  readonly evidence: Readonly<Record<string, string | number | boolean>>
}

/** A program with a child and a grandchild that left the session; it ends when it is told to, if it is. */
const MOCK = `sleep 100001 & (setsid sleep 100002 &) ; echo started; wait`
/** A program that does its work and ends by itself. */
const SECOND_MOCK = `for n in 1 2 3; do echo "line $n"; done; read -r answer; echo "got $answer"; exit 7`
const MARKER = 'DSH_TTY_SESSION'

/** Pids of a session's processes, as the process table has them. */
const processesOf = (sid: SessionId): number[] => withEnvironment(MARKER, sid).map(({ pid }) => pid)

const historyOf = async (client: WsClient, sid: SessionId): Promise<HistoryRecord[]> => {
  const all: HistoryRecord[] = []
  for (;;) {
    const { records, lastSeq } = await client.request({ type: 'history', sid, after: all.length, limit: 100 })
    all.push(...records)
    if (all.length >= lastSeq) return all
  }
}

const identity = (records: readonly { seq: number; id: string; hash: string }[]): string =>
  records.map(({ seq, id, hash }) => `${seq} ${id} ${hash}`).join('\n')

/** The same, straight from the file. */
const storedHistory = (dsh: TestDsh, sid: SessionId): { seq: number; id: string; hash: string }[] => {
  const database = new DatabaseSync(join(dsh.dshHome, 'tty', 'journal.db'), { readOnly: true })
  try {
    const rows = database.prepare('SELECT seq, id, hash FROM records WHERE sid = ? ORDER BY seq').all(sid)
    return rows.map((row) => ({ seq: Number(row['seq']), id: String(row['id']), hash: String(row['hash']) }))
  } finally {
    database.close()
  }
}

const connect = (dsh: TestDsh): Promise<WsClient> => WsClient.connect({ url: dsh.url })

/** @param dsh a running host; it is ended and started again for the first step */
export const runLifecycleGate = async (dsh: TestDsh, told: (step: GateStep) => void): Promise<GateStep[]> => {
  const steps: GateStep[] = []
  const holds = (claim: string, evidence: GateStep['evidence']): void => {
    const step = { number: steps.length + 1, claim, evidence }
    steps.push(step)
    told(step)
  }

  await dsh.end()
  const before = allProcesses().length
  const refusal = await connect(dsh).then(
    () => 'accepted',
    () => 'refused',
  )
  assert.equal(refusal, 'refused')
  const marked = allProcesses().filter(({ argv }) => argv.includes('100001')).length
  assert.equal(marked, 0)
  holds('without a host nothing is spawned', { connection: refusal, processesBefore: before, mockProcesses: marked })

  await dsh.restart()
  const a = await connect(dsh)
  const { id: sid } = await a.open({ command: MOCK })
  const tree = await until(() => (processesOf(sid).length >= 3 ? processesOf(sid) : false), { what: 'the tree' })
  holds('the host spawns a command with a child and a grandchild that called setsid', { processes: tree.length })

  const wait = await a.request({ type: 'wait', sid, timeoutMs: 200 })
  assert.deepEqual(wait, { timedOut: true, running: true, exit: null })
  await a.close()
  assert.deepEqual(new Set(processesOf(sid)), new Set(tree))
  holds('a time-out ends the wait, a client that leaves ends nothing', {
    timedOut: wait.timedOut,
    running: wait.running,
    processesAfterItLeft: tree.length,
  })

  const b = await connect(dsh)
  const again = await b.attach(sid)
  await again.untilText(/started/)
  assert.equal(again.sid, sid)
  const second = await b.start({ command: SECOND_MOCK })
  await second.untilText(/line 3/)
  second.input('yes\n')
  const ended = await b.request({ type: 'wait', sid: second.sid, timeoutMs: 20_000 })
  assert.deepEqual(ended, { timedOut: false, running: false, exit: { exitCode: 7, signal: null } })
  const readByB = await historyOf(b, second.sid)
  const c = await connect(dsh)
  const readByC = await historyOf(c, second.sid)
  await until(() => storedHistory(dsh, second.sid).length >= readByB.length, { what: 'the file to have all records' })
  const stored = storedHistory(dsh, second.sid)
  assert.equal(identity(readByC), identity(readByB))
  assert.equal(identity(stored), identity(readByB))
  const verified = await c.request({ type: 'verify', sid: second.sid })
  assert.ok(verified.ok)
  assert.equal(verified.hash, readByB.at(-1)?.hash)
  holds('another client attaches to the same session, and every reader has the same history', {
    sameSession: true,
    events: readByB.length,
    head: verified.hash,
    sameForBothClients: true,
    sameInTheFile: true,
  })

  const { termination } = await b.request({ type: 'close', sid })
  assert.deepEqual(processesOf(sid), [])
  assert.ok(termination.verified)
  holds('ended is said when the whole tree is seen to be gone', {
    verified: termination.verified,
    killed: termination.killed.length,
    survivors: termination.survivors.length,
    processesLeft: 0,
  })

  const spec = { kind: 'local' as const, command: 'echo once more' }
  const retry = await b.request({ type: 'open', spec, size: { cols: 80, rows: 24 }, retryOf: second.sid })
  assert.notEqual(retry.session.id, second.sid)
  await b.request({ type: 'wait', sid: retry.session.id, timeoutMs: 20_000 })
  const ofRetry = await historyOf(b, retry.session.id)
  assert.deepEqual(ofRetry[0]?.data['retryOf'], second.sid)
  assert.equal(identity(await historyOf(b, second.sid)), identity(readByB))
  assert.ok(!ofRetry.some(({ id }) => readByB.some((record) => record.id === id)))
  holds('a retry is a new session with its own facts, and the old history is as it was', {
    newSession: true,
    ownEvents: ofRetry.length,
    oldEvents: readByB.length,
    oldHead: readByB.at(-1)?.hash ?? '',
  })

  const shell = await b.start({}, { keepBytes: 100_000 })
  await shellStep(dsh, shell)
  holds('the same with a real shell: its variable and its child outlive the client', {
    sameVariable: true,
    verifiedEnd: true,
  })
  await b.close()
  await c.close()
  return steps
}

/** A shell sets a variable and leaves; another client finds it, and ends it with its background job. */
const shellStep = async (dsh: TestDsh, shell: ClientView): Promise<void> => {
  shell.input('kept=42; sleep 100003 &\n')
  await until(() => processesOf(shell.sid).length >= 2, { what: 'the background job' })
  shell.client.cut()
  const other = await connect(dsh)
  const view = await other.attach(shell.sid)
  view.input('echo "kept=$((kept+1))"\n')
  await view.untilText(/kept=43/)
  const { termination } = await other.request({ type: 'close', sid: shell.sid })
  assert.ok(termination.verified)
  assert.deepEqual(processesOf(shell.sid), [])
  await other.close()
}
