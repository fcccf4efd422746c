/** Chromium for tests of the assembled app: opens pages past the onboarding, and fails on errors nobody expected. */
import type { BrowserContext, ConsoleMessage, Page } from 'playwright-core'
import { takeChromium } from './chromium.ts'
import { until } from './wait.ts'

const DEFAULT_VIEWPORT = { width: 1280, height: 800 }
const PAGE_LIMIT_MS = 30_000
/** Looks at a usable page, one after the other, by which the notices for a newcomer have come. */
export const NOTICE_LOOKS = 5

/** What Chromium says while a host is away, or a request or socket to it is cut: for `expectedErrors`. */
export const NETWORK_ERRORS = /net::ERR_|WebSocket connection to|Failed to fetch|Failed to load resource/

/** How the browser looks to the app. */
export interface TestBrowserOptions {
  colorScheme?: 'light' | 'dark'
  /** BCP 47 tag; the app follows it: `en-US` or `zh-CN`. */
  locale?: string
  /** CSS pixels. */
  viewport?: { width: number; height: number }
  reducedMotion?: 'reduce' | 'no-preference'
  /** A finger is the pointer. */
  touch?: boolean
  /** A browser in which nobody has seen the panel; otherwise the first hint was taken away. */
  isFirstRun?: boolean
  /**
   * `none`: WebGL fails, and the terminal is drawn by the DOM. `software`: WebGL works, and takes several times the processor
   * for every picture; for tests of what is drawn with it.
   */
  webgl?: 'software' | 'none'
  /** The host does not know this person yet: its notices come, a moment after the page, and are clicked away. */
  isNewcomer?: boolean
  /** Console and page errors that are part of the test; matched against the whole text. */
  expectedErrors?: readonly RegExp[]
}

/** A browser with nothing in its profile. Pages of it share cookies and storage, as tabs of a person's browser do. */
export interface TestBrowser extends AsyncDisposable {
  readonly context: BrowserContext
  /**
   * Opens the app in a new page and resolves when it can be used: loaded, onboarding gone, nothing inert.
   * `prepare` gets the empty page first, for listeners and init scripts.
   */
  open(url: string, prepare?: (page: Page) => void | Promise<void>): Promise<Page>
  /** Adds to `expectedErrors` from now on. */
  expectErrors(...patterns: readonly RegExp[]): void
  /** Console errors and page errors so far that no pattern expects. */
  unexpectedErrors(): readonly string[]
  /** Ends its pages, and forgets what they stored. Rejects when there were unexpected errors. */
  close(): Promise<void>
}

/** Takes a browser; rejects when Chromium is not installed. */
export const launchTestBrowser = async (options: TestBrowserOptions = {}): Promise<TestBrowser> => {
  const { colorScheme = 'light', reducedMotion = 'no-preference', viewport = DEFAULT_VIEWPORT } = options
  const { webgl = 'none', locale = 'en-US', touch = false } = options
  const expected: RegExp[] = [...(options.expectedErrors ?? [])]
  const errors: string[] = []
  const note = (text: string): void => {
    if (!expected.some((pattern) => pattern.test(text))) errors.push(text)
  }
  const running = await takeChromium({ webgl, locale, touch }, (page) => watchErrors(page, note))
  const { context } = running
  context.setDefaultTimeout(PAGE_LIMIT_MS)
  const browser: TestBrowser = {
    context,
    open: async (url, prepare) => {
      const page = await context.newPage()
      await page.setViewportSize(viewport)
      await page.emulateMedia({ colorScheme, reducedMotion })
      if (options.isFirstRun !== true) await page.addInitScript(takeHintAway)
      await prepare?.(page)
      await page.goto(url, { waitUntil: 'load' })
      await untilUsable(page, options.isNewcomer === true ? NOTICE_LOOKS : 1)
      return page
    },
    expectErrors: (...patterns) => void expected.push(...patterns),
    unexpectedErrors: () => errors,
    close: async () => {
      await running.giveBack()
      if (errors.length > 0) throw new Error(`The page reported errors:\n${errors.join('\n')}`)
    },
    [Symbol.asyncDispose]: () => browser.close(),
  }
  return browser
}

const takeHintAway = (): void => {
  try {
    localStorage.setItem('dsh-tty.hint', JSON.stringify({ v: 1, seen: true }))
  } catch {
    // A page without storage.
  }
}

const watchErrors = (page: Page, note: (text: string) => void): void => {
  page.on('pageerror', (error) => note(`page error: ${error.stack ?? error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error') note(`console error: ${message.text()} (${whereFrom(message)})`)
  })
}

const whereFrom = (message: ConsoleMessage): string => {
  const { url, lineNumber } = message.location()
  return `${url}:${lineNumber}`
}

/**
 * Resolves when the app can be clicked. The first-run notice and the "no key" page make everything under `#root` inert;
 * both are clicked away as long as they come. Call it again after a reload.
 * @param looks how often in a row it must be found usable
 */
export const untilUsable = async (page: Page, looks = 1): Promise<void> => {
  const dismiss = page.getByRole('button', { name: /^(Continue|继续|Configure later|稍后配置)$/ })
  const shell = page.locator('[data-shell-overlay]')
  let quietLooks = 0
  await until(
    async () => {
      const button = dismiss.first()
      if (await button.isVisible()) {
        await button.click({ timeout: 1000 }).catch(() => {}) // it may leave under the click
        quietLooks = 0
        return false
      }
      const isInert = await page.evaluate(() => document.querySelector<HTMLElement>('#root')?.inert ?? true)
      const isThere = (await shell.count()) > 0
      quietLooks = isThere && !isInert ? quietLooks + 1 : 0
      return quietLooks >= looks
    },
    { what: 'the app to be usable', timeoutMs: PAGE_LIMIT_MS, pollMs: 80 },
  )
}
