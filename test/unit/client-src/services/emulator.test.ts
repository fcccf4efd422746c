import { expect, it, vi } from 'vitest'
import { settled } from '../connection/fake-host.ts'
import { fakeEmulator, MODULE } from './fake-emulator.ts'

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
  const failed = { kind: 'failed', error: { code: 'EMULATOR_NOT_LOADED' } }
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

it.each([[undefined], [{}], [{ createView: () => {} }]])('does not take %o for the emulator', async (other) => {
  const { emulator, answer } = fakeEmulator(true)
  emulator.load()
  answer(other ?? null)
  await settled()
  expect(emulator.state.getSnapshot()).toMatchObject({ kind: 'failed' })
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
