/** Every state of the panel in both colours and languages: measured, checked with axe-core, and photographed. */
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Locator, Page } from 'playwright-core'
import { NETWORK_ERRORS, launchTestBrowser, untilUsable } from '../support/browser.ts'
import { bootTestDsh, type TestDsh } from '../support/dsh.ts'
import { connectDshApi, type DshApi } from '../support/dsh-api.ts'
import { shoot } from '../support/gallery.ts'
import { LANGUAGES, accessibilityFaults, inBothColours, layoutOf } from '../support/look.ts'
import { startMockLlm, type MockLlm } from '../support/mock-llm.ts'
import { PanelPage } from '../support/panel-page.ts'
import { until } from '../support/wait.ts'

const QUESTION = 'Why does the nightly build fail?'
const ANSWER = `It stops at the **type check**: \`parsePrice\` may return \`undefined\`, and \`total\` adds it anyway. Run \`make check\` in the terminal below to see the rest.`
/** A prompt and a directory that say nothing of the machine. */
const BASHRC = `PS1='\\[\\e[1;36m\\]shop\\[\\e[0m\\] \\[\\e[2m\\]main\\[\\e[0m\\] $ '\nHISTFILE=\ncd "$HOME/shop"\nunset LS_COLORS\n`
const CHECK = `make() {
  printf '\\e[1m%s\\e[0m\\n' '== check =='
  printf '\\e[32m✔\\e[0m lint      %s\\n' '没有问题'
  printf '\\e[32m✔\\e[0m unit      %s\\n' '128 passed 通过'
  printf '\\e[31m✘\\e[0m types     \\e[33msrc/price.ts:41\\e[0m \\e[31mundefined is not a number\\e[0m\\n'
  printf '\\e[34mℹ\\e[0m %s \\e[35m%s\\e[0m \\e[36m%s\\e[0m \\e[2m%s\\e[0m\\n' '用时' '3.2 s' '两个核心' 'cached'
}
`

describe('the look of the panel', () => {
  let dsh: TestDsh
  let api: DshApi
  let llm: MockLlm

  beforeAll(async () => {
    llm = await startMockLlm({ answers: { [QUESTION]: ANSWER }, title: 'Nightly build' })
    dsh = await bootTestDsh({
      homeFiles: {
        '.bashrc': CHECK + BASHRC,
        'shop/README.md': 'A shop.\n',
        'shop/说明.md': '商店。\n',
        'shop/src/price.ts': '',
        'shop/test/price.test.ts': '',
      },
      modelUrl: llm.url,
      settings: { tty: { maxSessions: 16, reconnectGraceSec: 1 } },
    })
    api = await connectDshApi(dsh.url)
    const { workspace } = await api.call<{ workspace: { workspaceId: string } }>('workspace.create', {
      path: join(dsh.home, 'shop'),
    })
    const { workspaceId } = workspace
    const { sessionId } = await api.call<{ sessionId: string }>('session.create', { workspaceId })
    await api.turn(sessionId, QUESTION)
  })
  afterAll(async () => {
    api.close()
    await dsh.stop()
    await llm.close()
  })

  /** Opens the conversation, and the panel under it. */
  const openPanel = async (browser: Awaited<ReturnType<typeof launchTestBrowser>>): Promise<PanelPage> => {
    const panel = await PanelPage.open(browser, dsh.url)
    const title = panel.page.getByText('Nightly build').first()
    // The workspace is folded on a first visit.
    await panel.page.getByText('shop', { exact: true }).first().waitFor()
    await until(
      async () => {
        if (await title.isVisible()) return true
        await panel.page.getByText('shop', { exact: true }).first().click()
        return false
      },
      { what: 'the conversation in the list', pollMs: 500 },
    )
    await title.click()
    await panel.page.getByText('type check').waitFor()
    await panel.show()
    await panel.untilState('live')
    await panel.untilText(/\$$/)
    return panel
  }

  /** Holds for every state; then takes its picture. */
  const inspect = ({ page }: PanelPage, name: string, shown?: Locator): Promise<void> =>
    inBothColours({ page, shown }, () => inspectOnce(page, name))

  const inspectOnce = async (page: Page, name: string): Promise<void> => {
    await shoot(page, name)
    const { view, overflowX, overflowY, panel: box, mode, app, composer, covered } = await layoutOf(page)
    expect({ name, overflowX: Math.max(0, overflowX), overflowY: Math.max(0, overflowY) }).toEqual({
      name,
      overflowX: 0,
      overflowY: 0,
    })
    if (box !== null) {
      const isInside = box.left >= 0 && box.top >= 0 && box.right <= view.width && box.bottom <= view.height
      expect({ name, box, view, isInside }).toMatchObject({ isInside: true })
      expect({ name, covered }).toEqual({ name, covered: [] })
    }
    if (box !== null && mode === 'docked') {
      expect(app.bottom).toBeLessThanOrEqual(box.top + 1)
      expect(composer?.bottom).toBeLessThanOrEqual(box.top)
    }
    expect({ name, faults: await accessibilityFaults(page) }).toEqual({ name, faults: [] })
  }

  it.each(LANGUAGES)('is whole and accessible in every state: $language', async ({ locale }) => {
    await using browser = await launchTestBrowser({ locale })
    const panel = await openPanel(browser)
    const { page, words } = panel
    await panel.type('make check\n')
    await panel.untilText('3.2 s')
    await panel.tool(words['tab.new']).click()
    await panel.untilState('live')
    await panel.renameTab(1, 'server 服务')
    await inspect(panel, 'panel-docked')

    await panel.tool(words['panel.float']).click()
    await page.locator('[data-tty-panel="floating"]').waitFor()
    await inspect(panel, 'panel-floating')
    await panel.tool(words['panel.maximise']).click()
    await page.locator('[data-tty-panel="maximised"]').waitFor()
    await inspect(panel, 'panel-maximised')
    await panel.tool(words['panel.dock']).click()
    await page.locator('[data-tty-panel="docked"]').waitFor()

    await panel.tool(words['panel.close']).click()
    await panel.dialog.waitFor()
    await inspect(panel, 'panel-close-dialog', panel.dialog)
    await panel.dialog.getByRole('button', { name: words['confirm.cancel'] }).first().click()
    await panel.dialog.waitFor({ state: 'detached' })

    await panel.type('exit 3\n')
    await panel.strip.waitFor()
    await inspect(panel, 'panel-exited', panel.strip)
    await api.call('settings.update', { ns: 'tty', patch: { shell: '/opt/shells/no-such-shell' } })
    await panel.tool(words['tab.new']).click()
    await panel.cover.waitFor()
    await inspect(panel, 'panel-cannot-start', panel.cover)
    await api.call('settings.update', { ns: 'tty', patch: { shell: '' } })
    await panel.closeTab(2)

    await page.setViewportSize({ width: 380, height: 760 })
    await panel.tab(0).click()
    await until(async () => ((await panel.seam())?.size.cols ?? 99) < 60, { what: 'a narrow terminal' })
    await inspect(panel, 'panel-narrow')
    await panel.minimise()
    await inspect(panel, 'panel-narrow-minimised')
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.locator('[data-tty-entry][data-wide="true"]').getByText('1/2').waitFor()
    await inspect(panel, 'panel-minimised')
  })

  it.each(LANGUAGES)('is whole and accessible after a restart of the host: $language', async ({ locale }) => {
    await using browser = await launchTestBrowser({ locale, expectedErrors: [NETWORK_ERRORS] })
    const panel = await openPanel(browser)
    const { page, words } = panel
    await panel.type('make check\n')
    await panel.untilText('3.2 s')
    await dsh.restart()
    await page.reload()
    await untilUsable(page)
    await panel.strip.getByText(words['strip.hostRestarted']).waitFor()
    await panel.untilText('3.2 s')
    await inspect(panel, 'panel-host-restarted', panel.strip)

    await using second = await bootTestDsh({
      sharedDshHome: dsh.dshHome,
      homeFiles: { '.bashrc': CHECK + BASHRC, 'shop/README.md': '' },
    })
    const other = await PanelPage.open(browser, second.url)
    await other.show()
    await other.untilState('live')
    await other.journal.waitFor()
    await other.untilText(/\$$/)
    await inspect(other, 'panel-journal-in-memory', other.journal)
    await other.page.setViewportSize({ width: 380, height: 760 })
    await until(async () => ((await other.seam())?.size.cols ?? 99) < 60, { what: 'a narrow terminal' })
    await inspect(other, 'panel-journal-in-memory-narrow', other.journal)
  })

  it('is photographed for the README', async () => {
    await using browser = await launchTestBrowser({ webgl: 'software', colorScheme: 'light', locale: 'en-US' })
    const panel = await openPanel(browser)
    await panel.type('make check\n')
    await panel.untilText('3.2 s')
    await panel.type('ls --color -F\n')
    await panel.untilText('说明.md')
    await panel.tool('New terminal').click()
    await panel.untilState('live')
    await panel.renameTab(1, 'server')
    await panel.tool('New terminal').click()
    await panel.untilState('live')
    await panel.renameTab(2, '日志')
    await panel.tab(0).click()
    await panel.untilText('3.2 s')
    await panel.renameTab(0, 'build')
    await shoot(panel.page, 'readme-panel')
    const text = await panel.text()
    expect(text).toContain('没有问题')
    expect(text).not.toContain(dsh.home)
    expect((await panel.tabs()).map(({ label }) => label)).toEqual(['build', 'server', '日志'])
  })
})
