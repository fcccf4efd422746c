import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { prepareDshHome } from '../../scripts/dsh-home.ts'
import { bootDshWeb, freePort } from '../../scripts/dsh-web.ts'
import { NOTICE_LOOKS, launchTestBrowser, untilUsable } from '../support/browser.ts'
import { bootTestDsh, type TestDsh } from '../support/dsh.ts'
import { shoot } from '../support/gallery.ts'
import { DUMMY_HEALTH_PATH, dummyClientCode, writeDummyPlugin } from '../support/dummy-plugin.ts'
import { until } from '../support/wait.ts'

const MARK = (text: string): string => `document.documentElement.dataset.dummy = '${text}'`

describe('the test browser', () => {
  let folder: string
  let dsh: TestDsh

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dsh-tty-dummy-'))
    await writeDummyPlugin(folder, { client: MARK('one') })
    // A user whom the app has never seen: the first-run notice comes.
    const settings = { 'ui-onboarding': {} }
    dsh = await bootTestDsh({
      packageDir: folder,
      readyPath: DUMMY_HEALTH_PATH,
      settings,
      env: { DEEPSEEK_API_KEY: '' },
    })
  })
  afterAll(async () => {
    await dsh.stop()
    await rm(folder, { recursive: true, force: true })
  })

  it('opens a usable page past notice and missing key, in the asked language and colours', async () => {
    await using browser = await launchTestBrowser({ colorScheme: 'dark', locale: 'zh-CN', isNewcomer: true })
    const page = await browser.open(dsh.url)
    expect(await page.locator('html').getAttribute('data-dummy')).toBe('one')
    await page.getByRole('button', { name: '设置' }).click({ timeout: 5000 })
    await page.getByRole('dialog').waitFor()
    expect(await shoot(page, 'test browser/settings')).toMatch(/gallery\/test-browser-settings\.dark\.zh\.png$/)
    await page.reload()
    await untilUsable(page, NOTICE_LOOKS)
  })

  it('fails on page errors and console errors that nobody expected', async () => {
    const browser = await launchTestBrowser({ isNewcomer: true, expectedErrors: [/known trouble/] })
    const page = await browser.open(dsh.url)
    await page.evaluate(() => {
      setTimeout(() => {
        throw new Error('boom in the page')
      })
      console.error('known trouble') // oxlint-disable-line no-console
      console.error('new trouble') // oxlint-disable-line no-console
    })
    await until(() => browser.unexpectedErrors().length >= 2, { what: 'both errors' })
    await expect(browser.close()).rejects.toThrow(/boom in the page|new trouble/)
    expect(browser.unexpectedErrors().join()).not.toContain('known trouble')
  })
})

describe('a live client half', () => {
  it('reaches an open page when it is rebuilt, without a reload', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'dsh-tty-live-'))
    const dshHome = join(folder, 'dsh')
    const packageDir = join(folder, 'package')
    await writeDummyPlugin(packageDir, { client: MARK('one') })
    await prepareDshHome({ dshHome, packageDir, client: 'live' })
    const web = await bootDshWeb({ dshHome, port: await freePort(), readyPath: DUMMY_HEALTH_PATH })
    try {
      await using browser = await launchTestBrowser({ isNewcomer: true })
      const page = await browser.open(web.url)
      await page.evaluate(() => Object.assign(window, { stillTheSamePage: true }))
      await writeFile(join(packageDir, 'lib', 'client.js'), dummyClientCode(MARK('two')))
      await page.locator('html[data-dummy="two"]').waitFor({ state: 'attached', timeout: 15_000 })
      expect(await page.evaluate(() => 'stillTheSamePage' in window)).toBe(true)
    } finally {
      await web.stop()
      await rm(folder, { recursive: true, force: true })
    }
  })
})
