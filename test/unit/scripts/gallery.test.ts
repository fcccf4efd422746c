import { basename } from 'node:path'
import { describe, expect, it } from 'vitest'
import { contactSheet, pictureFile, scenariosIn } from '../../../scripts/gallery.ts'

describe('the gallery', () => {
  it('names a picture by what it shows, with nothing that a page or a file system would take for more', () => {
    const file = pictureFile({ scenario: 'Panel: "close" <dialog>/../x', scheme: 'dark', locale: 'zh' })
    expect(basename(file)).toBe('panel-close-dialog-x.dark.zh.png')
    expect(file).toMatch(/[\\/]\.cache[\\/]gallery[\\/]/)
  })

  it('has a row per scenario and a column per look, and shows only pictures', () => {
    const files = ['b.light.en.png', 'a.dark.zh.png', 'a.light.en.png', 'index.html', 'notes.png', 'c.blue.en.png']
    const scenarios = scenariosIn(files)
    expect([...scenarios.keys()]).toEqual(['a', 'b'])
    const sheet = contactSheet(scenarios)
    expect(sheet.match(/<tr id=/g)).toHaveLength(2)
    expect([...sheet.matchAll(/<img src="([^"]+)"/g)].map(([, src]) => src)).toEqual([
      'a.light.en.png',
      'a.dark.zh.png',
      'b.light.en.png',
    ])
    expect(sheet).toContain('alt="a, dark zh"')
  })
})
