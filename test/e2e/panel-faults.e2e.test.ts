/** What the panel says when a terminal cannot start, may not start, or has ended. The host lives through all of it. */
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { launchTestBrowser, type TestBrowser } from '../support/browser.ts'
import { bootTestDsh, type TestDsh } from '../support/dsh.ts'
import { connectDshApi, type DshApi } from '../support/dsh-api.ts'
import { PanelPage, PLAIN_BASHRC } from '../support/panel-page.ts'
import { isAlive, untilGone } from '../support/proc.ts'
import { until } from '../support/wait.ts'

describe('a terminal that is in trouble', () => {
  let dsh: TestDsh
  let api: DshApi
  let browser: TestBrowser

  beforeAll(async () => {
    dsh = await bootTestDsh({ homeFiles: PLAIN_BASHRC, settings: { tty: { maxSessions: 16, reconnectGraceSec: 1 } } })
    api = await connectDshApi(dsh.url)
  })
  afterAll(async () => {
    api.close()
    await dsh.stop()
  })
  beforeEach(async () => {
    browser = await launchTestBrowser({ webgl: 'none' })
  })
  afterEach(async () => {
    await browser.close()
    await setSettings({ maxSessions: 16, shell: '', cwd: '' })
    // Every other test starts with a host that has no terminals.
    await until(
      () => {
        expect(dsh.processes().filter(({ name }) => name === 'bash')).toEqual([])
        return true
      },
      { what: 'the shells to end' },
    )
  })

  const setSettings = (patch: Record<string, unknown>): Promise<unknown> =>
    api.call('settings.update', { ns: 'tty', patch })

  const hostAnswers = async (): Promise<boolean> => (await fetch(`${dsh.url}/api/dsh-tty/health`)).ok

  it('names a shell that is not there, and starts once the path is right', async () => {
    await setSettings({ shell: '/no/such/shell' })
    const panel = await PanelPage.open(browser, dsh.url)
    await panel.show()
    await panel.cover.getByText('/no/such/shell').waitFor()
    expect(await panel.cover.innerText()).toContain(
      'The shell cannot be started: /no/such/shell. Check its path in the settings.',
    )
    expect(await panel.state()).toBe('failed')
    expect(await hostAnswers()).toBe(true)
    await setSettings({ shell: '/bin/sh' })
    await panel.cover.getByRole('button', { name: 'Retry' }).click()
    await panel.untilState('live')
    await panel.untilText(/[$#]$/)
    expect(await panel.run('echo $0')).toBe('/bin/sh')
  })

  it('lets go of a tab whose shell never started', async () => {
    await setSettings({ shell: dsh.home })
    const panel = await PanelPage.open(browser, dsh.url)
    await panel.show()
    await panel.cover.getByText(dsh.home).waitFor()
    await panel.closeTab(0)
    await panel.root.waitFor({ state: 'detached' })
    expect(await panel.entry.getAttribute('aria-label')).toBe('Terminal')
  })

  it('starts elsewhere when the start directory is gone, and says where', async () => {
    await setSettings({ cwd: '/no/such/directory' })
    const panel = await PanelPage.start(browser, dsh.url)
    expect(await panel.strip.innerText()).toContain('/no/such/directory is not available; started in ' + dsh.home)
    expect(await panel.run('pwd')).toBe(dsh.home)
    await panel.strip.getByRole('button', { name: 'Dismiss' }).click()
    await panel.strip.waitFor({ state: 'detached' })
    expect(await panel.run('echo works')).toBe('works')
  })

  it('starts where the settings say', async () => {
    const folder = join(dsh.home, 'a folder 文件夹')
    await mkdir(folder)
    await setSettings({ cwd: folder })
    const panel = await PanelPage.start(browser, dsh.url)
    expect(await panel.run('pwd')).toBe(folder)
    expect(await panel.strip.count()).toBe(0)
    await panel.type('exit\n')
    await panel.untilState('done')
    await rm(folder, { recursive: true })
  })

  it('says how many terminals run when the limit is reached, and opens one again after closing', async () => {
    await setSettings({ maxSessions: 2 })
    const panel = await PanelPage.start(browser, dsh.url)
    await panel.newTab()
    await panel.root.getByRole('button', { name: 'Limit reached: 2 running, at most 2' }).click()
    await panel.notice.getByText('The limit is reached: 2 terminals run, at most 2 may.').waitFor()
    expect(await panel.tabs()).toHaveLength(2)

    // Another page has none of its own, and learns that the others' count.
    const other = await PanelPage.open(browser, dsh.url)
    await other.show()
    await other.notice.getByText('2 terminals run (2 of them not in this window), at most 2 may').waitFor()
    expect(await other.tabs()).toHaveLength(0)
    expect(await hostAnswers()).toBe(true)

    await panel.page.bringToFront()
    await panel.closeTab(1)
    await until(async () => (await panel.tabs()).length === 1, { what: 'the tab to be gone' })
    await panel.tool('New terminal').waitFor()
    await panel.newTab()
    expect(await panel.run('echo third')).toBe('third')
  })

  it('shows the code of a shell that exited, keeps its output, and starts another on Restart', async () => {
    const panel = await PanelPage.start(browser, dsh.url)
    const first = await panel.pid()
    await panel.type('echo farewell; exit 3\n')
    await panel.untilState('failed')
    await untilGone([first])
    expect(await panel.strip.innerText()).toContain('Exited, code 3')
    expect(await panel.text()).toMatch(/^farewell$/m)
    await panel.type('into the void')
    expect(await panel.text()).not.toContain('void')
    await panel.strip.getByRole('button', { name: 'Restart' }).click()
    await panel.untilPrompt()
    expect(await panel.text()).toBe('$')
    const second = await panel.pid()
    expect(second).not.toBe(first)
    expect(isAlive(second)).toBe(true)
    expect(await panel.tabs()).toHaveLength(1)
  })

  it('tells a normal exit and a signal apart, and closes an exited panel without a question', async () => {
    const panel = await PanelPage.start(browser, dsh.url)
    await panel.type('exit\n')
    await panel.untilState('done')
    expect(await panel.strip.innerText()).toContain('Exited, code 0')
    await panel.newTab()
    await panel.type('kill -9 $$\n')
    await panel.untilState('failed')
    expect(await panel.strip.innerText()).toContain('Ended by SIGKILL')
    await panel.tool('Close and end all terminals').click()
    await panel.root.waitFor({ state: 'detached' })
    expect(await panel.dialog.count()).toBe(0)
    await until(async () => (await panel.entry.getAttribute('aria-label')) === 'Terminal', { what: 'no badge' })
  })
})
