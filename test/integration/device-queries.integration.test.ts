/** A question of a program to its terminal is answered once, by whoever drives it, or by the host when nobody is there (VS-07). */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startInProcessHost, type InProcessHost } from '../support/in-process-host.ts'
import { until } from '../support/wait.ts'
import type { ClientView } from '../support/ws-client.ts'

let host: InProcessHost
beforeAll(async () => {
  host = await startInProcessHost()
})
afterAll(() => host.dispose())

/**
 * Asks for the device's attributes (DA1) when a line came, reads the answer up to its `c`, then whatever else comes within a
 * second: a second answer would. The lengths go to a file, so that the probe itself needs no viewer.
 */
const probe = (file: string): string =>
  `stty -icanon -echo; read -r _; printf '\\e[c'; read -rsd c -t 20 R; read -rsn1 -t 1 MORE; echo "n=\${#R} more=\${#MORE}" >${file}.part; mv ${file}.part ${file}; sleep 60`

/** As a page does: answer what the program asks while the host says that this viewer drives, and only then. */
const answerAsPage = async (view: ClientView): Promise<void> => {
  await until(() => view.text.includes('\x1b[c'), { what: 'the question', timeoutMs: 20_000 })
  if (view.isDriver) view.input('\x1b[?1;2c')
}

describe.each([0, 1, 2])('with %i viewers', (viewers) => {
  it('a program gets one answer and no second one', async () => {
    const client = await host.connect()
    const file = join(host.home, `answers-${String(viewers)}`)
    const { id } = await client.open({ command: probe(file) })
    const first = await client.attach(id)
    const views = [first]
    for (let other = 1; other < viewers; other += 1) views.push(await (await host.connect()).attach(id))
    first.input('\n')
    if (viewers === 0) await client.request({ type: 'detach', sid: id })
    else await Promise.all(views.map(answerAsPage))
    const answer = await until(() => readFile(file, 'utf8').catch(() => null), {
      what: 'the answers',
      timeoutMs: 30_000,
    })
    expect(answer.trim()).toBe('n=6 more=0')
    await client.request({ type: 'close', sid: id })
  })
})
