/**
 * The terminal panel as a person uses it: a page of the app with its sidebar entry, tabs, terminal and messages.
 * What is on screen is read through the test seam of the mounted terminal, because WebGL leaves no text in the document.
 */
import type { Locator, Page, WebSocket } from 'playwright-core'
import { BINARY_HEADER_BYTES } from '../../protocol-src/binary-frame.ts'
import { WS_PATH } from '../../protocol-src/http-routes.ts'
import type { ViewSeam } from '../../client-src/terminal/view-seam.ts'
import { en, zh, type AllWords } from './all-words.ts'
import { untilUsable, type TestBrowser } from './browser.ts'
import { until } from './wait.ts'

/** A frame on the terminal's own socket, as text; binary frames are their bytes, one character each. */
export interface SeenFrame {
  readonly direction: 'sent' | 'received'
  readonly isBinary: boolean
  readonly text: string
}

/** What the tab strip says of one tab. */
export interface TabFacts {
  readonly key: string
  readonly sid: string | null
  readonly state: string
  readonly label: string
  readonly isActive: boolean
}

type SeamFacts = Pick<
  ViewSeam,
  'size' | 'isDriver' | 'renderer' | 'isLetterboxed' | 'offset' | 'isMuted' | 'cursor' | 'inexactSnapshots' | 'hash'
> & {
  readonly text: string
  readonly selection: string
}

/** Interactive shells of the tests: a prompt of two characters and nothing of the machine. */
export const PLAIN_BASHRC = { '.bashrc': `PS1='$ '\nHISTFILE=\n` }

export class PanelPage {
  readonly page: Page
  /** Frames of every generation of the terminal's socket, oldest first. */
  readonly frames: SeenFrame[] = []
  /** Sockets of the terminal that this page opened so far. */
  readonly sockets: WebSocket[] = []
  readonly root: Locator
  readonly entry: Locator
  readonly strip: Locator
  readonly cover: Locator
  readonly line: Locator
  readonly notice: Locator
  readonly journal: Locator
  readonly dialog: Locator
  /** The panel's texts in the language of the page. */
  words: AllWords = en
  #marks = 0

  private constructor(page: Page) {
    this.page = page
    this.root = page.locator('[data-tty-panel]')
    this.entry = page.locator('[data-tty-entry]')
    this.strip = page.locator('[data-tty-strip]')
    this.cover = page.locator('[data-cover="failed"]')
    this.line = page.locator('[data-tty-line]')
    this.notice = page.locator('[data-tty-notice]')
    this.journal = page.locator('[data-tty-journal]')
    this.dialog = page.getByRole('dialog')
    page.on('websocket', (socket) => {
      this.#watch(socket)
    })
  }

  /** Opens the app in a new page of `browser`. */
  static async open(browser: TestBrowser, url: string, prepare?: (page: Page) => Promise<void>): Promise<PanelPage> {
    let panel: PanelPage | undefined
    await browser.open(url, async (page) => {
      panel = new PanelPage(page)
      await prepare?.(page)
    })
    if (panel === undefined) throw new Error('the page was not prepared')
    const language = await panel.page.locator('html').getAttribute('lang')
    if (language?.startsWith('zh') === true) panel.words = zh
    return panel
  }

  /** Opens the app and its panel, and resolves when the first terminal shows its prompt. */
  static async start(browser: TestBrowser, url: string, prepare?: (page: Page) => Promise<void>): Promise<PanelPage> {
    const panel = await PanelPage.open(browser, url, prepare)
    await panel.show()
    await panel.untilPrompt()
    return panel
  }

  /** What the browser does when a person duplicates this tab of it. */
  async duplicate(browser: TestBrowser, size: { width: number; height: number }): Promise<PanelPage> {
    const entries = await this.page.evaluate(() => Object.entries(sessionStorage))
    const other = await PanelPage.open(browser, this.page.url(), async (page) => {
      await page.addInitScript((stored) => {
        for (const [key, value] of stored) sessionStorage.setItem(key, value)
      }, entries)
      await page.setViewportSize(size)
    })
    await other.root.waitFor()
    return other
  }

  async show(): Promise<void> {
    await this.entry.click()
    await this.root.waitFor()
  }

  async minimise(): Promise<void> {
    await this.tool(this.words['panel.minimise']).click()
    await this.root.waitFor({ state: 'detached' })
  }

  async reload(): Promise<void> {
    await this.page.reload()
    await untilUsable(this.page)
  }

  /** A button of the panel's header, by its accessible name. */
  tool(name: string): Locator {
    return this.root.getByRole('button', { name, exact: true })
  }

  // Tabs

  async tabs(): Promise<TabFacts[]> {
    return this.page.evaluate(() =>
      Array.from(document.querySelectorAll<HTMLElement>('[data-tty-panel] header [data-tty-tab]'), (tab) => ({
        key: tab.dataset['ttyTab'] ?? '',
        sid: tab.dataset['ttySid'] ?? null,
        state: tab.dataset['ttyState'] ?? '',
        label: tab.querySelector('[role="tab"]')?.lastElementChild?.previousElementSibling?.textContent ?? '',
        isActive: tab.dataset['active'] === 'true',
      })),
    )
  }

  tab(index: number): Locator {
    return this.root.getByRole('tab').nth(index)
  }

  /** Opens one more terminal and resolves at its prompt. */
  async newTab(): Promise<void> {
    const before = (await this.tabs()).length
    await this.tool(this.words['tab.new']).click()
    await until(async () => (await this.tabs()).length === before + 1, { what: 'one more tab' })
    await this.untilPrompt()
  }

  async closeTab(index: number): Promise<void> {
    await this.root
      .locator('header [data-tty-tab]')
      .nth(index)
      .getByRole('button', { name: this.words['tab.close'].replace('{title}', '').trim() })
      .click()
  }

  async renameTab(index: number, title: string): Promise<void> {
    await this.tab(index).dblclick()
    await this.root.getByRole('textbox', { name: this.words['tab.rename'] }).fill(title)
    await this.page.keyboard.press('Enter')
  }

  // The active terminal

  /** `live`, `disconnected`, …; null without a tab or panel. */
  async state(): Promise<string | null> {
    return this.page.evaluate(
      () => document.querySelector<HTMLElement>('[data-tty-panel]')?.dataset['ttyState'] ?? null,
    )
  }

  async untilState(state: string, timeoutMs = 20_000): Promise<void> {
    await until(async () => (await this.state()) === state, { what: `the tab to be ${state}`, timeoutMs })
  }

  /** Session of the active tab. */
  async sid(): Promise<string> {
    return until(
      () =>
        this.page.evaluate(() => document.querySelector<HTMLElement>('[data-tty-panel]')?.dataset['ttySid'] ?? null),
      { what: 'a session in the active tab' },
    )
  }

  /** What the mounted terminal says of itself, or null when none is on screen. */
  async seam(): Promise<SeamFacts | null> {
    return this.page.evaluate(() => {
      const holder = document.querySelector('[data-tty-panel] [data-tty-holder]')
      const seam = (holder as unknown as Record<symbol, ViewSeam | undefined> | null)?.[Symbol.for('dsh-tty.view')]
      if (seam === undefined) return null
      const { size, isDriver, renderer, isLetterboxed, offset, isMuted, cursor, selection } = seam
      const { inexactSnapshots, hash } = seam
      const state = { size, isDriver, renderer, isLetterboxed, offset, isMuted, cursor, selection }
      return { ...state, inexactSnapshots, hash, text: seam.text() }
    })
  }

  /** The whole buffer of the active terminal, lines without their trailing blanks. */
  async text(): Promise<string> {
    return (await this.seam())?.text ?? ''
  }

  async lines(): Promise<string[]> {
    return (await this.text()).split('\n')
  }

  async untilText(wanted: string | RegExp, timeoutMs = 15_000): Promise<string> {
    return until(
      async () => {
        const text = await this.text()
        if (typeof wanted === 'string' ? text.includes(wanted) : wanted.test(text)) return text
        return false
      },
      { what: `${String(wanted)} on the screen`, timeoutMs },
    ).catch(async (error: unknown) => {
      throw new Error(`${String(error)}\nThe screen is:\n${(await this.text()).slice(-2000)}`, { cause: error })
    })
  }

  /** Resolves when the last line is an empty prompt and the tab is live. */
  async untilPrompt(): Promise<void> {
    await this.untilState('live')
    // Trailing blanks are not part of a line.
    await this.untilText(/(?:^|\n)\$$/)
  }

  async focusTerminal(): Promise<void> {
    await this.root.locator('[data-tty-holder] textarea').focus()
  }

  async type(text: string): Promise<void> {
    await this.focusTerminal()
    await this.page.keyboard.type(text)
  }

  async press(...keys: readonly string[]): Promise<void> {
    await this.focusTerminal()
    for (const key of keys) await this.page.keyboard.press(key)
  }

  /** Types a command line and resolves with what it printed, once it has ended. */
  async run(command: string, timeoutMs?: number): Promise<string> {
    this.#marks += 1
    // Spelled so that the echo of the typed line is not taken for the marks.
    const mark = `${String(this.#marks)}_${Math.random().toString(36).slice(2, 8)}`
    await this.type(`echo be''gin_${mark}; ${command}; echo e''nd_${mark}\n`)
    const output = new RegExp(`^begin_${mark}\\n([^]*?)^end_${mark}$`, 'm')
    return (output.exec(await this.untilText(output, timeoutMs))?.[1] ?? '').trimEnd()
  }

  /** Process id of the shell. */
  async pid(): Promise<number> {
    return Number(await this.run('echo $$'))
  }

  /** Pastes `text` as the browser's own paste event does. */
  async paste(text: string): Promise<void> {
    await this.page.evaluate((value) => navigator.clipboard.writeText(value), text)
    await this.press('Control+Shift+V')
  }

  /** Where a cell of the screen is in the window. */
  async cell(column: number, row: number): Promise<{ x: number; y: number }> {
    const box = await this.root.locator('.xterm-screen').boundingBox()
    const { cols, rows } = (await this.seam())?.size ?? { cols: 0, rows: 0 }
    if (box === null) throw new Error('no terminal is on screen')
    return { x: box.x + ((column + 0.5) * box.width) / cols, y: box.y + ((row + 0.5) * box.height) / rows }
  }

  // Frames

  /** Frames that this page sent, of one type (`attach`, `resize`, …). */
  sent(type: string): SeenFrame[] {
    return this.frames.filter(({ direction, text }) => direction === 'sent' && text.startsWith(`{"type":"${type}"`))
  }

  /** Bytes typed into any session, in order, one character each. */
  typed(): string {
    const inputs = this.frames.filter(({ direction, isBinary }) => direction === 'sent' && isBinary)
    return inputs.map(({ text }) => text.slice(BINARY_HEADER_BYTES)).join('')
  }

  #watch(socket: WebSocket): void {
    if (new URL(socket.url()).pathname !== WS_PATH) return
    this.sockets.push(socket)
    const keep = (direction: SeenFrame['direction'], payload: string | Buffer): void => {
      const isBinary = typeof payload !== 'string'
      this.frames.push({ direction, isBinary, text: isBinary ? payload.toString('latin1') : payload })
    }
    socket.on('framesent', ({ payload }) => {
      keep('sent', payload)
    })
    socket.on('framereceived', ({ payload }) => {
      keep('received', payload)
    })
  }
}
