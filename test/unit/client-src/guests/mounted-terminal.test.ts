import { describe, expect, it, vi } from 'vitest'
import type { LinkState } from '../../../../client-src/connection/socket.ts'
import { MountedTerminal } from '../../../../client-src/guests/mounted-terminal.ts'
import { EMPTY_MODEL, type PanelModel, type TabModel } from '../../../../client-src/stores/panel-model.ts'
import { createStore } from '../../../../client-src/stores/store.ts'
import type { TabKey } from '../../../../client-src/stores/tab-store.ts'
import { settled } from '../connection/fake-host.ts'

const WISH = { spec: { kind: 'local', command: 'top' }, label: null, isReused: true } as const
const KEY = 'tab-1' as TabKey
const OPEN = { kind: 'open', generation: 1, responding: true } as unknown as LinkState
const RESTARTED = { strip: { tone: 'warning', message: { key: 'strip.hostRestarted' }, action: 'restart' } } as const
const FAILED = { cover: { kind: 'failed', message: { key: 'error.DISCONNECTED' } } } as const

const mounted = (state: LinkState = OPEN) => {
  const model = createStore<PanelModel>(EMPTY_MODEL)
  const link = createStore<LinkState>(state)
  const show = (change: Partial<TabModel> | null): void => {
    const tab = { key: KEY, strip: null, cover: null, ...change } as TabModel
    model.set({ ...EMPTY_MODEL, tabs: change === null ? [] : [tab] })
  }
  const terminals = {
    model,
    open: vi.fn(() => {
      show({})
    }),
    restart: vi.fn(),
    retry: vi.fn(),
    close: vi.fn(),
    dispose: vi.fn(),
  }
  return { terminal: new MountedTerminal({ terminals, link, wish: WISH }), terminals, link, show }
}

describe('a terminal in an element of another plugin', () => {
  it('is opened at once, whether or not there is a link', () => {
    for (const state of [OPEN, { kind: 'connecting' } as unknown as LinkState])
      expect(mounted(state).terminals.open).toHaveBeenCalledExactlyOnceWith(WISH)
  })

  it('runs again after a restart of the host, once for each', async () => {
    const { terminals, show } = mounted()
    show(RESTARTED)
    show({ ...RESTARTED, label: 'top' })
    await settled()
    expect(terminals.restart).toHaveBeenCalledExactlyOnceWith(KEY)
    show({})
    await settled()
    show(RESTARTED)
    await settled()
    expect(terminals.restart).toHaveBeenCalledTimes(2)
  })

  it('waits for the link to run again, and to start when there was none for long', async () => {
    const { terminals, link, show } = mounted({ kind: 'connecting' } as unknown as LinkState)
    show(FAILED)
    await settled()
    expect(terminals.retry).not.toHaveBeenCalled()
    link.set(OPEN)
    await settled()
    expect(terminals.retry).toHaveBeenCalledExactlyOnceWith(KEY)
  })

  it('leaves to the person what ended or failed in another way', async () => {
    const { terminals, show } = mounted()
    show({ strip: { tone: 'plain', message: { key: 'strip.exited' }, action: 'restart' } })
    show({ cover: { kind: 'failed', message: { key: 'error.SHELL_UNUSABLE' } } })
    await settled()
    expect([terminals.restart.mock.calls, terminals.retry.mock.calls]).toEqual([[], []])
  })

  it('opens again when it is asked to and there is none, and not beside one', () => {
    const { terminal, terminals, show } = mounted()
    terminal.open()
    expect(terminals.open).toHaveBeenCalledOnce()
    show(null)
    terminal.open()
    expect(terminals.open).toHaveBeenCalledTimes(2)
  })

  it('ends its session once, and does nothing afterwards', async () => {
    const { terminal, terminals, show } = mounted()
    show(RESTARTED)
    terminal.dispose()
    terminal.dispose()
    await settled()
    expect(terminals.close).toHaveBeenCalledExactlyOnceWith([KEY])
    expect(terminals.dispose).toHaveBeenCalledOnce()
    expect(terminals.restart).not.toHaveBeenCalled()
  })
})
