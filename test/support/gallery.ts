/** Pictures of every state that the browser suite comes by; `npm run gallery` makes one page of them. */
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Page } from 'playwright-core'
import { pictureFile } from '../../scripts/gallery.ts'

/**
 * Saves what the page shows now, once nothing moves any more.
 * @param scenario what is to be seen; colours and language are the page's own
 * @returns the file
 */
export const shoot = async (page: Page, scenario: string): Promise<string> => {
  // Overlays fade in; a picture of half of it shows nothing. What goes round for ever has no end to wait for.
  await page.evaluate(() => {
    const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
    return Promise.all(ending.map(({ finished }) => finished.catch(() => {})))
  })
  const look = await page.evaluate(() => ({
    scheme: document.body.hasAttribute('data-ds-dark-theme') ? ('dark' as const) : ('light' as const),
    locale: document.documentElement.lang.startsWith('zh') ? ('zh' as const) : ('en' as const),
  }))
  const path = pictureFile({ scenario, ...look })
  await mkdir(dirname(path), { recursive: true })
  await page.screenshot({ path })
  return path
}
