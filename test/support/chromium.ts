/**
 * The Chromium processes of a test file. One that a test gave back is taken by the next that wants the same: starting it and
 * filling its cache takes longer than many a test. Nothing of a test is left in it but what the browser keeps of files.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { afterAll } from 'vitest'
import { chromium, type BrowserContext, type Page } from 'playwright-core'

const CHROMIUM = '/usr/bin/chromium'
const FLAGS = [
  '--no-sandbox',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
/** Software rendering draws few frames per second, and takes the whole processor for them. */
const RENDERER_FLAGS = {
  software: ['--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
  none: ['--disable-gpu', '--disable-3d-apis'],
} as const

const EMPTY_LIMIT_MS = 5000

/** What cannot be changed once it runs. */
export interface ChromiumKind {
  readonly webgl: keyof typeof RENDERER_FLAGS
  readonly locale: string
  readonly touch: boolean
}

/** A browser that runs, with one profile and an empty page that keeps it alive. */
export interface Chromium {
  readonly context: BrowserContext
  /** Who hears of its pages. */
  onPage: (page: Page) => void
  /** Ends all pages, and forgets what they stored. */
  giveBack(): Promise<void>
}

let idle: { readonly kind: ChromiumKind; readonly chromium: Chromium; readonly end: () => Promise<void> } | null = null

afterAll(() => endIdle())

const endIdle = async (): Promise<void> => {
  const last = idle
  idle = null
  await last?.end()
}

/** Takes the one that is idle, or starts one; rejects when Chromium is not installed. */
export const takeChromium = async (kind: ChromiumKind, onPage: (page: Page) => void): Promise<Chromium> => {
  const last = idle
  if (last !== null && isDeepStrictEqual(last.kind, kind)) {
    idle = null
    last.chromium.onPage = onPage
    return last.chromium
  }
  return start(kind, onPage)
}

const start = async (kind: ChromiumKind, onPage: (page: Page) => void): Promise<Chromium> => {
  const profile = await mkdtemp(join(tmpdir(), 'dsh-tty-chromium-'))
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: CHROMIUM,
    headless: true,
    args: [...FLAGS, ...RENDERER_FLAGS[kind.webgl]],
    locale: kind.locale,
    ...(kind.touch ? { hasTouch: true, isMobile: true } : {}),
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  const end = async (): Promise<void> => {
    await context.close()
    await rm(profile, { recursive: true, force: true, maxRetries: 5 })
  }
  const keeper = context.pages()[0] ?? (await context.newPage())
  const origins = new Set<string>()
  const started: Chromium = {
    context,
    onPage,
    giveBack: async () => {
      // A page that never answers must not keep the test.
      const isClean = await Promise.race([
        empty(context, keeper, origins).catch(() => false),
        delay(EMPTY_LIMIT_MS, false),
      ])
      if (!isClean) return end()
      await endIdle()
      idle = { kind, chromium: started, end }
    },
  }
  context.on('page', (page) => {
    page.on('framenavigated', (frame) => {
      const { protocol, origin } = new URL(frame.url())
      if (protocol.startsWith('http')) origins.add(origin)
    })
    started.onPage(page)
  })
  return started
}

/** @returns whether nothing is left that a later test could see */
const empty = async (context: BrowserContext, keeper: Page, origins: Set<string>): Promise<boolean> => {
  const pages = context.pages().filter((page) => page !== keeper)
  let isClipboardEmpty = origins.size === 0
  for (const page of pages) {
    isClipboardEmpty ||= await page
      .evaluate(() => navigator.clipboard.writeText('').then(() => true))
      .catch(() => false) // a page may have been denied it, or be gone
  }
  for (const page of pages) await page.close()
  await context.clearCookies()
  const session = await context.newCDPSession(keeper)
  for (const origin of origins)
    await session.send('Storage.clearDataForOrigin', {
      origin,
      storageTypes: 'cookies,local_storage,indexeddb,service_workers',
    })
  await session.detach()
  origins.clear()
  return isClipboardEmpty
}
