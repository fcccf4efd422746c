import { expect, it, vi } from 'vitest'
import { settled } from '../connection/fake-host.ts'
import { fakeEmulator, MODULE } from './fake-emulator.ts'

type Take = (name: string) => unknown
const ADDRESS = '/api/dsh-tty/terminal.js?rev=abc'

it('is loaded once, however many terminals ask for it', async () => {
  const { emulator, urls, answer } = fakeEmulator(true)
  expect(emulator.state.getSnapshot()).toEqual({ kind: 'absent' })
  emulator.load()
  emulator.load()
  expect(emulator.state.getSnapshot()).toEqual({ kind: 'loading' })
  answer()
  await settled()
  emulator.load()
  emulator.retry()
  expect(emulator.state.getSnapshot()).toEqual({ kind: 'ready', module: MODULE })
  expect(urls).toEqual([ADDRESS])
})

it('waits for an idle page, unless a terminal is shown before', async () => {
  const { emulator, urls, idle } = fakeEmulator(true)
  emulator.loadWhenIdle()
  emulator.loadWhenIdle()
  expect(urls).toEqual([])
  emulator.load()
  idle()
  expect(urls).toEqual([ADDRESS])
})

it('stays failed until it is asked again, and then asks another address: a browser remembers failures', async () => {
  const { emulator, urls, answer, fail } = fakeEmulator(true)
  emulator.load()
  fail()
  await settled()
  const failed = { kind: 'failed', error: { code: 'SCRIPT_NOT_LOADED' } }
  expect(emulator.state.getSnapshot()).toMatchObject(failed)
  emulator.load()
  expect(urls).toHaveLength(1)
  emulator.retry()
  emulator.retry()
  fail()
  await settled()
  expect(emulator.state.getSnapshot()).toMatchObject(failed)
  emulator.retry()
  answer()
  await settled()
  expect(emulator.state.getSnapshot()).toMatchObject({ kind: 'ready' })
  expect(urls).toEqual([ADDRESS, `${ADDRESS}&attempt=2`, `${ADDRESS}&attempt=3`])
})

it.each([
  ['nothing', null],
  ['another module', {}],
  ['the emulator as it is no more', MODULE],
  ['another script of ours', { create: () => ({ startSettings: () => {} }) }],
  ['half of one', { create: () => ({ createView: () => {} }) }],
  ['one that breaks', { create: () => JSON.parse('{') as object }],
  [
    'one of another version, which asks for what this page has not',
    { create: (take: Take) => take('toString') && MODULE },
  ],
] satisfies [string, unknown][])('does not take %s for the emulator', async (_, other) => {
  const { emulator, answer } = fakeEmulator(true)
  emulator.load()
  answer(other)
  await settled()
  expect(emulator.state.getSnapshot()).toMatchObject({ kind: 'failed', error: { code: 'SCRIPT_NOT_LOADED' } })
})

it('gets from the page what it asks for by name', async () => {
  const { emulator, answer } = fakeEmulator(true)
  const taken: unknown[] = []
  emulator.load()
  answer({
    create: (take: Take) => {
      taken.push(take('react'))
      return MODULE
    },
  })
  await settled()
  expect(taken).toEqual(['the page’s own'])
  expect(emulator.state.getSnapshot()).toMatchObject({ kind: 'ready' })
})

it('tells nobody and asks for nothing once it is disposed', async () => {
  const { emulator, urls, answer, idle } = fakeEmulator(true)
  const heard = vi.fn()
  emulator.load()
  emulator.loadWhenIdle()
  emulator.state.subscribe(heard)
  emulator.dispose()
  answer()
  idle()
  await settled()
  emulator.load()
  expect(heard).not.toHaveBeenCalled()
  expect(urls).toHaveLength(1)
})
