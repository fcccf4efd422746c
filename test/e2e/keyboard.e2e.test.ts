/** The panel without a mouse: everything can be reached, and one can see where one is. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchTestBrowser } from '../support/browser.ts'
import { bootTestDsh, type TestDsh } from '../support/dsh.ts'
import { shoot } from '../support/gallery.ts'
import { layoutOf } from '../support/look.ts'
import { PanelPage, PLAIN_BASHRC } from '../support/panel-page.ts'
import { until } from '../support/wait.ts'

describe('the keyboard', () => {
  let dsh: TestDsh

  beforeAll(async () => {
    dsh = await bootTestDsh({ homeFiles: PLAIN_BASHRC, settings: { tty: { maxSessions: 16, reconnectGraceSec: 1 } } })
  })
  afterAll(() => dsh.stop())

  it('can be used with the keyboard alone, and shows where the keyboard is', async () => {
    await using browser = await launchTestBrowser({ webgl: 'none' })
    const panel = await PanelPage.open(browser, dsh.url)
    const { page } = panel
    const focused = (): Promise<string> =>
      page.evaluate(() => {
        const element = document.activeElement
        return element?.getAttribute('aria-label') ?? element?.textContent ?? ''
      })
    /** Whether the focused element is drawn in another way than without the keyboard on it. */
    const isFocusShown = (): Promise<boolean> =>
      page.evaluate(() => {
        const element = document.activeElement
        if (element === null || !element.matches(':focus-visible')) return false
        const { outlineStyle, outlineWidth } = getComputedStyle(element)
        const after = getComputedStyle(element, '::after')
        return (
          (outlineStyle !== 'none' && outlineWidth !== '0px') || (after.content !== 'none' && after.opacity === '1')
        )
      })
    // Some marks fade in.
    const untilFocusShown = async (): Promise<boolean> =>
      until(isFocusShown, { what: `a mark on "${await focused()}"`, timeoutMs: 3000 })
    const tabTo = async (name: RegExp, key = 'Tab'): Promise<void> => {
      await until(
        async () => {
          if (name.test(await focused())) return true
          await page.keyboard.press(key)
          return false
        },
        { what: `the keyboard on ${String(name)}`, pollMs: 0 },
      )
    }

    await page.evaluate(() => document.querySelector<HTMLElement>('#root button')?.focus())
    await tabTo(/^Terminal$/)
    await untilFocusShown()
    await page.keyboard.press('Enter')
    await panel.untilState('live')
    await panel.untilText(/\$$/)
    await page.keyboard.type('echo typed-$((40+2))\n')
    await panel.untilText(/^typed-42$/m)

    // Out of the terminal, which keeps Tab for itself, by way of the toggle key.
    await page.keyboard.press('Control+Backquote')
    await panel.root.waitFor({ state: 'detached' })
    await page.keyboard.press('Control+Backquote')
    await panel.root.waitFor()
    await panel.root.getByRole('separator').focus()
    await page.keyboard.press('ArrowUp')
    await untilFocusShown()
    const height = async (): Promise<number> => (await panel.root.boundingBox())?.height ?? 0
    const tall = await height()
    await page.keyboard.press('ArrowUp')
    await until(async () => (await height()) > tall, { what: 'a taller dock' })

    await tabTo(/^New terminal$/)
    await untilFocusShown()
    await page.keyboard.press('Enter')
    await until(async () => (await panel.tabs()).length === 2, { what: 'a second tab' })
    await panel.untilState('live')
    await panel.untilText(/\$$/)

    await panel.tab(1).focus()
    await page.keyboard.press('ArrowLeft')
    await until(async () => (await panel.tabs())[0]?.isActive, { what: 'the left tab' })
    expect(await focused()).toMatch(/^bash/)
    await untilFocusShown()
    await page.keyboard.press('ArrowLeft')
    await until(async () => (await panel.tabs())[1]?.isActive, { what: 'the last tab, around the corner' })
    await page.keyboard.press('Home')
    await until(async () => (await panel.tabs())[0]?.isActive, { what: 'the first tab' })
    await page.keyboard.press('F2')
    await panel.root.getByRole('textbox', { name: 'Name of the terminal' }).waitFor()
    await page.keyboard.type('named')
    await page.keyboard.press('Enter')
    await until(async () => (await panel.tabs())[0]?.label === 'named', { what: 'the name' })
    await panel.tab(0).focus()
    await page.keyboard.press('Delete')
    await until(async () => (await panel.tabs()).length === 1, { what: 'the tab to go' })
    expect((await panel.tabs())[0]?.label).toBe('bash 2')
    await page.keyboard.type('echo $((1+1))-after\n')
    await panel.untilText(/^2-after$/m)

    await panel.tool('Float as a window').focus()
    await page.keyboard.press('Enter')
    await page.locator('[data-tty-panel="floating"]').waitFor()
    for (const name of ['Dock at the bottom', 'Maximise', 'Minimise', 'Close and end all terminals']) {
      await panel.tool(name).focus()
      await page.keyboard.press('Shift')
      await untilFocusShown()
    }
    await page.keyboard.press('Enter')
    await panel.dialog.waitFor()
    // The safe answer has the keyboard, and Tab goes round in the dialog.
    expect(await focused()).toBe('Cancel')
    await page.keyboard.press('Escape')
    await panel.dialog.waitFor({ state: 'detached' })
    expect(await panel.root.isVisible()).toBe(true)
    expect(await focused()).toBe('Close and end all terminals')
    await page.keyboard.press('Enter')
    await panel.dialog.waitFor()
    await page.keyboard.press('Shift+Tab')
    await tabTo(/^Cancel$/)
    await tabTo(/^End all$/)
    await page.keyboard.press('Enter')
    await panel.root.waitFor({ state: 'detached' })
  })

  it('composes at the cursor, and sends what was composed once', async () => {
    await using browser = await launchTestBrowser({ webgl: 'none' })
    const panel = await PanelPage.start(browser, dsh.url)
    await panel.type('echo ')
    await panel.untilText(/\$ echo$/)
    const cdp = await browser.context.newCDPSession(panel.page)
    await cdp.send('Input.imeSetComposition', { text: 'ni', selectionStart: 2, selectionEnd: 2 })
    const view = panel.root.locator('.composition-view')
    await until(async () => (await view.innerText()) === 'ni', { what: 'what is composed' })
    const box = await view.boundingBox()
    const { x, y } = await panel.cell(7, (await panel.seam())?.cursor.y ?? 0)
    expect(Math.abs((box?.x ?? 0) + 5 - x)).toBeLessThan(12)
    expect(y).toBeGreaterThan(box?.y ?? 0)
    expect(y).toBeLessThan((box?.y ?? 0) + (box?.height ?? 0))
    expect(panel.typed().endsWith('echo ')).toBe(true)
    // Enter means the composition as long as there is one.
    await cdp.send('Input.dispatchKeyEvent', {
      type: 'rawKeyDown',
      key: 'Process',
      code: 'Enter',
      windowsVirtualKeyCode: 229,
    })
    await cdp.send('Input.insertText', { text: '你好' })
    await panel.untilText(/\$ echo 你好$/)
    await until(async () => (await panel.page.locator('.composition-view.active').count()) === 0, {
      what: 'no composition',
    })
    expect(Buffer.from(panel.typed(), 'latin1').toString('utf8')).toMatch(/echo 你好$/)
    await panel.page.keyboard.press('Enter')
    await panel.untilText(/^你好$/m)
  })

  it('rings in a tab out of view, and lights up the one in view', async () => {
    await using browser = await launchTestBrowser({ webgl: 'none' })
    const panel = await PanelPage.start(browser, dsh.url)
    await panel.run(String.raw`printf '\a'`)
    await panel.page.locator('[data-tty-bell="1"]').waitFor({ state: 'attached' })
    expect(await panel.tab(0).innerText()).not.toContain('The bell rang')
    const fifo = '$HOME/ring'
    await panel.run(`mkfifo ${fifo}`)
    await panel.type(`cat ${fifo}; printf '\\a'\n`)
    await panel.newTab()
    await panel.type(`echo > ${fifo}\n`)
    await until(async () => (await panel.tab(0).textContent())?.includes('The bell rang'), {
      what: 'the mark of the bell',
    })
    await panel.tab(0).click()
    await until(async () => (await panel.tab(0).textContent())?.includes('The bell rang') === false, {
      what: 'no mark',
    })
  })

  it('is completed by a row of keys where a finger is the pointer', async () => {
    await using browser = await launchTestBrowser({ webgl: 'none', touch: true, viewport: { width: 320, height: 640 } })
    const panel = await PanelPage.start(browser, dsh.url)
    const bar = panel.root.locator('[data-tty-keybar]')
    const key = (name: string) => bar.getByRole('button', { name, exact: true })
    await bar.waitFor()
    await shoot(panel.page, 'touch-320')
    expect((await layoutOf(panel.page)).overflowX).toBeLessThanOrEqual(0)
    await panel.type('sleep 600\n')
    await key('Ctrl').tap()
    expect(await key('Ctrl').getAttribute('aria-pressed')).toBe('true')
    await panel.page.keyboard.type('c')
    await panel.untilText(/\^C\n\$$/)
    expect(await key('Ctrl').getAttribute('aria-pressed')).toBe('false')
    await panel.page.keyboard.type('echo to-$((6*7)) ')
    await key('|').tap()
    await panel.page.keyboard.type(' cat\n')
    await panel.untilText(/^to-42$/m)
    await key('Up').tap()
    await panel.untilText(/\$ echo to-\$\(\(6\*7\)\) \| cat$/)
    await key('Ctrl').tap()
    await panel.page.keyboard.type('c')
  })

  it('on the screen does not cover the prompt', async () => {
    await using browser = await launchTestBrowser({ webgl: 'none', touch: true, viewport: { width: 360, height: 640 } })
    const panel = await PanelPage.start(browser, dsh.url)
    const bottom = async (): Promise<number> => {
      const box = await panel.root.boundingBox()
      return (box?.y ?? 0) + (box?.height ?? 0)
    }
    expect(await bottom()).toBe(640)
    // Chromium without a screen has no keyboard on it: this is what it tells the page with one.
    await panel.page.evaluate(() => {
      Object.defineProperty(window.visualViewport, 'height', { get: () => 360 })
      window.visualViewport?.dispatchEvent(new Event('resize'))
    })
    await until(async () => (await bottom()) === 360, { what: 'the panel above the keyboard' })
    expect((await panel.root.boundingBox())?.y).toBeGreaterThanOrEqual(0)
    await panel.untilPrompt()
  })
})
