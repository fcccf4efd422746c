/** The terminal in the page has the state of the host's own screen: after a reload, in a second page, at any size. */
import { readdirSync, statSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { WS_PATH } from '../../protocol-src/http-routes.ts'
import type { SessionId } from '../../protocol-src/ids.ts'
import type { ViewSeam } from '../../client-src/terminal/view-seam.ts'
import { launchTestBrowser, type TestBrowser } from '../support/browser.ts'
import { bootTestDsh, type TestDsh } from '../support/dsh.ts'
import { PanelPage, PLAIN_BASHRC } from '../support/panel-page.ts'
import { until } from '../support/wait.ts'
import { WsClient } from '../support/ws-client.ts'

const STREAMS = fileURLToPath(new URL('../fixtures/streams', import.meta.url))
/** More output than is simply sent again, in every colour, with wide and combined characters. */
const LONG = `for i in $(seq 9000); do printf '\\e[3%dmline %d \\e[1;4mbold\\e[0m 中文 👩‍💻 e\u0301 \\e[48;5;%dm \\e[0m\\n' $((i%8)) $i $((i%256)); done`
/** Prints each file that is named to it through a pipe, as it is; CAN ends what a stream leaves open. */
const PLAYER = `mkfifo streams; stty raw -echo; exec 3<>streams; printf ready; while read -r name <&3; do cat "$name"; printf '\\030'; done`

let dsh: TestDsh
let browser: TestBrowser
let client: WsClient

beforeAll(async () => {
  const tty = { maxSessions: 16, reconnectGraceSec: 60 }
  dsh = await bootTestDsh({
    homeFiles: { ...PLAIN_BASHRC, 'long.sh': LONG, 'player.sh': PLAYER, 'vim.txt': '词 word\n'.repeat(400) },
    settings: { tty },
  })
  client = await WsClient.connect({ url: dsh.url })
})
afterAll(async () => {
  await client.close()
  await dsh.stop()
})
beforeEach(async () => {
  browser = await launchTestBrowser({ webgl: 'none' })
})
afterEach(() => browser.close())

/** Resolves with the hash once host and pages have the same, nothing being on its way. */
const untilSame = async (...panels: readonly PanelPage[]): Promise<string> => {
  const sid = (await panels[0]?.sid()) as SessionId
  let last: unknown
  return until(
    async () => {
      const { position, hash } = await client.request({ type: 'hash', sid })
      const pages = await Promise.all(panels.map((panel) => panel.seam()))
      last = { host: { position, hash }, pages: pages.map((page) => ({ offset: page?.offset, hash: page?.hash })) }
      return pages.every((page) => page?.hash === hash && page.offset === position.offset) && hash
    },
    { what: 'the same state in host and pages', timeoutMs: 20_000 },
  ).catch((error: unknown) => {
    throw new Error(JSON.stringify(last), { cause: error })
  })
}

/** How the page's attachments began, oldest first. */
const startsOf = (panel: PanelPage): string[] =>
  panel.frames.flatMap(({ direction, text }) =>
    direction === 'received' ? (/"start":\{"mode":"(\w+)"/.exec(text)?.[1] ?? []) : [],
  )

interface Painted {
  /** Rows of the screen as they were drawn. */
  readonly rows: readonly string[]
  /** Lines of the buffer that held something then, scrollback included. */
  readonly filled: number
}

/** Notes, from the page's first moment on, what was painted and what was in the buffer by then. */
const watchPainting = async (page: Page): Promise<void> => {
  await page.addInitScript(() => {
    const seen: Painted[] = []
    Object.assign(window, { painted: seen })
    new MutationObserver(() => {
      const holder = document.querySelector('[data-tty-panel] [data-tty-holder]')
      const rows = holder?.querySelector('.xterm-rows')
      const seam = (holder as unknown as Record<symbol, ViewSeam | undefined> | null)?.[Symbol.for('dsh-tty.view')]
      if (rows === null || rows === undefined || seam === undefined || seen.length >= 100) return
      seen.push({
        rows: Array.from(rows.children, (row) => (row.textContent ?? '').replaceAll('\u00a0', ' ').trimEnd()),
        filled: seam
          .text()
          .split('\n')
          .filter((line) => line !== '').length,
      })
    }).observe(document, { subtree: true, childList: true, characterData: true })
  })
}
const paintedOf = (page: Page): Promise<readonly Painted[]> =>
  page.evaluate(() => (window as unknown as { painted: readonly Painted[] }).painted)

describe('a page that is loaded again', () => {
  it('paints the screen first, then has every line of the scrollback, and the state of the host', async () => {
    const panel = await PanelPage.start(browser, dsh.url)
    await panel.run('bash long.sh', 60_000)
    await panel.untilPrompt()
    const hash = await untilSame(panel)
    const before = await panel.seam()
    expect((before?.text ?? '').split('\n').length).toBeGreaterThan(9000)
    panel.frames.length = 0
    await watchPainting(panel.page)
    await panel.reload()
    await panel.untilPrompt()
    expect(await untilSame(panel)).toBe(hash)
    expect(startsOf(panel)).toEqual(['snapshot'])
    const after = await panel.seam()
    expect(after).toMatchObject({ inexactSnapshots: 0, cursor: before?.cursor })
    expect(after?.text).toBe(before?.text)
    const { rows = 0 } = after?.size ?? {}
    const painted = await paintedOf(panel.page)
    // What a person saw first was the screen as it is, while there was nothing above it yet.
    const first = painted.find((each) => each.rows.includes('$'))
    expect(first?.rows).toContainEqual(expect.stringContaining('line 9000 bold 中文'))
    expect(first?.rows).toHaveLength(rows)
    expect(first?.rows.filter((row) => row !== '')).toHaveLength(rows)
    expect(first?.filled).toBeLessThanOrEqual(rows)
  })

  it('is the same in the alternate screen of vim, at another size, and in a second page that looks on', async () => {
    const panel = await PanelPage.start(browser, dsh.url)
    await panel.run('bash long.sh', 60_000)
    await panel.type('vim -u NONE -N vim.txt\n')
    await panel.untilText('400L')
    await panel.type(':set number hlsearch\n/word\n:vsplit\nGzz')
    await panel.untilText(/400 +词 word/)
    await panel.page.setViewportSize({ width: 1000, height: 900 })
    await panel.untilText(/400 +词 word/)
    const hash = await untilSame(panel)
    panel.frames.length = 0
    await panel.reload()
    await panel.untilState('live')
    expect(await untilSame(panel)).toBe(hash)
    expect(startsOf(panel)).toEqual(['snapshot'])
    const other = await panel.duplicate(browser, { width: 700, height: 500 })
    expect(await untilSame(panel, other)).toBe(hash)
    expect(startsOf(other)).toEqual(['snapshot'])
    expect(await other.seam()).toMatchObject({ isDriver: false, isLetterboxed: true })

    // One page drives the size, the other follows.
    await panel.page.bringToFront()
    await panel.press('Control+l')
    for (const size of [
      { width: 640, height: 800 },
      { width: 1200, height: 700 },
      { width: 860, height: 640 },
    ]) {
      const columns = (await panel.seam())?.size.cols
      await panel.page.setViewportSize(size)
      await until(async () => (await panel.seam())?.size.cols !== columns, { what: 'another size' })
      await untilSame(panel, other)
      expect((await other.seam())?.size).toEqual((await panel.seam())?.size)
    }
    await panel.type(':qa!\n')
    await panel.untilPrompt()
    await untilSame(panel, other)
    for (const each of [panel, other]) expect(await each.seam()).toMatchObject({ inexactSnapshots: 0 })
  })

  it('takes the output itself when the state is not the one that was meant', async () => {
    const panel = await PanelPage.start(browser, dsh.url)
    await panel.run('bash long.sh', 60_000)
    await panel.untilPrompt()
    const hash = await untilSame(panel)
    const before = await panel.text()
    await panel.page.routeWebSocket(
      (url) => url.pathname === WS_PATH,
      (socket) => {
        const host = socket.connectToServer()
        host.onMessage((message) => {
          const isEnd = typeof message === 'string' && message.includes('"type":"snapshotEnd"')
          socket.send(isEnd ? message.replace(/"hash":"[^"]*"/, `"hash":"${'0'.repeat(64)}"`) : message)
        })
      },
    )
    panel.frames.length = 0
    await panel.reload()
    await until(async () => (await panel.seam())?.inexactSnapshots === 1, { what: 'the wrong state to be noticed' })
    await panel.untilPrompt()
    await until(async () => (await panel.text()) === before, { what: 'the text from before' })
    expect(await untilSame(panel)).toBe(hash)
    expect(await panel.seam()).toMatchObject({ inexactSnapshots: 1 })
    expect(await panel.strip.count()).toBe(0)
    expect(await panel.run('echo goes-on')).toBe('goes-on')
  })
})

describe('what programs print', () => {
  it('gives the same state in the page as in the host: every recorded stream', async () => {
    const panel = await PanelPage.start(browser, dsh.url)
    await panel.type('exec bash player.sh\n')
    await panel.untilText('ready')
    const names = readdirSync(STREAMS).filter((name) => name.endsWith('.bin'))
    expect(names.length).toBeGreaterThan(10)
    let offset = 0
    const differing: string[] = []
    for (const name of names) {
      const path = join(STREAMS, name)
      // Nothing more comes by itself: the player is silent between two streams.
      offset = await until(
        async () => {
          const seen = (await panel.seam())?.offset ?? 0
          const { position } = await client.request({ type: 'hash', sid: (await panel.sid()) as SessionId })
          return seen > 0 && seen === position.offset && seen
        },
        { what: 'the page to be where the host is' },
      )
      await writeFile(join(dsh.home, 'streams'), `${path}\n`)
      const end = offset + statSync(path).size + 1
      await until(async () => (await panel.seam())?.offset === end, { what: `${name} in the page` })
      const host = await client.request({ type: 'hash', sid: (await panel.sid()) as SessionId })
      const page = await panel.seam()
      expect(host.position.offset).toBe(end)
      if (page?.hash !== host.hash) differing.push(name)
    }
    expect(differing).toEqual([])
  })

  it('stalls neither page nor host (VS-03)', async () => {
    const panel = await PanelPage.start(browser, dsh.url)
    await panel.type(`printf '\\e[99999999S\\e[99999999T\\e[99999999L\\e[99999999b'; echo do''ne\n`)
    await panel.untilText(/^done$/m)
    await panel.press('Control+l')
    expect(await panel.run('echo responsive')).toBe('responsive')
    await panel.untilPrompt()
    await untilSame(panel)
  })
})
