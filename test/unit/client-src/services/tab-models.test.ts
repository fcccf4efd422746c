import { describe, expect, it } from 'vitest'
import { LinkError } from '../../../../client-src/connection/link-error.ts'
import { journalMessage, linkLine, tabModel, type TabFacts } from '../../../../client-src/services/tab-models.ts'
import type { SessionDescriptor } from '../../../../protocol-src/session.ts'
import type { TabKey } from '../../../../client-src/stores/tab-store.ts'
import type { PersistName } from '../../../../protocol-src/ids.ts'
import type { SessionNotice } from '../../../../protocol-src/session.ts'
import { descriptor, sid } from '../connection/fake-host.ts'

const tab = { key: 'tab-1' as TabKey, sid: sid('a'), retryOf: null, spec: null, title: null, ordinal: 2 }
const STOPPED = descriptor(sid('a'), {
  phase: 'exited',
  exit: { exitCode: null, signal: null },
  exitReason: 'host stopped',
})
const OPEN = { kind: 'open', generation: 1, responding: true } as const
const model = (change: Partial<TabFacts> = {}) =>
  tabModel({
    tab: { ...tab, spec: { kind: 'local' }, ordinal: 1 },
    descriptor: descriptor(sid('a')),
    link: OPEN,
    attachment: { kind: 'attached' },
    hasContent: true,
    error: null,
    exit: null,
    end: null,
    isClosing: false,
    termination: null,
    lostBytes: 0,
    isNoticeDismissed: false,
    bells: 0,
    hasRung: false,
    view: { size: { cols: 80, rows: 24 }, isDriver: true, renderer: 'dom', isLetterboxed: false, isCtrlHeld: false },
    ...change,
  })

describe('the state of a tab', () => {
  it.each([
    ['live', {}],
    ['starting', { attachment: null }],
    ['starting', { descriptor: descriptor(sid('a'), { phase: 'starting' }) }],
    ['unresponsive', { link: { ...OPEN, responding: false } }],
    ['disconnected', { link: { kind: 'waiting', retryAt: 0 }, attachment: { kind: 'waiting' } }],
    ['done', { exit: { exitCode: 0, signal: null }, link: { kind: 'waiting', retryAt: 0 } }],
    ['failed', { exit: { exitCode: 2, signal: null } }],
    ['failed', { exit: { exitCode: null, signal: 'SIGKILL' } }],
    ['failed', { error: new LinkError('SHELL_UNUSABLE', '') }],
    ['over', { end: { kind: 'host-restarted' } }],
    ['over', { descriptor: STOPPED, attachment: { kind: 'waiting' } }],
    ['over', { descriptor: STOPPED, exit: { exitCode: null, signal: null } }],
    [
      'over',
      {
        end: { kind: 'closed', reason: 'user', termination: null },
        exit: { exitCode: null, signal: 'SIGHUP' },
      },
    ],
  ] satisfies [string, Partial<TabFacts>][])('is %s', (dot, facts) => {
    expect(model(facts).dot).toBe(dot)
  })
})

describe('what ending a tab would end', () => {
  const opening = { tab: { ...tab, sid: null }, descriptor: null, attachment: null }
  it.each([
    ['live', {}],
    ['live', { link: { kind: 'waiting', retryAt: 0 } }],
    ['live', { attachment: { kind: 'failed', error: new LinkError('BAD_REPLY', '') } }],
    ['live', { descriptor: null, attachment: null }],
    ['live', { error: new LinkError('SCRIPT_NOT_LOADED', '') }],
    ['opening', opening],
    ['over', { ...opening, error: new LinkError('SHELL_UNUSABLE', '') }],
    ['over', { exit: { exitCode: 0, signal: null } }],
    ['over', { end: { kind: 'unknown' } }],
    ['over', { descriptor: STOPPED }],
    ['over', { termination: { verified: false, killed: [], survivors: [] } }],
  ] satisfies [string, Partial<TabFacts>][])('is %s', (life, facts) => {
    expect(model(facts).life).toBe(life)
  })

  it('says whether a command runs in a shell, and nothing of a session that is one command', () => {
    const running = descriptor(sid('a'), { running: true })
    expect(model({ descriptor: running }).isBusy).toBe(true)
    expect(model({ descriptor: { ...running, running: false } }).isBusy).toBe(false)
    expect(model().isBusy).toBe(false)
    expect(model({ descriptor: { ...running, spec: { kind: 'local', command: 'top' } } }).isBusy).toBe(false)
  })
})

describe('a request of an agent', () => {
  const asked = (isSecret: boolean) =>
    descriptor(sid('a'), { hidden: true, request: { id: 1, prompt: 'the “code”', isSecret } })
  it('is said in the tab as long as it can be answered', () => {
    expect(model({ descriptor: asked(false) })).toMatchObject({
      isAsking: true,
      isHidden: true,
      strip: { message: { key: 'strip.request', params: { prompt: 'the “code”' } }, action: 'decline' },
    })
    expect(model({ descriptor: asked(true) }).strip?.message.key).toBe('strip.request.secret')
    const over = model({ descriptor: asked(true), exit: { exitCode: 1, signal: null } })
    expect(over).toMatchObject({ isAsking: false, strip: { message: { key: 'strip.exited' } } })
    expect(model()).toMatchObject({ isAsking: false, isHidden: false })
  })
})

describe('the name of a tab', () => {
  it('is what a person gave, else what runs in it, told apart by its number', () => {
    expect(model().label).toBe('bash')
    expect(model({ tab }).label).toBe('bash 2')
    expect(model({ tab, descriptor: descriptor(sid('a'), { title: 'mine' }) }).label).toBe('mine')
    expect(model({ tab: { ...tab, title: 'kept' }, descriptor: null }).label).toBe('kept')
    expect(model({ tab, descriptor: null }).label).toBeNull()
  })
})

describe('the strip', () => {
  it.each([
    ['strip.exited', 'restart', { exit: { exitCode: 1, signal: null } }],
    ['strip.exited.signal', 'restart', { exit: { exitCode: null, signal: 'SIGKILL' } }],
    ['strip.hostRestarted', 'restart', { end: { kind: 'host-restarted' } }],
    ['strip.hostRestarted', 'restart', { descriptor: STOPPED }],
    ['strip.hostRestarted', 'restart', { descriptor: STOPPED, exit: { exitCode: null, signal: null } }],
    [
      'strip.hostRestarted',
      'restart',
      {
        descriptor: { ...STOPPED, exit: { exitCode: null, signal: 'SIGHUP' } },
        exit: { exitCode: null, signal: 'SIGHUP' },
      },
    ],
    [
      'strip.closedElsewhere',
      'dismiss',
      { descriptor: STOPPED, end: { kind: 'closed', reason: 'user', termination: null } },
    ],
    ['strip.gone', 'restart', { end: { kind: 'unknown' } }],
    ['strip.hostStopped', 'restart', { end: { kind: 'closed', reason: 'shutdown', termination: null } }],
    ['strip.closedElsewhere', 'dismiss', { end: { kind: 'closed', reason: 'user', termination: null } }],
    ['strip.closedByAgent', 'dismiss', { end: { kind: 'closed', reason: 'agent', termination: null } }],
    [
      'strip.closedByAgent',
      'dismiss',
      { end: { kind: 'closed', reason: 'agent', termination: null }, exit: { exitCode: null, signal: 'SIGHUP' } },
    ],
    [
      'strip.exited',
      'restart',
      { end: { kind: 'closed', reason: 'evicted', termination: null }, exit: { exitCode: 0, signal: null } },
    ],
    ['strip.lostOutput', 'dismiss', { lostBytes: 5000 }],
    [
      'strip.survivors',
      'dismiss',
      { termination: { verified: false, killed: [], survivors: [{ pid: 7, command: 'sleep' }] } },
    ],
    ['strip.unverified', 'dismiss', { termination: { verified: false, killed: [], survivors: [] } }],
    ['error.BAD_REPLY', 'retry', { attachment: { kind: 'failed', error: new LinkError('BAD_REPLY', '') } }],
  ] satisfies [string, string, Partial<TabFacts>][])('says %s and offers to %s', (key, action, facts) => {
    expect(model(facts).strip).toMatchObject({ message: { key }, action })
  })

  it('tells of a fallback directory until it is dismissed', () => {
    const moved = descriptor(sid('a'), { notices: [{ code: 'CWD_FALLBACK', requested: '/gone', used: '/home' }] })
    expect(model({ descriptor: moved }).strip).toMatchObject({
      message: { params: { requested: '/gone', used: '/home' } },
    })
    expect(model({ descriptor: moved, isNoticeDismissed: true }).strip).toBeNull()
  })

  it.each([
    [{ code: 'PERSIST_UNAVAILABLE', reason: 'missing', version: null }, 'plain', 'strip.persist.missing'],
    [{ code: 'PERSIST_UNAVAILABLE', reason: 'too-old', version: '2.9' }, 'plain', 'strip.persist.too-old'],
    [{ code: 'PERSIST_LIMITED', version: '3.2a', missing: ['exit-signal'] }, 'plain', 'strip.persist.limited'],
    [{ code: 'OUTPUT_LOST' }, 'warning', 'strip.outputLost'],
  ] satisfies [SessionNotice, string, string][])('tells of %j until it is dismissed', (notice, tone, key) => {
    const told = descriptor(sid('a'), { notices: [notice] })
    expect(model({ descriptor: told }).strip).toMatchObject({ tone, message: { key }, action: 'dismiss' })
    expect(model({ descriptor: told, isNoticeDismissed: true }).strip).toBeNull()
  })

  it('says that a session outlives the host', () => {
    expect(model().isKept).toBe(false)
    expect(model({ descriptor: descriptor(sid('a'), { persist: 'build' as PersistName }) }).isKept).toBe(true)
  })

  it('is absent while all is well', () => {
    expect(model().strip).toBeNull()
  })
})

describe('the cover', () => {
  it('hides only what has nothing to show', () => {
    expect(model({ hasContent: false, attachment: null }).cover).toEqual({ kind: 'connecting' })
    expect(model({ hasContent: true, attachment: { kind: 'waiting' } }).cover).toBeNull()
    const error = new LinkError('SHELL_UNUSABLE', '', { path: '/no/sh' })
    expect(model({ hasContent: false, error }).cover).toMatchObject({
      kind: 'failed',
      message: { key: 'error.SHELL_UNUSABLE', params: { path: '/no/sh' } },
    })
  })
})

describe('the line about the link', () => {
  it('is absent while the host answers', () => {
    expect(linkLine(OPEN, false)).toBeNull()
    expect(linkLine(OPEN, true)).toBeNull()
    expect(linkLine({ kind: 'idle' }, false)).toBeNull()
  })

  it.each([
    ['link.reconnecting', { kind: 'waiting', retryAt: 0 }, false],
    ['link.refused.typing', { kind: 'waiting', retryAt: 0 }, true],
    ['link.unresponsive', { ...OPEN, responding: false }, false],
    ['link.stale.page', { kind: 'refused', code: 'PROTOCOL_MISMATCH', stale: 'page' }, false],
    ['link.stale.host', { kind: 'refused', code: 'PROTOCOL_MISMATCH', stale: 'host' }, false],
    ['error.PROTOCOL_MISMATCH', { kind: 'refused', code: 'PROTOCOL_MISMATCH', stale: 'unknown' }, false],
  ] as const)('says %s', (key, link, isTypingRefused) => {
    expect(linkLine(link, isTypingRefused)?.message.key).toBe(key)
  })
})

describe('the line about the journal', () => {
  it('is absent while history is kept as it was wanted', () => {
    for (const journal of [null, { mode: 'disk' }, { mode: 'memory-by-setting' }] as const)
      expect(journalMessage(journal)).toBeNull()
  })

  it('says why history is kept in memory only', () => {
    expect(journalMessage({ mode: 'degraded', reason: 'locked' })).toEqual({
      key: 'journal.degraded',
      params: { reason: { key: 'journal.locked' } },
    })
  })
})

describe('a terminal on another machine', () => {
  const connection = {
    host: 'h',
    port: 22,
    username: 'u',
    auth: 'password',
    agentForward: false,
    persist: true,
  } as const
  const remote = (link: SessionDescriptor['link'], change: Partial<SessionDescriptor> = {}) =>
    descriptor(sid('a'), { kind: 'ssh', spec: { kind: 'ssh', host: { book: 'one' } }, target: 'u@h', link, ...change })

  it('says which it is and how the connection is, and nothing of this kind of one of this machine', () => {
    expect(model().connection).toBeNull()
    expect(model({ descriptor: remote({ book: 'one', state: 'up' }) }).connection).toMatchObject({
      bookName: 'one',
      target: 'u@h',
      state: 'up',
    })
    const link = { book: 'one', state: 'connecting', phase: 'authenticate', hop: 'target' } as const
    expect(model({ descriptor: remote(link) }).connection).toMatchObject({ state: 'connecting', phase: 'authenticate' })
  })

  it('offers nothing for a command that runs there and ends', () => {
    const spec = { kind: 'ssh', host: { book: 'one' }, command: 'make' } as const
    expect(model({ descriptor: remote({ book: 'one', state: 'up' }, { spec }) }).connection).toBeNull()
  })

  it('shows no secret of a connection that is in no book, before the host has described it', () => {
    const spec = { kind: 'ssh', host: { connection: { ...connection, password: 'hunter2' } } } as const
    const shown = model({ tab: { ...tab, sid: null, spec, ordinal: 1 }, descriptor: null, attachment: null })
    expect(shown).toMatchObject({ label: 'u@h', connection: { state: 'connecting', bookName: null } })
    expect(JSON.stringify(shown)).not.toContain('hunter2')
  })

  it('tells a lost connection from an exit, and offers to connect again', () => {
    const facts = {
      descriptor: remote(
        { book: 'one', state: 'lost' },
        { phase: 'exited', exit: { exitCode: null, signal: null }, exitReason: 'connection lost' },
      ),
      exit: { exitCode: null, signal: null },
    }
    expect(model(facts)).toMatchObject({
      dot: 'disconnected',
      strip: { message: { key: 'strip.connectionLost', params: { target: 'u@h' } }, action: 'reconnect' },
      connection: { state: 'lost' },
    })
  })

  it('leads to the known keys when the machine shows another one', () => {
    const failed = (code: 'SSH_HOST_KEY_CHANGED' | 'SSH_AUTH') =>
      model({ descriptor: null, attachment: null, hasContent: false, error: new LinkError(code, '') }).cover
    expect(failed('SSH_HOST_KEY_CHANGED')).toMatchObject({ kind: 'failed', isHostKey: true })
    expect(failed('SSH_AUTH')).toMatchObject({ kind: 'failed', isHostKey: false })
  })
})
