/** Unloading the host half leaves nothing: no process, socket, timer or descriptor. */
import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { startInProcessHost } from '../support/in-process-host.ts'
import { childrenOf } from '../support/proc.ts'
import { until } from '../support/wait.ts'

const descriptors = (): number => readdirSync('/proc/self/fd').length
const resources = (): string => process.getActiveResourcesInfo().toSorted().join(' ')

/** One life of the host half, with everything that it can hold. */
const live = async (): Promise<void> => {
  const host = await startInProcessHost({ settings: { maxSessions: 16, reconnectGraceSec: 3600 } })
  const [one, two] = [await host.connect(), await host.connect()]
  const shell = await one.start()
  await shell.untilText(/\$ $/)
  shell.input('setsid -f sh -c "trap \'\' HUP; sleep 9996; :"\n')
  await until(() => host.processes().some(({ argv }) => argv.includes('9996')), { what: 'the grandchild' })
  await two.attach(shell.sid)
  const flood = await two.start({ command: 'yes' }, { acks: 'none' })
  await until(() => flood.record.length > 100_000, { what: 'a flood' })
  const deaf = await one.start({ command: 'stty raw -echo; printf ready; sleep 600' })
  await deaf.untilText(/ready/)
  deaf.input(Buffer.alloc(500_000, 0x61))
  const ended = await one.start({ command: 'true' })
  await ended.untilExited()
  // An orphan with a long grace period, and a session that is being born.
  const leaver = await host.connect()
  await leaver.open({ command: 'sleep 600' })
  leaver.cut()
  one.send({ type: 'open', id: 999, spec: { kind: 'local' }, size: { cols: 80, rows: 24 } })
  // A socket that never says hello.
  await host.connect({ hello: false })
  await until(() => host.processes().length > 4, { what: 'the programs to run' })
  await host.composition.dispose()
  expect(host.processes()).toEqual([])
  expect(host.composition.registry.all).toEqual([])
  await until(() => one.closed !== null && two.closed !== null, { what: 'the sockets to close' })
  expect([one.closed?.code, two.closed?.code]).toEqual([1001, 1001])
  await host.dispose()
}

describe('disposal', () => {
  it('leaves no process, socket, timer or descriptor, however often', async () => {
    await live() // loads modules and fills pools
    await until(() => childrenOf(process.pid).length === 0, { what: 'no children' })
    const before = { descriptors: descriptors(), resources: resources() }
    for (let round = 0; round < 3; round += 1) await live()
    await until(() => resources() === before.resources, { what: `the resources of before: ${before.resources}` })
    await until(() => descriptors() <= before.descriptors, { what: `no more than ${before.descriptors} descriptors` })
    expect(childrenOf(process.pid)).toEqual([])
  })
})
