// @vitest-environment jsdom
/** A terminal with a shell in it, without a browser's drawing: what is typed for a person, and what is told of the program. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { TerminalView, type ViewPorts } from '../../../../client-src/terminal/terminal-view.ts'
import { clientSettingsSchema } from '../../../../protocol-src/settings.ts'
import { mark, MARK_NONCE } from '../../../../scripts/record-streams/sequences.ts'

const PROMPT = `${mark('A')}$ ${mark('B')}`
const RUNNING = `seq\r\n${mark('C')}`

beforeEach(() => {
  class NoObserver {
    observe(): void {}
    disconnect(): void {}
  }
  vi.stubGlobal('ResizeObserver', NoObserver)
  vi.stubGlobal('matchMedia', () => ({ matches: false, addListener() {}, removeListener() {} }))
  // Nothing is drawn here.
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null)
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

/** @param history bytes that were printed before anybody looked */
const shell = (history = '') => {
  const typed: string[] = []
  const rang = vi.fn()
  let parsed = 0
  const ports = {
    input: (bytes: Uint8Array) => void typed.push(new TextDecoder().decode(bytes)),
    parsed: (offset: number) => {
      parsed = offset
    },
    rang,
    proposed: () => {},
    changed: () => {},
    marksChanged: () => {},
    isKnownCommand: () => true,
    linkHovered: () => {},
    findChanged: () => {},
    webgl: { state: { getSnapshot: () => ({ kind: 'absent' }), subscribe: () => () => {} }, load: () => {} },
  } as unknown as ViewPorts
  const view = new TerminalView(ports, clientSettingsSchema.parse({}), {})
  view.mount(document.body.appendChild(document.createElement('div')))
  view.marks.trust(MARK_NONCE)
  const size = { cols: 40, rows: 6 }
  view.started({
    mode: 'replay',
    from: { offset: 0, change: 0 },
    size,
    liveFrom: history.length,
    lostBytes: 0,
  } as never)
  view.resized(size, true)
  let offset = 0
  const prints = async (text: string): Promise<void> => {
    view.output(new TextEncoder().encode(text), offset)
    offset += text.length
    await vi.waitFor(() => {
      expect(parsed).toBe(offset)
    })
  }
  return { view, typed, rang, prints }
}

it('gets a command filled in at an empty prompt, without Enter', async () => {
  const { view, typed, prints } = shell()
  await prints(PROMPT)
  expect(view.fillIn('make test')).toBe(true)
  expect(typed).toEqual(['make test'])
  // That is there now.
  await prints('make test\b')
  expect(view.fillIn('make test')).toBe(false)
  await prints(`\r\n${mark('C')}`)
  expect(view.fillIn('make test')).toBe(false)
  expect(typed).toEqual(['make test'])
  view.dispose()
})

it('is cleared by its shell, and not under a command that runs', async () => {
  const { view, typed, prints } = shell()
  await prints(PROMPT)
  expect(view.clear()).toBe(true)
  await prints(RUNNING)
  expect(view.clear()).toBe(false)
  expect(typed).toEqual(['\f'])
  view.dispose()
})

it('types the next key with Ctrl, and no other', async () => {
  const { view, typed, prints } = shell()
  await prints(PROMPT)
  view.press('ctrl')
  expect(view.facts.isCtrlHeld).toBe(true)
  view.press('up')
  expect(view.facts.isCtrlHeld).toBe(false)
  view.press('up')
  await prints('\u001b[?1h')
  view.press('up')
  view.press('|')
  expect(typed).toEqual(['\u001b[1;5A', '\u001b[A', '\u001bOA', '|'])
  view.dispose()
})

it('rings for what the program does now, and not for what it did before', async () => {
  const past = 'a\u0007b'
  const { view, rang, prints } = shell(past)
  await prints(past)
  expect(rang).not.toHaveBeenCalled()
  await prints('\u0007')
  expect(rang).toHaveBeenCalledOnce()
  view.dispose()
})

it('counts the lines that a command printed', async () => {
  const { view, prints } = shell()
  await prints(`${PROMPT}${RUNNING}1\r\n2\r\n3`)
  expect(view.marks.linesOf(1)).toBeNull()
  await prints(`${mark('D;0')}${PROMPT}${RUNNING}${mark('D;0')}${PROMPT}`)
  expect([view.marks.linesOf(1), view.marks.linesOf(2)]).toEqual([3, 0])
  view.dispose()
})
