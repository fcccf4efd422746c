/** Terminals on another machine, from the connection book to the reconnect: the real app, a real OpenSSH server. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { fingerprintOf } from '../../host-src/ssh/host-keys.ts'
import { launchTestBrowser, type TestBrowser } from '../support/browser.ts'
import { bootTestDsh, type TestDsh } from '../support/dsh.ts'
import { connectDshApi } from '../support/dsh-api.ts'
import { shoot } from '../support/gallery.ts'
import { accessibilityFaults } from '../support/look.ts'
import { PanelPage, PLAIN_BASHRC } from '../support/panel-page.ts'
import { SshDialogsPage } from '../support/ssh-dialogs.ts'
import { SSHD_PASSWORD, canHaveAccounts, makeKey, startSshd, type Sshd } from '../support/sshd.ts'
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts'
import { until } from '../support/wait.ts'

describe('terminals on another machine', async () => {
  const hasAccounts = await canHaveAccounts()
  let dsh: TestDsh
  let sshd: Sshd
  let browser: TestBrowser
  let panel: PanelPage
  let ssh: SshDialogsPage
  /** Of each test: a machine that nobody knows, and a connection that no other test shares. */
  let proxy: TcpProxy
  let keyPath = ''

  beforeAll(async () => {
    dsh = await bootTestDsh({ homeFiles: PLAIN_BASHRC, settings: { tty: { maxSessions: 16, reconnectGraceSec: 10 } } })
    sshd = await startSshd({
      config: ['PasswordAuthentication yes'],
      homeFiles: { '.bash_profile': "PS1='$ '\nHISTFILE=\n" },
    })
    keyPath = join(sshd.folder, 'user_key')
    await makeKey(keyPath)
    await sshd.authorize(`${keyPath}.pub`)
  })
  afterAll(async () => {
    await dsh.stop()
    await sshd[Symbol.asyncDispose]()
  })
  beforeEach(async () => {
    proxy = await startTcpProxy(sshd.port)
    browser = await launchTestBrowser({ webgl: 'none' })
    panel = await PanelPage.start(browser, dsh.url)
    ssh = new SshDialogsPage(panel)
  })
  afterEach(async () => {
    await browser.close()
    await proxy.close()
  })

  const account = () => ({ host: '127.0.0.1', port: proxy.port, username: sshd.user() })
  const replaceSettings = async (section: Record<string, unknown>): Promise<void> => {
    using api = await connectDshApi(dsh.url)
    await api.call('settings.replace', { ns: 'tty', section: { maxSessions: 16, ...section } })
  }
  const connbar = () => panel.root.locator('[data-tty-connbar]')
  const untilConnected = async (): Promise<void> => {
    await panel.untilPrompt()
    expect(await connbar().getAttribute('data-tty-connbar')).toBe('up')
  }

  it('connects from the book, after the key of a new machine was shown and accepted, and knows it then', async () => {
    await replaceSettings({})
    const entry = await ssh.newEntry()
    await ssh.button(entry, 'save').click()
    await entry.getByText(ssh.words['invalid.host']).waitFor()
    await ssh.fill({ name: 'build', ...account(), port: String(proxy.port), auth: 'key', keyPath })
    await shoot(panel.page, 'ssh-entry')
    expect(await accessibilityFaults(panel.page)).toEqual([])
    await ssh.button(entry, 'test').click()
    const question = ssh.dialog('host-key')
    await question.waitFor()
    const [, offered] = (await sshd.hostKey('ed25519')).split(' ')
    expect(await ssh.fingerprint()).toMatch(/^SHA256:/)
    await shoot(panel.page, 'ssh-host-key')
    expect(await accessibilityFaults(panel.page)).toEqual([])
    await ssh.button(question, 'ask.accept').click()
    await entry.locator('[data-tty-test="done"]').waitFor()
    expect(await entry.locator('[data-tty-phase]').allInnerTexts()).toHaveLength(5)
    await entry.getByText(ssh.words['test.ok']).waitFor()
    await shoot(panel.page, 'ssh-test')
    // A test records nothing: the same question comes again.
    await ssh.button(entry, 'saveAndConnect').click()
    await question.waitFor()
    await ssh.button(question, 'ask.accept').click()
    await untilConnected()
    expect(await panel.run('echo $SSH_CONNECTION')).toContain('127.0.0.1')
    expect(await connbar().innerText()).toContain('build')
    await shoot(panel.page, 'ssh-terminal')
    const { hostKeys, sshHosts } = await settingsOf()
    expect(JSON.stringify(hostKeys)).toContain(fingerprintOf(Buffer.from(offered ?? '', 'base64')))
    expect(sshHosts).toMatchObject([{ name: 'build', port: proxy.port, keyPath }])
    await ssh.plus('build')
    await until(async () => (await panel.tabs()).length === 3, { what: 'a second terminal there' })
    await untilConnected()
    expect(await question.count()).toBe(0)
  })

  it('refuses a machine that shows another key, with both, and connects again when the old one was deleted', async () => {
    await replaceSettings({ sshHosts: [{ name: 'build', ...account(), auth: 'key', keyPath }] })
    await ssh.plus('build')
    await ssh.button(ssh.dialog('host-key'), 'ask.accept').click()
    await untilConnected()
    const [, before = ''] = (await sshd.hostKey('ed25519')).split(' ')
    await sshd.changeHostKeys()
    // What is open lives on, and would be shared.
    proxy.cut()
    const [, after = ''] = (await sshd.hostKey('ed25519')).split(' ')
    await ssh.plus('build')
    await panel.cover.waitFor()
    const said = await panel.cover.innerText()
    for (const key of [before, after]) expect(said).toContain(fingerprintOf(Buffer.from(key, 'base64')))
    expect(await ssh.dialog('host-key').count()).toBe(0)
    await shoot(panel.page, 'ssh-changed-key')
    await panel.cover.getByRole('button', { name: panel.words['action.hostKeys'] }).click()
    const keys = ssh.dialog('host-keys')
    await keys.getByText(fingerprintOf(Buffer.from(before, 'base64'))).waitFor()
    await shoot(panel.page, 'ssh-host-keys')
    await keys.getByRole('button', { name: /^Delete/ }).click()
    await keys.getByText(ssh.words['hostKeys.empty']).waitFor()
    await panel.page.keyboard.press('Escape')
    await keys.waitFor({ state: 'detached' })
    await panel.cover.getByRole('button', { name: panel.words['action.retry'] }).click()
    await ssh.dialog('host-key').waitFor()
    expect(await ssh.fingerprint()).toBe(fingerprintOf(Buffer.from(after, 'base64')))
    await ssh.button(ssh.dialog('host-key'), 'ask.accept').click()
    await untilConnected()
  })

  it.runIf(hasAccounts)(
    'asks for the password, again after a wrong one, and not at all with a stored one',
    async () => {
      await replaceSettings({ sshHosts: [{ name: 'pw', ...account(), auth: 'password' }] })
      await ssh.plus('pw')
      await ssh.button(ssh.dialog('host-key'), 'ask.accept').click()
      const prompt = ssh.dialog('prompts')
      await prompt.waitFor()
      expect(await prompt.locator('input').getAttribute('type')).toBe('password')
      await shoot(panel.page, 'ssh-password')
      await ssh.answer('wrong')
      await prompt.getByText(ssh.words['ask.again']).waitFor()
      await ssh.answer(SSHD_PASSWORD)
      await untilConnected()
      // From now on the credential store has it.
      await connbar().getByRole('button', { name: panel.words['conn.edit'] }).click()
      await ssh.fill({ password: SSHD_PASSWORD })
      await ssh.button(ssh.dialog('entry'), 'save').click()
      await ssh.dialog('entry').waitFor({ state: 'detached' })
      await ssh.plus('pw')
      await untilConnected()
      expect(await prompt.count()).toBe(0)
      const { sshHosts } = await settingsOf()
      expect(JSON.stringify(sshHosts)).not.toContain(SSHD_PASSWORD)
      const file = await readFile(join(dsh.dshHome, 'settings.yaml'), 'utf8')
      expect(file).toMatch(/password: env:TTY_SSH_PASSWORD_/)
      expect(file).not.toContain('correct horse')
      // The form shows that there is one, and no more.
      await connbar().getByRole('button', { name: panel.words['conn.edit'] }).click()
      await ssh
        .dialog('entry')
        .getByText(/^From env:TTY_SSH_PASSWORD_/)
        .waitFor()
      await panel.page.keyboard.press('Escape')
      await expectNoSecret('correct horse')
    },
  )

  it('says that the connection is lost when it is cut, and connects again in the same tab', async () => {
    await replaceSettings({ sshHosts: [{ name: 'cut', ...account(), auth: 'key', keyPath }] })
    await ssh.plus('cut')
    await ssh.button(ssh.dialog('host-key'), 'ask.accept').click()
    await untilConnected()
    const tabs = (await panel.tabs()).length
    proxy.cut()
    await until(async () => (await connbar().getAttribute('data-tty-connbar')) === 'lost', { what: 'the loss to show' })
    await panel.strip.getByText(/lost/).waitFor()
    expect(await panel.state()).toBe('disconnected')
    await shoot(panel.page, 'ssh-lost')
    await connbar().getByRole('button', { name: panel.words['conn.reconnect'] }).click()
    await untilConnected()
    expect(await panel.tabs()).toHaveLength(tabs)
    expect(await panel.run('echo back')).toBe('back')
  })

  const settingsOf = async (): Promise<Record<string, unknown>> => {
    using api = await connectDshApi(dsh.url)
    const { namespaces } = await api.call<{ namespaces: { ns: string; value: Record<string, unknown> }[] }>(
      'settings.describe',
    )
    return namespaces.find(({ ns }) => ns === 'tty')?.value ?? {}
  }

  /** Neither what the page was sent or keeps, nor what the host wrote, has it; where it belongs it is. */
  const expectNoSecret = async (secret: string): Promise<void> => {
    const received = panel.frames.filter(({ direction }) => direction === 'received').map(({ text }) => text)
    const stored = await panel.page.evaluate(() =>
      JSON.stringify([Object.entries(sessionStorage), Object.entries(localStorage)]),
    )
    using api = await connectDshApi(dsh.url)
    const described = JSON.stringify(await api.call('settings.describe'))
    const urls = await panel.page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name))
    for (const [what, text] of Object.entries({
      received: received.join('\n'),
      stored,
      described,
      urls: urls.join('\n'),
      log: dsh.log(),
    }))
      expect({ what, has: text.includes(secret) }).toEqual({ what, has: false })
    const files = await readdir(dsh.dshHome, { recursive: true, withFileTypes: true })
    const holding: string[] = []
    for (const file of files) {
      if (!file.isFile() || file.parentPath.includes('node_modules')) continue
      const bytes = await readFile(join(file.parentPath, file.name))
      if (bytes.includes(secret)) holding.push(file.name)
    }
    expect(holding).toEqual(['.credentials.yaml'])
  }
})
