/** What the person sees of an agent's work with terminals: its tabs, its questions, and the button that hides a terminal. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bootAgentHost, sidIn, type AgentHost, type TestAgent } from '../support/agent-host.ts'
import { launchTestBrowser, type TestBrowser } from '../support/browser.ts'
import { PanelPage, PLAIN_BASHRC } from '../support/panel-page.ts'
import { until } from '../support/wait.ts'

let host: AgentHost
let agent: TestAgent
let browser: TestBrowser
let panel: PanelPage
beforeAll(async () => {
  host = await bootAgentHost({
    homeFiles: { ...PLAIN_BASHRC, 'shop/README.md': 'A shop.' },
    settings: { tty: { maxSessions: 16 } },
  })
  agent = await host.agent()
  browser = await launchTestBrowser()
  panel = await PanelPage.start(browser, host.dsh.url)
})
afterAll(async () => {
  await browser.close()
  await host.stop()
})

/** The agent opens a terminal; its tab is shown. */
const agentTab = async (command: string): Promise<string> => {
  const sid = sidIn(await agent.call('tty_open', { command }))
  const index = await until(
    async () => {
      const at = (await panel.tabs()).findIndex((tab) => tab.sid === sid)
      return at === -1 ? null : String(at)
    },
    { what: 'the tab of the agent’s terminal' },
  )
  await panel.tab(Number(index)).click()
  await panel.untilState('live')
  return sid
}

it('an agent’s terminal is a tab marked AI, in which the person types, and which they close', async () => {
  const before = await panel.tabs()
  const sid = await agentTab('cat')
  expect(
    await panel.root.locator(`[data-tty-sid="${sid}"] header, header [data-tty-sid="${sid}"]`).first().innerText(),
  ).toContain(panel.words['tab.agent'])
  await panel.type('from the person\n')
  await panel.untilText(/from the person\nfrom the person/)
  expect((await agent.call('tty_capture', { sid })).text).toContain('from the person')
  await panel.closeTab((await panel.tabs()).findIndex((tab) => tab.sid === sid))
  await until(async () => (await panel.tabs()).length === before.length, { what: 'the tab to go' })
  expect((await agent.call('tty_list')).text).not.toContain(sid)
})

it('the person hides a terminal from agents and shows it again', async () => {
  const sid = await panel.sid()
  expect((await agent.call('tty_list')).text).toContain(sid)
  await panel.tool(panel.words['tab.hide']).click()
  await panel.tool(panel.words['tab.show']).waitFor()
  expect(await panel.root.locator(`header [data-tty-sid="${sid}"]`).getAttribute('data-tty-hidden')).toBe('true')
  expect((await agent.call('tty_list')).text).not.toContain(sid)
  await panel.reload()
  await panel.root.waitFor()
  await panel.untilState('live')
  await panel.tool(panel.words['tab.show']).click()
  await panel.tool(panel.words['tab.hide']).waitFor()
  expect((await agent.call('tty_list')).text).toContain(sid)
})

it('an agent’s question stands over the terminal, hides nothing of itself, and is answered there or declined', async () => {
  const sid = await agentTab(`read -rsp 'Password: ' x; echo; [ "$x" = 'hunter2' ] && echo welcome; cat`)
  await panel.untilText(/Password:/)
  const prompt = `<img src=x onerror="window.__pwned=1"> ${'a long reason '.repeat(20)}`
  const asked = agent.call('tty_ask_user', { sid, prompt })
  await panel.page.locator('[data-tty-strip="strip.request.secret"]').waitFor()
  const shown = await panel.strip.innerText()
  expect(shown).toContain(prompt.trim())
  expect(await panel.page.evaluate(() => (window as { __pwned?: number }).__pwned)).toBeUndefined()
  await panel.type('hunter2')
  await panel.press('Enter')
  expect((await asked).text).toContain('The user answered')
  await panel.strip.waitFor({ state: 'detached' })
  await panel.untilText(/welcome/)
  expect(await panel.text()).not.toContain('hunter2')
  const declined = agent.call('tty_ask_user', { sid, prompt: 'Once more?' })
  await panel.page.locator('[data-tty-strip="strip.request"]').waitFor()
  await panel.strip.getByRole('button', { name: panel.words['action.decline'] }).click()
  expect((await declined).text).toContain('declined')
  await agent.call('tty_close', { sid })
})

it('a call’s row in the conversation shows what came of it, and opens its terminal', async () => {
  const { page } = panel
  const shopkeeper = await host.agent({ workspace: 'shop' })
  await shopkeeper.call('tty_run', { command: 'echo for the row; exit 3' })
  const sid = sidIn(await shopkeeper.call('tty_open', { command: 'echo kept; cat' }))
  await panel.minimise()
  await page.getByText('shop', { exact: true }).first().waitFor()
  const title = page.getByText('Scripted title').first()
  if (!(await title.isVisible())) await page.getByText('shop', { exact: true }).first().click()
  await title.click()
  const ran = page.locator('[data-chat-call-id]').filter({ hasText: 'echo for the row' }).first()
  await ran.getByText(panel.words['row.title'], { exact: true }).click()
  await ran.getByText('for the row', { exact: true }).waitFor()
  expect(await ran.innerText()).toContain(panel.words['row.exitCode'].replace('{code}', '3'))
  // Its terminal was closed with the command.
  await ran.getByRole('button', { name: panel.words['row.open'] }).click()
  await panel.notice.filter({ hasText: panel.words['notice.sessionGone'] }).waitFor()
  await panel.minimise()
  const opened = page.locator('[data-chat-call-id]').filter({ hasText: 'echo kept' }).first()
  await opened.getByText(panel.words['row.title'], { exact: true }).click()
  await page.locator(`[data-tty-row="${sid}"]`).first().click()
  await until(async () => (await panel.sid()) === sid, { what: 'the terminal of the row' })
  await panel.untilText(/kept/)
  await shopkeeper.call('tty_close', { sid })
})
