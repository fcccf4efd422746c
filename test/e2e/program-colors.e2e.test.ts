/** Colours that a program set with OSC 4, 10 and 11 stay until the program takes them back. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchTestBrowser } from '../support/browser.ts'
import { bootTestDsh, type TestDsh } from '../support/dsh.ts'
import { PanelPage, PLAIN_BASHRC } from '../support/panel-page.ts'
import { until } from '../support/wait.ts'

let dsh: TestDsh
beforeAll(async () => {
  dsh = await bootTestDsh({ homeFiles: PLAIN_BASHRC })
})
afterAll(() => dsh.stop())

const backgroundOf = (panel: PanelPage): Promise<string> =>
  panel.page.evaluate(() => {
    const painted = document.querySelector('[data-tty-holder] .xterm-scrollable-element')
    return painted === null ? 'nothing is painted' : getComputedStyle(painted).backgroundColor
  })

describe('the colours of a program', () => {
  it('survive another theme and a reload with a hidden panel, and go when the program resets them', async () => {
    await using browser = await launchTestBrowser({ webgl: 'none' })
    const panel = await PanelPage.start(browser, dsh.url)
    await panel.untilPrompt()
    const usual = await backgroundOf(panel)
    const own = 'rgb(18, 52, 86)'
    await panel.run(String.raw`printf '\e]11;rgb:12/34/56\e\\'`)
    await until(async () => (await backgroundOf(panel)) === own, { what: 'the colour of the program' })
    // The theme has arrived once what the program left alone has another colour.
    const lettersOf = (): Promise<string> =>
      panel.page.evaluate(() => {
        const rows = document.querySelector('[data-tty-holder] .xterm-rows')
        return rows === null ? 'nothing is painted' : getComputedStyle(rows).color
      })
    const letters = await lettersOf()
    await panel.page.emulateMedia({ colorScheme: 'dark' })
    await until(async () => (await lettersOf()) !== letters, { what: 'the other theme' })
    expect(await backgroundOf(panel)).toBe(own)
    await panel.page.emulateMedia({ colorScheme: 'light' })
    await until(async () => (await lettersOf()) === letters, { what: 'the first theme' })
    await panel.minimise()
    panel.frames.length = 0
    await panel.reload()
    await until(() => panel.sent('ack').length > 0, { what: 'the hidden terminal to have parsed the output' })
    await panel.show()
    await panel.untilPrompt()
    await until(async () => (await backgroundOf(panel)) === own, { what: 'the colour of the program after a reload' })
    await panel.run(String.raw`printf '\e]111\e\\'`)
    await until(async () => (await backgroundOf(panel)) === usual, { what: 'the colour of the theme' })
  })
})
