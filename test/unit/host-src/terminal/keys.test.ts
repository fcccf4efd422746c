import { describe, expect, it } from 'vitest'
import { KEY_NAMES, KEY_SYNTAX, keysToBytes } from '../../../../host-src/terminal/keys.ts'
import { TtyError } from '../../../../host-src/base/errors.ts'

const NORMAL = { applicationCursor: false }
const sent = (keys: readonly string[], options = NORMAL) =>
  Buffer.from(keysToBytes(keys, options)).toString('latin1').replaceAll('\u001b', '^[')

const refused = (keys: readonly string[]): TtyError => {
  try {
    keysToBytes(keys, NORMAL)
  } catch (error) {
    if (error instanceof TtyError) return error
  }
  return expect.fail(`${JSON.stringify(keys)} were taken`)
}

describe('keysToBytes', () => {
  it.each([
    ['C-c', '\u0003'],
    ['C-C', '\u0003'],
    ['c-c', '\u0003'],
    ['C-d', '\u0004'],
    ['C-z', '\u001a'],
    ['C-[', '^['],
    ['C-\\', '\u001c'],
    ['C-]', '\u001d'],
    ['C-_', '\u001f'],
    ['C-/', '\u001f'],
    ['C-Space', '\0'],
    ['C-@', '\0'],
    ['C-?', '\u007f'],
    ['Enter', '\r'],
    ['enter', '\r'],
    ['Return', '\r'],
    ['Tab', '\t'],
    ['S-Tab', '^[[Z'],
    ['BTab', '^[[Z'],
    ['Space', ' '],
    ['Escape', '^['],
    ['Esc', '^['],
    ['BSpace', '\u007f'],
    ['Backspace', '\u007f'],
    ['C-BSpace', '\b'],
    ['M-BSpace', '^[\u007f'],
    ['M-b', '^[b'],
    ['M-B', '^[B'],
    ['M-Enter', '^[\r'],
    ['C-M-x', '^[\u0018'],
    ['M-C-x', '^[\u0018'],
    ['S-a', 'A'],
    ['a', 'a'],
    ['A', 'A'],
    ['-', '-'],
    ['M--', '^[-'],
    ['C', 'C'],
    ['Up', '^[[A'],
    ['Down', '^[[B'],
    ['Right', '^[[C'],
    ['Left', '^[[D'],
    ['C-Up', '^[[1;5A'],
    ['S-Left', '^[[1;2D'],
    ['M-Right', '^[[1;3C'],
    ['C-M-S-Down', '^[[1;8B'],
    ['Home', '^[[H'],
    ['End', '^[[F'],
    ['C-Home', '^[[1;5H'],
    ['PageUp', '^[[5~'],
    ['PgDn', '^[[6~'],
    ['C-PageDown', '^[[6;5~'],
    ['Insert', '^[[2~'],
    ['Delete', '^[[3~'],
    ['S-Delete', '^[[3;2~'],
    ['F1', '^[OP'],
    ['F4', '^[OS'],
    ['C-F1', '^[[1;5P'],
    ['F5', '^[[15~'],
    ['F6', '^[[17~'],
    ['f10', '^[[21~'],
    ['F11', '^[[23~'],
    ['F12', '^[[24~'],
    ['S-F5', '^[[15;2~'],
  ])('sends %s as terminals do', (key, bytes) => {
    expect(sent([key])).toBe(bytes)
  })

  it('sends the keys in their order, each on its own', () => {
    expect(sent(['Up', 'Up', 'Enter', 'q', 'C-c'])).toBe('^[[A^[[A\rq\u0003')
    expect(sent([])).toBe('')
  })

  it('sends characters of any script, as UTF-8', () => {
    expect(Buffer.from(keysToBytes(['é', '字', '😀', 'M-ß'], NORMAL)).toString()).toBe('é字😀\u001bß')
  })

  it('follows the mode of the cursor keys, and with modifiers does not', () => {
    const application = { applicationCursor: true }
    expect(sent(['Up', 'Left', 'Home', 'End'], application)).toBe('^[OA^[OD^[OH^[OF')
    expect(sent(['C-Up', 'F5', 'PageUp', 'Enter'], application)).toBe('^[[1;5A^[[15~^[[5~\r')
  })

  it.each([
    'Ctrl-C',
    'Control',
    'Entr',
    'hello',
    'ls -la',
    '',
    'C-',
    'C-c ',
    ' Up',
    'F0',
    'F13',
    'M-hello',
    'C-é',
    'C-1',
    'C--',
    'S-1',
    'S-Enter',
    'C-Enter',
    'C-Tab',
    'C-Escape',
    'C-S-a',
    '\u0003',
    '\u009b',
    '\ud800',
    'constructor',
    '__proto__',
  ])('refuses %j, sends nothing, and says which keys there are', (key) => {
    const error = refused(['Up', key, 'Down'])
    expect(error.code).toBe('UNKNOWN_KEY')
    expect(error.message).toContain('nothing was sent')
    expect(error.message).toContain(KEY_SYNTAX)
  })

  it('bounds what an error repeats', () => {
    const error = refused(['x'.repeat(100_000)])
    expect(error.message.length).toBeLessThan(1000)
    expect(String(error.details?.['key']).length).toBeLessThan(100)
  })

  it('takes every name that it offers, in any case', () => {
    for (const name of KEY_NAMES) {
      expect(sent([name.toUpperCase()])).toBe(sent([name]))
      if (!/^F(?:[2-9]|1[01])$/.test(name)) expect(KEY_SYNTAX).toContain(name)
    }
    expect(new Set(KEY_NAMES.map((name) => sent([name]))).size).toBe(KEY_NAMES.length)
  })
})
