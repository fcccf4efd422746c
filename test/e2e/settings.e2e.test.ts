/** The settings card in the real app: saved by the real host, kept in its file, seen by every window. */
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { fieldOf, parseSetting, type SettingValue } from '../../protocol-src/setting-fields.ts'
import { pageScriptPath } from '../../protocol-src/http-routes.ts'
import { DEFAULT_SETTINGS, SETTING_KEYS, metaOf, type SettingKey } from '../../protocol-src/settings.ts'
import { launchTestBrowser, NETWORK_ERRORS } from '../support/browser.ts'
import { bootTestDsh, type TestDsh } from '../support/dsh.ts'
import { connectDshApi } from '../support/dsh-api.ts'
import { shoot } from '../support/gallery.ts'
import { LANGUAGES, accessibilityFaults, inBothColours } from '../support/look.ts'
import { PanelPage, PLAIN_BASHRC } from '../support/panel-page.ts'
import { randomForTest, type Random } from '../support/random.ts'
import { CARD_KEYS, onMutate, SettingsCardPage } from '../support/settings-card.ts'
import { until } from '../support/wait.ts'

const ROUNDS = 2
/** Of what a person can change in the card itself. */
const DEFAULTS: Record<string, unknown> = Object.fromEntries(CARD_KEYS.map((key) => [key, DEFAULT_SETTINGS[key]]))
/** Everything that a settings file might take for something else. */
const HARD_TEXTS = [
  '/bin/bash',
  'yes',
  'null',
  '12',
  '0x1f',
  '1e3',
  '~',
  '# x',
  'a: b',
  "it's",
  '"x"',
  '- a',
  ' x ',
  '字体',
  '&a',
  '*b',
  '!c',
  '%d',
  '@e',
  '[f]',
  '2026-12-01',
  'true',
  'JetBrains Mono, 字体',
]

interface NamespaceView {
  readonly ns: string
  readonly value: Record<string, unknown>
  readonly user?: Record<string, unknown>
}

describe('a settings file that is wrong from the start', () => {
  it('is named in the log, and followed once it is corrected', async () => {
    await using dsh = await bootTestDsh({ settings: { tty: { fontSize: 2100 } } })
    await until(() => /settings\.invalid.*fontSize/.test(dsh.log()), { what: 'the log to name it' })
    const file = join(dsh.dshHome, 'settings.yaml')
    await writeFile(`${file}.new`, (await readFile(file, 'utf8')).replace('2100', '21'))
    await rename(`${file}.new`, file)
    using api = await connectDshApi(dsh.url)
    await until(
      async () => {
        const { namespaces } = await api.call<{ namespaces: NamespaceView[] }>('settings.describe')
        return namespaces.find(({ ns }) => ns === 'tty')?.value['fontSize'] === 21
      },
      { what: 'the host to serve the settings' },
    )
    await using browser = await launchTestBrowser()
    const card = await SettingsCardPage.open(browser, dsh.url)
    expect(await card.shown('fontSize')).toBe(21)
  })
})

describe('the settings card', () => {
  let dsh: TestDsh

  beforeAll(async () => {
    dsh = await bootTestDsh({ homeFiles: PLAIN_BASHRC })
  })
  afterAll(() => dsh.stop())
  beforeEach(async () => {
    using api = await connectDshApi(dsh.url)
    await api.call('settings.replace', { ns: 'tty', section: {} })
  })

  const held = async (section = 'tty'): Promise<NamespaceView> => {
    using api = await connectDshApi(dsh.url)
    const { namespaces } = await api.call<{ namespaces: NamespaceView[] }>('settings.describe')
    const view = namespaces.find(({ ns }) => ns === section)
    if (view === undefined) throw new Error(`the host serves no settings of ${section}`)
    return view
  }
  const saveElsewhere = async (patch: Partial<Record<SettingKey, SettingValue>>): Promise<void> => {
    using api = await connectDshApi(dsh.url)
    await api.call('settings.update', { ns: 'tty', patch })
  }

  const another = (random: Random, key: SettingKey, now: unknown): SettingValue => {
    const field = fieldOf(key)
    for (;;) {
      const candidate = {
        switch: () => random.boolean(),
        choice: () => random.pick(field.kind === 'choice' ? field.options : []),
        number: () =>
          field.kind === 'number' ? random.pick([field.min, field.max, random.integer(field.min, field.max)]) : 0,
        text: () => random.pick(HARD_TEXTS),
        list: () => [],
      }[field.kind]()
      const value = parseSetting(key, candidate)
      if (value !== undefined && value !== now) return value
    }
  }

  it('brings every setting to the host, into its file, over a restart, and back', async () => {
    const random = randomForTest()
    await using browser = await launchTestBrowser({ expectedErrors: [NETWORK_ERRORS] })
    const card = await SettingsCardPage.open(browser, dsh.url)
    let now: Record<string, unknown> = DEFAULTS
    expect(await card.allShown()).toEqual(now)
    for (let round = 0; round < ROUNDS; round += 1) {
      const wanted = Object.fromEntries(CARD_KEYS.map((key) => [key, another(random, key, now[key])]))
      for (const key of random.shuffle(CARD_KEYS)) await card.put(key, wanted[key])
      await card.save()
      expect(await card.allShown()).toEqual(wanted)
      expect((await held()).value).toEqual({ ...DEFAULT_SETTINGS, ...wanted })
      await dsh.end()
      const file = await readFile(join(dsh.dshHome, 'settings.yaml'), 'utf8')
      for (const key of CARD_KEYS) expect(file).toMatch(new RegExp(`\\b${key}"?:`))
      await dsh.restart()
      expect((await held()).value).toEqual({ ...DEFAULT_SETTINGS, ...wanted })
      await card.reload()
      expect(await card.allShown()).toEqual(wanted)
      now = wanted
    }
    await card.button('reset.all').click()
    expect(await card.allShown()).toEqual(DEFAULTS)
    expect((await held()).value).toEqual({ ...DEFAULT_SETTINGS, ...now })
    await card.save()
    expect(await held()).toMatchObject({ value: DEFAULT_SETTINGS })
    expect(Object.keys((await held()).user ?? {})).toEqual([])
  }, 240_000)

  it('applies what is saved at once, in every window, and nothing before', async () => {
    await using browser = await launchTestBrowser()
    const panel = await PanelPage.start(browser, dsh.url)
    const cols = async (): Promise<number> => (await panel.seam())?.size.cols ?? 0
    const before = await cols()
    const card = await SettingsCardPage.open(browser, dsh.url)
    await card.put('fontSize', 26)
    await card.header.getByText('1 unsaved').waitFor()
    expect((await held()).value['fontSize']).toBe(13)
    expect(await cols()).toBe(before)
    await card.save()
    expect(await card.outcome.innerText()).toBe('Saved. In force now.')
    await until(async () => (await cols()) < before * 0.6, { what: 'larger letters in the other window' })
    await card.put('shell', '/bin/sh')
    await card.put('journal', 'memory')
    await card.save()
    expect(await card.outcome.innerText()).toBe(
      'Saved. Terminals opened from now on follow. Some of it waits for a restart of DSH.',
    )
    await panel.page.bringToFront()
    await panel.tool(panel.words['tab.new']).click()
    await until(async () => /^sh\b/.test((await panel.tabs())[1]?.label ?? ''), {
      what: 'a terminal with the new shell',
    })
  })

  it('says what is wrong with a value, keeps it, and saves nothing until it is right', async () => {
    await using browser = await launchTestBrowser()
    const card = await SettingsCardPage.open(browser, dsh.url)
    await card.put('scrollback', 500)
    await card.put('fontSize', 99)
    await card.put('fontFamily', 'x;}')
    await card.row('fontSize').getByText('A whole number from 8 to 32.').waitFor()
    expect(await card.control('fontSize').getAttribute('aria-invalid')).toBe('true')
    await card.button('save').click()
    // The keyboard is where something is to be done.
    expect(await card.control('fontSize').evaluate((field) => field === document.activeElement)).toBe(true)
    expect((await held()).user ?? {}).toEqual({})
    await card.put('fontSize', 14)
    await card.act('fontFamily', 'reset').click()
    await card.save()
    expect((await held()).user).toEqual({ scrollback: 500, fontSize: 14 })
    expect(await card.button('save').getAttribute('aria-disabled')).toBe('true')
  })

  it('shows why the host refused, and at which setting, and keeps what was typed', async () => {
    await using browser = await launchTestBrowser()
    const card = await SettingsCardPage.open(browser, dsh.url, (page) =>
      onMutate(page, async (route, body) => {
        // What a page of another version might take for a value.
        for (const op of body.payload.ops) if (op.path[0] === 'term') op.value = 'no such thing'
        await route.continue({ postData: JSON.stringify(body) })
      }),
    )
    await card.put('fontSize', 15)
    await card.put('term', 'vt100')
    await card.button('save').click()
    await card.outcome.getByText('Not saved. DSH answered:').waitFor()
    await card.row('term').getByText(card.words.refused).waitFor()
    expect(await card.row('fontSize').getByText(card.words.refused).count()).toBe(0)
    expect([await card.shown('term'), await card.shown('fontSize')]).toEqual(['vt100', 15])
    expect((await held()).user ?? {}).toEqual({})
    await card.act('term', 'reset').click()
    await card.save()
    expect((await held()).user).toEqual({ fontSize: 15 })
  })

  it('keeps what was typed when the host does not answer', async () => {
    await using browser = await launchTestBrowser({ expectedErrors: [NETWORK_ERRORS] })
    let isCut = true
    const card = await SettingsCardPage.open(browser, dsh.url, (page) =>
      onMutate(page, (route) => (isCut ? route.abort() : route.continue())),
    )
    await card.put('fontSize', 15)
    await card.button('save').click()
    await card.outcome.getByText(card.words['failed.unreachable']).waitFor()
    expect(await card.shown('fontSize')).toBe(15)
    isCut = false
    await card.save()
    expect((await held()).user).toEqual({ fontSize: 15 })
  })

  it('shows a change from elsewhere under an edit, and loses neither', async () => {
    await using browser = await launchTestBrowser()
    const card = await SettingsCardPage.open(browser, dsh.url)
    await card.put('fontSize', 15)
    await card.put('term', 'vt100')
    await saveElsewhere({ fontSize: 20, maxSessions: 9 })
    await card.row('fontSize').getByText('Changed elsewhere to 20.').waitFor()
    expect([await card.shown('fontSize'), await card.shown('maxSessions')]).toEqual([15, 9])
    await card.act('fontSize', 'elsewhere.take').click()
    expect(await card.shown('fontSize')).toBe(20)
    expect(await card.control('fontSize').evaluate((field) => field === document.activeElement)).toBe(true)
    await card.save()
    expect((await held()).user).toEqual({ fontSize: 20, maxSessions: 9, term: 'vt100' })
  })

  it('follows the file that somebody edits, and survives what cannot be in it', async () => {
    await using browser = await launchTestBrowser()
    const card = await SettingsCardPage.open(browser, dsh.url)
    const { user: onboarding } = await held('ui-onboarding')
    const write = async (section: object, mark = 0): Promise<void> => {
      const file = join(dsh.dshHome, 'settings.yaml')
      await writeFile(`${file}.new`, JSON.stringify({ 'ui-onboarding': { ...onboarding, mark }, tty: section }))
      await rename(`${file}.new`, file)
    }
    await write({ fontSize: 21, cursorStyle: 'bar' })
    await until(async () => (await card.shown('fontSize')) === 21, { what: 'the value of the file in the card' })
    await write({ fontSize: 2100, cursorStyle: 'underline' }, 1)
    await until(async () => (await held('ui-onboarding')).user?.['mark'] === 1, { what: 'the host to read the file' })
    expect((await held()).value).toMatchObject({ fontSize: 21, cursorStyle: 'bar' })
    expect(await card.shown('fontSize')).toBe(21)
    const problem = card.card.locator('[data-tty-file-problem="true"]')
    await problem.getByText(/fontSize/).waitFor()
    expect(dsh.log()).toMatch(/settings\.invalid.*fontSize/)
    await problem.scrollIntoViewIfNeeded()
    await shoot(card.page, 'settings-file-problem')
    expect(await accessibilityFaults(card.page)).toEqual([])
    await write({ fontSize: 22 })
    await problem.waitFor({ state: 'detached' })
    await until(async () => (await card.shown('fontSize')) === 22, { what: 'the corrected value in the card' })
    expect(await card.shown('cursorStyle')).toBe('block')
  })

  it('offers the shells of the machine, and takes another one', async () => {
    await using browser = await launchTestBrowser()
    const card = await SettingsCardPage.open(browser, dsh.url)
    const control = card.control('shell')
    await until(async () => (await control.getAttribute('list')) !== null, { what: 'shells that are offered' })
    const offered = await control.evaluate((field) =>
      Array.from((field as HTMLInputElement).list?.options ?? [], ({ value }) => value),
    )
    expect(offered).toContain('/bin/bash')
    await card.put('shell', '/opt/other')
    await card.save()
    expect((await held()).user).toEqual({ shell: '/opt/other' })
  })

  it('saves over a change of other settings that happened in between', async () => {
    await using browser = await launchTestBrowser()
    let isFirst = true
    const card = await SettingsCardPage.open(browser, dsh.url, (page) =>
      onMutate(page, async (route) => {
        if (isFirst) await saveElsewhere({ maxSessions: 9 })
        isFirst = false
        await route.continue()
      }),
    )
    await card.put('fontSize', 15)
    await card.save()
    expect((await held()).user).toEqual({ fontSize: 15, maxSessions: 9 })
  })

  it('can only be looked at where the host takes no changes', async () => {
    await using browser = await launchTestBrowser()
    const card = await SettingsCardPage.open(browser, dsh.url, async (page) => {
      await page.route('**/api/settings.describe', async (route) => {
        const response = await route.fetch()
        const body = (await response.json()) as { result: { value: { writable: boolean } } }
        body.result.value.writable = false
        await route.fulfill({ response, json: body })
      })
    })
    await card.card.getByText(card.words.readOnly).waitFor()
    expect(await card.button('save').count()).toBe(0)
    expect(await card.control('fontSize').isEditable()).toBe(false)
    expect(await card.control('cursorBlink').isDisabled()).toBe(true)
    await shoot(card.page, 'settings-read-only')
    expect(await accessibilityFaults(card.page)).toEqual([])
  })

  it('is used from the first key to the last without a mouse', async () => {
    await using browser = await launchTestBrowser()
    const card = await SettingsCardPage.open(browser, dsh.url)
    const { page } = card
    const { keyboard } = page
    const here = (): Promise<string> =>
      page.evaluate(() => {
        const at = document.activeElement
        const setting = at?.closest<HTMLElement>('[data-tty-setting]')?.dataset['ttySetting']
        const isControl = at?.tagName !== 'BUTTON' || at.getAttribute('aria-haspopup') === 'dialog'
        return setting !== undefined && isControl ? setting : (at?.textContent ?? '')
      })
    await card.header.focus()
    await keyboard.press('Enter')
    expect(await card.card.locator('form').count()).toBe(0)
    await keyboard.press('Enter')
    const visited: string[] = []
    do {
      await keyboard.press('Tab')
      visited.push(await here())
    } while (visited.at(-1) !== 'Save')
    const inOrder = await card.card
      .locator('[data-tty-setting]')
      .evaluateAll((rows) => rows.map((row) => (row as HTMLElement).dataset['ttySetting'] ?? ''))
    expect(inOrder.toSorted((a, b) => a.localeCompare(b))).toEqual(SETTING_KEYS.toSorted((a, b) => a.localeCompare(b)))
    // What no page can turn on is there to be read.
    const inReach = inOrder.filter((key) => metaOf(key as SettingKey).isOnlyTurnedOff !== true)
    expect(visited).toEqual([...inReach, 'Reset all to defaults', 'Discard', 'Save'])

    const goTo = async (place: string): Promise<void> => {
      while ((await here()) !== place) await keyboard.press('Shift+Tab')
    }
    await goTo('cursorBlink')
    await keyboard.press('Space')
    await goTo('cursorStyle')
    await keyboard.press('ArrowDown')
    await goTo('fontSize')
    for (let step = 0; step < 3; step += 1) await keyboard.press('ArrowUp')
    await goTo('maxSessions')
    for (let step = 0; step < 9; step += 1) await keyboard.press('ArrowDown')
    expect(await card.shown('maxSessions')).toBe(1)
    await keyboard.press('Enter')
    await card.outcome.getByText('Saved.').waitFor()
    expect((await held()).user).toEqual({ cursorBlink: false, cursorStyle: 'bar', fontSize: 16, maxSessions: 1 })
    // Its way back is the next stop, and the keyboard stays at the setting when that goes.
    await goTo('maxSessions')
    await keyboard.press('Shift+Tab')
    expect(await here()).toBe('Reset')
    await keyboard.press('Enter')
    expect(await here()).toBe('maxSessions')
    await keyboard.press('Enter')
    await until(async () => (await held()).value['maxSessions'] === 4, { what: 'the default to be saved' })
  })

  it('says why it cannot be shown, and is shown by Retry', async () => {
    await using browser = await launchTestBrowser({ locale: 'zh-CN', expectedErrors: [/ERR_FAILED/] })
    const script = `**${pageScriptPath('settings')}*`
    const page = await browser.open(dsh.url, async (opened) => {
      await opened.route(script, (route) => route.abort())
    })
    await page.locator('button[aria-haspopup="dialog"]').click()
    await page.getByRole('dialog').getByRole('button', { name: '插件' }).click()
    const wait = page.locator('[data-tty-script="failed"]')
    await wait.getByText('终端的这一部分未能加载').waitFor()
    await shoot(page, 'settings-failed')
    expect(await accessibilityFaults(page)).toEqual([])
    await page.unroute(script)
    await wait.getByRole('button', { name: '重试' }).click()
    await page.locator('[data-tty-settings]').waitFor()
  })

  it.each(LANGUAGES)('is whole and accessible in every state: $language', async ({ locale }) => {
    await using browser = await launchTestBrowser({ locale })
    const card = await SettingsCardPage.open(browser, dsh.url)
    const { page } = card
    const inspect = (state: string): Promise<void> =>
      inBothColours({ page, shown: card.card }, () => inspectOnce(state))
    const inspectOnce = async (state: string): Promise<void> => {
      await shoot(page, `settings-${state}`)
      expect({ state, faults: await accessibilityFaults(page) }).toEqual({ state, faults: [] })
      // Nothing hangs over the card.
      const overflow = await card.card.evaluate((element) => element.scrollWidth - element.clientWidth)
      expect({ state, overflow: Math.max(0, overflow) }).toEqual({ state, overflow: 0 })
    }
    await card.header.scrollIntoViewIfNeeded()
    await inspect('open')
    await card.put('fontSize', 99)
    await card.put('scrollback', 500)
    await saveElsewhere({ scrollback: 700 })
    await card.act('scrollback', 'elsewhere.take').waitFor()
    await card.put('cursorStyle', 'underline')
    await card.control('cursorStyle').scrollIntoViewIfNeeded()
    await inspect('edited')
    await card.put('fontSize', 15)
    await card.save()
    await card.control('fontSize').focus()
    await inspect('saved')
    await card.header.click()
    await inspect('folded')
    await page.keyboard.press('Escape')
    await page.setViewportSize({ width: 320, height: 720 })
    await card.show()
    await inspect('narrow-folded')
    await card.expand()
    await card.put('term', 'x y')
    await card.control('term').focus()
    await inspect('narrow')
    await card.button('discard').click()
    await card.header.click()
    await card.card.locator('form').waitFor({ state: 'detached' })
  })
})
