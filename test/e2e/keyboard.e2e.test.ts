/** The panel without a mouse: everything can be reached, and one can see where one is. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchTestBrowser } from '../support/browser.ts'
import { bootTestDsh, type TestDsh } from '../support/dsh.ts'
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
})
