import { describe, expect, it, vi } from 'vitest'
import type { TerminalWish } from '../../../../client-src/services/guest-input.ts'
import { GuestTabs } from '../../../../client-src/services/guest-tabs.ts'
import { EMPTY_MODEL, type PanelModel, type TabModel } from '../../../../client-src/stores/panel-model.ts'
import { PanelStore } from '../../../../client-src/stores/panel-store.ts'
import { NO_STORAGE } from '../../../../client-src/stores/storage.ts'
import { createStore } from '../../../../client-src/stores/store.ts'
import { TabStore } from '../../../../client-src/stores/tab-store.ts'
import type { LaunchSpec, SessionDescriptor } from '../../../../protocol-src/session.ts'
import { sid } from '../connection/fake-host.ts'

const wish = (change: Partial<LaunchSpec> = {}, isReused = true): TerminalWish => ({
  spec: { kind: 'local', ...change } as LaunchSpec,
  label: null,
  isReused,
})

const page = (isConnected = true) => {
  const model = createStore<PanelModel>(EMPTY_MODEL)
  const sessions = createStore<readonly SessionDescriptor[] | null>(isConnected ? [] : null)
  const tabs = new TabStore(NO_STORAGE)
  const panel = new PanelStore({ shared: NO_STORAGE, page: NO_STORAGE })
  const terminals = { model, open: vi.fn(), activate: vi.fn() }
  const guests = new GuestTabs({ link: { sessions }, panel, tabs, terminals })
  const add = (spec: LaunchSpec | null, change: Partial<TabModel> = {}) => {
    const key = tabs.add({ sid: sid('a'), spec }, true)
    const tab = { key, dot: 'live', isAgent: false, isClosing: false, ...change } as TabModel
    model.set({ ...model.getSnapshot(), tabs: [...model.getSnapshot().tabs, tab] })
    return key
  }
  const heard = (): void => {
    sessions.set([])
    model.set({ ...model.getSnapshot() })
  }
  return { guests, panel, tabs, terminals, add, heard }
}

describe('a tab for a plugin', () => {
  it('is opened when there is none, and the panel made visible', () => {
    const { guests, panel, terminals } = page()
    guests.open(wish({ command: 'top' }))
    expect(panel.getSnapshot().open).toBe(true)
    expect(terminals.open).toHaveBeenCalledExactlyOnceWith(wish({ command: 'top' }))
  })

  it('is the live one with the same command, wherever that runs', () => {
    const { guests, panel, terminals, add } = page()
    add({ kind: 'local' })
    const key = add({ kind: 'local', command: 'top', cwd: '/there' })
    guests.open(wish({ command: 'top', cwd: '/here' }))
    expect(terminals.activate).toHaveBeenCalledExactlyOnceWith(key)
    expect(terminals.open).not.toHaveBeenCalled()
    expect(panel.getSnapshot().open).toBe(true)
  })

  it.each([
    ['another command', { kind: 'local', command: 'htop' }, {}],
    ['a shell', { kind: 'local' }, {}],
    ['one that has ended', { kind: 'local', command: 'top' }, { dot: 'done' }],
    ['one that failed', { kind: 'local', command: 'top' }, { dot: 'failed' }],
    ['one that is being closed', { kind: 'local', command: 'top' }, { isClosing: true }],
    ['one of an agent', { kind: 'local', command: 'top' }, { isAgent: true }],
  ] as const)('is another one beside %s', (_, spec, change) => {
    const { guests, terminals, add } = page()
    add(spec, change)
    guests.open(wish({ command: 'top' }))
    expect(terminals.open).toHaveBeenCalledOnce()
  })

  it('is the live one of the same account or the same entry of the book', () => {
    const ssh = (host: object): LaunchSpec => ({ kind: 'ssh', host, command: 'top' }) as unknown as LaunchSpec
    const account = { host: 'Build', port: 22, username: 'me' }
    const { guests, terminals, add } = page()
    const book = add(ssh({ book: 'build' }))
    const free = add(ssh({ connection: account }))
    const asked = [
      { book: 'build' },
      { connection: { ...account, host: 'build', password: 'x' } },
      { book: 'other' },
      { connection: { ...account, username: 'you' } },
    ]
    for (const host of asked) guests.open({ ...wish(), spec: ssh(host) })
    guests.open(wish({ command: 'top' }))
    expect(terminals.activate.mock.calls).toEqual([[book], [free]])
    expect(terminals.open).toHaveBeenCalledTimes(3)
  })

  it('is another one when that is wanted', () => {
    const { guests, terminals, add } = page()
    add({ kind: 'local', command: 'top' })
    guests.open(wish({ command: 'top' }, false))
    expect(terminals.open).toHaveBeenCalledOnce()
  })

  it('waits after a reload until the host said what the restored tabs are', () => {
    const { guests, panel, tabs, terminals, add, heard } = page(false)
    const key = add(null)
    guests.open(wish({ command: 'top' }))
    expect(panel.getSnapshot().open).toBe(true)
    expect(terminals.open).not.toHaveBeenCalled()
    tabs.bind(key, sid('a'), { kind: 'local', command: 'top' })
    heard()
    expect(terminals.activate).toHaveBeenCalledExactlyOnceWith(key)
    expect(terminals.open).not.toHaveBeenCalled()
  })

  it('waits for nothing where every tab is known, or none is to be reused', () => {
    const { guests, terminals, add } = page(false)
    guests.open(wish({ command: 'top' }))
    add(null)
    guests.open(wish({ command: 'top' }, false))
    expect(terminals.open).toHaveBeenCalledTimes(2)
  })

  it('is not opened any more once the plugin is unloaded', () => {
    const { guests, terminals, add, heard } = page(false)
    add(null)
    guests.open(wish({ command: 'top' }))
    guests.dispose()
    heard()
    expect(terminals.open).not.toHaveBeenCalled()
    expect(terminals.activate).not.toHaveBeenCalled()
  })
})
