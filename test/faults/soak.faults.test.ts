/** Sessions come and go: what they needed is given back, all of it. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startInProcessHost, type InProcessHost } from '../support/in-process-host.ts'
import { randomForTest, type Random } from '../support/random.ts'
import { until } from '../support/wait.ts'
import { WsClient } from '../support/ws-client.ts'
import { collectGarbage, resourcesNow, type Resources } from './resources.ts'
import { LIMIT_MS, PATIENCE_MS, sizeOf } from './size.ts'

const ROUNDS = sizeOf({ bounded: 4, full: 40 })
const PER_ROUND = 5
/** Rounds after which everything that is kept for good (the thread, compiled code, pooled buffers) is there. */
const WARM_UP = 2
/** What one session may leave behind: less than its stream of changes, far less than its output. */
const MAX_BYTES_PER_SESSION = 24 * 1024

/** Not through the host of the tests, which keeps its clients, and with them all that they were told. */
const connect = ({ url }: InProcessHost): Promise<WsClient> => WsClient.connect({ url })

const useOne = async (client: WsClient, host: InProcessHost, random: Random): Promise<void> => {
  const view = await client.start({
    command: `seq ${random.integer(1, 60_000)}; printf ready; read -r l; echo "got $l"`,
  })
  await view.untilText(/ready/, PATIENCE_MS)
  await view.resize({ cols: random.integer(40, 120), rows: random.integer(10, 50) })
  const other = await connect(host)
  await other.attach(view.sid, { keepBytes: 1000 })
  await client.request({ type: 'hash', sid: view.sid })
  if (random.boolean()) {
    view.input('hello\n')
    await view.untilExited(PATIENCE_MS)
  }
  await other.close()
  await client.request({ type: 'close', sid: view.sid })
}

it(
  'gives back handles, timers, descriptors, threads, processes, files and memory',
  async () => {
    const random = randomForTest()
    await using host = await startInProcessHost()
    const filesOf = async (folder: string): Promise<number> => (await readdir(join(host.home, '.tty', folder))).length
    const measure = async (): Promise<Resources & { output: number; processes: number; sessions: number }> => ({
      ...resourcesNow(),
      output: await filesOf('output'),
      processes: host.processes().length,
      sessions: host.composition.registry.all.length,
    })
    let client = await connect(host)
    const round = async (): Promise<void> => {
      await Promise.all(Array.from({ length: PER_ROUND }, () => useOne(client, host, random)))
      await client.close()
      client = await connect(host)
    }
    for (let n = 0; n < WARM_UP; n += 1) await round()
    // Also those that were kept for a next request.
    const atRest = async (): Promise<boolean> => (await host.socketCount()) === 1
    await until(atRest, { what: 'the sockets to be let go', timeoutMs: PATIENCE_MS })
    const start = await measure()
    const memory: number[] = []
    for (let n = 0; n < ROUNDS; n += 1) {
      await round()
      memory.push(collectGarbage())
    }
    // Late closers (a socket's last packet, a timer that is due) are waited for; what stays is a leak.
    await until(atRest, { what: 'the sockets to be let go', timeoutMs: PATIENCE_MS })
    await until(
      async () => {
        expect(await measure()).toEqual(start)
        return true
      },
      { what: 'everything to be given back', timeoutMs: 20_000 },
    )
    const half = Math.floor(memory.length / 2)
    const least = (values: readonly number[]): number => Math.min(...values)
    const growth = least(memory.slice(half)) - least(memory.slice(0, half))
    expect(growth / (half * PER_ROUND)).toBeLessThan(MAX_BYTES_PER_SESSION)
  },
  LIMIT_MS,
)
