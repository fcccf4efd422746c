/** Copy and paste: which keys, which bytes, and what a hostile clipboard cannot do. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { launchTestBrowser, type TestBrowser } from '../support/browser.ts'
import { bootTestDsh, type TestDsh } from '../support/dsh.ts'
import { PanelPage, PLAIN_BASHRC } from '../support/panel-page.ts'
import { until } from '../support/wait.ts'

const START = '\u001b[200~'
const END = '\u001b[201~'
/** ESC, and the C1 controls as a terminal's input encodes them; `latin1` shows each byte. */
// oxlint-disable-next-line no-control-regex -- control characters are the point
const CONTROL = /[\u001b\u009b]|\u00c2[\u0080-\u009f]/

describe('the clipboard', () => {
  let dsh: TestDsh
  let browser: TestBrowser

  beforeAll(async () => {
    dsh = await bootTestDsh({ homeFiles: PLAIN_BASHRC, settings: { tty: { maxSessions: 16, reconnectGraceSec: 1 } } })
  })
  afterAll(() => dsh.stop())
  beforeEach(async () => {
    browser = await launchTestBrowser({ webgl: 'none' })
  })
  afterEach(() => browser.close())

  /** Selects the word that is a whole line of the screen and `cells` wide. */
  const select = async (panel: PanelPage, word: string, cells = word.length): Promise<void> => {
    const row = (await panel.lines()).indexOf(word)
    expect(row).toBeGreaterThan(0)
    await panel.page.evaluate(
      (place) => {
        const holder = document.querySelector('[data-tty-panel] [data-tty-holder]')
        const seams = holder as unknown as Record<symbol, { select(place: object): void }>
        seams[Symbol.for('dsh-tty.view')]?.select(place)
      },
      { column: 0, row, length: cells },
    )
    expect((await panel.seam())?.selection).toBe(word)
  }
  const clipboard = (panel: PanelPage): Promise<string> => panel.page.evaluate(() => navigator.clipboard.readText())

  it('copies with Ctrl+C while text is selected, and interrupts without', async () => {
    const panel = await PanelPage.start(browser, dsh.url)
    await panel.run('echo copied-word')
    await panel.type('sleep 9993\n')
    await until(() => dsh.processes().some(({ argv }) => argv.join(' ') === 'sleep 9993'), { what: 'the program' })
    await select(panel, 'copied-word')
    await panel.press('Control+c')
    await until(async () => (await clipboard(panel)) === 'copied-word', { what: 'the text in the clipboard' })
    expect(panel.typed()).not.toContain('\u0003')
    expect((await panel.seam())?.selection).toBe('')
    await panel.press('Control+c')
    await panel.untilPrompt()
    expect(panel.typed().split('\u0003')).toHaveLength(2)
    expect(dsh.processes().some(({ argv }) => argv.join(' ') === 'sleep 9993')).toBe(false)
  })

  it('copies with Ctrl+Shift+C and pastes with Ctrl+Shift+V', async () => {
    const panel = await PanelPage.start(browser, dsh.url)
    await panel.run('echo 第二个词')
    await select(panel, '第二个词', 8)
    await panel.press('Control+Shift+C')
    await until(async () => (await clipboard(panel)) === '第二个词', { what: 'the text in the clipboard' })
    await panel.type('echo pasted-')
    await panel.press('Control+Shift+V')
    await panel.untilText(/\$ echo pasted-第二个词$/)
    await panel.press('Enter')
    await panel.untilText(/^pasted-第二个词$/m)
    expect(panel.typed()).not.toContain('\u0003')
  })

  it('pastes lines as a keyboard would send them, bracketed where the program asked', async () => {
    const panel = await PanelPage.start(browser, dsh.url)
    const pasted = async (): Promise<string> => {
      const before = panel.typed().length
      await panel.paste('a\r\nb\nc')
      await until(() => panel.typed().slice(before).includes('c'), { what: 'the paste' })
      return panel.typed().slice(before)
    }
    // Nothing but these programs reads what is pasted.
    await panel.type(
      `stty -echo; printf '\\e[?2004h'"re"'ady\\n'; head -n 3 >bracketed; printf '\\e[?2004l'; stty echo\n`,
    )
    await panel.untilText(/^ready$/m)
    expect(await pasted()).toBe(`${START}a\rb\rc${END}`)
    await panel.press('Enter')
    await panel.untilPrompt()
    expect(await panel.run('cat -v bracketed')).toBe('^[[200~a\nb\nc^[[201~')
    await panel.type(`stty -echo; echo pla''in; head -n 3 >plain; stty echo\n`)
    await panel.untilText(/^plain$/m)
    expect(await pasted()).toBe('a\rb\rc')
    await panel.press('Enter')
    await panel.untilPrompt()
    expect(await panel.run('cat -v plain')).toBe('a\nb\nc')
  })

  it('runs nothing of a paste that tries to end its bracket or to ask something', async () => {
    const pastes = {
      'ends the bracket itself': `echo safe${END}\nid >pwned\n${START}`,
      'uses the eight-bit form': 'echo safe\u009b201~\nid >pwned\n\u009b200~',
      'nests one end in another': `echo safe\u001b[20${END}1~\nid >pwned\n`,
      'asks the terminal something': 'echo safe\u001b[c\u001b]52;c;?\u0007\u001bP$qm\u001b\\\nid >pwned\n',
    }
    const panel = await PanelPage.start(browser, dsh.url)
    for (const [what, text] of Object.entries(pastes)) {
      const before = panel.typed().length
      await panel.paste(text)
      await until(() => panel.typed().slice(before).endsWith(END), { what: `the paste that ${what}` })
      const typed = panel.typed().slice(before)
      expect({ what, isBracketed: typed.startsWith(START) }).toEqual({ what, isBracketed: true })
      const inside = typed.slice(START.length, -END.length)
      expect(inside).toContain('pwned')
      expect({ what, control: CONTROL.exec(inside) }).toEqual({ what, control: null })
      await panel.press('Control+c')
      expect(await panel.run('echo next')).toBe('next')
      expect({ what, hasRun: existsSync(join(dsh.home, 'pwned')) }).toEqual({ what, hasRun: false })
    }
  })

  it('copies and pastes where the page may not use the clipboard by itself', async () => {
    const panel = await PanelPage.start(browser, dsh.url, async (page) => {
      await page.addInitScript(() => {
        Object.defineProperty(navigator, 'clipboard', { value: undefined })
      })
    })
    await panel.run('echo lonely-word')
    await select(panel, 'lonely-word')
    await panel.press('Control+Shift+C')
    await panel.press('Control+Shift+V')
    await panel.untilText(/\$ lonely-word$/)
    expect(await panel.notice.count()).toBe(0)
    await panel.press('Control+c')
    expect(await panel.run('echo fine')).toBe('fine')
  })
})
