/** Links in the output: what opens and what never does, and what a person is told before. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchTestBrowser } from '../support/browser.ts'
import { bootTestDsh, type TestDsh } from '../support/dsh.ts'
import { PanelPage, PLAIN_BASHRC } from '../support/panel-page.ts'
import { until } from '../support/wait.ts'

const declared = (target: string, text = 'label'): string => `\u001b]8;;${target}\u001b\\${text}\u001b]8;;\u001b\\`
const LONG = `https://long.test/${'x'.repeat(100 * 1024)}`

/** What is printed, and what it may open. */
const LINES: readonly { readonly printed: string; readonly opens: string | null }[] = [
  { printed: declared('https://declared.test/a?b=c'), opens: 'https://declared.test/a?b=c' },
  { printed: declared('https://evil.test/', 'https://good.test/'), opens: 'https://evil.test/' },
  { printed: declared('https://good.test@evil.test'), opens: 'https://good.test@evil.test/' },
  { printed: declared('HTTP://CAPITALS.test/A'), opens: 'http://capitals.test/A' },
  { printed: declared('https://xn--e1awd7f.test/'), opens: 'https://xn--e1awd7f.test/' },
  { printed: declared('javascript:window.__ran=1'), opens: null },
  { printed: declared('JaVaScRiPt:window.__ran=1'), opens: null },
  { printed: declared(' javascript:window.__ran=1'), opens: null },
  { printed: declared('java\tscript:window.__ran=1'), opens: null },
  { printed: declared('data:text/html,x'), opens: null },
  { printed: declared('vbscript:x'), opens: null },
  { printed: declared('file:///etc/passwd'), opens: null },
  { printed: declared('//evil.test'), opens: null },
  { printed: declared('https:evil.test'), opens: null },
  { printed: declared('https://'), opens: null },
  { printed: declared(LONG), opens: null },
  { printed: 'https://plain.test/x.', opens: 'https://plain.test/x' },
  { printed: 'javascript:window.__ran=1', opens: null },
  { printed: 'file:///etc/passwd', opens: null },
  { printed: '//evil.test/x', opens: null },
  { printed: '/etc/passwd:1', opens: null },
]

describe('links', () => {
  let dsh: TestDsh

  beforeAll(async () => {
    dsh = await bootTestDsh({
      homeFiles: {
        ...PLAIN_BASHRC,
        'links.txt': `${LINES.map(({ printed }) => printed).join('\r\n')}\r\n`,
        'wrapped.txt': `看 https://wrapped.test/${'long/'.repeat(40)}end?x=(y) (https://second.test/),\r\n`,
      },
      settings: { tty: { maxSessions: 16, reconnectGraceSec: 60 } },
    })
  })
  afterAll(() => dsh.stop())

  const opened = (panel: PanelPage): Promise<string[][]> =>
    panel.page.evaluate(() => (window as unknown as { opened: string[][] }).opened)
  const tip = async (panel: PanelPage): Promise<string | null> => {
    const shown = panel.page.locator('[data-tty-link] > span')
    return (await shown.count()) === 0 ? null : shown.textContent()
  }
  const start = (browser: Awaited<ReturnType<typeof launchTestBrowser>>): Promise<PanelPage> =>
    PanelPage.start(browser, dsh.url, async (page) => {
      await page.addInitScript(() => {
        const calls: unknown[][] = []
        Object.assign(window, { opened: calls })
        window.open = (...args: unknown[]) => {
          calls.push(args)
          return null
        }
      })
      await page.setViewportSize({ width: 1000, height: 1100 })
    })
  const maximised = async (panel: PanelPage): Promise<void> => {
    await panel.tool(panel.words['panel.maximise']).click()
    await until(async () => ((await panel.seam())?.size.rows ?? 0) > LINES.length + 4, { what: 'a tall terminal' })
  }

  it('show where they lead, and open with Ctrl and a click only, and only web addresses', async () => {
    await using browser = await launchTestBrowser({ webgl: 'none' })
    const panel = await start(browser)
    const { page } = panel
    await maximised(panel)
    await panel.type(`clear; cat links.txt\n`)
    await panel.untilText('/etc/passwd:1')
    const found: { printed: string; shown: string | null; opens: string[][] }[] = []
    for (const [row, { printed, opens }] of LINES.entries()) {
      const before = (await opened(panel)).length
      const { x, y } = await panel.cell(2, row)
      await page.mouse.move(x, y + 400)
      await page.mouse.move(x, y)
      if (opens !== null) await until(async () => (await tip(panel)) !== null, { what: `what ${printed} leads to` })
      const shown = await tip(panel)
      await page.mouse.click(x, y)
      expect(await opened(panel)).toHaveLength(before)
      await page.keyboard.down('Control')
      await page.mouse.click(x, y)
      await page.keyboard.up('Control')
      found.push({ printed, shown, opens: (await opened(panel)).slice(before) })
    }
    expect(found).toEqual(
      LINES.map(({ printed, opens }) => ({
        printed,
        shown: opens,
        opens: opens === null ? [] : [[opens, '_blank', 'noopener,noreferrer']],
      })),
    )
    // What comes before the "@" is not what it leads to.
    const misleading = await panel.cell(2, 2)
    await page.mouse.move(misleading.x, misleading.y + 400)
    await page.mouse.move(misleading.x, misleading.y)
    await until(async () => (await page.locator('[data-tty-link] strong').textContent()) === 'evil.test', {
      what: 'whose address it is',
    })
    expect(await page.evaluate(() => (window as unknown as { __ran?: number }).__ran)).toBeUndefined()
    expect(browser.context.pages()).toHaveLength(2)

    await panel.reload()
    await panel.untilText('/etc/passwd:1')
    expect(await opened(panel)).toEqual([])
    expect(await tip(panel)).toBeNull()
  })

  it('are found over the rows they wrap to, without what is around them', async () => {
    await using browser = await launchTestBrowser({ webgl: 'none' })
    const panel = await start(browser)
    await panel.type('clear; cat wrapped.txt\n')
    const wrapped = `https://wrapped.test/${'long/'.repeat(40)}end?x=(y)`
    await panel.untilText(/test\/\),\n\$$/)
    for (const [column, row] of [
      [3, 0],
      [0, 1],
    ] as const) {
      const { x, y } = await panel.cell(column, row)
      await panel.page.mouse.move(x, y + 100)
      await panel.page.mouse.move(x, y)
      await until(async () => (await tip(panel)) === wrapped, { what: `the whole address from row ${row}` })
    }
    const outside = await panel.cell(0, 0)
    await panel.page.mouse.move(outside.x, outside.y)
    await until(async () => (await tip(panel)) === null, { what: 'no address on the character before it' })
  })

  it('can be chosen and opened with the keyboard', async () => {
    await using browser = await launchTestBrowser({ webgl: 'none' })
    const panel = await start(browser)
    const { page } = panel
    const list = page.locator('[data-tty-menu="links"]')
    const isInTerminal = (): Promise<boolean> =>
      page.evaluate(() => document.activeElement?.closest('[data-tty-holder]') !== null)
    await panel.press('Control+Shift+O')
    await list.getByText(panel.words['links.none']).waitFor()
    await page.keyboard.press('Escape')
    await list.waitFor({ state: 'detached' })
    expect(await isInTerminal()).toBe(true)

    await maximised(panel)
    await panel.type(`clear; cat links.txt\n`)
    await panel.untilText('/etc/passwd:1')
    await panel.press('Control+Shift+O')
    await list.waitFor()
    const targets = LINES.flatMap(({ opens }) => opens ?? [])
    // The text that looks like an address is one as well, and leads where it says.
    expect(new Set(await list.getByRole('menuitem').allTextContents())).toEqual(
      new Set([...targets, 'https://good.test/']),
    )
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    const chosen = await page.evaluate(() => document.activeElement?.textContent ?? '')
    expect(await opened(panel)).toEqual([])
    await page.keyboard.press('Enter')
    await list.waitFor({ state: 'detached' })
    expect(await opened(panel)).toEqual([[chosen, '_blank', 'noopener,noreferrer']])
    expect(await isInTerminal()).toBe(true)
    expect(panel.typed()).not.toContain('\u000f')
  })
})
