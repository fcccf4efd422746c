/** The services for other plugins, used by the example plugin, which is installed beside ours into a real host. */
import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchTestBrowser, NETWORK_ERRORS, untilUsable, type TestBrowser } from '../support/browser.ts'
import { bootTestDsh, type TestDsh } from '../support/dsh.ts'
import { EXAMPLE_CONSUMER, ExampleConsumer } from '../support/example-consumer.ts'
import { shoot } from '../support/gallery.ts'
import { accessibilityFaults, layoutOf } from '../support/look.ts'
import { PanelPage, PLAIN_BASHRC } from '../support/panel-page.ts'
import { applyPatch, isPluginUp } from '../support/profile-patch.ts'
import { until } from '../support/wait.ts'

const MOUNTED = /mounted by the example, (\d+)/
const FULL_ACCESS = { DSH_PERMISSION_MODE: 'danger-full-access' }

/** What the host half of the example answers. */
const ask = async (page: Page, endpoint: string): Promise<Record<string, unknown>> =>
  page.evaluate(async (name) => {
    const body = { type: 'client-request', rpcId: crypto.randomUUID(), method: name, payload: {} }
    const response = await fetch(`/tty-example-rpc/${name}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const { result } = (await response.json()) as { result: { value: Record<string, unknown> } }
    return result.value
  }, endpoint)

describe('services for other plugins', () => {
  let dsh: TestDsh

  beforeAll(async () => {
    dsh = await bootTestDsh({
      homeFiles: PLAIN_BASHRC,
      beside: [EXAMPLE_CONSUMER],
      env: FULL_ACCESS,
      settings: { tty: { maxSessions: 16, reconnectGraceSec: 10 } },
    })
  })
  afterAll(() => dsh.stop())

  const start = async (browser: TestBrowser): Promise<{ panel: PanelPage; example: ExampleConsumer }> => {
    const panel = await PanelPage.open(browser, dsh.url)
    const example = new ExampleConsumer(panel.page)
    await example.open()
    return { panel, example }
  }
  const isRunning = (pid: number): boolean => dsh.processes().some((each) => each.pid === pid)

  it('open a command tab, show the live one again, and make the panel visible', async () => {
    await using browser = await launchTestBrowser()
    const { panel, example } = await start(browser)
    const open = example.button(/command tab/)
    await open.click()
    await panel.root.waitFor()
    await panel.untilText(/a command tab of the example, \d+/)
    expect((await panel.tabs()).map(({ label }) => label)).toEqual(['Example'])
    await panel.newTab()
    await panel.minimise()
    await open.click()
    await panel.root.waitFor()
    expect((await panel.tabs()).map(({ label, isActive }) => [label, isActive])).toEqual([
      ['Example', true],
      ['bash 2', false],
    ])
    // Restored tabs are recognised, though nobody stored what they run.
    await panel.reload()
    await open.click()
    await panel.untilText(/a command tab of the example, \d+/)
    expect(await panel.tabs()).toHaveLength(2)
  })

  it('put a terminal into an element of the plugin, with the panel closed, until the plugin takes it away', async () => {
    await using browser = await launchTestBrowser()
    const { panel, example } = await start(browser)
    const pid = Number((await example.untilText(MOUNTED))[1])
    await example.type('hello from a person\n')
    await example.untilText(/hello from a person\nhello from a person/)
    await panel.show()
    await panel.untilPrompt()
    expect(await panel.tabs()).toHaveLength(1)
    await panel.minimise()
    await example.type('still here\n')
    await example.untilText(/still here\nstill here/)
    expect(isRunning(pid)).toBe(true)
    await example.entry.click()
    await example.card.waitFor({ state: 'detached' })
    await until(() => !isRunning(pid), { what: 'the program of the mounted terminal to end' })
  })

  it('start a terminal before the page is connected, and say how it ended and run it again', async () => {
    await using browser = await launchTestBrowser()
    const { panel, example } = await start(browser)
    await example.untilText(MOUNTED)
    await panel.reload()
    const pid = Number((await example.untilText(MOUNTED))[1])
    await example.type('\u0004')
    await example.mounted.locator('[data-tty-strip]').getByRole('button').click()
    await until(async () => Number(MOUNTED.exec(await example.text())?.[1] ?? pid) !== pid, { what: 'a second run' })
  })

  it('run the command of a mounted terminal again after a restart of the host', async () => {
    await using browser = await launchTestBrowser({ expectedErrors: [NETWORK_ERRORS] })
    const { example } = await start(browser)
    const pid = Number((await example.untilText(MOUNTED))[1])
    await dsh.restart('crash')
    const again = await until(
      async () => {
        const next = Number(MOUNTED.exec(await example.text())?.[1] ?? pid)
        return next === pid ? false : next
      },
      { what: 'the command to run again', timeoutMs: 40_000 },
    )
    expect(isRunning(again)).toBe(true)
  })

  it('put a pane beside a terminal: it goes with its tab, is resized and folded, and closes once', async () => {
    await using browser = await launchTestBrowser()
    const { panel, example } = await start(browser)
    const { page } = panel
    const put = example.button(/pane/)
    await put.click()
    await example.answer.getByText('there is no terminal to put a pane beside; open one first').waitFor()
    await panel.show()
    await panel.untilPrompt()
    const cols = async (): Promise<number> => (await panel.seam())?.size.cols ?? 0
    const before = await cols()
    await put.click()
    const pane = panel.root.locator('[data-tty-pane]')
    await pane.getByText('drawn by the example plugin').waitFor()
    await until(async () => (await cols()) < before, { what: 'a narrower terminal' })

    const edge = pane.getByRole('separator')
    expect(await edge.getAttribute('aria-valuenow')).toBe('280')
    await edge.focus()
    await page.keyboard.press('ArrowLeft')
    expect(await edge.getAttribute('aria-valuenow')).toBe('304')
    const box = await edge.boundingBox()
    if (box === null) throw new Error('the pane has no edge')
    await page.mouse.move(box.x + box.width / 2, box.y + 40)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width / 2 - 96, box.y + 40, { steps: 4 })
    await page.mouse.up()
    expect(await edge.getAttribute('aria-valuenow')).toBe('400')

    const fold = pane.getByRole('button').first()
    await fold.click()
    expect(await pane.getByText('drawn by the example plugin').isVisible()).toBe(false)
    expect(await fold.getAttribute('aria-expanded')).toBe('false')
    await fold.click()

    await panel.newTab()
    expect(await pane.count()).toBe(0)
    await panel.tab(0).click()
    await pane.getByText('drawn by the example plugin').waitFor()
    await panel.minimise()
    await panel.show()
    await pane.getByText('drawn by the example plugin').waitFor()
    expect(await page.evaluate(() => document.body.dataset['examplePane'])).toBe('open')

    // The size was a person's choice, so the next pane has it, too.
    await put.click()
    expect(await edge.getAttribute('aria-valuenow')).toBe('400')
    await panel.closeTab(0)
    await pane.waitFor({ state: 'detached' })
    await until(() => page.evaluate(() => document.body.dataset['examplePane'] === 'closed'), {
      what: 'the plugin to hear that its pane was closed',
    })
  })

  it('give the host half of a plugin the same terminals', async () => {
    await using browser = await launchTestBrowser()
    const { panel, example } = await start(browser)
    await example.untilText(MOUNTED)
    await example.button(/Run on the host/).click()
    await example.answer.getByText('Linux').waitFor()
    expect(await ask(panel.page, 'run')).toMatchObject({ text: 'Linux\n', exitCode: 3, isRunning: false })
    expect(await ask(panel.page, 'converse')).toMatchObject({
      text: expect.stringContaining('you said hello') as string,
      exitCode: 0,
    })
    const { sessions, events } = (await ask(panel.page, 'terminals')) as {
      sessions: { owner: string; target: string }[]
      events: string[]
    }
    expect(sessions.map(({ owner }) => owner)).toContain('user')
    expect(events).toContainEqual(expect.stringMatching(/^opened plugin read line/))
    expect(events).toContainEqual(expect.stringMatching(/^gone plugin read line/))
  })

  it('come back after a reload of the terminal plugin, in the page and on the host', async () => {
    await using browser = await launchTestBrowser({ expectedErrors: [NETWORK_ERRORS] })
    const { panel, example } = await start(browser)
    const { page } = panel
    const pid = Number((await example.untilText(MOUNTED))[1])
    await panel.show()
    await panel.untilPrompt()
    await example.button(/pane/).click()
    await panel.root.locator('[data-tty-pane]').getByText('drawn by').waitFor()

    // Another content of the client half: the app loads it in place of the one that runs.
    await appendFile(join(dsh.dshHome, 'profiles/web/node_modules/@hyzyn/dsh-tty/lib/client.js'), '\n;')
    await until(() => page.evaluate(() => document.body.dataset['examplePane'] === 'closed'), {
      what: 'the pane to be closed by the reload',
    })
    await until(async () => Number(MOUNTED.exec(await example.text())?.[1] ?? pid) !== pid, {
      what: 'a terminal of the new client half',
      timeoutMs: 20_000,
    })
    expect(await example.card.getAttribute('data-example')).toBe('3')
    await panel.root.waitFor()
    await example.button(/pane/).click()
    await panel.root.locator('[data-tty-pane]').getByText('drawn by').waitFor()

    await applyPatch(dsh, [{ id: 'tty', disabled: true }], async () => !(await isPluginUp(dsh)))
    expect(await ask(page, 'terminals')).toEqual({ absent: true })
    await applyPatch(dsh, [], () => isPluginUp(dsh))
    await until(async () => (await ask(page, 'terminals'))['absent'] === undefined, { what: 'the service on the host' })
    expect(await ask(page, 'run')).toMatchObject({ text: 'Linux\n' })
  })

  it('are not missed by a plugin that works without them', async () => {
    await using browser = await launchTestBrowser({ expectedErrors: [NETWORK_ERRORS] })
    await applyPatch(dsh, [{ id: 'tty', disabled: true }], async () => !(await isPluginUp(dsh)))
    const page = await browser.open(dsh.url)
    const example = new ExampleConsumer(page)
    await example.open()
    await example.card.getByText('The terminal plugin is not here').waitFor()
    expect(await example.card.getAttribute('data-example')).toBe('absent')
    expect(await page.locator('[data-tty-entry]').count()).toBe(0)
    expect(await ask(page, 'run')).toEqual({ absent: true })
    await applyPatch(dsh, [], () => isPluginUp(dsh))
    await page.reload()
    await untilUsable(page)
    await example.untilText(MOUNTED)
  })

  const looks = [
    { name: 'light-en', colorScheme: 'light', locale: 'en-US' },
    { name: 'light-zh', colorScheme: 'light', locale: 'zh-CN' },
    { name: 'dark-en', colorScheme: 'dark', locale: 'en-US' },
    { name: 'dark-zh', colorScheme: 'dark', locale: 'zh-CN' },
  ] as const

  it.each(looks)('are whole and accessible: $name', async ({ colorScheme, locale }) => {
    await using browser = await launchTestBrowser({ colorScheme, locale, reducedMotion: 'reduce' })
    const { panel, example } = await start(browser)
    const { page } = panel
    const look = async (state: string): Promise<void> => {
      await shoot(page, `services-${state}`)
      const { overflowX, covered } = await layoutOf(page)
      expect({ state, overflowX: Math.max(0, overflowX), covered }).toEqual({ state, overflowX: 0, covered: [] })
      expect({ state, faults: await accessibilityFaults(page) }).toEqual({ state, faults: [] })
    }
    await example.untilText(MOUNTED)
    await panel.show()
    await panel.untilPrompt()
    await example.button(/pane|窗格/).click()
    const pane = panel.root.locator('[data-tty-pane]')
    await pane.locator('p').first().waitFor()
    await look('pane')
    await pane.getByRole('button').first().click()
    await look('pane-folded')
    await pane.getByRole('button').first().click()
    await example.type('\u0004')
    await example.mounted.locator('[data-tty-strip]').waitFor()
    await look('mounted-exited')
    await page.setViewportSize({ width: 320, height: 760 })
    await example.entry.click()
    await look('pane-narrow')
  })
})

describe('services for other plugins in a restricted permission tier', () => {
  it('refuse the host half of a plugin what nobody can be asked for', async () => {
    await using dsh = await bootTestDsh({ homeFiles: PLAIN_BASHRC, beside: [EXAMPLE_CONSUMER] })
    await using browser = await launchTestBrowser()
    const page = await browser.open(dsh.url)
    expect(await ask(page, 'run')).toMatchObject({
      refused: 'NOT_ALLOWED',
      message: expect.stringMatching(/^tty\.run is not allowed in the permission tier "workspace-write"/) as string,
    })
    expect(await ask(page, 'terminals')).toEqual({ sessions: [], events: [] })
  })
})
