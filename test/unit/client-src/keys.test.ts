import { beforeEach, describe, expect, it, vi } from 'vitest'
import { BINDINGS, bindingOf, panelKey, type KeyPress, type Keys } from '../../../client-src/keys.ts'

/** `Ctrl+Shift+C` as the browser reports it. */
const press = (chord: string): KeyPress => {
  const [, modifiers = '', key = ''] = /^((?:\w+\+)*)(.+)$/.exec(chord) ?? []
  const has = (name: string): boolean => modifiers.includes(name)
  return { key, ctrlKey: has('Ctrl'), shiftKey: has('Shift'), altKey: has('Alt'), metaKey: has('Cmd') }
}
const rows = Object.entries<Keys>(BINDINGS)
const heard = rows.filter(([, { isShownOnly }]) => isShownOnly !== true)

describe('the table of keys', () => {
  it.each([false, true])('means with each chord what it shows, on a mac: %s', (isMac) => {
    for (const [id, { keys, mac = [] }] of heard)
      for (const chord of [...keys, ...(isMac ? mac : [])])
        expect({ chord, id: bindingOf(press(chord), isMac) }).toEqual({ chord, id })
  })

  it('has no chord twice', () => {
    const chords = rows.flatMap(([, { keys, mac = [] }]) => [...keys, ...mac])
    expect(chords).toHaveLength(new Set(chords).size)
  })

  it('leaves a Mac its own keys only on a Mac', () => {
    for (const [, { mac = [] }] of heard) for (const chord of mac) expect(bindingOf(press(chord), false)).toBeNull()
  })

  it.each(['f', 'Shift+F', 'Alt+Ctrl+F', 'Ctrl+Cmd+F', 'Ctrl+Shift+G', 'Ctrl+_', 'Ctrl+1', 'Shift++', '-', '0'])(
    'leaves %s to the program',
    (chord) => {
      expect(bindingOf(press(chord), true)).toBeNull()
    },
  )

  it('takes a sign with or without Shift, as the keyboard has it', () => {
    expect(bindingOf({ ...press('Ctrl++'), shiftKey: true }, false)).toBe('zoomIn')
    expect(bindingOf({ ...press('Ctrl+?'), shiftKey: true }, false)).toBe('help')
  })
})

describe('what the panel does itself', () => {
  beforeEach(() => {
    vi.stubGlobal('navigator', { platform: 'Linux' })
  })

  it.each([
    ['Ctrl+F', { panel: 'find', terminal: 'find', alternate: null }],
    ['Ctrl+Shift+F', { panel: 'find', terminal: 'find', alternate: 'find' }],
    ['Ctrl+Shift+O', { panel: 'links', terminal: 'links', alternate: 'links' }],
    ['Ctrl+=', { panel: null, terminal: 'zoomIn', alternate: 'zoomIn' }],
    ['Ctrl+-', { panel: null, terminal: 'zoomOut', alternate: 'zoomOut' }],
    ['Ctrl+0', { panel: null, terminal: 'zoomReset', alternate: 'zoomReset' }],
    ['?', { panel: 'help', terminal: null, alternate: null }],
    ['Ctrl+?', { panel: 'help', terminal: 'help', alternate: 'help' }],
    ['Ctrl+Shift+C', { panel: null, terminal: null, alternate: null }],
    ['x', { panel: null, terminal: null, alternate: null }],
  ] as const)('with %s depends on where the keyboard is', (chord, expected) => {
    for (const [place, binding] of Object.entries(expected))
      expect(panelKey(press(chord), place as keyof typeof expected)).toBe(binding)
  })
})
