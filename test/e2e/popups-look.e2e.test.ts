/** What stands over the terminal, in both colours and languages and in a narrow window: photographed and checked with axe-core. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Locator, Page } from 'playwright-core'
import { launchTestBrowser } from '../support/browser.ts'
import { bootTestDsh, type TestDsh } from '../support/dsh.ts'
import { shoot } from '../support/gallery.ts'
import { LANGUAGES, accessibilityFaults, inBothColours, layoutOf } from '../support/look.ts'
import { PanelPage, PLAIN_BASHRC } from '../support/panel-page.ts'

describe('the look of what stands over the terminal', () => {
  let dsh: TestDsh

  beforeAll(async () => {
    dsh = await bootTestDsh({ homeFiles: PLAIN_BASHRC, settings: { tty: { maxSessions: 16, reconnectGraceSec: 1 } } })
  })
  afterAll(() => dsh.stop())

  const inspect = ({ page }: PanelPage, name: string, shown: Locator): Promise<void> =>
    inBothColours({ page, shown }, () => inspectOnce(page, name))

  const inspectOnce = async (page: Page, name: string): Promise<void> => {
    await shoot(page, name)
    const { overflowX, covered } = await layoutOf(page)
    expect({ name, overflowX: Math.max(0, overflowX), covered }).toEqual({ name, overflowX: 0, covered: [] })
    expect({ name, faults: await accessibilityFaults(page) }).toEqual({ name, faults: [] })
  }

  it.each(LANGUAGES)('is whole and accessible: $language', async ({ locale }) => {
    await using browser = await launchTestBrowser({ locale, reducedMotion: 'reduce' })
    const panel = await PanelPage.start(browser, dsh.url)
    for (const [size, width] of [
      ['wide', 1280],
      ['narrow', 320],
    ] as const) {
      await panel.page.setViewportSize({ width, height: 760 })
      const look = (what: string, shown: Locator): Promise<void> => inspect(panel, `popups-${size}-${what}`, shown)

      await panel.type(
        `clear; printf '%s\\n' 'see https://docs.test/a/long/way?to=the%20page#down' http://user@b.test\n`,
      )
      await panel.untilText('http://user@b.test\n$')
      const { x, y } = await panel.cell(8, 0)
      await panel.page.mouse.move(x, y + 60)
      await panel.page.mouse.move(x, y)
      await panel.page.locator('[data-tty-link]').waitFor()
      await look('link', panel.page.locator('[data-tty-link]'))
      await panel.page.mouse.move(x, y - 60)
      await panel.press('Control+Shift+O')
      await panel.page.locator('[data-tty-menu="links"]').waitFor()
      await look('links', panel.page.locator('[data-tty-menu="links"]'))
      await panel.page.keyboard.press('Escape')

      await panel.type('clear; for n in 1 2 3; do echo "$n: an Error, another error, 错误"; done\n')
      await panel.untilText(/3: an Error.*\n\$$/)
      await panel.press('Control+f')
      await panel.page.keyboard.type('error')
      await panel.root.locator('[data-tty-find] output').getByText('6').waitFor()
      await look('find', panel.root.locator('[data-tty-find]'))
      await panel.root.getByRole('button', { name: panel.words['find.regExp'] }).click()
      await panel.root.getByRole('textbox', { name: panel.words.find }).fill('error (')
      await panel.root.locator('[data-tty-find] [aria-invalid="true"]').waitFor()
      await look('find-bad', panel.root.locator('[data-tty-find] [aria-invalid="true"]'))
      await panel.page.keyboard.press('Escape')

      await panel.press('Control+Shift+?')
      await panel.dialog.waitFor()
      await look('help', panel.dialog)
      await panel.page.keyboard.press('Escape')
      await panel.dialog.waitFor({ state: 'detached' })

      await panel.type(`PS1='plain> ' bash --norc --noediting\n`)
      await panel.untilText(/plain>$/)
      await panel.paste('cd ~/shop\u001b[201~\nmake check &&\n\tmake deploy # \u202e')
      await panel.dialog.waitFor()
      await look('paste', panel.dialog)
      await panel.page.keyboard.press('Escape')
      await panel.dialog.waitFor({ state: 'detached' })
      await panel.type('exit\n')
      await panel.untilPrompt()
    }
  })
})
