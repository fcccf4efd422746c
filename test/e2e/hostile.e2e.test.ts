/** What a hostile program, a hostile name and a hostile page around the app cannot do. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { connectDshApi } from '../support/dsh-api.ts'
import { usePanelHost } from '../support/panel-host.ts'
import { PanelPage } from '../support/panel-page.ts'
import { staysTrue, until } from '../support/wait.ts'

const HTML = '"><img src=x onerror=window.__ran=1><svg onload=window.__ran=1>'

describe('hostile surroundings', () => {
  const on = usePanelHost({ tty: { reconnectGraceSec: 5 } })

  it('gives a program nothing of its own text back, and leaves the prompt clean', async () => {
    const sequences = {
      'title report': '\\e]2;x;id;\\a\\e[21t',
      'icon name report': '\\e]1;x;id;\\a\\e[20t',
      'DECRQSS of a known setting': '\\eP$q"p\\e\\\\',
      'DECRQSS with a command': '\\eP$qfoo\\nid\\n\\e\\\\',
      'DECRQSS of a name': '\\eP$qid\\r\\e\\\\',
      XTGETTCAP: '\\eP+q544e\\e\\\\',
      ENQ: '\\005',
      APC: '\\e_Gi=1,a=q;id\\e\\\\',
      'printer status': '\\e[?15n',
      'checksum of a rectangle': '\\e[1;1;1;1;1;1*y',
      XTVERSION: '\\e[>q',
      clipboard: '\\e]52;c;?\\a',
      'colour with text': '\\e]4;1;?id\\a',
    }
    // Nothing, or one reply of a fixed form, and then the answer to the question that follows.
    // oxlint-disable-next-line no-control-regex -- control characters are the point
    const harmless = /^(?:\u001bP[01]\$r[\d;"qpm]*\u001b\\|\u001bP>\|[\w.() ]+\u001b\\)?\u001b\[0n$/
    const panel = await PanelPage.start(on.browser, on.dsh.url)
    for (const [index, [name, sequence]] of Object.entries(sequences).entries()) {
      const before = panel.typed().length
      await panel.type(
        `clear; stty -echo; printf '${sequence}\\e[5n'; IFS= read -rsd n R; stty echo; echo to''ok ${index}\n`,
      )
      await panel.untilText(new RegExp(`^took ${index}\n\\$$`, 'm'))
      const [, replies = ''] = panel.typed().slice(before).split('\r')
      expect({ name, replies }).toEqual({ name, replies: expect.stringMatching(harmless) as string })
      expect({ name, lines: (await panel.lines()).slice(-2) }).toEqual({ name, lines: [`took ${index}`, '$'] })
    }
  })

  it('shows names as text wherever they appear', async () => {
    using api = await connectDshApi(on.dsh.url)
    await api.call('settings.update', { ns: 'tty', patch: { cwd: `/tmp/${HTML}` } })
    const panel = await PanelPage.start(on.browser, on.dsh.url)
    expect(await panel.strip.innerText()).toContain(HTML)
    await panel.type(`printf '\\e]2;%s\\a' '${HTML}'\n`)
    await panel.renameTab(0, HTML)
    await until(async () => (await panel.tabs())[0]?.label === HTML, { what: 'the name on the tab' })
    expect(await panel.tab(0).getAttribute('title')).toContain(HTML)
    await api.call('settings.update', { ns: 'tty', patch: { cwd: '', shell: `/tmp/${HTML}` } })
    await panel.tool('New terminal').click()
    await panel.cover.getByText(`/tmp/${HTML}`).waitFor()
    await api.call('settings.update', { ns: 'tty', patch: { shell: '' } })
    await panel.reload()
    await until(async () => (await panel.tabs())[0]?.label === HTML, { what: 'the name on the tab' })
    expect(await panel.page.evaluate(() => '__ran' in window)).toBe(false)
    expect(await panel.root.locator('header img, header svg[onload]').count()).toBe(0)
  })

  it('does not start inside a page of another origin', async () => {
    const shells = (): number[] => on.dsh.processes().flatMap(({ name, pid }) => (name === 'bash' ? [pid] : []))
    // Those of the tests before end when their time without a viewer is over.
    const before = new Set(shells())
    const outside = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html')
      response.end(`<!doctype html><iframe src="${on.dsh.url}" style="width:1200px;height:700px"></iframe>`)
    })
    await new Promise<void>((done) => outside.listen(0, '127.0.0.1', done))
    const { port } = outside.address() as AddressInfo
    try {
      const page = await on.browser.context.newPage()
      const sockets: string[] = []
      page.on('websocket', (socket) => sockets.push(socket.url()))
      await page.goto(`http://127.0.0.1:${port}/`)
      const app = page.frameLocator('iframe')
      const dismiss = app.getByRole('button', { name: /^(Continue|Configure later)$/ })
      await app.locator('[data-tty-entry]').waitFor()
      await until(
        async () => {
          if (await dismiss.first().isVisible()) await dismiss.first().click()
          await app.locator('[data-tty-entry]').click({ timeout: 1000 })
          return (await app.locator('[data-tty-panel]').count()) === 1
        },
        { what: 'the panel in the frame', timeoutMs: 20_000 },
      )
      await app.getByText('This page is embedded in another site, so the terminal does not start.').waitFor()
      expect(await app.locator('[data-tty-holder]').count()).toBe(0)
      await staysTrue(() => sockets.every((url) => !url.includes('/api/dsh-tty/')), {
        what: 'no terminal socket is opened',
        forMs: 1000,
      })
      expect(sockets.length).toBeGreaterThan(0)
      expect(shells().filter((pid) => !before.has(pid))).toEqual([])
    } finally {
      outside.close()
    }
  })
})
