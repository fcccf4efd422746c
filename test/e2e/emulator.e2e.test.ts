/** The emulator's own script in the real app: when it is loaded, what is said when it is not, and how another one replaces it. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { revisionOf } from '../../host-src/gateway/page-script.ts'
import { pageScriptPath } from '../../protocol-src/http-routes.ts'
import { launchTestBrowser } from '../support/browser.ts'
import { bootTestDsh, type TestDsh } from '../support/dsh.ts'
import { PanelPage, PLAIN_BASHRC } from '../support/panel-page.ts'
import { until } from '../support/wait.ts'

const TERMINAL_SCRIPT_PATH = pageScriptPath('terminal')
const XTERM_SHEET = 'style[data-plugin="@hyzyn/dsh-tty"][data-plugin-css$="/@xterm/xterm/css/xterm.css"]'

let dsh: TestDsh
beforeAll(async () => {
  dsh = await bootTestDsh({ homeFiles: PLAIN_BASHRC, settings: { tty: { maxSessions: 16 } } })
})
afterAll(() => dsh.stop())

/** Addresses under which the page asked for the emulator, oldest first. */
const askedFor = (page: Page): string[] => {
  const urls: string[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (pathname === TERMINAL_SCRIPT_PATH) urls.push(search)
  })
  return urls
}

describe('the emulator’s script', () => {
  it('is not loaded by a page without terminals, and once for all of them', async () => {
    await using browser = await launchTestBrowser({ webgl: 'software' })
    let asked: string[] = []
    const headers: Record<string, string>[] = []
    const panel = await PanelPage.open(browser, dsh.url, (page) => {
      asked = askedFor(page)
      page.on('response', (response) => {
        if (response.url().includes(TERMINAL_SCRIPT_PATH)) headers.push(response.headers())
      })
      return Promise.resolve()
    })
    expect(asked).toEqual([])
    expect(await panel.page.locator(XTERM_SHEET).count()).toBe(0)
    await panel.show()
    await panel.untilPrompt()
    expect(await panel.run('echo $((6*7))')).toBe('42')
    await panel.newTab()
    expect(asked).toEqual([expect.stringMatching(/^\?rev=[0-9a-f]{12}$/)])
    expect(headers[0]?.['cache-control']).toMatch(/immutable/)
    expect(await panel.page.locator(XTERM_SHEET).count()).toBe(1)
    // A page that comes back with a hidden panel has terminals to follow: it gets the script without being asked to.
    await panel.minimise()
    await panel.reload()
    await until(() => asked.length === 2, { what: 'the script in an idle page' })
    await panel.show()
    await panel.untilPrompt()
    expect(asked).toHaveLength(2)
    await panel.page.close()
  })

  it.each([
    ['that cannot be reached', (route: Route) => route.abort(), /Failed to load resource|ERR_FAILED/],
    ['that is refused', (route: Route) => route.fulfill({ status: 403, json: {} }), /403/],
    [
      'that is damaged',
      (route: Route) => route.fulfill({ contentType: 'text/javascript', body: 'export const create = (' }),
      /SyntaxError/,
    ],
  ])('%s leaves the tab with a reason and a Retry that works', async (_what, answer, expected) => {
    await using browser = await launchTestBrowser({ expectedErrors: [expected] })
    let asked: string[] = []
    const panel = await PanelPage.open(browser, dsh.url, async (page) => {
      asked = askedFor(page)
      await page.route(`**${TERMINAL_SCRIPT_PATH}*`, answer)
    })
    await panel.show()
    const text = panel.cover.getByText('This part of the terminal could not be loaded: DSH may have stopped')
    await text.waitFor()
    expect(await panel.state()).toBe('failed')
    await panel.cover.getByRole('button', { name: 'Retry' }).click()
    await until(() => asked.length === 2, { what: 'a second attempt' })
    await text.waitFor()
    await panel.page.unroute(`**${TERMINAL_SCRIPT_PATH}*`)
    await panel.cover.getByRole('button', { name: 'Retry' }).click()
    await panel.untilPrompt()
    expect(await panel.run('echo works')).toBe('works')
    expect(new Set(asked).size).toBe(3)
    await panel.page.close()
  })

  it('says in Chinese why a restored terminal cannot be shown, and shows the same session after Retry', async () => {
    await using browser = await launchTestBrowser({ locale: 'zh-CN', expectedErrors: [/ERR_FAILED/] })
    const panel = await PanelPage.start(browser, dsh.url)
    const [pid, sid] = [await panel.pid(), await panel.sid()]
    await panel.page.route(`**${TERMINAL_SCRIPT_PATH}*`, (route) => route.abort())
    await panel.reload()
    await panel.cover.getByText('终端的这一部分未能加载').waitFor()
    expect(await panel.sid()).toBe(sid)
    await panel.page.unroute(`**${TERMINAL_SCRIPT_PATH}*`)
    await panel.cover.getByRole('button', { name: '重试' }).click()
    await panel.untilPrompt()
    expect([await panel.pid(), await panel.sid()]).toEqual([pid, sid])
    await panel.page.close()
  })
})

describe('a new build', () => {
  const installed = (name: string): string => join(dsh.dshHome, 'profiles/web/node_modules/@hyzyn/dsh-tty/lib', name)

  const isSwapped = async (panel: PanelPage, sockets: number): Promise<void> => {
    await until(() => panel.sockets.length > sockets, { what: 'the new client half', timeoutMs: 20_000 })
    await panel.untilPrompt()
    expect(await panel.page.locator('[data-tty-holder]').count()).toBe(1)
    expect(await panel.page.locator(XTERM_SHEET).count()).toBe(1)
    expect(await panel.page.evaluate(() => 'stillTheSamePage' in window)).toBe(true)
  }

  it('replaces the emulator in an open page, and only when it is another one', async () => {
    await using browser = await launchTestBrowser({ webgl: 'software' })
    let asked: string[] = []
    const panel = await PanelPage.start(browser, dsh.url, (page) => {
      asked = askedFor(page)
      return Promise.resolve()
    })
    const pid = await panel.pid()
    await panel.page.evaluate(() => Object.assign(window, { stillTheSamePage: true }))
    const [client, terminal] = [
      await readFile(installed('client.js'), 'utf8'),
      await readFile(installed('terminal.js')),
    ]

    // Another client half with the same emulator: the browser has that already.
    await writeFile(installed('client.js'), `${client}\n`)
    await isSwapped(panel, 1)
    expect(new Set(asked).size).toBe(1)

    const other = Buffer.concat([Buffer.from('document.documentElement.dataset.emulator="other";'), terminal])
    await writeFile(installed('terminal.js'), other)
    await writeFile(installed('client.js'), client.replace(revisionOf(terminal), revisionOf(other)))
    await isSwapped(panel, 2)
    expect(asked.at(-1)).toBe(`?rev=${revisionOf(other)}`)
    expect(await panel.page.locator('html').getAttribute('data-emulator')).toBe('other')
    expect(await panel.pid()).toBe(pid)
    await panel.page.close()
  })
})
