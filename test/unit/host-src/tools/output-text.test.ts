import { describe, expect, it } from 'vitest'
import { screenText } from '../../../../host-src/tools/output-text.ts'
import { DEFAULT_SETTINGS } from '../../../../protocol-src/settings.ts'

const size = { cols: 80, rows: 4 }
const shown = (above: readonly string[], lines: readonly string[]) =>
  screenText({ above, lines, size }, { settings: () => DEFAULT_SETTINGS }).text

describe('screenText', () => {
  it('shows the rows of the screen, and nothing of those above', () => {
    expect(shown([], ['a', '', '字 b', ''])).toBe('a\n\n字 b')
    expect(shown(['old 字', ''], ['new'])).toBe('new')
    expect(shown(['old'], ['', '', ''])).toBe('')
  })

  it('masks a secret that begins above the screen', () => {
    const body = Array.from({ length: 20 }, (_, at) => `q7Wz${String(at % 10)}`.repeat(12))
    const key = ['-----BEGIN RSA PRIVATE KEY-----', ...body]
    for (const rows of [1, 3, 19])
      expect(shown(key.slice(0, -rows), key.slice(-rows)), String(rows)).toBe('[masked private key]')
    const token = `token=ghp_${'q7Wz'.repeat(9)}`
    const wide = `${'.'.repeat(80 - 20)}${token}`
    expect(shown([wide.slice(0, 80)], [`${wide.slice(80)} ok`])).toBe('[masked GitHub token] ok')
  })
})
