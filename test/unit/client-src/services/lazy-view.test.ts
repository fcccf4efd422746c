import { JSDOM } from 'jsdom'
import { beforeEach, expect, it, vi } from 'vitest'
import { LazyView } from '../../../../client-src/services/lazy-view.ts'
import type { TerminalView } from '../../../../client-src/terminal/terminal-view.ts'
import { settled } from '../connection/fake-host.ts'
import { fakeEmulator } from './fake-emulator.ts'

let page: Document
beforeEach(() => {
  page = new JSDOM('<input id="a"><input id="b"><div id="here"></div><div id="there"></div>').window.document
  vi.stubGlobal('document', page)
})
const element = (id: string): HTMLElement => {
  const found = page.querySelector<HTMLElement>(`#${id}`)
  if (found === null) throw new Error(`no #${id}`)
  return found
}

const lazily = (create?: () => TerminalView) => {
  const source = fakeEmulator(true)
  const unmount = vi.fn()
  const real = {
    facts: { size: { cols: 9, rows: 9 }, isDriver: true, renderer: 'dom', isLetterboxed: false },
    fitting: { cols: 9, rows: 9 },
    firstFit: () => Promise.resolve({ cols: 9, rows: 9 }),
    mount: vi.fn(() => unmount),
    focus: vi.fn(),
    dispose: vi.fn(),
  }
  const changed = vi.fn()
  const made = vi.fn(create ?? (() => real as unknown as TerminalView))
  const another = () => new LazyView({ emulator: source.emulator, create: made, changed })
  const arrive = async (): Promise<void> => {
    source.answer()
    await settled()
  }
  return { source, real, made, changed, unmount, another, arrive, view: another() }
}

it('gets the emulator when it is shown, and is then shown where it is wanted', async () => {
  const { source, view, real, unmount, arrive } = lazily()
  expect(source.urls).toEqual([])
  const leaveHere = view.mount(element('here'))
  expect(source.urls).toHaveLength(1)
  expect([view.terminal, view.fitting, view.facts.renderer]).toEqual([null, null, 'none'])
  const leaveThere = view.mount(element('there'))
  leaveHere()
  await arrive()
  expect(real.mount.mock.calls).toEqual([[element('there')]])
  expect(view.facts.renderer).toBe('dom')
  leaveThere()
  expect(unmount).toHaveBeenCalledOnce()
})

it('is not shown when it was hidden before the emulator came, and can be shown later', async () => {
  const { view, real, arrive } = lazily()
  view.mount(element('here'))()
  await arrive()
  expect(real.mount).not.toHaveBeenCalled()
  view.mount(element('there'))
  expect(real.mount).toHaveBeenCalledOnce()
})

it('makes every step in order once there is a terminal, and at once afterwards', async () => {
  const { source, view, arrive } = lazily()
  const steps: string[] = []
  view.whenThere(() => steps.push('first'))
  view.whenThere(() => steps.push('second'))
  const fit = view.firstFit(10)
  source.idle()
  expect(steps).toEqual([])
  await arrive()
  view.whenThere(() => steps.push('third'))
  expect(steps).toEqual(['first', 'second', 'third'])
  expect(await fit).toEqual({ cols: 9, rows: 9 })
})

it('has the keyboard when it comes, but takes it from nobody who began to use it meanwhile', async () => {
  const patient = lazily()
  element('a').focus()
  patient.view.focus()
  patient.source.idle()
  await patient.arrive()
  expect(patient.real.focus).toHaveBeenCalledOnce()
  const late = lazily()
  late.view.focus()
  late.source.idle()
  element('b').focus()
  await late.arrive()
  expect(late.real.focus).not.toHaveBeenCalled()
})

it('says why there is none, in every tab that has none, and comes back on one retry', async () => {
  const { source, view, another, changed, arrive } = lazily()
  const other = another()
  source.idle()
  source.fail()
  await settled()
  expect([view.error?.code, other.error?.code]).toEqual(['SCRIPT_NOT_LOADED', 'SCRIPT_NOT_LOADED'])
  expect(changed).toHaveBeenCalled()
  view.retry()
  expect([view.error, other.error]).toEqual([null, null])
  await arrive()
  expect([view.terminal, other.terminal]).not.toContain(null)
  expect(source.urls).toHaveLength(2)
})

it('keeps one terminal that cannot be made apart from the others', async () => {
  const create = vi.fn(() => ({ dispose: () => {} }) as unknown as TerminalView)
  create.mockImplementationOnce(() => {
    throw new Error('no canvas')
  })
  const { source, view, another, arrive } = lazily(create)
  const other = another()
  source.idle()
  await arrive()
  expect(view.error?.message).toBe('no canvas')
  expect([view.terminal, other.error]).toEqual([null, null])
  view.retry()
  expect(view.error).toBeNull()
  expect(view.terminal).not.toBeNull()
})

it('makes nothing any more once it is disposed', async () => {
  const { source, view, made, changed, arrive } = lazily()
  const step = vi.fn()
  view.whenThere(step)
  source.idle()
  changed.mockClear()
  view.dispose()
  await arrive()
  expect([made.mock.calls, step.mock.calls, changed.mock.calls]).toEqual([[], [], []])
})
