import { describe, expect, it } from 'vitest'
import { paneWish, terminalWish } from '../../../../client-src/services/guest-input.ts'

const wish = (options?: unknown, cwd?: string) => terminalWish('ttyTerminal.open', options, cwd)

describe('what a plugin asks of a terminal', () => {
  it('is a shell where the person works, when it says nothing', () => {
    expect(wish(undefined, '/work')).toEqual({ spec: { kind: 'local', cwd: '/work' }, label: null, isReused: true })
    expect(wish({})).toEqual({ spec: { kind: 'local' }, label: null, isReused: true })
  })

  it('is taken as it is', () => {
    const options = { command: 'make dev', cwd: '/shop', label: 'Dev', reuse: false }
    expect(wish(options, '/work')).toEqual({
      spec: { kind: 'local', cwd: '/shop', command: 'make dev' },
      label: 'Dev',
      isReused: false,
    })
    expect(wish({ command: 'x'.repeat(2000) }).spec.command).toHaveLength(2000)
  })

  it('is a terminal on another machine, where it starts at home', () => {
    expect(wish({ book: 'build', command: 'top' }, '/work').spec).toEqual({
      kind: 'ssh',
      host: { book: 'build' },
      command: 'top',
    })
    expect(wish({ spec: { host: 'h', username: 'u' }, cwd: '/srv' }).spec).toMatchObject({
      ...{ kind: 'ssh', cwd: '/srv' },
      host: { connection: { host: 'h', username: 'u', port: 22 } },
    })
  })

  it.each([
    ['no object', 7, /options must be an object/],
    ['a number for a command', { command: 7 }, /"command" must be a text/],
    ['an empty command', { command: ' ' }, /"command" is empty/],
    ['two lines', { command: 'a\nb' }, /one line/],
    ['a return', { command: 'a\rb' }, /one line/],
    ['a NUL', { command: 'a\0b' }, /one line/],
    ['2001 characters', { command: 'x'.repeat(2001) }, /more than 2000 characters/],
    ['a directory that is none', { cwd: {} }, /"cwd" must be a text/],
    ['a label that is none', { label: '' }, /"label" is empty/],
    ['two machines', { book: 'a', spec: {} }, /"book" or "spec", not both/],
    ['a book that is none', { book: 7 }, /"book" must be the name/],
    ['a connection without a user', { spec: { host: 'h' } }, /"spec" must be a connection/],
    ['a connection with more', { spec: { host: 'h', username: 'u', shell: 'x' } }, /"spec" must be a connection/],
    ['reuse by word', { reuse: 'no' }, /"reuse" must be true or false/],
  ])('is refused with what, why and where to look: %s', (_, options, why) => {
    expect(() => wish(options)).toThrow(TypeError)
    expect(() => wish(options)).toThrow(why)
    expect(() => wish(options)).toThrow(/^ttyTerminal\.open did nothing: .+\. See docs\/services\.md/)
  })
})

describe('what a plugin asks of a pane', () => {
  const pane = (options: unknown) => paneWish('ttyPanel.mountPane', options)

  it('has defaults', () => {
    expect(pane({ title: 'Files', side: 'right' })).toMatchObject({
      ...{ title: 'Files', hint: null, side: 'right', size: null, min: 120, ownerSid: undefined },
    })
  })

  it.each([
    ['nothing', undefined, /options must be an object/],
    ['no title', { side: 'right' }, /"title" is missing/],
    ['another side', { title: 'x', side: 'left' }, /"side" must be/],
    ['a size by word', { title: 'x', side: 'right', size: '30%' }, /"size" must be a number/],
    ['a size below nothing', { title: 'x', side: 'right', size: -1 }, /"size" must be a number/],
    ['no size', { title: 'x', side: 'right', min: Number.NaN }, /"min" must be a number/],
    ['a close that is none', { title: 'x', side: 'right', onClose: 1 }, /"onClose" must be a function/],
  ])('is refused: %s', (_, options, why) => {
    expect(() => pane(options)).toThrow(TypeError)
    expect(() => pane(options)).toThrow(why)
  })
})
