/** The panel of a page whose storage is damaged or forbidden, that is cut off while it loads, or hidden while it changes. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { usePanelHost } from '../support/panel-host.ts'
import { PanelPage } from '../support/panel-page.ts'
import { startTcpProxy } from '../support/tcp-proxy.ts'
import { until } from '../support/wait.ts'

/** What Chromium says when a request or socket is cut. */
const NETWORK_ERRORS = /net::ERR_|WebSocket connection to|Failed to fetch/

describe('a page in bad circumstances', () => {
  const on = usePanelHost({ tty: { reconnectGraceSec: 10 } })

  it('opens with a damaged layout in its storage, and mends it', async () => {
    const damaged = {
      'no JSON': '{',
      'another kind of JSON': '[]',
      'another version': '{"v":999,"tabs":[{"sid":"x","pane":{"split":true}}],"active":7}',
      'missing and poisonous fields':
        '{"v":1,"tabs":[{},null,{"sid":"short","title":1},{"__proto__":{"sid":"AAAAAAAAAAAAAAAAAAAAAA"}},7],"active":{},"__proto__":{"v":1}}',
      'a megabyte of text': JSON.stringify('x'.repeat(1024 * 1024)),
    }
    const panel = await PanelPage.open(on.browser, on.dsh.url)
    for (const [what, value] of Object.entries(damaged)) {
      await panel.page.evaluate((text) => {
        for (const key of ['dsh-tty.tabs', 'dsh-tty.open']) sessionStorage.setItem(key, text)
        localStorage.setItem('dsh-tty.panel', text)
      }, value)
      await panel.reload()
      await panel.show()
      await panel.untilPrompt()
      expect({ what, said: await panel.run('echo fine') }).toEqual({ what, said: 'fine' })
      expect(await panel.tabs()).toHaveLength(1)
      expect(await panel.notice.count()).toBe(0)
      const stored = await panel.page.evaluate(() => sessionStorage.getItem('dsh-tty.tabs'))
      expect(JSON.parse(stored ?? '')).toMatchObject({ v: 1, tabs: [{ sid: await panel.sid() }] })
    }
  })

  it('works without restoring where the browser forbids storage', async () => {
    const prepare = async (page: Page): Promise<void> => {
      await page.addInitScript(() => {
        for (const method of ['getItem', 'setItem'] as const) {
          const original = Storage.prototype[method]
          Storage.prototype[method] = function (this: Storage, key: string, ...rest: string[]) {
            if (key.startsWith('dsh-tty')) throw new DOMException('The storage is forbidden.', 'SecurityError')
            return (original as (...args: string[]) => string | null).call(this, key, ...rest)
          } as never
        }
      })
    }
    const panel = await PanelPage.start(on.browser, on.dsh.url, prepare)
    expect(await panel.run('echo works')).toBe('works')
    await panel.tool('Float as a window').click()
    await panel.page.locator('[data-tty-panel="floating"]').waitFor()
    await panel.reload()
    expect(await panel.root.count()).toBe(0)
    await panel.show()
    await panel.untilPrompt()
    expect(await panel.text()).toBe('$')
  })

  it('keeps its tabs, each attached once, when the socket breaks five times after loading', async () => {
    await using proxy = await startTcpProxy(on.dsh.port)
    on.browser.expectErrors(NETWORK_ERRORS)
    const panel = await PanelPage.start(on.browser, proxy.url)
    await panel.newTab()
    const before = await panel.tabs()
    panel.sockets.length = 0
    await panel.reload()
    for (let round = 1; round <= 5; round += 1) {
      await until(() => panel.sockets.length >= round, { what: `socket ${round}` })
      proxy.cut()
      await panel.page.evaluate(() => window.dispatchEvent(new Event('online')))
    }
    await panel.untilState('live')
    await panel.untilPrompt()
    const last = panel.frames.slice(panel.frames.findLastIndex(({ text }) => text.startsWith('{"type":"hello"')))
    const attached = last.filter(({ text }) => text.startsWith('{"type":"attach"'))
    const attachedSids = attached.map(({ text }) => (JSON.parse(text) as { sid: string }).sid)
    expect(attachedSids).toHaveLength(2)
    expect(new Set(attachedSids)).toEqual(new Set(before.map(({ sid }) => sid)))
    expect((await panel.tabs()).map(({ sid, label }) => ({ sid, label }))).toEqual(
      before.map(({ sid, label }) => ({ sid, label })),
    )
    expect(await panel.notice.count()).toBe(0)
    expect(await panel.line.count()).toBe(0)
    expect(await panel.run('echo calm')).toBe('calm')
  })

  it('keeps the size of a terminal that is hidden, whatever changes meanwhile', async () => {
    const panel = await PanelPage.start(on.browser, on.dsh.url)
    // A loop that goes on only while its reader is there: Ctrl-C can miss the shell between two of its children.
    await panel.type('while sleep 0.02 && stty size; do :; done | tee now | uniq >sizes\n')
    const now = async (): Promise<string> => (await readFile(join(on.dsh.home, 'now'), 'utf8')).trimEnd()
    const shown = async (): Promise<string> => {
      const { rows, cols } = (await panel.seam())?.size ?? {}
      return `${rows} ${cols}`
    }
    const wide = await until(async () => (await now()).endsWith(await shown()) && shown(), {
      what: 'the size on screen',
    })
    await panel.minimise()
    const resizes = panel.sent('resize').length
    await panel.page.emulateMedia({ colorScheme: 'dark' })
    await panel.page.setViewportSize({ width: 700, height: 500 })
    const ticks = (await now()).split('\n').length
    await until(async () => (await now()).split('\n').length > ticks + 10, { what: 'the program to look again' })
    expect(panel.sent('resize')).toHaveLength(resizes)
    await panel.show()
    await panel.untilState('live')
    await until(async () => (await shown()) !== wide && (await now()).endsWith(await shown()), {
      what: 'the size of the smaller window',
    })
    await panel.press('Control+c')
    await panel.untilPrompt()
    const sizes = (await now()).split('\n').filter((size, index, all) => size !== all[index - 1])
    expect(sizes.at(-1)).toBe(await shown())
    for (const size of sizes) {
      const [rows = 0, cols = 0] = size.split(' ').map(Number)
      expect({ size, isSane: rows >= 5 && cols >= 20 }).toEqual({ size, isSane: true })
    }
    expect(sizes.length).toBeLessThanOrEqual(3)
  })
})
