/** A session outlives its page: after a reload, and with a second page on it, it is the same shell, asked and answered once. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { launchTestBrowser, type TestBrowser } from '../support/browser.ts'
import { bootTestDsh, type TestDsh } from '../support/dsh.ts'
import { PanelPage, PLAIN_BASHRC } from '../support/panel-page.ts'
import { staysTrue, until } from '../support/wait.ts'

let dsh: TestDsh
let browser: TestBrowser

beforeAll(async () => {
  dsh = await bootTestDsh({ homeFiles: PLAIN_BASHRC, settings: { tty: { maxSessions: 16, reconnectGraceSec: 10 } } })
})
afterAll(() => dsh.stop())
beforeEach(async () => {
  browser = await launchTestBrowser({ webgl: 'none' })
})
afterEach(() => browser.close())

/** Asks the terminal four things, takes the answers, and prints how long they were. */
const ASK = `stty -echo; printf '\\e[c\\e[6n\\e[?2026$p\\e]11;?\\e\\\\\\e[5n'; read -rsd n R; stty echo; echo "got \${#R}"`
/** Asks one thing and takes one answer. */
const ASK_ONCE = `stty -echo; printf '\\e[c'; read -rsd c R; stty echo; echo "got \${#R}"`
const answersIn = (typed: string): number => typed.split('\u001b[?1;2c').length - 1

describe('a page that is reloaded', () => {
  it('shows the same shell with its history', async () => {
    const panel = await PanelPage.start(browser, dsh.url)
    const pid = await panel.pid()
    await panel.run('kept="before the reload"')
    await panel.run('seq 1 300')
    await panel.run(`printf '\\e[1;31m红色\\e[0m plain\\n'`)
    const before = await panel.text()
    const sid = await panel.sid()
    await panel.reload()
    await panel.untilPrompt()
    expect(await panel.sid()).toBe(sid)
    expect(await panel.text()).toBe(before)
    expect(await panel.pid()).toBe(pid)
    expect(await panel.run('echo $kept')).toBe('before the reload')
    expect(await panel.tabs()).toHaveLength(1)
  })

  it('keeps the tabs in their order, with their names and the active one', async () => {
    const panel = await PanelPage.start(browser, dsh.url)
    await panel.newTab()
    await panel.newTab()
    await panel.renameTab(1, 'build 构建')
    await panel.tab(0).click()
    await until(async () => (await panel.tabs())[0]?.isActive, { what: 'the first tab to be active' })
    const before = await panel.tabs()
    expect(before.map(({ label }) => label)).toEqual(['bash', 'build 构建', 'bash 3'])
    await panel.reload()
    await panel.untilPrompt()
    const facts = ({ sid, label, isActive }: (typeof before)[number]): unknown => ({ sid, label, isActive })
    expect((await panel.tabs()).map(facts)).toEqual(before.map(facts))
    // A hidden one is attached as well.
    await panel.tab(2).click()
    await panel.untilPrompt()
    expect(await panel.run('echo third')).toBe('third')
  })

  it('answers nothing a second time', async () => {
    const panel = await PanelPage.start(browser, dsh.url)
    expect(await panel.run(ASK)).toMatch(/^got [1-9]\d$/)
    expect(answersIn(panel.typed())).toBe(1)
    const before = await panel.text()
    panel.frames.length = 0
    await panel.reload()
    await panel.untilPrompt()
    const { offset } = (await panel.seam()) ?? {}
    expect(offset).toBeGreaterThan(0)
    // Whatever was answered would have been sent by now: this goes the same way.
    await panel.type('#')
    await panel.untilText(/\$ #$/)
    expect(panel.typed()).toBe('#')
    expect(await panel.text()).toBe(`${before} #`)
    // What is asked from now on is answered.
    await panel.press('Control+c')
    expect(await panel.run(ASK_ONCE)).toBe('got 6')
    expect(answersIn(panel.typed())).toBe(1)
  })

  it('drops a tab whose shell ended meanwhile, with one notice', async () => {
    const panel = await PanelPage.start(browser, dsh.url)
    await panel.newTab()
    const gone = await panel.sid()
    await panel.page.evaluate(() => {
      const key = 'dsh-tty.tabs'
      const stored = sessionStorage.getItem(key) ?? ''
      window.addEventListener('pagehide', () => sessionStorage.setItem(key, stored))
    })
    await panel.closeTab(1)
    await until(async () => (await panel.tabs()).length === 1, { what: 'the tab to go' })
    await panel.reload()
    await panel.notice.getByText('1 terminal ended in the meantime').waitFor()
    const tabs = await panel.tabs()
    expect(tabs).toHaveLength(1)
    expect(tabs[0]?.sid).not.toBe(gone)
    await panel.untilPrompt()
  })
})

describe('a second page on the same session', () => {
  const duplicate = async (panel: PanelPage): Promise<PanelPage> => {
    const other = await panel.duplicate(browser, { width: 800, height: 600 })
    await other.untilPrompt()
    return other
  }

  it('shows what is typed in either of them once in both, without quarrel', async () => {
    const one = await PanelPage.start(browser, dsh.url)
    const pid = await one.pid()
    const two = await duplicate(one)
    expect(await two.sid()).toBe(await one.sid())
    await one.page.bringToFront()
    await one.type('echo from-$((1+0))-page\n')
    for (const panel of [one, two]) await panel.untilText(/^from-1-page$/m)
    await two.page.bringToFront()
    expect(await two.pid()).toBe(pid)
    await two.type('echo from-$((1+1))-page\n')
    for (const panel of [one, two]) {
      const text = await panel.untilText(/^from-2-page$/m)
      for (const line of ['from-1-page', 'from-2-page']) {
        expect(text.split('\n').filter((each) => each === line)).toHaveLength(1)
      }
    }
    const requests = (): number =>
      [one, two].flatMap((panel) => ['attach', 'detach', 'resize'].flatMap((type) => panel.sent(type))).length
    const settled = requests()
    await staysTrue(() => requests() === settled, { what: 'no page attaches or resizes again', forMs: 1500 })
    expect(one.sent('attach')).toHaveLength(1)
    expect(two.sent('attach')).toHaveLength(1)
  })

  it('does not change the size by looking, but by typing', async () => {
    const one = await PanelPage.start(browser, dsh.url)
    const size = await one.run('stty size')
    const two = await duplicate(one)
    const seen = await two.seam()
    expect(seen).toMatchObject({ isDriver: false, isLetterboxed: true })
    expect(`${seen?.size.rows} ${seen?.size.cols}`).toBe(size)
    await one.page.bringToFront()
    expect(await one.run('stty size')).toBe(size)
    await two.page.bringToFront()
    const smaller = await two.run('stty size')
    expect(smaller).not.toBe(size)
    const driven = await two.seam()
    expect(driven).toMatchObject({ isDriver: true, isLetterboxed: false })
    expect(`${driven?.size.rows} ${driven?.size.cols}`).toBe(smaller)
    await until(async () => (await one.seam())?.isLetterboxed, { what: 'the first page to show the other size' })
  })

  it('leaves one to answer a device query', async () => {
    const one = await PanelPage.start(browser, dsh.url)
    expect(await one.run(ASK_ONCE)).toBe('got 6')
    expect(answersIn(one.typed())).toBe(1)
    const two = await duplicate(one)
    await one.page.bringToFront()
    expect(await one.run(ASK_ONCE)).toBe('got 6')
    const { offset = 0 } = (await one.seam()) ?? {}
    await until(async () => ((await two.seam())?.offset ?? 0) >= offset, { what: 'the second page to have parsed it' })
    expect(answersIn(one.typed()) + answersIn(two.typed())).toBe(2)
    // The one that types is the one that answers.
    await two.page.bringToFront()
    expect(await two.run(ASK_ONCE)).toBe('got 6')
    await until(async () => ((await one.seam())?.text ?? '').match(/^got 6$/gm)?.length === 3, {
      what: 'the first page to have parsed it',
    })
    expect(answersIn(one.typed()) + answersIn(two.typed())).toBe(3)
    await two.untilText(/\n\$$/)
  })

  it('goes on when the other one is closed', async () => {
    const one = await PanelPage.start(browser, dsh.url)
    const two = await duplicate(one)
    const sid = await one.sid()
    await one.page.close()
    expect(await two.run('echo alone')).toBe('alone')
    expect(await two.sid()).toBe(sid)
  })

  it('loses its tab when the other one closes the session that it does not look at', async () => {
    const one = await PanelPage.start(browser, dsh.url)
    await one.newTab()
    const two = await duplicate(one)
    await two.tab(0).click()
    await two.untilPrompt()
    await one.page.bringToFront()
    await one.closeTab(1)
    await until(async () => (await two.tabs()).length === 1, { what: 'the tab to go in the other page' })
    await one.closeTab(0)
    await two.strip.getByText('This session was closed elsewhere').waitFor()
    expect(await two.state()).toBe('over')
  })
})
