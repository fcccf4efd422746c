/** Facts about how the panel looks: nothing hangs over, nothing is covered, nothing is inaccessible. */
import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'
import type { AxeResults } from 'axe-core'
import { expect } from 'vitest'
import type { Locator, Page } from 'playwright-core'
import { until } from './wait.ts'

const AXE_SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Box {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

export interface Layout {
  readonly view: { readonly width: number; readonly height: number }
  /** How much wider than the window the page is; 0 or less. */
  readonly overflowX: number
  /** Whether the page can be scrolled away under the panel. */
  readonly overflowY: number
  readonly panel: Box | null
  readonly mode: string | null
  /** The app's own root. */
  readonly app: Box
  /** Where a person writes to the model; null when it is not on the page. */
  readonly composer: Box | null
  /** Controls of the panel that are cut off by its edge or hidden under something, by their names. */
  readonly covered: readonly string[]
}

/** The languages of the app: everything that is looked at is looked at in each. */
export const LANGUAGES = [
  { language: 'en', locale: 'en-US' },
  { language: 'zh', locale: 'zh-CN' },
] as const

/** What is looked at: a page, and what must be on it in both colours. */
export interface Sight {
  readonly page: Page
  readonly shown?: Locator | undefined
}

/** Looks at what is on the page in both colours, as a system changes them in the evening. */
export const inBothColours = async ({ page, shown }: Sight, look: () => Promise<void>): Promise<void> => {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    await until(
      async () =>
        (await page.evaluate(() => document.body.hasAttribute('data-ds-dark-theme'))) === (colorScheme === 'dark'),
      { what: `the ${colorScheme} page` },
    )
    await shown?.waitFor()
    await look()
  }
}

export const layoutOf = (page: Page): Promise<Layout> =>
  page.evaluate(() => {
    const boxOf = (element: Element | null): Box | null => {
      if (element === null) return null
      const { left, top, right, bottom } = element.getBoundingClientRect()
      return { left, top, right, bottom }
    }
    const panel = document.querySelector<HTMLElement>('[data-tty-panel]')
    const app = document.querySelector('#root')
    const fields = document.querySelectorAll('#root textarea, #root [contenteditable="true"], #root [role="textbox"]')
    const composer = Array.from(fields).find((field) => field.closest('[data-tty-panel]') === null) ?? null
    const isModal = document.querySelector('[role="dialog"]') !== null
    const controls = isModal ? [] : (panel?.querySelectorAll<HTMLElement>('button, [role="separator"]') ?? [])
    const covered = Array.from(controls).filter((control) => {
      const box = control.getBoundingClientRect()
      const isScrolledAway =
        (control.closest('[data-edges]') !== null && control.closest('[data-active="true"]') === null) ||
        control.closest('[data-tty-keybar]') !== null
      if (isScrolledAway || box.width === 0) return false
      const top = document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2)
      return top === null || !(control.contains(top) || top.contains(control))
    })
    const root = document.documentElement
    return {
      view: { width: innerWidth, height: innerHeight },
      overflowX: root.scrollWidth - innerWidth,
      overflowY: root.scrollHeight - innerHeight,
      panel: boxOf(panel),
      mode: panel?.dataset['ttyPanel'] ?? null,
      app: boxOf(app) ?? { left: 0, top: 0, right: 0, bottom: 0 },
      composer: boxOf(composer),
      covered: covered.map((control) => control.getAttribute('aria-label') ?? control.innerText),
    }
  })

/** What axe-core finds wrong with our parts of the page, one line per element. */
export const accessibilityFaults = async (page: Page): Promise<readonly string[]> => {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE_SOURCE)
  const { violations } = await page.evaluate((): Promise<AxeResults> => {
    const include = [
      '[data-tty-panel]',
      '[data-tty-entry]',
      '[data-tty-confirm]',
      '[data-tty-settings]',
      '[data-tty-mount]',
      '[data-tty-script]',
    ].filter((selector) => document.querySelector(selector) !== null)
    const { axe } = window as unknown as { axe: { run(context: object): Promise<AxeResults> } }
    return axe.run({ include: include.map((selector) => [selector]) })
  })
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} (${failureSummary ?? ''})`),
  )
}

/** Fails with every element of ours that axe-core finds at fault. @param state what is on the page, for the report */
export const expectNoAxeViolations = async (page: Page, state = 'the page'): Promise<void> => {
  expect({ state, faults: await accessibilityFaults(page) }).toEqual({ state, faults: [] })
}
