/** A network that breaks in every way it can, cycle after cycle: nothing is lost, repeated, executed twice or different. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { startInProcessHost, type InProcessHost } from '../support/in-process-host.ts'
import { randomForTest, type Random } from '../support/random.ts'
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { until } from '../support/wait.ts'
import { ProductClient, ProductView } from './product-client.ts'
import { LIMIT_MS, PATIENCE_MS, sizeOf } from './size.ts'

const CYCLES = sizeOf({ bounded: 60, full: 2_000 })
const SIZE = { cols: 80, rows: 24 }
const CALM = { frozen: false, delayMs: 0, bytesPerSecond: Infinity }
const FAULTS = ['cut', 'client-unaware', 'server-unaware', 'freeze', 'delay', 'throttle'] as const

const programOf = (name: string, ...args: readonly string[]): string =>
  `stty raw -echo; exec '${process.execPath}' '${fileURLToPath(new URL(`programs/${name}.mjs`, import.meta.url))}' ${args.join(' ')}`

interface Scene {
  host: InProcessHost
  proxy: TcpProxy
  client: ProductClient
  random: Random
  stream: ProductView
  counter: ProductView
  /** Every line that was typed. */
  typed: string[]
}

const type = ({ random, counter, typed }: Scene): void => {
  const count = random.integer(1, 4)
  for (let n = 0; n < count; n += 1) {
    const filling = 'x'.repeat(random.boolean(0.1) ? random.integer(1_000, 20_000) : random.integer(0, 40))
    const line = `${typed.length + 1} ${filling}`
    typed.push(line)
    counter.attachment.input(Buffer.from(`${line}\n`))
  }
}

const moreOutput = ({ stream, client, random }: Scene): Promise<unknown> => {
  const goal = stream.record.next + random.integer(0, 20_000)
  return until(() => stream.record.next >= goal || client.link.link.getSnapshot().kind !== 'open', {
    what: 'output to go on',
    timeoutMs: PATIENCE_MS,
    pollMs: 1,
  })
}

const breakOnce = async (scene: Scene): Promise<string> => {
  const { proxy, client, random } = scene
  const fault = random.pick(FAULTS)
  type(scene)
  switch (fault) {
    case 'cut':
      await moreOutput(scene)
      type(scene)
      proxy.cut()
      break
    case 'client-unaware':
      proxy.halfOpen('client')
      type(scene)
      await client.giveUp()
      break
    case 'server-unaware':
      await moreOutput(scene)
      proxy.halfOpen('server')
      break
    case 'freeze':
      // What is stuck arrives later, beside what the next connection says.
      proxy.set(random.pick(['up', 'down', 'both']), { frozen: true })
      type(scene)
      await client.giveUp()
      break
    case 'delay':
      proxy.set(random.pick(['up', 'down', 'both']), { delayMs: random.integer(1, 10) })
      await moreOutput(scene)
      type(scene)
      proxy.cut()
      break
    case 'throttle':
      proxy.set(random.pick(['up', 'down', 'both']), { bytesPerSecond: random.integer(100_000, 1_000_000) })
      await moreOutput(scene)
      type(scene)
      proxy.cut()
  }
  await client.untilDown()
  proxy.set('both', CALM)
  return fault
}

it(
  'costs no byte, executes nothing twice, and leaves the viewer with the terminal of the host',
  async () => {
    const random = randomForTest()
    const folder = await temporaryFolder()
    const [report, log] = [join(folder, 'report'), join(folder, 'log')]
    await using host = await startInProcessHost()
    await using proxy = await startTcpProxy(host.port)
    const client = new ProductClient({ url: proxy.url, ticketUrl: host.url, random })
    await client.open()
    const opened = await client.link.open({ kind: 'local', command: programOf('stream', report, '20') }, SIZE)
    const stream = new ProductView(client, opened.id)
    const other = await client.link.open({ kind: 'local', command: programOf('counter', log) }, SIZE)
    const counter = new ProductView(client, other.id)
    const scene: Scene = { host, proxy, client, random, stream, counter, typed: [] }
    const cycles: string[] = []
    await until(() => counter.record.text.includes('ready'), { what: 'the programs to run', timeoutMs: PATIENCE_MS })
    for (let cycle = 0; cycle < CYCLES; cycle += 1) {
      cycles.push(await breakOnce(scene))
      await client.open()
      await until(() => stream.isAttached && counter.isAttached, {
        what: `the tabs to be attached again after ${cycles.slice(-3).join(', ')}`,
        timeoutMs: PATIENCE_MS,
        pollMs: 2,
      })
    }

    await until(async () => (await readFile(log, 'utf8')).split('\n').length > scene.typed.length, {
      what: 'the last input to be executed',
      timeoutMs: PATIENCE_MS,
    })
    expect((await readFile(log, 'utf8')).split('\n').slice(0, -1)).toEqual(scene.typed)
    expect(counter.refusals).toEqual([])

    // The hash of a quiet session: its program has ended, its screen stays.
    stream.attachment.input(Buffer.from('q'))
    await until(() => stream.exit, { what: 'the stream to end', timeoutMs: PATIENCE_MS })
    const printed = JSON.parse(await readFile(report, 'utf8')) as { bytes: number; sha256: string }
    expect(stream.record.faults).toEqual([])
    expect(stream.restarts).toBe(0)
    expect({ bytes: stream.record.length, sha256: stream.record.sha256 }).toEqual(printed)
    const session = host.composition.registry.require(opened.id)
    expect(session.descriptor.outputOffset).toBe(printed.bytes)
    for (const view of [stream, counter]) {
      const { hash } = await host.composition.registry.require(view.attachment.sid).hash()
      expect(view.terminal.hash).toBe(hash)
    }
    // Every socket that broke let go of its views.
    await until(() => host.composition.registry.all.every(({ descriptor }) => descriptor.attachments <= 1), {
      what: 'the host to let go of what was broken',
    })
    client.link.dispose()
  },
  LIMIT_MS,
)
