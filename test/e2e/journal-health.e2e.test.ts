/** A host that cannot keep history on disk says so in the panel, and its terminals work all the same. */
import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { NETWORK_ERRORS } from '../support/browser.ts'
import { bootTestDsh } from '../support/dsh.ts'
import { usePanelHost } from '../support/panel-host.ts'
import { PanelPage, PLAIN_BASHRC } from '../support/panel-page.ts'
import { staysTrue } from '../support/wait.ts'
import { WsClient } from '../support/ws-client.ts'

describe('a host that keeps history in memory only', () => {
  const on = usePanelHost({ tty: { reconnectGraceSec: 30 }, browser: { expectedErrors: [NETWORK_ERRORS] } })

  it('because another one has the directory says so in one line, which can be put away', async () => {
    await using second = await bootTestDsh({ homeFiles: PLAIN_BASHRC, sharedDshHome: on.dsh.dshHome })
    const panel = await PanelPage.start(on.browser, second.url)
    await panel.journal.getByText('History is kept in memory only: another DSH uses its folder').waitFor()
    expect(await panel.run('echo works')).toBe('works')
    const { rows = 0 } = (await panel.seam())?.size ?? {}
    await panel.journal.getByRole('button', { name: 'Do not show this' }).click()
    await panel.journal.waitFor({ state: 'detached' })
    await panel.untilText('works')
    expect((await panel.seam())?.size.rows).toBeGreaterThanOrEqual(rows)

    // The one that has the directory has nothing to say.
    const first = await PanelPage.start(on.browser, on.dsh.url)
    expect(await first.run('echo fine')).toBe('fine')
    expect(await first.journal.count()).toBe(0)
    await using client = await WsClient.connect({ url: on.dsh.url })
    expect(client.last('welcome')?.journal).toEqual({ mode: 'disk' })
  })

  it('because its directory cannot be used says so too, and nothing once it can', async () => {
    const directory = join(on.dsh.dshHome, 'tty')
    await on.dsh.end()
    await rename(directory, `${directory}.aside`)
    await writeFile(directory, 'in the way')
    await on.dsh.restart()
    const panel = await PanelPage.start(on.browser, on.dsh.url)
    await panel.journal.getByText('History is kept in memory only: its folder cannot be written').waitFor()
    expect(await panel.run('echo works')).toBe('works')
    await on.dsh.end()
    await rm(directory)
    await rename(`${directory}.aside`, directory)
    await on.dsh.restart()
    await panel.journal.waitFor({ state: 'detached' })
    // Nothing of it was kept.
    await panel.strip.getByText('The host was restarted, this session ended').waitFor()
    await panel.untilText('works')
  })

  it('says so while it runs, when its disk fails it then', async () => {
    const panel = await PanelPage.start(on.browser, on.dsh.url)
    expect(await panel.journal.count()).toBe(0)
    const output = join(on.dsh.dshHome, 'tty', 'output')
    await rename(output, `${output}.aside`)
    await writeFile(output, 'in the way')
    await panel.newTab()
    await panel.journal.getByText('History is kept in memory only').waitFor()
    expect(await panel.run('echo works')).toBe('works')
    await staysTrue(async () => (await panel.journal.count()) === 1, { what: 'one line', forMs: 500 })
  })
})
