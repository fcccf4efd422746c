/** The page while its host stops, crashes and comes back, and while the plugin is taken out of a running host. */
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { NETWORK_ERRORS, launchTestBrowser, type TestBrowser } from '../support/browser.ts'
import { bootTestDsh, type TestDsh } from '../support/dsh.ts'
import { PanelPage, PLAIN_BASHRC } from '../support/panel-page.ts'
import { KeptServer } from '../support/kept-home.ts'
import { isAlive, untilGone } from '../support/proc.ts'
import { applyPatch, isPluginUp } from '../support/profile-patch.ts'
import { WsClient } from '../support/ws-client.ts'
import { until } from '../support/wait.ts'

const RESTARTED = 'The host was restarted, this session ended'

/** Resolves when everything that a session has said is in the journal's file: a crash loses up to the last 100 ms. */
const untilRecorded = async (dsh: TestDsh, sid: string, offset: number): Promise<void> => {
  const { DatabaseSync } = await import('node:sqlite')
  const look = (): boolean => {
    using database = new DatabaseSync(join(dsh.dshHome, 'tty', 'journal.db'), { readOnly: true })
    const statement = database.prepare(`SELECT data FROM records WHERE sid = ? AND type = 'output' ORDER BY seq DESC`)
    const data = statement.get(sid)?.['data']
    return typeof data === 'string' && (JSON.parse(data) as { to: number }).to >= offset
  }
  await until(look, { what: `${String(offset)} bytes of ${sid} in the journal` })
}

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
    await panel.run('echo first-tab-text; seq 1 300')
    await panel.renameTab(0, 'mine')
    await panel.newTab()
    await panel.run(`printf '\\e[1;31m红色\\e[0m second-tab-text\\n'`)
    const pid = await panel.pid()
    await panel.untilPrompt()
    const before = await panel.text()
    await untilRecorded(dsh, await panel.sid(), (await panel.seam())?.offset ?? Number.NaN)
    await dsh.end(how)
    await panel.line.getByText('Reconnecting…').waitFor()
    await untilGone([pid])
    await dsh.restart()
    await panel.line.waitFor({ state: 'detached', timeout: 20_000 })
    await panel.strip.getByText(RESTARTED).waitFor()
    await panel.untilState('over')
    await until(async () => (await panel.text()) === before, { what: 'the text from before' })
    await panel.tab(0).click()
    const first = await panel.untilText(/^first-tab-text$/m)
    expect(first).toMatch(/^300$/m)
    await panel.strip.getByText(RESTARTED).waitFor()
    expect((await panel.tabs()).map(({ label, state }) => [label, state])).toEqual([
      ['mine', 'over'],
      ['bash 2', 'over'],
    ])

    // A page that is loaded now gets it all from the host.
    await panel.reload()
    await panel.strip.getByText(RESTARTED).waitFor()
    await until(async () => (await panel.text()) === first, { what: 'the text from before' })
    // Nobody sets the size of what has ended.
    await panel.root.locator('[data-letterboxed="true"]').waitFor({ state: 'detached', timeout: 5_000 })
    await panel.tab(1).click()
    await until(async () => (await panel.text()) === before, { what: 'the text from before' })
    expect((await panel.tabs()).map(({ label, state }) => [label, state])).toEqual([
      ['mine', 'over'],
      ['bash 2', 'over'],
    ])
    expect(await panel.notice.count()).toBe(0)

    await panel.tab(0).click()
    const old = await panel.sid()
    await panel.strip.getByRole('button', { name: 'Restart' }).click()
    await panel.untilPrompt()
    expect(await panel.text()).toBe('$')
    expect(await panel.run('echo fresh')).toBe('fresh')
    expect((await panel.tabs()).map(({ label, state }) => [label, state])).toEqual([
      ['mine', 'live'],
      ['bash 2', 'over'],
    ])
    await using client = await WsClient.connect({ url: dsh.url })
    const { sessions } = await client.request({ type: 'list' })
    const sid = await panel.sid()
    expect(sessions.find(({ id }) => id === sid)).toMatchObject({ retryOf: old, phase: 'running' })
    expect(sessions.map(({ id }) => id)).not.toContain(old)
  })

  it('keeps what had ended before readable, as it ended, over one restart after another', async () => {
    const panel = await PanelPage.start(browser, dsh.url)
    await panel.run('echo last-words')
    await panel.type('exit 3\n')
    await panel.strip.getByText('Exited, code 3').waitFor()
    const text = await panel.text()
    for (const how of ['graceful', 'crash'] as const) {
      await dsh.restart(how)
      await panel.line.waitFor({ state: 'detached', timeout: 20_000 })
      await panel.untilState('failed')
      await panel.strip.getByText('Exited, code 3').waitFor()
      await panel.reload()
      await panel.strip.getByText('Exited, code 3').waitFor()
      await until(async () => (await panel.text()) === text, { what: 'the text from before' })
      expect(await panel.notice.count()).toBe(0)
    }
    const sid = await panel.sid()
    await panel.closeTab(0)
    await panel.root.waitFor({ state: 'detached' })
    await using client = await WsClient.connect({ url: dsh.url })
    expect((await client.request({ type: 'list' })).sessions.map(({ id }) => id)).not.toContain(sid)
  })

  it('is followed by a page that drops only what the host did not keep', async () => {
    const panel = await PanelPage.start(browser, dsh.url)
    await panel.run('echo kept-text')
    await panel.newTab()
    const gone = await panel.sid()
    await panel.page.evaluate(() => {
      const key = 'dsh-tty.tabs'
      const stored = sessionStorage.getItem(key) ?? ''
      window.addEventListener('pagehide', () => {
        sessionStorage.setItem(key, stored)
      })
    })
    await panel.closeTab(1)
    await until(async () => (await panel.tabs()).length === 1, { what: 'the tab to go' })
    await dsh.restart()
    await panel.reload()
    await panel.notice.getByText('1 terminal ended in the meantime').waitFor()
    expect((await panel.tabs()).map(({ sid }) => sid)).not.toContain(gone)
    await panel.untilText(/^kept-text$/m)
    await panel.strip.getByText(RESTARTED).waitFor()
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

describe('a session in tmux', () => {
  let dsh: TestDsh
  let kept: KeptServer
  let browser: TestBrowser

  beforeAll(async () => {
    const settings = { tty: { maxSessions: 16, persistence: 'tmux', reconnectGraceSec: 1 } }
    dsh = await bootTestDsh({ homeFiles: PLAIN_BASHRC, settings })
    kept = new KeptServer(join(dsh.dshHome, 'tty'))
  })
  afterAll(async () => {
    await kept.end()
    await dsh.stop()
  })
  beforeEach(async () => {
    browser = await launchTestBrowser({ webgl: 'none', expectedErrors: [NETWORK_ERRORS] })
  })
  afterEach(() => browser.close())

  it('goes on in two windows after the host was killed in the middle of a build, and in a third one', async () => {
    const one = await PanelPage.start(browser, dsh.url)
    const pid = await one.pid()
    await one.renameTab(0, 'build')
    const sid = await one.sid()
    const two = await one.duplicate(browser, { width: 800, height: 600 })
    await two.untilPrompt()
    const building = 'echo build-begins; for n in $(seq 1 150); do echo step-$n; sleep 0.05; done; echo built; (exit 4)'
    await one.page.bringToFront()
    await one.type(`${building}\n`)
    for (const panel of [one, two]) await panel.untilText(/^step-20$/m)
    await dsh.end('crash')
    for (const panel of [one, two]) await panel.line.getByText('Reconnecting…').waitFor()
    expect(isAlive(pid)).toBe(true)
    await dsh.restart()
    for (const panel of [one, two]) await panel.untilText(/^built$/m, 30_000)
    const numbers = Array.from({ length: 150 }, (_, n) => `step-${n + 1}`)
    for (const panel of [one, two]) {
      await panel.untilState('live')
      const lines = (await panel.text()).split('\n')
      expect(lines.filter((line) => line.startsWith('step-'))).toEqual(numbers)
      expect(lines.filter((line) => line === 'build-begins')).toHaveLength(1)
      expect((await panel.tabs()).map(({ label, sid: shown }) => [label, shown])).toEqual([['build', sid]])
    }
    await using client = await WsClient.connect({ url: dsh.url })
    const { sessions } = await client.request({ type: 'list' })
    expect(sessions).toMatchObject([{ id: sid, pid, running: false, lastCommand: { exitCode: 4 } }])
    expect(await one.run('echo $((40+2))')).toBe('42')

    // Both windows are closed: it goes on beyond the grace period, and a new window shows it.
    await one.page.close()
    await two.page.close()
    await until(async () => (await client.request({ type: 'list' })).sessions[0]?.orphanedAt, {
      what: 'nobody to be there',
    })
    const third = await PanelPage.open(browser, dsh.url)
    const stored = (): Promise<string> => third.page.evaluate(() => sessionStorage.getItem('dsh-tty.tabs') ?? '')
    await until(async () => (await stored()).includes(sid), { what: 'the tab in the new window' })
    await third.show()
    await third.untilText(/^built$/m)
    expect(await third.pid()).toBe(pid)
    expect(await third.tabs()).toMatchObject([{ label: 'build', sid }])
    await third.closeTab(0)
    await untilGone([pid])
    await until(async () => (await kept.names()).length === 0, { what: 'tmux to have no session' })
  })
})
