import type { WebglAddon } from '@xterm/addon-webgl'
import type { Terminal } from '@xterm/xterm'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { createStore } from '../../../../client-src/stores/store.ts'
import type { WebglSource } from '../../../../client-src/terminal/page-ports.ts'
import { WebglDrawing } from '../../../../client-src/terminal/webgl.ts'

type State = ReturnType<WebglSource['state']['getSnapshot']>

class FakeAddon {
  readonly dispose = vi.fn()
  readonly onContextLoss = vi.fn()
}
const READY: State = { kind: 'ready', module: { WebglAddon: FakeAddon as unknown as new () => WebglAddon } }

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('document', { createElement: () => ({ getContext: () => null }) })
})

const drawing = (at: State = { kind: 'absent' }) => {
  const state = createStore<State>(at)
  const source = { state, load: vi.fn(), retry: vi.fn() }
  const terminal = { options: {}, loadAddon: vi.fn() }
  const changed = vi.fn()
  return { webgl: new WebglDrawing(terminal as unknown as Terminal, source, changed), state, source, terminal, changed }
}

describe('the renderer of a visible terminal', () => {
  it('is asked for with the first, and draws once the page has it', () => {
    const { webgl, state, source, terminal, changed } = drawing()
    webgl.start()
    webgl.start()
    expect(source.load).toHaveBeenCalledOnce()
    expect([webgl.isPending, webgl.isOn]).toEqual([true, false])
    state.set({ kind: 'loading' })
    expect(webgl.isPending).toBe(true)
    state.set(READY)
    expect([webgl.isPending, webgl.isOn]).toEqual([false, true])
    expect(terminal.loadAddon).toHaveBeenCalledOnce()
    expect(changed).toHaveBeenCalled()
  })

  it('draws at once when the page has it', () => {
    const { webgl, source } = drawing(READY)
    webgl.start()
    expect([webgl.isPending, webgl.isOn]).toEqual([false, true])
    expect(source.load).not.toHaveBeenCalled()
  })

  it('is done without when it cannot be had, and asked for again when the terminal is shown again', () => {
    const { webgl, state, source, changed } = drawing()
    webgl.start()
    state.set({ kind: 'failed' })
    expect([webgl.isPending, webgl.isOn]).toEqual([false, false])
    expect(changed).toHaveBeenCalled()
    webgl.stop()
    webgl.start()
    expect(source.retry).toHaveBeenCalledOnce()
  })

  it('is not given to a terminal that has left the screen', () => {
    const { webgl, state, terminal } = drawing()
    webgl.start()
    webgl.stop()
    state.set(READY)
    expect([webgl.isPending, webgl.isOn]).toEqual([false, false])
    expect(terminal.loadAddon).not.toHaveBeenCalled()
  })
})
