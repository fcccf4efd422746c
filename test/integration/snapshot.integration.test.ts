/** A viewer that comes back has the same terminal as the host and as one that never left, whatever was on screen. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { newClientId, type ClientView, type WsClient } from '../support/ws-client.ts'
import { REPLAY_MAX_BYTES } from '../../protocol-src/limits.ts'
import { startInProcessHost, type InProcessHost } from '../support/in-process-host.ts'
import { randomForTest } from '../support/random.ts'
import { ViewerTerminal } from '../support/viewer-terminal.ts'
import { until } from '../support/wait.ts'

let host: InProcessHost
beforeEach(async () => {
  host = await startInProcessHost()
})
afterEach(() => host.dispose())

/** Attach with a terminal that follows the view. */
const watch = async (
  client: WsClient,
  sid: ClientView['sid'],
): Promise<{ view: ClientView; terminal: ViewerTerminal }> => {
  const terminal = new ViewerTerminal()
  const view = await client.attach(sid, { terminal })
  return { view, terminal }
}

const hashesMeet = async (client: WsClient, { view, terminal }: Awaited<ReturnType<typeof watch>>): Promise<string> => {
  let last = ''
  await until(
    async () => {
      const { position, hash } = await client.request({ type: 'hash', sid: view.sid })
      last = `host ${JSON.stringify(position)} ${hash}, viewer ${JSON.stringify(view.record.position)} ${String(terminal.hash)}`
      return hash === terminal.hash
    },
    { what: 'the same state at both ends', timeoutMs: 15_000 },
  ).catch((error: unknown) => {
    throw new Error(last, { cause: error })
  })
  return terminal.hash ?? ''
}

describe('a viewer that comes to a session with a long past', () => {
  it('gets a snapshot, and then has the state of the host and of one that was always there', async () => {
    const client = await host.connect()
    const { id } = await client.open({
      command: `for i in $(seq 12000); do printf '\\033[3%dmline %d \\033[1mbold\\033[0m 中文\\n' $((i%8)) $i; done; printf '\\033[5;10HX'; read -r _; printf done; read -r _`,
    })
    const always = await watch(client, id)
    await until(() => always.view.text.includes('X'), { what: 'the output', timeoutMs: 30_000 })
    const other = await host.connect()
    const late = await watch(other, id)
    expect(late.view.start.start.mode).toBe('snapshot')
    expect(late.view.start.start.lostBytes).toBe(0)
    const hash = await hashesMeet(other, late)
    expect(always.terminal.hash).toBe(hash)
    expect(late.view.snapshotHash).toBe(hash)
    always.view.input('\n')
    await until(() => late.view.text.includes('done'), { what: 'what follows' })
    expect(await hashesMeet(other, late)).toBe(await hashesMeet(client, always))
    expect(late.view.record.faults).toEqual([])
  })

  it('has it also across changes of size, and in the middle of a full-screen program', async () => {
    const client = await host.connect()
    const { id } = await client.open({ command: 'seq 20000; seq -s " " 20000; exec vim -u NONE -N' })
    const always = await watch(client, id)
    await until(() => always.view.text.includes('~'), { what: 'vim', timeoutMs: 20_000 })
    const random = randomForTest()
    for (let round = 0; round < 6; round += 1) {
      await always.view.resize({ cols: random.integer(40, 140), rows: random.integer(10, 50) })
      always.view.input(`i${random.pick(['hello', '中文 ✓', 'x'.repeat(200)])}\x1b`)
      const late = await watch(await host.connect(), id)
      await hashesMeet(client, late)
      await hashesMeet(client, always)
      await late.view.client.close()
    }
    expect(always.view.record.faults).toEqual([])
  })
})

describe('a viewer that goes while its snapshot is taken', () => {
  it('leaves no attachment behind', async () => {
    const client = await host.connect()
    const { id } = await client.open({ command: 'seq 60000; read -r _' })
    const session = host.composition.registry.require(id)
    await until(() => session.end.offset > REPLAY_MAX_BYTES, { what: 'a past' })
    const attaching = client.attach(id).catch((error: unknown) => error)
    await client.request({ type: 'detach', sid: id })
    expect(await attaching).toMatchObject({ code: 'CANCELLED' })
    expect(session.descriptor.attachments).toBe(0)
  })

  it('and comes again has the later view only', async () => {
    const client = await host.connect()
    const { id } = await client.open({ command: 'seq 60000; read -r _' })
    const session = host.composition.registry.require(id)
    await until(() => session.end.offset > REPLAY_MAX_BYTES, { what: 'a past' })
    const first = client.attach(id).catch((error: unknown) => error)
    const later = await client.attach(id, { resumeFrom: session.end })
    expect(await first).toMatchObject({ code: 'CANCELLED' })
    later.input('\n')
    await later.untilExited()
    expect(session.descriptor.attachments).toBe(1)
  })
})

describe('a viewer that was away', () => {
  it('continues with what it missed, changes of size included', async () => {
    const client = await host.connect()
    const { id } = await client.open({ command: `cat` })
    const always = await watch(client, id)
    const clientId = newClientId()
    const first = await host.connect({ clientId })
    const away = await watch(first, id)
    first.cut()
    for (let n = 0; n < 20; n += 1) {
      await always.view.resize({ cols: 60 + n, rows: 24 })
      always.view.input(`${'word '.repeat(30)}${String(n)}\n`)
    }
    await until(() => (always.view.text.match(/19/g) ?? []).length >= 2, { what: 'the echo' })
    const again = await host.connect({ clientId })
    const view = await again.attach(id, { record: away.view.record, terminal: away.terminal })
    expect(view.start.start.mode).toBe('delta')
    expect(await hashesMeet(client, { view, terminal: away.terminal })).toBe(await hashesMeet(client, always))
  })
})

describe('a program that asks the terminal (VS-07)', () => {
  const ask = `printf '\\033[c'; IFS= read -rsd c -t 5 reply; printf 'n=%s\\n' "\${#reply}"; read -r _`

  it('gets one answer while nobody is attached', async () => {
    const client = await host.connect()
    const { id } = await client.open({ command: ask })
    const session = host.composition.registry.require(id)
    await until(() => session.end.offset >= 8, { what: 'the answer to be used', timeoutMs: 20_000 })
    const view = await client.attach(id)
    await view.untilText(/n=\d+/)
    expect(view.text).toMatch(/n=[5-9]\b/)
  })
})
