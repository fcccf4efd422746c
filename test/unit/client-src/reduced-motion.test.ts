/** Who asked their system for less motion gets none from us. */
import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { inRoot } from '../../../scripts/project.ts'

const SHEETS = globSync('client-src/**/*.css', { cwd: inRoot() })

/** Properties of a sheet that move something, outside what is for people who want less of that. */
const moving = (css: string): string[] => {
  const usual = css.split('@media (prefers-reduced-motion: reduce)')[0] ?? ''
  return [...usual.matchAll(/^\s*(transition|animation):(?!\s*none)/gm)].map(([, property]) => property ?? '')
}

describe('style sheets', () => {
  it('are there', () => {
    expect(SHEETS.length).toBeGreaterThan(10)
  })

  it.each(SHEETS)('%s stands still for who wants less motion', (sheet) => {
    const css = readFileSync(inRoot(sheet), 'utf8')
    const reduced = css.split('@media (prefers-reduced-motion: reduce)')[1] ?? ''
    for (const property of moving(css))
      expect(reduced).toMatch(new RegExp(`^\\s*${property}(: none|-duration: 0s|:.*\\bstep-end\\b)`, 'm'))
  })
})
