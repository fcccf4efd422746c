/** Tabs in the real app: their order, those that do not fit, their menus, what is asked before they are closed, by pointer, finger and key. */
import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bootAgentHost, sidIn, type AgentHost, type TestAgent } from '../support/agent-host.ts'
import { launchTestBrowser, type TestBrowser } from '../support/browser.ts'
import { shoot } from '../support/gallery.ts'
import { expectNoAxeViolations, layoutOf } from '../support/look.ts'
import { PanelPage, PLAIN_BASHRC } from '../support/panel-page.ts'
import { isAlive, untilGone } from '../support/proc.ts'
import { until } from '../support/wait.ts'

let host: AgentHost
let agent: TestAgent
beforeAll(async () => {
  host = await bootAgentHost({
    homeFiles: { ...PLAIN_BASHRC, 'shop/README.md': '' },
    settings: { tty: { maxSessions: 16, reconnectGraceSec: 8 } },
  })
  agent = await host.agent()
})
afterAll(() => host.stop())

const labels = async (panel: PanelPage): Promise<string[]> => (await panel.tabs()).map(({ label }) => label)
const untilLabels = (panel: PanelPage, wanted: readonly string[]): Promise<unknown> =>
  until(async () => String(await labels(panel)) === String(wanted), { what: `the tabs ${wanted.join(', ')}` })

/** Terminals of the given names. */
const start = async (browser: TestBrowser, names: readonly string[]): Promise<PanelPage> => {
  const panel = await PanelPage.start(browser, host.dsh.url)
  for (const [at, name] of names.entries()) {
    if (at > 0) await panel.newTab()
    await panel.renameTab(at, name)
  }
  await untilLabels(panel, names)
  return panel
}

const middleOf = async (what: Locator): Promise<{ x: number; y: number; width: number }> => {
  const box = await what.boundingBox()
  if (box === null) throw new Error('it is not on screen')
  return { x: box.x + box.width / 2, y: box.y + box.height / 2, width: box.width }
}
const menuOf = (panel: PanelPage, name: string): Locator => panel.root.locator(`[data-tty-menu="${name}"]`)
const rowsOf = (menu: Locator): Promise<string[]> => menu.locator('[data-tty-item]').allInnerTexts()
const focusedText = (panel: PanelPage): Promise<string> =>
  panel.page.evaluate(() => document.activeElement?.textContent ?? '')

describe('the order of tabs', () => {
  it('is changed by dragging, which Escape takes back, and outlives a reload', async () => {
    await using browser = await launchTestBrowser({ webgl: 'none' })
    const panel = await start(browser, ['one', 'two', 'three'])
    const { mouse, keyboard } = panel.page
    const drag = async (from: number, to: number): Promise<void> => {
      const [a, b] = [await middleOf(panel.tab(from)), await middleOf(panel.tab(to))]
      await mouse.move(a.x, a.y)
      await mouse.down()
      await mouse.move(a.x + Math.sign(b.x - a.x) * 8, a.y)
      await mouse.move(b.x + (Math.sign(b.x - a.x) * b.width) / 3, a.y, { steps: 4 })
    }
    await drag(2, 0)
    await panel.root.locator('[data-dragged="true"]').waitFor()
    await shoot(panel.page, 'tabs-dragged')
    expect(await labels(panel)).toEqual(['one', 'two', 'three'])
    await mouse.up()
    await untilLabels(panel, ['three', 'one', 'two'])
    await drag(0, 2)
    await keyboard.press('Escape')
    await panel.root.locator('[data-dragged="true"]').waitFor({ state: 'detached' })
    await mouse.up()
    expect(await labels(panel)).toEqual(['three', 'one', 'two'])
    // A press without a drag is still a press.
    await panel.tab(1).click()
    await until(async () => (await panel.tabs())[1]?.isActive, { what: 'the pressed tab' })
    await panel.reload()
    await panel.root.waitFor()
    await untilLabels(panel, ['three', 'one', 'two'])
    await panel.untilPrompt()
  })
})

describe('tabs that do not fit', () => {
  it('are scrolled to with the wheel and listed, and can be picked and closed there', async () => {
    await using browser = await launchTestBrowser({ webgl: 'none', viewport: { width: 900, height: 600 } })
    const names = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta', 'eta', 'theta', 'iota', 'kappa']
    const panel = await start(browser, names)
    const { page, words } = panel
    const strip = panel.root.locator('[data-edges]')
    const plus = panel.tool(words['tab.new'])
    const more = panel.tool(words['tab.more'])
    await until(async () => (await strip.getAttribute('data-edges')) === 'left', {
      what: 'tabs to the left of the strip',
    })
    expect(
      await strip.evaluate((element) => element.contains(document.querySelector('[aria-label="New terminal"]'))),
    ).toBe(false)
    const { x } = await middleOf(strip)
    expect((await middleOf(plus)).x).toBeGreaterThan(x)
    expect(await strip.evaluate((element) => (element as HTMLElement).offsetHeight - element.clientHeight)).toBe(0)

    await more.click()
    const menu = menuOf(panel, 'more')
    await menu.waitFor()
    const listed = (await rowsOf(menu)).map((row) => row.split('\n')[0] ?? '')
    expect(listed.slice(0, 2)).toEqual(['alpha', 'beta'])
    expect(listed).not.toContain('kappa')
    expect(listed).toContain('Close to the left (9)')
    await shoot(page, 'tabs-more')
    await expectNoAxeViolations(page, 'the list of tabs')
    // Its x closes one, and the list stays.
    await menu.getByRole('menuitem', { name: 'Close beta', exact: true }).click()
    await until(async () => !(await labels(panel)).includes('beta'), { what: 'the tab to go' })
    expect(await menu.isVisible()).toBe(true)
    await menu.locator('[data-tty-item]', { hasText: 'alpha' }).click()
    await menu.waitFor({ state: 'detached' })
    await until(async () => (await panel.tabs())[0]?.isActive, { what: 'the picked tab' })
    await until(async () => (await strip.getAttribute('data-edges')) === 'right', {
      what: 'the strip at its beginning',
    })
    // The keyboard is in its terminal.
    await page.keyboard.type('echo picked-$((1+1))\n')
    await panel.untilText(/^picked-2$/m)

    await strip.hover()
    await page.mouse.wheel(0, 2000)
    await until(async () => (await strip.getAttribute('data-edges')) === 'left', { what: 'the end of the strip' })
    await more.click()
    const alpha = menu.getByRole('menuitemradio', { name: /^alpha/ })
    expect(await alpha.getAttribute('aria-checked')).toBe('true')
    // The active one goes while the list is open: the list keeps the keyboard.
    await alpha.press('Delete')
    await until(async () => !(await labels(panel)).includes('alpha'), { what: 'the active tab to go' })
    expect(await menu.isVisible()).toBe(true)
    expect(await menu.evaluate((element) => element.contains(document.activeElement))).toBe(true)
    await page.keyboard.press('Escape')
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(words['tab.more'])
  })
})

describe('closing several tabs', () => {
  it('asks once, and only where two or more live: how many, and how many an agent opened', async () => {
    await using browser = await launchTestBrowser({ webgl: 'none' })
    const panel = await start(browser, ['one', 'two'])
    const sids = [sidIn(await agent.call('tty_open', { command: 'cat' })), sidIn(await agent.call('tty_open', {}))]
    await until(async () => (await panel.tabs()).length === 4, { what: 'the agent’s tabs' })
    const pids = [await panel.pid()]
    const menu = menuOf(panel, 'tab')
    await panel.tab(2).click({ button: 'right' })
    expect(await rowsOf(menu)).toEqual([
      'Close',
      'Close others (3)',
      'Close to the left (2)',
      'Close to the right (1)',
      'Duplicate',
      'Restart',
      'Rename',
    ])
    await panel.page.keyboard.press('Escape')
    // Nor is it offered beside the agent's own terminal to hide it from the agent.
    const eye = panel.tool(panel.words['tab.hide'])
    expect(await eye.count()).toBe(1)
    await panel.tab(2).click()
    await eye.waitFor({ state: 'detached' })
    await panel.tab(1).click()
    await eye.waitFor()

    await panel.tab(0).click({ button: 'right' })
    await menu.getByText('Close to the right (3)').click()
    await panel.dialog.getByText('End 3 running terminals?').waitFor()
    await panel.dialog.getByText('AI opened 2 of them.').waitFor()
    await shoot(panel.page, 'tabs-close-several')
    await expectNoAxeViolations(panel.page, 'the question')
    await panel.dialog.getByRole('button', { name: 'Cancel' }).first().click()
    await panel.dialog.waitFor({ state: 'detached' })
    expect(pids.every(isAlive)).toBe(true)
    await panel.tab(0).click({ button: 'right' })
    await menu.getByText('Close to the right (3)').click()
    await panel.dialog.getByRole('button', { name: 'End all' }).click()
    await untilLabels(panel, ['one'])
    await untilGone(pids)
    for (const sid of sids) expect((await agent.call('tty_list')).text).not.toContain(sid)
    // One that lives goes without a question, and the panel with it.
    await panel.tab(0).click({ button: 'right' })
    await menu.getByText('Close', { exact: true }).click()
    await panel.root.waitFor({ state: 'detached' })
  })

  it('never asks about exited ones, which it releases, and closing a panel of only those just closes', async () => {
    await using browser = await launchTestBrowser({ webgl: 'none' })
    const panel = await start(browser, ['one', 'two', 'three'])
    const ids = (await panel.tabs()).map(({ sid }) => sid)
    for (const at of [1, 2]) {
      await panel.tab(at).click()
      await panel.untilPrompt()
      await panel.type(`exit ${String(at)}\n`)
      await panel.strip.waitFor()
    }
    expect(await panel.strip.innerText()).toMatch(/Exited, code 2/)
    expect(await panel.strip.getByRole('button').count()).toBe(1)
    await panel.tab(0).click({ button: 'right' })
    await menuOf(panel, 'tab').getByText('Clear exited (2)').click()
    await untilLabels(panel, ['one'])
    expect(await panel.dialog.count()).toBe(0)
    const closed = panel.sent('close').map(({ text }) => (JSON.parse(text) as { sid: string }).sid)
    expect(new Set(closed)).toEqual(new Set([ids[1], ids[2]]))
    await panel.tab(0).click()
    await panel.type('exit\n')
    await panel.strip.waitFor()
    await panel.tool(panel.words['panel.close']).click()
    await panel.root.waitFor({ state: 'detached' })
    await until(async () => (await panel.entry.getAttribute('aria-label')) === 'Terminal', { what: 'no tabs' })
  })
})

describe('a tab’s menu', () => {
  it('duplicates where the shell is, restarts what runs, and shows that a command runs', async () => {
    await using browser = await launchTestBrowser({ webgl: 'none' })
    const panel = await start(browser, ['one'])
    const menu = menuOf(panel, 'tab')
    const pid = await panel.pid()
    await panel.run('cd shop')
    await panel.tab(0).click({ button: 'right' })
    await menu.getByText('Duplicate').click()
    await until(async () => (await panel.tabs()).length === 2, { what: 'one more tab' })
    await panel.untilPrompt()
    expect(await panel.run('pwd')).toBe(`${host.dsh.home}/shop`)

    await panel.type('sleep 9993\n')
    const second = panel.root.locator('header [data-tty-tab]').nth(1)
    await until(async () => (await second.getAttribute('data-tty-busy')) === 'true', { what: 'the command to be seen' })
    expect(await panel.tab(1).getAttribute('title')).toContain('command running')
    await panel.press('Control+c')
    await until(async () => (await second.getAttribute('data-tty-busy')) === 'false', { what: 'the prompt to be seen' })

    await panel.tab(0).click({ button: 'right' })
    await menu.getByText('Restart').click()
    await untilGone([pid])
    await panel.untilPrompt()
    expect(await panel.pid()).not.toBe(pid)
    expect(await labels(panel)).toEqual(['one', 'bash 2'])
    // The middle button closes, and nothing is asked about one.
    await panel.tab(1).click({ button: 'middle' })
    await untilLabels(panel, ['one'])
  })

  it('is opened by a finger that rests on a tab, which drags it when it moves; a quick one scrolls', async () => {
    await using browser = await launchTestBrowser({ webgl: 'none', viewport: { width: 320, height: 640 } })
    const panel = await start(browser, ['one', 'two', 'three'])
    const cdp = await browser.context.newCDPSession(panel.page)
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: readonly { x: number; y: number }[]) =>
      cdp.send('Input.dispatchTouchEvent', { type, touchPoints: [...points] })
    const strip = panel.root.locator('[data-edges]')
    await strip.evaluate((element) => {
      element.scrollLeft = 0
    })
    const { x, y } = await middleOf(panel.tab(0))
    const held = panel.root.locator('[data-held="true"]')
    /** A page that is busy may take the finger for one that scrolls; then it is put down again. */
    const rest = (): Promise<unknown> =>
      until(
        async () => {
          await touch('touchStart', [{ x, y }])
          const isHeld = await held.waitFor({ timeout: 3000 }).then(
            () => true,
            () => false,
          )
          if (!isHeld) await touch('touchEnd', [])
          return isHeld
        },
        { what: 'a tab that is held', timeoutMs: 30_000 },
      )
    await rest()
    await touch('touchEnd', [])
    await menuOf(panel, 'tab').getByText('Close others (2)').waitFor()
    const { overflowX } = await layoutOf(panel.page)
    expect(Math.max(0, overflowX)).toBe(0)
    await shoot(panel.page, 'tabs-menu-narrow')
    await expectNoAxeViolations(panel.page, 'the menu of a tab in a narrow window')
    await panel.page.keyboard.press('Escape')
    await menuOf(panel, 'tab').waitFor({ state: 'detached' })

    await rest()
    await touch('touchMove', [{ x: x + 20, y }])
    await touch('touchMove', [{ x: x + 75, y }])
    await panel.root.locator('[data-dragged="true"]').waitFor()
    await touch('touchEnd', [])
    await until(async () => (await labels(panel))[0] === 'two', { what: 'another order' })
    await cdp.detach()
  })
})

describe('the whole life of a tab with the keyboard alone', () => {
  it('is opened, named, moved, hidden, duplicated, looked at in its menu, and closed', async () => {
    await using browser = await launchTestBrowser({ webgl: 'none' })
    const panel = await PanelPage.open(browser, host.dsh.url)
    const { page, words } = panel
    const { keyboard } = page
    const focusedName = (): Promise<string> =>
      page.evaluate(
        () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '',
      )
    const goTo = (name: RegExp, key = 'Tab'): Promise<unknown> =>
      until(
        async () => {
          if (name.test(await focusedName())) return true
          await keyboard.press(key)
          return false
        },
        { what: `the keyboard on ${String(name)}`, pollMs: 0 },
      )
    const pick = async (typed: string): Promise<void> => {
      await menuOf(panel, 'tab').waitFor()
      await keyboard.type(typed)
      await keyboard.press('Enter')
      await menuOf(panel, 'tab').waitFor({ state: 'detached' })
    }
    await keyboard.press('Control+Backquote')
    await panel.untilPrompt()
    // Out of the terminal, which keeps Tab for itself, as a person gets out: hide the panel and go in from its edge.
    await panel.root.getByRole('separator').focus()
    await goTo(/^bash/)
    await keyboard.press('F2')
    await panel.root.getByRole('textbox', { name: words['tab.rename'] }).waitFor()
    await keyboard.type('first')
    await keyboard.press('Enter')
    await untilLabels(panel, ['first'])
    await panel.root.getByRole('separator').focus()
    await goTo(/^New terminal$/)
    await keyboard.press('Enter')
    await until(async () => (await panel.tabs()).length === 2, { what: 'a second tab' })
    await panel.untilPrompt()

    await panel.root.getByRole('separator').focus()
    await goTo(/^bash 2/)
    await keyboard.press('Shift+ArrowLeft')
    await untilLabels(panel, ['bash 2', 'first'])
    // It has the keyboard still, and another press at the end of the strip does nothing.
    expect(await focusedText(panel)).toMatch(/^bash 2/)
    await keyboard.press('Shift+ArrowLeft')
    expect(await focusedText(panel)).toMatch(/^bash 2/)
    await keyboard.press('Shift+F10')
    await menuOf(panel, 'tab').waitFor()
    await expectNoAxeViolations(page, 'the menu of a tab')
    await keyboard.press('Escape')
    expect(await focusedText(panel)).toMatch(/^bash 2/)
    await keyboard.press('Shift+F10')
    await pick('hid')
    const hidden = panel.root.locator('header [data-tty-hidden="true"]')
    await hidden.waitFor()
    expect(await focusedText(panel)).toMatch(/^bash 2/)
    await keyboard.press('Shift+F10')
    await pick('dup')
    await until(async () => (await panel.tabs()).length === 3, { what: 'a third tab, beside it' })
    await panel.untilPrompt()
    expect((await labels(panel)).at(2)).toBe('first')

    await panel.root.getByRole('separator').focus()
    await goTo(/^bash/)
    await keyboard.press('End')
    await until(async () => (await panel.tabs())[2]?.isActive, { what: 'the last tab' })
    await keyboard.press('Delete')
    await until(async () => (await panel.tabs()).length === 2, { what: 'one to go without a question' })
    expect(await panel.dialog.count()).toBe(0)
    await keyboard.type('echo $((40+2))-here\n')
    await panel.untilText(/^42-here$/m)

    await panel.newTab()
    await panel.root.getByRole('separator').focus()
    await goTo(/^More tabs and actions$/)
    await keyboard.press('Enter')
    await menuOf(panel, 'more').waitFor()
    await keyboard.type('close o')
    await keyboard.press('Enter')
    await panel.dialog.getByText('End 2 running terminals?').waitFor()
    expect(await focusedName()).toBe('Cancel')
    await keyboard.press('Escape')
    await panel.dialog.waitFor({ state: 'detached' })
    expect(await focusedName()).toBe('More tabs and actions')
    expect(await panel.tabs()).toHaveLength(3)
    await keyboard.press('Enter')
    await keyboard.type('close o')
    await keyboard.press('Enter')
    await panel.dialog.waitFor()
    await goTo(/^End all$/)
    await keyboard.press('Enter')
    await until(async () => (await panel.tabs()).length === 1, { what: 'the others to go' })
  })
})

describe('the look of tabs', () => {
  it.each(['en-US', 'zh-CN'])('is whole and accessible in both colours, wide and narrow: %s', async (locale) => {
    await using browser = await launchTestBrowser({ webgl: 'none', locale, reducedMotion: 'reduce' })
    const panel = await start(browser, ['构建 build', 'server', '日志 logs'])
    const { page, words } = panel
    await panel.tab(1).click()
    await panel.type('sleep 9994\n')
    await until(() => panel.root.locator('[data-tty-busy="true"]').count(), { what: 'a busy tab' })
    await panel.tab(2).click()
    await panel.untilPrompt()
    await panel.type('exit 7\n')
    await panel.strip.waitFor()
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      for (const [size, width] of [
        ['wide', 1280],
        ['narrow', 320],
      ] as const) {
        await page.setViewportSize({ width, height: 640 })
        const look = async (what: string): Promise<void> => {
          await shoot(page, `tabs-${what}-${size}`)
          const { overflowX, covered } = await layoutOf(page)
          expect({ what, overflowX: Math.max(0, overflowX), covered }).toEqual({ what, overflowX: 0, covered: [] })
          await expectNoAxeViolations(page, `${what} ${size} ${colorScheme}`)
        }
        await look('strip')
        await panel.tab(2).focus()
        await page.keyboard.press('Shift+F10')
        await menuOf(panel, 'tab').waitFor()
        await shoot(page, `tabs-menu-${size}`)
        await expectNoAxeViolations(page, `menu ${size} ${colorScheme}`)
        await page.keyboard.press('Escape')
        await panel.tool(words['tab.more']).click()
        await menuOf(panel, 'more').waitFor()
        await shoot(page, `tabs-list-${size}`)
        await page.keyboard.press('Escape')
      }
    }
    await panel.tab(1).click()
    await panel.press('Control+c')
  })
})
