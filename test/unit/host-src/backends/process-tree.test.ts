import { beforeEach, describe, expect, it, vi } from 'vitest'
import { ProcessTree } from '../../../../host-src/backends/process-tree.ts'
import type { ProcessRow, ProcessTable } from '../../../../host-src/backends/process-table.ts'

const ROOT = 5000
const SESSION = 'the-session'
const TTY = '34816'

/** A process table of objects; what a signal does to a process is the test's choice. */
class FakeTable implements ProcessTable {
  readonly rows = new Map<number, ProcessRow & { marker?: string }>()
  /** Signals sent, as `SIGHUP -5000`. */
  readonly signals: string[] = []
  onSignal: (pid: number, signal: string) => void = () => {}

  add(pid: number, facts: Partial<ProcessRow & { marker: string }> = {}): void {
    this.rows.set(pid, {
      pid,
      ppid: 1,
      pgid: pid,
      sid: pid,
      tty: '0',
      foreground: -1,
      isZombie: false,
      startedAt: String(pid),
      command: `p${pid}`,
      ...facts,
    })
  }

  list(): Promise<readonly ProcessRow[]> {
    return Promise.resolve([...this.rows.values()])
  }

  marked(pids: readonly number[], sessionId: string): Promise<ReadonlySet<number>> {
    return Promise.resolve(new Set(pids.filter((pid) => this.rows.get(pid)?.marker === sessionId)))
  }

  /** Pids that a signal to `pid` reaches; a negative one names a group. */
  reached(pid: number): number[] {
    return [...this.rows.values()]
      .filter((row) => (pid < 0 ? row.pgid === -pid : row.pid === pid))
      .map((row) => row.pid)
  }
}

let table: FakeTable
let isRootOver: boolean

beforeEach(() => {
  table = new FakeTable()
  isRootOver = false
  vi.spyOn(process, 'kill').mockImplementation((pid, signal) => {
    table.signals.push(`${String(signal)} ${pid}`)
    const reached = table.reached(pid)
    if (reached.length === 0) throw Object.assign(new Error('no such process'), { code: 'ESRCH' })
    for (const each of reached) table.onSignal(each, String(signal))
    return true
  })
})

const tree = (): ProcessTree => new ProcessTree(table, { pid: ROOT, sessionId: SESSION, isOver: () => isRootOver })
const membersOf = async (of: ProcessTree): Promise<number[]> => (await of.members()).map((row) => row.pid)
const dies = (pid: number): boolean => table.rows.delete(pid)

describe('the members of a tree', () => {
  it('are descendants, the session, the marked, and nobody else', async () => {
    table.add(ROOT, { tty: TTY })
    table.add(5001, { ppid: ROOT, sid: ROOT, tty: TTY })
    table.add(5002, { ppid: 5001, pgid: 5002, sid: 5002 })
    table.add(5003, { marker: SESSION })
    table.add(5004, { ppid: 5003 })
    table.add(6000, { marker: 'another' })
    table.add(6001, { ppid: 6000 })
    table.add(400, { ppid: 1 })
    table.add(5005, { ppid: ROOT, isZombie: true })
    expect(await membersOf(tree())).toEqual([ROOT, 5001, 5002, 5003, 5004])
  })

  it('stay members after their parent went, but a new process with an old number is none', async () => {
    table.add(ROOT)
    table.add(5001, { ppid: ROOT })
    table.add(5002, { ppid: ROOT })
    const of = tree()
    await of.members()
    dies(ROOT)
    table.add(5001, { ppid: 1 })
    table.add(5002, { ppid: 1, startedAt: 'later' })
    expect(await membersOf(of)).toEqual([5001])
  })

  it('do not include who got the number of the ended root, nor its children', async () => {
    table.add(ROOT, { startedAt: 'later', tty: TTY })
    table.add(5001, { ppid: ROOT, sid: ROOT, tty: TTY })
    table.add(5002, { marker: SESSION })
    isRootOver = true
    expect(await membersOf(tree())).toEqual([5002])
  })

  it('still include the session of a root that ended', async () => {
    table.add(5001, { ppid: 1, sid: ROOT })
    isRootOver = true
    expect(await membersOf(tree())).toEqual([5001])
  })

  it('never include the host', async () => {
    table.add(ROOT)
    table.add(process.pid, { marker: SESSION })
    expect(await membersOf(tree())).toEqual([ROOT])
  })
})

describe('a root that was just forked', () => {
  /** Until its setsid it is in the host's group and session, and on the terminal that the host was started from. */
  const HOST = { pgid: 300, sid: 200, tty: TTY }

  it('is ended alone: neither the host’s group nor the terminal it was started from is touched', async () => {
    table.add(200, { tty: TTY, command: 'the user’s shell' })
    table.add(process.pid, HOST)
    table.add(300, { ...HOST, command: 'npm' })
    table.add(ROOT, { ...HOST, ppid: process.pid })
    table.onSignal = (pid) => dies(pid)
    expect(await membersOf(tree())).toEqual([ROOT])
    expect(await tree().terminate(1000)).toEqual({ verified: true, killed: [], survivors: [] })
    expect(table.signals.filter((line) => !line.endsWith(` ${ROOT}`))).toEqual([])
    expect([200, 300, process.pid].every((pid) => table.rows.has(pid))).toBe(true)
  })

  it('nor is the host’s group when all that is left is a child that has no group of its own yet', async () => {
    table.add(process.pid, HOST)
    table.add(5001, { ...HOST, marker: SESSION })
    isRootOver = true
    table.onSignal = (pid, signal) => (pid === 5001 || signal === 'SIGHUP') && dies(pid)
    expect(await tree().terminate(0)).toMatchObject({ verified: true })
    expect(table.rows.has(process.pid)).toBe(true)
  })
})

describe('the end of a tree', () => {
  it('asks the shell’s and the foreground group, and kills nobody who obeys', async () => {
    table.add(ROOT, { foreground: 5001, tty: TTY })
    table.add(5001, { ppid: ROOT, pgid: 5001, sid: ROOT, tty: TTY })
    table.onSignal = (pid, signal) => signal === 'SIGHUP' && dies(pid)
    expect(await tree().terminate(1000)).toEqual({ verified: true, killed: [], survivors: [] })
    expect(table.signals.filter((line) => line.startsWith('SIGHUP'))).toEqual([`SIGHUP -${ROOT}`, 'SIGHUP -5001'])
  })

  it('kills who does not obey, and says whom', async () => {
    table.add(ROOT)
    table.add(5001, { marker: SESSION })
    table.onSignal = (pid, signal) => (signal === 'SIGKILL' || pid === ROOT) && dies(pid)
    expect(await tree().terminate(30)).toEqual({ verified: true, killed: [5001], survivors: [] })
  })

  it('tells the truth about who survives', async () => {
    table.add(ROOT)
    table.add(5001, { ppid: ROOT, command: 'stuck' })
    table.onSignal = (pid) => pid === ROOT && dies(pid)
    expect(await tree().terminate(10)).toEqual({
      verified: false,
      killed: [],
      survivors: [{ pid: 5001, command: 'stuck' }],
    })
  })

  it('never touches a new session that got the terminal’s number while an old process still held out', async () => {
    table.add(ROOT, { tty: TTY })
    table.add(5001, { marker: SESSION })
    const touched: string[] = []
    table.onSignal = (pid, signal) => {
      if (pid === 7000) touched.push(signal)
      if (pid === ROOT && signal === 'SIGHUP') {
        dies(ROOT)
        table.add(7000, { tty: TTY, marker: 'another' })
      }
      if (signal === 'SIGKILL') dies(pid)
    }
    expect(await tree().terminate(50)).toEqual({ verified: true, killed: [5001], survivors: [] })
    expect(touched).toEqual([])
    expect(table.rows.has(7000)).toBe(true)
  })

  it('sends nothing to the group of a root that is over, whoever has its number now', async () => {
    table.add(ROOT, { startedAt: 'later' })
    table.add(5001, { pgid: 5001, marker: SESSION })
    isRootOver = true
    table.onSignal = (pid) => dies(pid)
    expect(await tree().terminate(1000)).toEqual({ verified: true, killed: [], survivors: [] })
    expect(table.signals.filter((line) => line.includes(String(ROOT)))).toEqual([])
    expect(table.rows.has(ROOT)).toBe(true)
  })
})
