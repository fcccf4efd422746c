import { beforeEach, describe, expect, it, vi } from 'vitest'
import { TtyError } from '../../../../host-src/base/errors.ts'
import { PluginTerminals } from '../../../../host-src/services/tty-service.ts'
import type { TtyEvent, TtySession } from '../../../../host-src/services/tty-contract.ts'
import type { SessionRegistry } from '../../../../host-src/sessions/session-registry.ts'
import { passGate, type Tier } from '../../../../host-src/tools/tool-gate.ts'
import type { SessionId } from '../../../../protocol-src/ids.ts'
import { DEFAULT_SETTINGS } from '../../../../protocol-src/settings.ts'
import { FakeBackend, settled, type FakePty } from '../../../support/fake-backend.ts'
import { recordingLogger, type RecordingLogger } from '../../../support/recording-logger.ts'
import { testRegistry } from '../../../support/test-registry.ts'
import { until } from '../../../support/wait.ts'

const SIZE = { cols: 80, rows: 24 }
const NO_TIERS: Tier = { mode: null, policy: 'none', actor: 'agent', confine: null }
const plugin = 'acme'

let backend: FakeBackend
let registry: SessionRegistry
let logger: RecordingLogger
let tier: Tier
let asked: string[]
let terminals: PluginTerminals

beforeEach(() => {
  backend = new FakeBackend()
  logger = recordingLogger()
  registry = testRegistry(backend, { logger })
  tier = NO_TIERS
  asked = []
  terminals = new PluginTerminals({
    registry,
    settings: () => DEFAULT_SETTINGS,
    logger,
    gate: (action, request, call) =>
      passGate(action, request, {
        tier,
        settings: DEFAULT_SETTINGS,
        ask: (reason) => {
          asked.push(reason)
          return Promise.resolve(call === undefined ? 'unavailable' : 'allowed-once')
        },
      }),
    directoryOf: (call) => (call === undefined ? null : '/agent/works/here'),
  })
})

const pty = (): FakePty => backend.pty
const byUser = async (): Promise<string> => {
  const owner = { kind: 'user' as const }
  return (await registry.open({ spec: { kind: 'local' }, size: SIZE, owner })).id
}
const codeOf = (error: unknown): string => (error instanceof TtyError ? error.code : String(error))
const call = { callId: 'c', name: 'acme_tool', signal: new AbortController().signal, agent: {} }

describe('opening', () => {
  it('starts a session that the plugin owns, with its name, in its directory', async () => {
    const session = await terminals.open({ plugin, command: 'make dev', cwd: '/shop', title: ' Dev server ' })
    expect(session).toMatchObject({ owner: 'plugin', plugin, title: 'Dev server', phase: 'running', exitCode: null })
    expect(registry.get(session.sid as SessionId)?.descriptor.spec).toEqual({
      kind: 'local',
      command: 'make dev',
      cwd: '/shop',
    })
    expect(terminals.list()).toEqual([session])
  })

  it('is no orphan without a window: the plugin ends it', async () => {
    const { sid } = await terminals.open({ plugin })
    const session = registry.require(sid as SessionId)
    session.hold().dispose()
    expect(session.orphanedAt).toBeNull()
  })

  it('starts where the agent works on whose behalf it is called', async () => {
    const { sid } = await terminals.open({ plugin, call })
    expect(registry.get(sid as SessionId)?.descriptor.spec.cwd).toBe('/agent/works/here')
  })

  it.each([
    ['no plugin', {}],
    ['an unknown field', { plugin, comand: 'ls' }],
    ['a relative directory', { plugin, cwd: 'src' }],
    ['an empty command', { plugin, command: '' }],
    ['nothing at all', undefined],
  ])('refuses %s by name and starts nothing', async (_, request) => {
    const error = await terminals.open(request as never).catch((thrown: unknown) => thrown)
    expect(codeOf(error)).toBe('BAD_ARGUMENTS')
    expect((error as Error).message).toMatch(/^tty\.open was not called as it must be, and nothing was done\. .+docs/)
    expect(backend.launches).toHaveLength(0)
  })
})

describe('the gate', () => {
  it('refuses in a restricted tier when nobody can be asked, and starts nothing', async () => {
    tier = { ...NO_TIERS, mode: 'workspace-write' }
    expect(await terminals.open({ plugin }).catch(codeOf)).toBe('NOT_ALLOWED')
    expect(await terminals.run({ plugin, command: 'ls' }).catch(codeOf)).toBe('NOT_ALLOWED')
    expect(backend.launches).toHaveLength(0)
  })

  it('asks the user of the agent on whose behalf it is called, with who calls and what would be done', async () => {
    tier = { ...NO_TIERS, mode: 'workspace-write', policy: 'ask' }
    await terminals.open({ plugin, command: 'make\u202e', call })
    expect(asked).toEqual(['"acme": Run in a terminal in "/agent/works/here":\nmake\\u{202e}'])
  })

  it('judges every line that is typed, by the tier of that moment', async () => {
    const sid = await byUser()
    const attachment = terminals.attach({ plugin, sid, onOutput: () => {} })
    await attachment.write('one\r')
    tier = { ...NO_TIERS, mode: 'read-only' }
    expect(await attachment.write('two\r').catch(codeOf)).toBe('NOT_ALLOWED')
    expect(pty().written).toEqual(['one\r'])
  })

  it('lets reading pass in every tier', async () => {
    const sid = await byUser()
    tier = { ...NO_TIERS, mode: 'read-only' }
    expect(terminals.list().map((session) => session.sid)).toEqual([sid])
    expect(terminals.attach({ plugin, sid, onOutput: () => {} }).sid).toBe(sid)
  })
})

describe('what the user hid', () => {
  it('is in no list and no event, and cannot be attached, typed into or read on', async () => {
    const sid = await byUser()
    const seen: TtyEvent[] = []
    const output: string[] = []
    let ended: TtySession | null = null
    terminals.onEvent((event) => seen.push(event))
    const attachment = terminals.attach({
      ...{ plugin, sid, from: 'start' },
      onOutput: (bytes) => output.push(Buffer.from(bytes).toString()),
      onEnd: (session) => {
        ended = session
      },
    })
    pty().print('seen ')
    registry.require(sid as SessionId).setHidden(true)
    pty().print('unseen')
    expect(output).toEqual(['seen '])
    expect(ended).toMatchObject({ sid })
    expect(seen.map(({ type }) => type)).toEqual(['gone'])
    expect(terminals.list()).toEqual([])
    expect(await attachment.write('x').catch(codeOf)).toBe('SESSION_NOT_FOUND')
    expect(() => terminals.attach({ plugin, sid, onOutput: () => {} })).toThrow(/There is no session/)
    expect(pty().written).toEqual([])
  })

  it('is not read when it was hidden before the first look', async () => {
    const sid = await byUser()
    pty().print('secret')
    let outputs = 0
    const ended = new Promise<void>((resolve) => {
      terminals.attach({ plugin, sid, from: 'start', onOutput: () => (outputs += 1), onEnd: () => resolve() })
    })
    registry.require(sid as SessionId).setHidden(true)
    await ended
    expect(outputs).toBe(0)
  })
})

describe('typing', () => {
  it('is on record as the plugin’s, by its length only', async () => {
    const sid = await byUser()
    await terminals.attach({ plugin, sid, onOutput: () => {} }).write('sesame\r')
    const { journal } = registry.require(sid as SessionId)
    const input = journal.read({ after: 0, limit: 100 }).filter(({ type }) => type === 'input')
    expect(input.map(({ data }) => data)).toEqual([{ source: 'plugin', bytes: 7 }])
    expect(JSON.stringify(journal.read({ after: 0, limit: 100 }))).not.toContain('sesame')
  })

  it('is refused while the user types, unless it is forced', async () => {
    const sid = await byUser()
    registry.require(sid as SessionId).typing.note(Buffer.from('ls'), Date.now())
    const attachment = terminals.attach({ plugin, sid, onOutput: () => {} })
    expect(await attachment.write('x').catch(codeOf)).toBe('USER_IS_TYPING')
    await attachment.write('y', { force: true })
    expect(pty().written).toEqual(['y'])
  })

  it('is refused in what an agent or another plugin opened', async () => {
    const other = await terminals.open({ plugin: 'other' })
    const owner = { kind: 'agent' as const, agentId: 'a' }
    const agents = await registry.open({ spec: { kind: 'local' }, size: SIZE, owner })
    for (const sid of [other.sid, agents.id]) {
      const attachment = terminals.attach({ plugin, sid, onOutput: () => {} })
      expect(await attachment.write('x').catch(codeOf)).toBe('NOT_YOUR_SESSION')
      expect(await attachment.close().catch(codeOf)).toBe('NOT_YOUR_SESSION')
    }
  })

  it('never throws what it was given at it: bad text is refused', async () => {
    const sid = await byUser()
    const attachment = terminals.attach({ plugin, sid, onOutput: () => {} })
    expect(await attachment.write(7 as never).catch(codeOf)).toBe('BAD_ARGUMENTS')
  })
})

describe('looking', () => {
  it('gives the output in order with its offsets, from the start or from now', async () => {
    const sid = await byUser()
    pty().print('before ')
    const seen: [string, number][] = []
    const late: [string, number][] = []
    terminals.attach({
      ...{ plugin, sid, from: 'start' },
      onOutput: (bytes, offset) => seen.push([Buffer.from(bytes).toString(), offset]),
    })
    terminals.attach({ plugin, sid, onOutput: (bytes, offset) => late.push([Buffer.from(bytes).toString(), offset]) })
    await until(() => seen.length > 0, { what: 'what was printed before' })
    pty().print('after')
    expect(seen).toEqual([
      ['before ', 0],
      ['after', 7],
    ])
    expect(late).toEqual([['after', 7]])
  })

  it('tells the end once, and nothing more after it was disposed', async () => {
    const sid = await byUser()
    const ends: (number | null)[] = []
    let outputs = 0
    terminals.attach({ plugin, sid, onOutput: () => {}, onEnd: ({ exitCode }) => ends.push(exitCode) })
    const disposed = terminals.attach({ plugin, sid, onOutput: () => (outputs += 1), onEnd: () => ends.push(-1) })
    disposed.dispose()
    pty().print('x')
    await pty().exit({ exitCode: 3, signal: null })
    expect(ends).toEqual([3])
    expect(outputs).toBe(0)
  })

  it('logs a listener that throws, and harms nobody', async () => {
    const sid = await byUser()
    let heard = 0
    terminals.attach({
      ...{ plugin, sid },
      onOutput: () => {
        throw new Error('boom')
      },
    })
    terminals.attach({ plugin, sid, onOutput: () => (heard += 1) })
    terminals.onEvent(() => {
      throw new Error('bang')
    })
    pty().print('x')
    await pty().exit()
    expect(heard).toBe(1)
    expect(logger.lines.filter(({ level }) => level === 'error')).not.toEqual([])
  })
})

describe('events', () => {
  it('tell of opening, change, exit and going, whoever did it', async () => {
    const seen: string[] = []
    const stop = terminals.onEvent(({ type, session }) => seen.push(`${type} ${session.title ?? '-'} ${session.phase}`))
    const sid = await byUser()
    const session = registry.require(sid as SessionId)
    session.rename('mine')
    await pty().exit()
    await session.close('user')
    expect(seen).toEqual([
      'opened - starting',
      'changed - running',
      'changed mine running',
      // Nobody knows any more whether a command runs.
      'changed mine running',
      'exited mine exited',
      'gone mine exited',
    ])
    stop()
    await byUser()
    expect(seen).toHaveLength(6)
  })
})

describe('running a command', () => {
  it('gives its output and how it ended, and takes its terminal away', async () => {
    const result = terminals.run({ plugin, command: 'make' })
    await settled()
    pty().print('\u001b[31mbad\u001b[0m\r\n')
    await pty().exit({ exitCode: 2, signal: null })
    expect(await result).toMatchObject({ text: 'bad\n', exitCode: 2, signal: null, isRunning: false, timedOut: false })
    expect(registry.list()).toEqual([])
  })

  it('leaves it running after a time-out, and says so', async () => {
    const result = terminals.run({ plugin, command: 'sleep 9', timeoutMs: 1 })
    expect(await result).toMatchObject({ isRunning: true, timedOut: true, exitCode: null })
    expect(registry.list()).toHaveLength(1)
  })

  it('ends it when the caller gives up', async () => {
    const abort = new AbortController()
    const result = terminals.run({ plugin, command: 'sleep 9', signal: abort.signal })
    await settled()
    abort.abort()
    expect(await result.catch(codeOf)).toBe('CANCELLED')
    expect(registry.list()).toEqual([])
  })

  it('holds nothing of a session that another closed', async () => {
    const close = vi.fn()
    const { sid } = await terminals.open({ plugin })
    const attachment = terminals.attach({ plugin, sid, onOutput: () => {}, onEnd: close })
    await attachment.close()
    expect(close).toHaveBeenCalledOnce()
    expect(registry.list()).toEqual([])
    expect(await attachment.write('x').catch(codeOf)).toBe('SESSION_NOT_FOUND')
  })
})
