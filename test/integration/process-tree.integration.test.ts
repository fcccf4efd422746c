/** Closing a session ends every process of it, and the reply says what was seen (PT-07). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startInProcessHost, type InProcessHost } from '../support/in-process-host.ts'
import { allProcesses, isAlive, withEnvironment } from '../support/proc.ts'
import { until } from '../support/wait.ts'
import type { WsClient } from '../support/ws-client.ts'

let host: InProcessHost
let client: WsClient
beforeAll(async () => {
  host = await startInProcessHost()
  client = await host.connect()
})
afterAll(() => host.dispose())

/** Living processes of one session. */
const treeOf = (sid: string): number[] => withEnvironment('DSH_TTY_SESSION', sid).map(({ pid }) => pid)
const sleeper = (sid: string, seconds: number): number | undefined =>
  withEnvironment('DSH_TTY_SESSION', sid).find(({ argv }) => argv[0] === 'sleep' && argv[1] === String(seconds))?.pid
const untilSleeping = (sid: string, seconds: number): Promise<number> =>
  until(() => sleeper(sid, seconds), { what: `sleep ${seconds}` })

/** Programs that a person leaves behind; each prints nothing and holds on in its own way. */
const LEFT_BEHIND: readonly (readonly [string, string])[] = [
  ['a background job', 'sleep 9991 &'],
  ['a job in a subshell', '(sleep 9991) &'],
  ['a foreground program', 'sleep 9991'],
  ['a new session', 'setsid sleep 9991 &'],
  ['a detached new session', 'setsid -f sleep 9991'],
  ['a double fork', '( (sleep 9991 &) & )'],
  ['nohup and disown', 'nohup sleep 9991 >/dev/null 2>&1 & disown'],
  ['a stopped program', 'sleep 9991 & sleep 0.1; kill -STOP $!'],
  ['a program that ignores the request', `(trap '' HUP TERM; sleep 9991) &`],
  ['a detached one that ignores the request', `setsid -f sh -c "trap '' HUP TERM; sleep 9991; :"`],
  ['a program without a terminal', 'setsid -f sleep 9991 </dev/null >/dev/null 2>&1'],
  ['a shell in a shell', 'bash -c "sleep 9991; :"'],
]

describe('closing a session', () => {
  it.each(LEFT_BEHIND)('ends %s', async (_name, command) => {
    const view = await client.start()
    await view.untilText(/\$ $/)
    view.input(`${command}\n`)
    const pid = await untilSleeping(view.sid, 9991)
    const members = treeOf(view.sid)
    const { termination } = await client.request({ type: 'close', sid: view.sid })
    expect(termination).toMatchObject({ verified: true, survivors: [] })
    expect(isAlive(pid)).toBe(false)
    expect(members.filter(isAlive)).toEqual([])
    expect(treeOf(view.sid)).toEqual([])
    expect(client.of('closed').find(({ sid }) => sid === view.sid)).toMatchObject({ reason: 'user', termination })
  })

  it('ends a shell that traps the request, and names who had to be killed', async () => {
    const view = await client.start()
    await view.untilText(/\$ $/)
    view.input("trap '' HUP TERM; echo trap'ped'\n")
    await view.untilText(/trapped/)
    const { pid } = view.start.session
    const { termination } = await client.request({ type: 'close', sid: view.sid })
    expect(termination).toEqual({ verified: true, killed: [pid], survivors: [] })
    expect(isAlive(pid ?? 0)).toBe(false)
    expect(client.of('exited').at(-1)?.exit).toEqual({ exitCode: null, signal: 'SIGKILL' })
  })

  it('kills nobody who obeys', async () => {
    const view = await client.start()
    await view.untilText(/\$ $/)
    const { termination } = await client.request({ type: 'close', sid: view.sid })
    expect(termination).toEqual({ verified: true, killed: [], survivors: [] })
  })

  it('ends what an ended shell left running', async () => {
    const view = await client.start()
    await view.untilText(/\$ $/)
    view.input('setsid -f sleep 9992; (sleep 9993 &); nohup sleep 9994 >/dev/null 2>&1 &\n')
    const left = [
      await untilSleeping(view.sid, 9992),
      await untilSleeping(view.sid, 9993),
      await untilSleeping(view.sid, 9994),
    ]
    view.input('exit\n')
    await view.untilExited()
    expect(left.some(isAlive)).toBe(true)
    const { termination } = await client.request({ type: 'close', sid: view.sid })
    expect(termination).toMatchObject({ verified: true, survivors: [] })
    expect(left.filter(isAlive)).toEqual([])
  })

  it('ends a session that fills its terminal, also when it is paused', async () => {
    const view = await client.start({ command: 'yes' }, { acks: 'none' })
    await until(() => view.record.length > 200_000, { what: 'the flood' })
    const { termination } = await client.request({ type: 'close', sid: view.sid })
    expect(termination).toMatchObject({ verified: true, survivors: [] })
    expect(treeOf(view.sid)).toEqual([])
  })

  it('leaves every other session alone, also one that is opened meanwhile and gets the same terminal', async () => {
    const bystander = await client.start()
    await bystander.untilText(/\$ $/)
    for (let round = 0; round < 3; round += 1) {
      const victim = await client.start()
      await victim.untilText(/\$ $/)
      // It holds on to nothing of the terminal, so that the terminal's number is free once the shell has gone.
      victim.input(`setsid -f sh -c "trap '' HUP; sleep 9995; :" </dev/null >/dev/null 2>&1\n`)
      await untilSleeping(victim.sid, 9995)
      const closing = client.request({ type: 'close', sid: victim.sid })
      await victim.untilExited()
      expect(treeOf(victim.sid).length).toBeGreaterThan(0)
      const fresh = await client.start()
      expect((await closing).termination.verified).toBe(true)
      fresh.input('echo "still $((40+2))"\n')
      await fresh.untilText(/still 42/)
      await client.request({ type: 'close', sid: fresh.sid })
    }
    bystander.input('echo "here $((40+2))"\n')
    await bystander.untilText(/here 42/)
    await client.request({ type: 'close', sid: bystander.sid })
  })

  it('is the same for two who close at once', async () => {
    const other = await host.connect()
    const view = await client.start()
    const replies = await Promise.all([
      client.request({ type: 'close', sid: view.sid }),
      other.request({ type: 'close', sid: view.sid }),
    ])
    expect(replies[0]).toEqual(replies[1])
    expect(treeOf(view.sid)).toEqual([])
  })
})

describe('a session that ends by itself', () => {
  it('leaves no zombie', async () => {
    const before = new Set(
      allProcesses()
        .filter(({ parentPid }) => parentPid === process.pid)
        .map(({ pid }) => pid),
    )
    const views = await Promise.all(Array.from({ length: 5 }, () => client.start({ command: 'true' })))
    await Promise.all(views.map((view) => view.untilExited()))
    await until(() => allProcesses().every(({ pid, parentPid }) => parentPid !== process.pid || before.has(pid)), {
      what: 'no child of ours, not even a zombie',
    })
  })
})
