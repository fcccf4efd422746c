/** The page is told the truth while the way to its host is broken, and loses and repeats nothing over it. */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { NETWORK_ERRORS, launchTestBrowser, type TestBrowser } from '../support/browser.ts'
import { bootTestDsh, type TestDsh } from '../support/dsh.ts'
import { PanelPage, PLAIN_BASHRC } from '../support/panel-page.ts'
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts'
import { until } from '../support/wait.ts'

const LINES = 200_000
/** Lines of each half that are left free for the commands themselves. */
const ROOM = 1000
const CUTS = 3

describe('a broken way to the host', () => {
  let dsh: TestDsh
  let proxy: TcpProxy
  let browser: TestBrowser
  let panel: PanelPage

  beforeAll(async () => {
    const tty = { maxSessions: 16, reconnectGraceSec: 30, scrollback: 100_000 }
    dsh = await bootTestDsh({ homeFiles: PLAIN_BASHRC, settings: { tty } })
  })
  afterAll(() => dsh.stop())
  beforeEach(async () => {
    proxy = await startTcpProxy(dsh.port)
    browser = await launchTestBrowser({ webgl: 'none', expectedErrors: [NETWORK_ERRORS] })
    panel = await PanelPage.start(browser, proxy.url)
  })
  afterEach(async () => {
    await browser.close()
    await proxy.close()
  })

  const sha = (lines: readonly string[]): string => createHash('sha256').update(lines.join('\n')).digest('hex')

  it('loses and repeats no line of a flood that is cut several times', async () => {
    const sid = await panel.sid()
    // Two halves, because the terminal keeps the last 100 000 lines.
    for (const [first, last] of [
      [1, LINES / 2 - ROOM],
      [LINES / 2 - ROOM + 1, LINES - 2 * ROOM],
    ] as const) {
      const generations = panel.sockets.length
      await panel.type(`clear; printf '\\e[3J'; seq ${first} ${last}; echo al''l\n`)
      for (let round = 1; round <= CUTS; round += 1) {
        const passed = proxy.bytes('down')
        // After a cut the host may send the state instead of all that led to it: then less goes through.
        await until(async () => proxy.bytes('down') > passed + 60_000 || /^all$/m.test(await panel.text()), {
          what: 'some output, or all of it',
        })
        proxy.cut()
        await panel.page.evaluate(() => window.dispatchEvent(new Event('online')))
        await until(() => panel.sockets.length >= generations + round, { what: `socket ${round} after the first` })
      }
      // What is typed next must not be refused.
      await panel.untilState('live')
      const text = await panel.untilText(/^all\n\$$/m, 60_000)
      const seen = text.split('\n').filter((line) => /^\d+$/.test(line))
      const expected = Array.from({ length: last - first + 1 }, (_, index) => String(first + index))
      const at = expected.findIndex((line, index) => line !== seen[index])
      expect({ at, count: seen.length }).toEqual({ at: -1, count: expected.length })
      expect(sha(seen)).toBe(sha(expected))
    }
    expect(await panel.sid()).toBe(sid)
    expect(await panel.strip.count()).toBe(0)
  })

  it('says that it reconnects, refuses what is typed meanwhile, and delivers none of it later', async () => {
    const pid = await panel.pid()
    proxy.refuse(true)
    proxy.cut()
    await panel.untilState('disconnected')
    await panel.line.getByText('Reconnecting…').waitFor()
    await panel.type('touch typed-in-the-dark\n')
    await panel.line.getByText('Not connected: what you type is not sent.').waitFor()
    proxy.refuse(false)
    await panel.line
      .getByRole('button', { name: 'Retry' })
      .click({ timeout: 2000 })
      .catch(() => {}) // came back itself
    await panel.untilState('live')
    await panel.line.waitFor({ state: 'detached' })
    expect(await panel.pid()).toBe(pid)
    expect(existsSync(join(dsh.home, 'typed-in-the-dark'))).toBe(false)
    expect(await panel.text()).not.toContain('dark')
  })

  it('sends what was typed before the cut exactly once', async () => {
    // The host hears nothing of the keys until the way is free again, on another socket.
    proxy.set('up', { frozen: true })
    await panel.type('echo once >>typed-before\n')
    await until(() => panel.typed().endsWith('\r'), { what: 'the keys to be sent' })
    proxy.cut()
    proxy.set('up', { frozen: false })
    await panel.untilState('live')
    await panel.untilText(/typed-before\n\$$/)
    expect(await panel.run('cat typed-before')).toBe('once')
  })

  it('says that the host does not respond while the way is frozen, and is live again after', async () => {
    proxy.set('both', { frozen: true })
    // A page that wakes up looks at once whether the host is still there.
    await panel.page.evaluate(() => window.dispatchEvent(new Event('online')))
    await panel.untilState('unresponsive')
    await panel.line.getByText('DSH is not responding; what you type may arrive late.').waitFor()
    await panel.type('echo late-but-there\n')
    proxy.set('both', { frozen: false })
    await panel.untilState('live')
    await panel.untilText(/^late-but-there$/m)
    await panel.line.waitFor({ state: 'detached' })
  })
})
