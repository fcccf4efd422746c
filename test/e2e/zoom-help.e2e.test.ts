/** The size of the letters in this browser, and the list of keys. */
import { describe, expect, it } from 'vitest'
import { BINDINGS } from '../../client-src/keys.ts'
import { connectDshApi } from '../support/dsh-api.ts'
import { usePanelHost } from '../support/panel-host.ts'
import { PanelPage } from '../support/panel-page.ts'
import { until } from '../support/wait.ts'

describe('zoom and help', () => {
  const on = usePanelHost({ tty: { reconnectGraceSec: 60, fontSize: 13 } })

  const fontSize = (panel: PanelPage): Promise<number> =>
    panel.root.locator('.xterm-rows').evaluate((rows) => Number.parseFloat(getComputedStyle(rows).fontSize))
  const untilSize = (panel: PanelPage, size: number): Promise<unknown> =>
    until(async () => (await fontSize(panel)) === size, { what: `letters of ${size} pixels` })

  it('changes the letters of every terminal of this browser, over the setting, and remembers it', async () => {
    const api = await connectDshApi(on.dsh.url)
    const panel = await PanelPage.start(on.browser, on.dsh.url)
    const typed = panel.typed().length
    await panel.newTab()
    const cols = (await panel.seam())?.size.cols ?? 0
    expect(await fontSize(panel)).toBe(13)
    for (let step = 1; step <= 5; step += 1) await panel.press('Control+=')
    await untilSize(panel, 18)
    expect(panel.typed().slice(typed)).toBe('')
    await until(async () => ((await panel.seam())?.size.cols ?? cols) < cols, { what: 'fewer columns' })
    // The steps arrive one after the other.
    await until(
      async () => {
        const said = await panel.run('stty size')
        const size = (await panel.seam())?.size
        return said === `${size?.rows} ${size?.cols}`
      },
      { what: 'the program to have the size on screen' },
    )
    await panel.tab(0).click()
    await untilSize(panel, 18)
    await panel.press('Control+-')
    await untilSize(panel, 17)

    await api.call('settings.update', { ns: 'tty', patch: { fontSize: 20 } })
    await untilSize(panel, 24)
    await panel.reload()
    await panel.root.waitFor()
    await untilSize(panel, 24)
    expect(await panel.page.evaluate(() => localStorage.getItem('dsh-tty.zoom'))).toBe('{"v":1,"by":4}')
    for (let step = 1; step <= 12; step += 1) await panel.press('Control+=')
    await untilSize(panel, 32)
    await panel.press('Control+0')
    await untilSize(panel, 20)
    for (let step = 1; step <= 15; step += 1) await panel.press('Control+-')
    await untilSize(panel, 8)
    await panel.press('Control+0')
    await untilSize(panel, 20)
    await api.call('settings.update', { ns: 'tty', patch: { fontSize: 13 } })
    await untilSize(panel, 13)
    api.close()
  })

  it('leaves the keys to the browser outside the terminal, and starts as set from a damaged memory', async () => {
    const panel = await PanelPage.start(on.browser, on.dsh.url, async (page) => {
      await page.addInitScript(() => {
        localStorage.setItem('dsh-tty.zoom', '{"v":1,"by":"9"}')
      })
    })
    await untilSize(panel, 13)
    const isTaken = await panel
      .tab(0)
      .evaluate(
        (tab) =>
          !tab.dispatchEvent(
            new KeyboardEvent('keydown', { key: '=', ctrlKey: true, bubbles: true, cancelable: true }),
          ),
      )
    expect(isTaken).toBe(false)
    await untilSize(panel, 13)
  })

  it('lists every key of the one table, by key and by button, and gives the keyboard back', async () => {
    const panel = await PanelPage.start(on.browser, on.dsh.url)
    const { page, words } = panel
    const isInTerminal = (): Promise<boolean> =>
      page.evaluate(() => document.activeElement?.closest('[data-tty-holder]') !== null)
    const close = async (): Promise<void> => {
      await page.keyboard.press('Escape')
      await panel.dialog.waitFor({ state: 'detached' })
      expect(await panel.root.count()).toBe(1)
    }
    await panel.press('Control+Shift+?')
    await panel.dialog.locator('[data-tty-help="ready"]').waitFor()
    const rows = await panel.dialog.locator('dt').allTextContents()
    expect(rows).toEqual(Object.keys(BINDINGS).map((id) => words[`key.${id as keyof typeof BINDINGS}`]))
    expect(await panel.dialog.locator('kbd').count()).toBe(Object.values(BINDINGS).flatMap(({ keys }) => keys).length)
    await close()
    expect(await isInTerminal()).toBe(true)

    await panel.tab(0).focus()
    await page.keyboard.press('?')
    await panel.dialog.waitFor()
    // The keyboard stays in it.
    for (let step = 0; step < 5; step += 1) await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.closest('[role="dialog"]') !== null)).toBe(true)
    await close()
    expect(await panel.tab(0).evaluate((tab) => document.activeElement === tab)).toBe(true)

    await panel.tool(words['panel.float']).click()
    await panel.tool(words.help).click()
    await panel.dialog.waitFor()
    await close()

    await panel.type('echo really?\n')
    await panel.untilText(/^really\?$/m)
    expect(await panel.dialog.count()).toBe(0)
  })
})
