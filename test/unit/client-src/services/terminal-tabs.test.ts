import { beforeEach, describe, expect, it, vi } from 'vitest'
import { HostLink } from '../../../../client-src/connection/host-link.ts'
import { LazyView } from '../../../../client-src/services/lazy-view.ts'
import { TerminalTabs } from '../../../../client-src/services/terminal-tabs.ts'
import { PanelStore } from '../../../../client-src/stores/panel-store.ts'
import type { SafeStorage } from '../../../../client-src/stores/storage.ts'
import { TabStore } from '../../../../client-src/stores/tab-store.ts'
import type { TerminalView } from '../../../../client-src/terminal/terminal-view.ts'
import type { JournalHealth } from '../../../../protocol-src/host-frames.ts'
import type { SessionDescriptor } from '../../../../protocol-src/session.ts'
import { descriptor, fakeNet, OTHER_INSTANCE, settled, sid } from '../connection/fake-host.ts'
import { fakeEmulator } from './fake-emulator.ts'

const SIZE = { cols: 100, rows: 30 }
const VERIFIED = { verified: true, killed: [], survivors: [] }
const A = sid('a')
const B = sid('b')

const memory = (): SafeStorage => {
  const values = new Map<string, unknown>()
  return { read: (key) => values.get(key), write: (key, value) => void values.set(key, structuredClone(value)) }
}

/** A terminal that is on screen at once and shows nothing. */
const fakeView = () => ({
  facts: { size: SIZE, isDriver: true, renderer: 'dom', isLetterboxed: false },
  fitting: SIZE,
  firstFit: () => Promise.resolve(SIZE),
  mount: () => () => {},
  focus: vi.fn(),
  started: vi.fn(),
  output: vi.fn(),
  resized: vi.fn(),
  exited: vi.fn(),
  marks: {
    trust: vi.fn(),
    refresh: vi.fn(),
    facts: { left: 0, top: 0, rowHeight: 0, rows: 24, shown: [], sticky: null, isAtPrompt: false, jump: null },
  },
  dispose: vi.fn(),
})

beforeEach(() => {
  vi.stubGlobal('document', { activeElement: null, body: null })
})

const page = (storage: SafeStorage = memory(), source = fakeEmulator(), isMirror = true) => {
  const net = fakeNet()
  const link = new HostLink(net.ports)
  const panel = new PanelStore({ shared: memory(), page: storage })
  const views: ReturnType<typeof fakeView>[] = []
  const terminals = new TerminalTabs({
    link,
    panel,
    tabs: new TabStore(storage),
    createView: ({ changed }) =>
      new LazyView({
        emulator: source.emulator,
        create: () => {
          const view = fakeView()
          views.push(view)
          return view as unknown as TerminalView
        },
        changed,
      }),
    writeClipboard: () => Promise.resolve(true),
    beep: () => {},
    ask: () => Promise.resolve('clipboard'),
    currentDirectory: () => '/work',
    isMirror,
  })
  const model = () => terminals.model.getSnapshot()
  const connect = async (sessions: SessionDescriptor[] = [], instance?: typeof OTHER_INSTANCE) => {
    link.start()
    link.wake()
    await settled()
    net.socket.welcome(sessions, instance)
    await settled()
  }
  /** Answer the open request, and the attach that follows. */
  const opened = async (session = descriptor(A)) => {
    await settled()
    net.socket.say({ type: 'ok', re: net.socket.last('open').id, result: { session } })
    net.socket.say({ type: 'sessions', sessions: [session] })
    await settled()
    await attached()
  }
  const attached = async () => {
    for (const frame of net.socket.frames.filter((each) => each.type === 'attach')) {
      const session = descriptor(frame.sid)
      const start = { mode: 'replay', from: { offset: 0, change: 0 }, size: SIZE, liveFrom: 0, lostBytes: 0 }
      net.socket.say({
        type: 'ok',
        re: frame.id,
        result: { start, session, handle: frame.id, inputSeq: 0, markNonce: null },
      })
    }
    await settled()
  }
  return { source, net, link, panel, terminals, views, model, connect, opened, attached, storage }
}

const one = async () => {
  const all = page()
  await all.connect()
  all.terminals.show()
  await all.opened()
  return all
}

describe('sessions that no user opened', () => {
  const agents = descriptor(A, { owner: { kind: 'agent', agentId: 'x' } })
  const plugins = descriptor(B, { owner: { kind: 'plugin', plugin: 'acme' } })

  it('get a tab by themselves, and only those of agents are marked', async () => {
    const { connect, model } = page()
    await connect([agents, plugins])
    expect(model().tabs.map(({ sid, isAgent }) => [sid, isAgent])).toEqual([
      [A, true],
      [B, false],
    ])
  })

  it('get none where a terminal is in no tab', async () => {
    const { connect, model } = page(memory(), fakeEmulator(), false)
    await connect([agents, plugins])
    expect(model().tabs).toEqual([])
  })
})

describe('opening', () => {
  it('gives an empty panel its first terminal, where the person works, in the size that fits', async () => {
    const { net, model, panel } = await one()
    expect(net.socket.last('open')).toMatchObject({ spec: { kind: 'local', cwd: '/work' }, size: SIZE })
    expect(panel.getSnapshot().open).toBe(true)
    expect(model()).toMatchObject({
      running: 1,
      hostLive: 1,
      tabs: [{ sid: A, label: 'bash', dot: 'live', cover: null }],
    })
  })

  it('waits for a link that is not there yet', async () => {
    const all = page()
    all.terminals.show()
    await settled()
    expect(all.model().tabs).toMatchObject([{ dot: 'disconnected', cover: { kind: 'connecting' } }])
    await all.connect()
    await all.opened()
    expect(all.model().tabs).toMatchObject([{ dot: 'live' }])
  })

  it('shows why it failed, and tries again on request', async () => {
    const all = page()
    await all.connect()
    all.terminals.show()
    await settled()
    const error = { code: 'SHELL_UNUSABLE', message: '', details: { path: '/no/sh', reason: 'ENOENT' } } as const
    all.net.socket.say({ type: 'error', re: all.net.socket.last('open').id, error })
    await settled()
    const [tab] = all.model().tabs
    expect(tab).toMatchObject({ dot: 'failed', cover: { kind: 'failed', message: { params: { path: '/no/sh' } } } })
    if (tab === undefined) return
    all.terminals.retry(tab.key)
    await all.opened()
    expect(all.model().tabs).toMatchObject([{ dot: 'live', sid: A }])
    expect(all.net.socket.count('open')).toBe(2)
  })

  it('does not ask for more than the host allows, and says how many are elsewhere', async () => {
    const all = await one()
    all.net.socket.say({ type: 'sessions', sessions: ['a', 'b', 'c', 'd'].map((letter) => descriptor(sid(letter))) })
    all.terminals.open()
    expect(all.net.socket.count('open')).toBe(1)
    expect(all.model().notices).toMatchObject([
      { message: { key: 'notice.limit.elsewhere', params: { live: 4, max: 4, elsewhere: 3 } } },
    ])
  })

  it('ends a session whose tab was closed before it was there', async () => {
    const all = page()
    await all.connect()
    all.terminals.show()
    await settled()
    const [tab] = all.model().tabs
    if (tab !== undefined) all.terminals.close([tab.key])
    expect(all.model().tabs).toEqual([])
    all.net.socket.say({ type: 'ok', re: all.net.socket.last('open').id, result: { session: descriptor(A) } })
    await settled()
    expect(all.net.socket.last('close').sid).toBe(A)
    expect(all.net.socket.count('attach')).toBe(0)
  })
})

describe('without an emulator', () => {
  const cover = { kind: 'failed', message: { key: 'error.SCRIPT_NOT_LOADED' } }

  it('a new tab is there at once, and starts its session when there is one', async () => {
    const all = page(memory(), fakeEmulator(true))
    await all.connect()
    all.terminals.show()
    await settled()
    expect(all.model().tabs).toMatchObject([{ dot: 'starting', cover: { kind: 'connecting' } }])
    expect(all.net.socket.count('open')).toBe(0)
    all.source.idle()
    all.source.answer()
    await all.opened()
    expect(all.model().tabs).toMatchObject([{ sid: A, dot: 'live', cover: null }])
    expect(all.views[0]?.focus).toHaveBeenCalled()
  })

  it('every tab says why there is none, and one Retry brings all of them to life', async () => {
    const before = await one()
    const after = page(before.storage, fakeEmulator(true))
    await after.connect([descriptor(A)])
    after.terminals.open()
    after.source.idle()
    after.source.fail()
    await settled()
    expect(after.model().tabs).toMatchObject([
      { sid: A, dot: 'failed', cover },
      { sid: null, dot: 'failed', cover },
    ])
    expect(after.net.socket.count('attach')).toBe(0)
    after.terminals.retry(after.model().tabs[0]?.key ?? ('' as never))
    expect(after.model().tabs).toMatchObject([{ cover: { kind: 'connecting' } }, { cover: { kind: 'connecting' } }])
    after.source.answer()
    await after.opened(descriptor(B))
    expect(after.model().tabs).toMatchObject([
      { sid: A, dot: 'live', cover: null },
      { sid: B, dot: 'live', cover: null },
    ])
    // What was restored is the same session still.
    expect(after.net.socket.count('close')).toBe(0)
    expect(after.net.socket.count('open')).toBe(1)
    expect(after.source.urls).toHaveLength(2)
  })

  it('a tab that was closed meanwhile starts nothing', async () => {
    const all = page(memory(), fakeEmulator(true))
    await all.connect()
    all.terminals.show()
    all.source.idle()
    all.terminals.close([all.model().tabs[0]?.key ?? ('' as never)])
    all.source.answer()
    await settled()
    expect([all.views.length, all.net.socket.count('open')]).toEqual([0, 0])
  })
})

describe('restoring', () => {
  it('attaches to what is alive, drops what is gone with one notice, and opens nothing', async () => {
    const before = await one()
    const first = before.model().tabs[0]
    if (first !== undefined) before.terminals.rename(first.key, 'mine')
    before.terminals.open()
    await before.opened(descriptor(B))
    before.terminals.activate(before.model().tabs[0]?.key ?? ('' as never))
    const after = page(before.storage)
    expect(after.model().tabs).toMatchObject([{ sid: A, label: 'mine' }, { sid: B }])
    await after.connect([descriptor(A, { title: 'mine' })])
    await after.attached()
    expect(after.model().tabs).toMatchObject([{ sid: A, label: 'mine', dot: 'live' }])
    expect(after.model().active).toBe(after.model().tabs[0]?.key)
    expect(after.model().notices).toMatchObject([{ message: { key: 'notice.dropped.one' } }])
    expect(after.net.socket.count('open')).toBe(0)
    expect(after.net.socket.last('attach')).toMatchObject({ sid: A, resumeFrom: null })
  })

  it('takes no tabs twice when the socket comes and goes right after the load', async () => {
    const before = await one()
    const after = page(before.storage)
    for (let times = 0; times < 5; times += 1) {
      await after.connect([descriptor(A)])
      after.net.socket.break()
    }
    await after.connect([descriptor(A)])
    await after.attached()
    expect(after.model().tabs).toHaveLength(1)
    expect(after.model().notices).toEqual([])
    expect(after.net.socket.count('attach')).toBe(1)
  })

  it('shows agents’ sessions, and leaves those of other pages alone', async () => {
    const all = page()
    await all.connect([descriptor(A), descriptor(B, { owner: { kind: 'agent', agentId: 'x' } })])
    await all.attached()
    expect(all.model().tabs).toMatchObject([{ sid: B, isAgent: true, dot: 'live' }])
    expect(all.panel.getSnapshot().open).toBe(false)
  })

  it('lets the tab of an agent’s command go that was over before anybody looked', async () => {
    const all = await one()
    all.net.socket.say({
      type: 'sessions',
      sessions: [descriptor(A), descriptor(B, { owner: { kind: 'agent', agentId: 'x' } })],
    })
    await settled()
    const error = { code: 'SESSION_NOT_FOUND' as const, message: '' }
    all.net.socket.say({ type: 'error', re: all.net.socket.last('attach').id, error })
    await settled()
    expect(all.model().tabs).toMatchObject([{ sid: A }])
  })

  it('are shown when a row asks for them, also when this page has no tab of them; one that is gone is told', async () => {
    const all = await one()
    all.net.socket.say({ type: 'sessions', sessions: [descriptor(A), descriptor(B)] })
    all.terminals.minimise()
    all.terminals.showSession(B)
    await all.attached()
    expect(all.panel.getSnapshot().open).toBe(true)
    expect(all.model().tabs).toMatchObject([{ sid: A }, { sid: B }])
    expect(all.model().active).toBe(all.model().tabs[1]?.key)
    all.terminals.showSession(A)
    expect(all.model().active).toBe(all.model().tabs[0]?.key)
    all.terminals.showSession(sid('z'))
    expect(all.model().notices).toMatchObject([{ message: { key: 'notice.sessionGone' } }])
    expect(all.model().tabs).toHaveLength(2)
  })
})

describe('what the person tells agents', () => {
  it('goes to the host, which says what comes of it', async () => {
    const all = await one()
    const key = all.model().tabs[0]?.key
    if (key === undefined) throw new Error('no tab')
    all.terminals.setHidden(key, true)
    expect(all.net.socket.last('hide')).toMatchObject({ sid: A, hidden: true })
    expect(all.model().tabs[0]?.isHidden).toBe(false)
    const request = { id: 7, prompt: 'code?', isSecret: false }
    all.net.socket.say({ type: 'sessions', sessions: [descriptor(A, { hidden: true, request })] })
    await settled()
    expect(all.model().tabs[0]).toMatchObject({ isHidden: true, isAsking: true, strip: { action: 'decline' } })
    all.terminals.dismissStrip(key)
    expect(all.net.socket.last('decline')).toMatchObject({ sid: A, request: 7 })
    expect(all.model().tabs).toHaveLength(1)
  })
})

describe('the end of a session', () => {
  it('that the host does not survive leaves the tab as it was, with a way to start anew', async () => {
    const all = await one()
    all.net.socket.break()
    await all.connect([], OTHER_INSTANCE)
    const [tab] = all.model().tabs
    expect(tab).toMatchObject({ dot: 'over', strip: { message: { key: 'strip.hostRestarted' }, action: 'restart' } })
    expect(all.net.socket.count('open')).toBe(0)
    if (tab === undefined) return
    all.terminals.restart(tab.key)
    await all.opened(descriptor(B))
    expect(all.net.socket.count('close')).toBe(0)
    expect(all.views).toHaveLength(2)
    expect(all.views[0]?.dispose).toHaveBeenCalledOnce()
    expect(all.model().tabs).toMatchObject([{ key: tab.key, sid: B, dot: 'live', strip: null }])
  })

  it('with the host leaves the tab with what the next host kept, and Restart names the session it runs again', async () => {
    const all = await one()
    const stopped = { phase: 'exited', exit: { exitCode: null, signal: null }, exitReason: 'host stopped' } as const
    all.net.socket.break()
    await all.connect([descriptor(A, stopped)], OTHER_INSTANCE)
    await all.attached()
    all.net.socket.say({
      type: 'exited',
      handle: all.net.socket.last('attach').id as never,
      exit: stopped.exit,
      offset: 0,
    })
    const [tab] = all.model().tabs
    expect(tab).toMatchObject({ sid: A, dot: 'over', strip: { message: { key: 'strip.hostRestarted' } } })
    expect(all.net.socket.last('attach')).toMatchObject({ sid: A, resumeFrom: null })
    expect(all.model().running).toBe(0)
    if (tab === undefined) return
    all.terminals.restart(tab.key)
    await all.opened(descriptor(B, { retryOf: A }))
    expect(all.net.socket.last('open')).toMatchObject({ retryOf: A })
    expect(all.net.socket.last('close')).toMatchObject({ sid: A })
    expect(all.model().tabs).toMatchObject([{ key: tab.key, sid: B, dot: 'live', strip: null }])
    all.terminals.close([tab.key])
    expect(all.net.socket.last('close')).toMatchObject({ sid: B })
  })

  it('before that of the host stays what it was, with its name, and can be cleared at the new host', async () => {
    const all = await one()
    const [tab] = all.model().tabs
    if (tab === undefined) return
    all.terminals.rename(tab.key, 'mine')
    const exit = { exitCode: 3, signal: null }
    const exited = descriptor(A, { phase: 'exited', exit, exitReason: 'process', title: 'mine' })
    all.net.socket.say({ type: 'sessions', sessions: [exited] })
    all.net.socket.say({ type: 'exited', handle: all.net.socket.last('attach').id as never, exit, offset: 0 })
    all.net.socket.break()
    await all.connect([{ ...exited, title: null }], OTHER_INSTANCE)
    await all.attached()
    expect(all.model().tabs).toMatchObject([
      { label: 'mine', dot: 'failed', strip: { message: { key: 'strip.exited', params: { code: 3 } } } },
    ])
    all.terminals.close([tab.key])
    expect(all.net.socket.last('close')).toMatchObject({ sid: A })
  })

  it('is not given up for a restart that has no room', async () => {
    const all = await one()
    const [tab] = all.model().tabs
    if (tab === undefined) return
    const exit = { exitCode: 0, signal: null }
    all.net.socket.say({ type: 'exited', handle: all.net.socket.last('attach').id as never, exit, offset: 0 })
    const others = ['b', 'c', 'd', 'e'].map((letter) => descriptor(sid(letter)))
    all.net.socket.say({ type: 'sessions', sessions: [descriptor(A, { phase: 'exited', exit }), ...others] })
    all.terminals.restart(tab.key)
    await settled()
    expect(all.net.socket.count('close')).toBe(0)
    expect(all.model().tabs).toMatchObject([{ sid: A, strip: { message: { key: 'strip.exited' } } }])
    expect(all.model().notices).toMatchObject([{ message: { key: 'notice.limit.elsewhere' } }])
  })

  it('by somebody else takes the tab away, unless it is looked at', async () => {
    const all = await one()
    all.net.socket.say({ type: 'closed', sid: A, reason: 'user', termination: VERIFIED })
    expect(all.model().tabs).toMatchObject([{ strip: { message: { key: 'strip.closedElsewhere' } } }])
    const other = await one()
    other.terminals.minimise()
    other.net.socket.say({ type: 'closed', sid: A, reason: 'user', termination: VERIFIED })
    expect(other.model().tabs).toEqual([])
  })

  it('on request takes the tab away once the host confirmed it', async () => {
    const all = await one()
    const [tab] = all.model().tabs
    if (tab === undefined) return
    all.terminals.close([tab.key])
    all.terminals.close([tab.key])
    expect(all.model().tabs).toMatchObject([{ isClosing: true }])
    expect(all.net.socket.count('close')).toBe(1)
    all.net.socket.say({ type: 'closed', sid: A, reason: 'user', termination: VERIFIED })
    all.net.socket.say({ type: 'ok', re: all.net.socket.last('close').id, result: { termination: VERIFIED } })
    await settled()
    expect(all.model().tabs).toEqual([])
    expect(all.panel.getSnapshot().open).toBe(false)
  })

  it('that left programs behind keeps the tab and names them', async () => {
    const all = await one()
    const [tab] = all.model().tabs
    if (tab === undefined) return
    all.terminals.close([tab.key])
    const termination = { verified: false, killed: [], survivors: [{ pid: 42, command: 'stuck' }] }
    all.net.socket.say({ type: 'ok', re: all.net.socket.last('close').id, result: { termination } })
    await settled()
    expect(all.model().tabs).toMatchObject([{ strip: { message: { params: { count: 1, list: 'stuck (42)' } } } }])
    all.terminals.dismissStrip(tab.key)
    expect(all.model().tabs).toEqual([])
  })

  it('that could not be asked for keeps the tab and says why', async () => {
    const all = await one()
    const [tab] = all.model().tabs
    if (tab === undefined) return
    all.net.socket.break()
    all.terminals.close([tab.key])
    await settled()
    expect(all.model().tabs).toMatchObject([{ isClosing: false }])
    expect(all.model().notices).toMatchObject([
      {
        tone: 'error',
        message: { key: 'notice.closeFailed', params: { title: 'bash', reason: { key: 'error.DISCONNECTED' } } },
      },
    ])
  })
})

describe('several tabs', () => {
  const C = sid('c')
  const D = sid('d')
  const four = async () => {
    const before = page()
    await before.connect()
    for (const id of [A, B, C, D]) {
      before.terminals.open()
      await before.opened(descriptor(id, { cwd: `/at/${id[0] ?? ''}` }))
    }
    before.net.socket.say({
      type: 'sessions',
      sessions: [A, B, C, D].map((id) => descriptor(id, { cwd: `/at/${id[0] ?? ''}` })),
    })
    before.panel.setOpen(true)
    const keys = before.model().tabs.map(({ key }) => key)
    const closed = () => before.net.socket.frames.flatMap((frame) => (frame.type === 'close' ? [frame.sid] : []))
    const key = (at: number) => keys[at] ?? ('' as never)
    return { ...before, key, closed }
  }

  it('are closed together, each asked for once, and the nearest that stays is shown', async () => {
    const all = await four()
    all.terminals.activate(all.key(1))
    all.terminals.close([all.key(1), all.key(2), all.key(1)])
    all.terminals.close([all.key(2)])
    expect(all.closed()).toEqual([B, C])
    expect(all.model().active).toBe(all.key(3))
    expect(all.views[3]?.focus).toHaveBeenCalled()
    expect(all.views[2]?.focus).toHaveBeenCalledTimes(1)
    expect(all.model().tabs.map(({ isClosing }) => isClosing)).toEqual([false, true, true, false])
  })

  it('go one by one as the host ends them, and what does not end stays', async () => {
    const all = await four()
    all.terminals.close([all.key(0), all.key(1)])
    const asked = all.net.socket.frames.flatMap((frame) => (frame.type === 'close' ? [frame.id] : []))
    all.net.socket.say({ type: 'ok', re: asked[1] ?? 0, result: { termination: VERIFIED } })
    all.net.socket.say({ type: 'error', re: asked[0] ?? 0, error: { code: 'INTERNAL', message: '' } })
    await settled()
    expect(all.model().tabs.map(({ sid: id, isClosing }) => [id, isClosing])).toEqual([
      [A, false],
      [C, false],
      [D, false],
    ])
    expect(all.model().notices).toMatchObject([{ message: { key: 'notice.closeFailed' } }])
  })

  it('that are over are released at the host, those it knows no more go at once', async () => {
    const all = await four()
    const exit = { exitCode: 0, signal: null }
    const gone = all.net.socket.frames.find((frame) => frame.type === 'attach' && frame.sid === A)
    all.net.socket.say({ type: 'exited', handle: (gone as { id: number }).id as never, exit, offset: 0 })
    all.net.socket.say({ type: 'closed', sid: B, reason: 'evicted', termination: null })
    all.terminals.activate(all.key(0), false)
    all.terminals.close([all.key(0), all.key(1)])
    expect(all.closed()).toEqual([A])
    expect(all.model().active).toBe(all.key(2))
    expect(all.views[1]?.focus).toHaveBeenCalledTimes(1)
    expect(all.model().tabs.map(({ sid: id }) => id)).toEqual([A, C, D])
  })

  it('are put into another order, which the storage keeps', async () => {
    const all = await four()
    all.terminals.move(all.key(3), 0)
    expect(all.model().tabs.map(({ sid: id }) => id)).toEqual([D, A, B, C])
    const after = page(all.storage)
    expect(after.model().tabs.map(({ sid: id }) => id)).toEqual([D, A, B, C])
  })

  it('of the same kind: one more is opened beside it, where it is now, unless the host is full', async () => {
    const all = await four()
    all.terminals.duplicate(all.key(1))
    await settled()
    expect(all.net.socket.count('open')).toBe(4)
    expect(all.model().notices).toMatchObject([{ message: { key: 'notice.limit' } }])
    all.net.socket.say({ type: 'sessions', sessions: [A, B].map((id) => descriptor(id, { cwd: '/now' })) })
    all.terminals.duplicate(all.key(1))
    await settled()
    expect(all.net.socket.last('open')).toMatchObject({ spec: { kind: 'local', cwd: '/now' } })
    expect(all.net.socket.last('open')).not.toHaveProperty('retryOf')
    expect(all.model().tabs.map(({ sid: id }) => id)).toEqual([A, B, null, C, D])
    expect(all.model().active).toBe(all.model().tabs[2]?.key)
  })

  it('one that runs is started anew once its session is over, also when the host is full', async () => {
    const all = await four()
    all.terminals.restart(all.key(2))
    await settled()
    expect(all.closed()).toEqual([C])
    expect(all.net.socket.count('open')).toBe(4)
    all.net.socket.say({ type: 'ok', re: all.net.socket.last('close').id, result: { termination: VERIFIED } })
    await settled()
    expect(all.net.socket.last('open')).toMatchObject({ retryOf: C })
    expect(all.model().tabs.map(({ sid: id }) => id)).toEqual([A, B, null, D])
  })
})

describe('while the panel is hidden', () => {
  it('new output is noticed, history is not, and opening the panel takes note', async () => {
    const all = await one()
    const handle = all.net.socket.last('attach').id
    all.net.socket.output(handle, 0, 'seen')
    expect(all.model().activity).toBe(0)
    all.terminals.minimise()
    all.net.socket.output(handle, 4, 'unseen')
    expect(all.model().activity).toBe(1)
    all.terminals.show()
    expect(all.model().activity).toBe(0)
  })
})

describe('a journal that is not kept as it should be', () => {
  it('is told until it is taken note of, and again for another reason', async () => {
    const all = await one()
    const say = (journal: JournalHealth) => {
      all.net.socket.say({ type: 'journal', journal })
    }
    expect(all.model().journal).toBeNull()
    say({ mode: 'degraded', reason: 'no-space' })
    expect(all.model().journal).toMatchObject({ params: { reason: { key: 'journal.no-space' } } })
    all.terminals.dismissJournal()
    expect(all.model().journal).toBeNull()
    all.net.socket.break()
    await all.connect([descriptor(A)])
    say({ mode: 'degraded', reason: 'no-space' })
    expect(all.model().journal).toBeNull()
    say({ mode: 'degraded', reason: 'failed' })
    expect(all.model().journal).toMatchObject({ params: { reason: { key: 'journal.failed' } } })
  })
})

it('leaves nothing behind', async () => {
  const all = await one()
  all.terminals.dispose()
  all.link.dispose()
  expect(all.views.every(({ dispose }) => dispose.mock.calls.length === 1)).toBe(true)
  expect(all.net.socket.isClosed).toBe(true)
})
