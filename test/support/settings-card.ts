/** The card of the terminal in the app's settings, as a person finds it. */
import type { Locator, Page, Route } from 'playwright-core'
import { en, zh, type SettingWord } from '../../protocol-src/setting-words.ts'
import { fieldOf } from '../../protocol-src/setting-fields.ts'
import { SETTING_KEYS, metaOf, type SettingKey } from '../../protocol-src/settings.ts'
import { untilUsable, type TestBrowser } from './browser.ts'
import { until } from './wait.ts'

/** Settings that a person can change in the card, in both directions. */
export const CARD_KEYS = SETTING_KEYS.filter(
  (key) => fieldOf(key).kind !== 'list' && metaOf(key).isOnlyTurnedOff !== true,
)

export class SettingsCardPage {
  readonly page: Page
  readonly dialog: Locator
  readonly card: Locator
  readonly header: Locator
  readonly outcome: Locator
  words: Readonly<Record<SettingWord, string>> = en

  private constructor(page: Page) {
    this.page = page
    this.dialog = page.getByRole('dialog')
    this.card = page.locator('[data-tty-settings]')
    this.header = this.card.locator('button[aria-expanded]')
    this.outcome = this.card.locator('output')
  }

  /** Opens the app in a new page of `browser`, its settings, and the card. */
  static async open(
    browser: TestBrowser,
    url: string,
    prepare?: (page: Page) => void | Promise<void>,
  ): Promise<SettingsCardPage> {
    return SettingsCardPage.on(await browser.open(url, prepare))
  }

  /** Opens the settings and the card in a page of the app. */
  static async on(page: Page): Promise<SettingsCardPage> {
    const card = new SettingsCardPage(page)
    const language = await page.locator('html').getAttribute('lang')
    if (language?.startsWith('zh') === true) card.words = zh
    await card.show()
    await card.expand()
    return card
  }

  /** Opens the app's settings at the plugins. */
  async show(): Promise<void> {
    // In the narrow sidebar it has no name.
    await this.page.locator('button[aria-haspopup="dialog"]').click()
    await this.dialog.getByRole('button', { name: /^(Plugins|插件)$/ }).click()
    await this.header.waitFor()
  }

  async expand(): Promise<void> {
    if ((await this.header.getAttribute('aria-expanded')) === 'false') await this.header.click()
    await this.card.locator('form').waitFor()
  }

  async reload(): Promise<void> {
    await this.page.reload()
    await untilUsable(this.page)
    await this.show()
    await this.expand()
  }

  row(key: SettingKey): Locator {
    return this.card.locator(`[data-tty-setting="${key}"]`)
  }

  control(key: SettingKey): Locator {
    return this.row(key).locator('input, select')
  }

  button(word: SettingWord): Locator {
    return this.card.getByRole('button', { name: this.words[word], exact: true })
  }

  /** The small button beside a setting. */
  act(key: SettingKey, word: 'reset' | 'elsewhere.take'): Locator {
    return this.row(key).getByText(this.words[word], { exact: true })
  }

  /** Puts a value into a field, the way a person does. */
  async put(key: SettingKey, value: unknown): Promise<void> {
    const control = this.control(key)
    switch (fieldOf(key).kind) {
      case 'switch':
        return control.setChecked(value === true)
      case 'choice':
        await control.selectOption(String(value))
        return
      case 'number':
      case 'text':
        return control.fill(String(value))
      case 'list':
        throw new TypeError(`${key} is edited elsewhere`)
    }
  }

  async shown(key: SettingKey): Promise<unknown> {
    const control = this.control(key)
    switch (fieldOf(key).kind) {
      case 'switch':
        return control.isChecked()
      case 'number':
        return Number(await control.inputValue())
      case 'choice':
      case 'text':
        return control.inputValue()
      case 'list':
        throw new TypeError(`${key} is edited elsewhere`)
    }
  }

  async allShown(): Promise<Record<string, unknown>> {
    const entries: [string, unknown][] = []
    for (const key of CARD_KEYS) entries.push([key, await this.shown(key)])
    return Object.fromEntries(entries)
  }

  /** Resolves when the card says that it saved. */
  async save(): Promise<void> {
    await this.button('save').click()
    await until(async () => (await this.outcome.innerText()).startsWith(this.words['saved.done']), {
      what: 'the card to say that it saved',
    })
  }
}

interface MutateBody {
  readonly payload: { readonly ops: { path: string[]; value?: unknown }[] }
}

/** Changes what pages ask of the settings API on its way to the host. */
export const onMutate = async (
  page: Page,
  handle: (route: Route, body: MutateBody) => Promise<void>,
): Promise<void> => {
  await page.route('**/api/settings.mutate', (route) => handle(route, route.request().postDataJSON() as MutateBody))
}
