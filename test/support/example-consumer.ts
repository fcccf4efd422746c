/** The example plugin of examples/ in a page of the app: its card, and the terminal in an element of its own. */
import type { Locator, Page } from 'playwright-core'
import { inRoot } from '../../scripts/project.ts'
import type { ViewSeam } from '../../client-src/terminal/view-seam.ts'
import { until } from './wait.ts'

export const EXAMPLE_CONSUMER = inRoot('examples', 'example-consumer')

export class ExampleConsumer {
  readonly page: Page
  readonly entry: Locator
  readonly card: Locator
  readonly answer: Locator
  /** The terminal in the card. */
  readonly mounted: Locator

  constructor(page: Page) {
    this.page = page
    this.entry = page.getByRole('button', { name: /^(Terminal example|终端示例)$/ })
    this.card = page.locator('[data-example]')
    this.answer = page.locator('[data-example-answer]')
    this.mounted = page.locator('[data-example-host] [data-tty-mount]')
  }

  async open(): Promise<void> {
    await this.entry.click()
    await this.card.waitFor()
  }

  button(name: RegExp): Locator {
    return this.card.getByRole('button', { name })
  }

  /** What the terminal in the card shows. */
  async text(): Promise<string> {
    return this.page.evaluate(() => {
      const holder = document.querySelector('[data-example-host] [data-tty-holder]')
      const seam = (holder as unknown as Record<symbol, ViewSeam | undefined> | null)?.[Symbol.for('dsh-tty.view')]
      return seam?.text() ?? ''
    })
  }

  async untilText(wanted: RegExp): Promise<RegExpExecArray> {
    let seen = ''
    return until(
      async () => {
        seen = await this.text()
        return wanted.exec(seen) ?? false
      },
      { what: `${String(wanted)} in the terminal of the example`, timeoutMs: 20_000 },
    ).catch((error: unknown) => {
      throw new Error(`${String(error)}\nIt shows:\n${seen.slice(-1000)}`, { cause: error })
    })
  }

  async type(text: string): Promise<void> {
    await this.mounted.locator('[data-tty-holder] textarea').focus()
    await this.page.keyboard.type(text)
  }
}
