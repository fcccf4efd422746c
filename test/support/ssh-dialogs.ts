/** The dialogs about other machines, as a person uses them. */
import type { Locator, Page } from 'playwright-core'
import { en, zh, type SshWord } from '../../client-src/ssh/words.ts'
import type { PanelPage } from './panel-page.ts'

export type EntryField = 'name' | 'host' | 'port' | 'username' | 'keyPath' | 'password' | 'passphrase'

export class SshDialogsPage {
  readonly panel: PanelPage
  readonly page: Page
  readonly words: Readonly<Record<SshWord, string>>

  constructor(panel: PanelPage) {
    this.panel = panel
    this.page = panel.page
    this.words = panel.words.entry === '终端' ? zh : en
  }

  /** The dialog of that kind. */
  dialog(name: 'entry' | 'book' | 'host-keys' | 'import' | 'host-key' | 'prompts'): Locator {
    return this.page.getByRole('dialog').filter({ has: this.page.locator(`[data-tty-ssh="${name}"]`) })
  }

  button(dialog: Locator, word: SshWord): Locator {
    return dialog.getByRole('button', { name: this.words[word], exact: true })
  }

  /** Chooses something in the "+" menu. */
  async plus(label: string): Promise<void> {
    await this.page.getByRole('button', { name: this.panel.words['tab.new.more'] }).click()
    await this.page.getByRole('menuitem', { name: label }).first().click()
  }

  /** Opens the form of a new connection. */
  async newEntry(): Promise<Locator> {
    await this.plus(this.panel.words['plus.ssh.new'])
    const dialog = this.dialog('entry')
    await dialog.waitFor()
    return dialog
  }

  async fill(values: Partial<Record<EntryField, string>> & { auth?: 'agent' | 'key' | 'password' }): Promise<void> {
    const { auth, ...texts } = values
    const dialog = this.dialog('entry')
    if (auth !== undefined) await dialog.locator('[data-tty-field="auth"] select').selectOption(auth)
    for (const [field, text] of Object.entries(texts))
      await dialog.locator(`[data-tty-field="${field}"] input`).fill(text)
  }

  /** The fingerprint that the question about a new machine shows. */
  async fingerprint(): Promise<string> {
    return this.dialog('host-key').locator('[data-tty-fingerprint]').innerText()
  }

  /** Answers what a machine asks, field by field. Another question may follow at once. */
  async answer(...values: readonly string[]): Promise<void> {
    const dialog = this.dialog('prompts')
    await dialog.waitFor()
    for (const [at, value] of values.entries()) await dialog.locator('input').nth(at).fill(value)
    await this.button(dialog, 'ask.answer').click()
  }
}
