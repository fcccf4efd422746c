/** The page while its host stops, crashes and comes back, and while the plugin is taken out of a running host. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { launchTestBrowser, type TestBrowser } from '../support/browser.ts'
import { bootTestDsh, type TestDsh } from '../support/dsh.ts'
import { PanelPage, PLAIN_BASHRC } from '../support/panel-page.ts'
import { untilGone } from '../support/proc.ts'
import { applyPatch, isPluginUp } from '../support/profile-patch.ts'
import { until } from '../support/wait.ts'

/** What Chromium says while nobody listens at the port. */
const NETWORK_ERRORS = /net::ERR_|WebSocket connection to|Failed to fetch|Failed to load resource/

const RESTARTED = 'DSH restarted, this session ended'

describe('a host that goes and comes back', () => {
  let dsh: TestDsh
  let browser: TestBrowser

  beforeAll(async () => {
    dsh = await bootTestDsh({ homeFiles: PLAIN_BASHRC, settings: { tty: { maxSessions: 16, reconnectGraceSec: 30 } } })
  })
  afterAll(() => dsh.stop())
  beforeEach(async () => {
    browser = await launchTestBrowser({ webgl: 'none', expectedErrors: [NETWORK_ERRORS] })
  })
  afterEach(() => browser.close())

  it.each(['graceful', 'crash'] as const)('keeps tabs readable over a %s restart, and Restart works', async (how) => {
    const panel = await PanelPage.start(browser, dsh.url)
    await panel.run('echo first-tab-text')
    await panel.newTab()
    await panel.run('echo second-tab-text')
    const pid = await panel.pid()
    const before = await panel.text()
    await dsh.end(how)
    await panel.line.getByText('Reconnecting…').waitFor()
    await untilGone([pid])
    await dsh.restart()
    await panel.line.waitFor({ state: 'detached', timeout: 20_000 })
    await panel.strip.getByText(RESTARTED).waitFor()
    expect(await panel.state()).toBe('over')
    expect(await panel.text()).toBe(before)
    await panel.tab(0).click()
    await panel.untilText(/^first-tab-text$/m)
    await panel.strip.getByText(RESTARTED).waitFor()
    await panel.strip.getByRole('button', { name: 'Restart' }).click()
    await panel.untilPrompt()
    expect(await panel.text()).toBe('$')
    expect(await panel.run('echo fresh')).toBe('fresh')
    expect((await panel.tabs()).map(({ state }) => state)).toEqual(['live', 'over'])
  })

  it('is said to be disconnected while the plugin is disabled, and works again when it is enabled', async () => {
    const panel = await PanelPage.start(browser, dsh.url)
    const pid = await panel.pid()
    await applyPatch(dsh, [{ id: 'tty', disabled: true }], async () => !(await isPluginUp(dsh)))
    await untilGone([pid])
    expect(dsh.processes().map(({ name }) => name)).not.toContain('bash')
    await panel.untilState('disconnected')
    await panel.line.getByText('Reconnecting…').waitFor()
    await applyPatch(dsh, [], () => isPluginUp(dsh))
    await until(async () => (await panel.line.count()) === 0, { what: 'the line to go' })
    await panel.strip.getByText(RESTARTED).waitFor()
    await panel.strip.getByRole('button', { name: 'Restart' }).click()
    await panel.untilPrompt()
    expect(await panel.run('echo again')).toBe('again')
    expect(await panel.entry.count()).toBe(1)
    expect(await panel.root.count()).toBe(1)
    expect(dsh.processes().filter(({ name }) => name === 'bash')).toHaveLength(1)
  })
})
