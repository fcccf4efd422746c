import { beforeEach, describe, expect, it } from 'vitest'
import { TtyError } from '../../../../host-src/base/errors.ts'
import type { SessionRegistry } from '../../../../host-src/sessions/session-registry.ts'
import type { Session } from '../../../../host-src/sessions/session.ts'
import type { ClientId } from '../../../../protocol-src/ids.ts'
import { sessionDescriptorSchema, type SessionPhase } from '../../../../protocol-src/session.ts'
import { FakeBackend, settled } from '../../../support/fake-backend.ts'
import { randomForTest } from '../../../support/random.ts'
import { view } from '../../../support/recording-sink.ts'
import { testRegistry } from '../../../support/test-registry.ts'

const REQUEST = { spec: { kind: 'local' as const }, size: { cols: 80, rows: 24 }, owner: { kind: 'user' as const } }
const CLIENT = 'client' as ClientId

let backend: FakeBackend
let registry: SessionRegistry

beforeEach(() => {
  backend = new FakeBackend()
  registry = testRegistry(backend)
})

const phasesOf = (session: Session): SessionPhase[] => {
  const phases = [session.phase]
  session.onChange(() => {
    if (phases.at(-1) !== session.phase) phases.push(session.phase)
  })
  return phases
}

describe('the life of a session', () => {
  it('goes starting, running, exited, closed, and its descriptor is valid in each', async () => {
    backend.mode = 'manual'
    const session = registry.reserve(REQUEST)
    const phases = phasesOf(session)
    const launch = registry.launch(session, REQUEST)
    sessionDescriptorSchema.parse(session.descriptor)
    expect(session.descriptor.pid).toBeNull()
    await backend.launches[0]?.succeed()
    await launch
    expect(sessionDescriptorSchema.parse(session.descriptor)).toMatchObject({ pid: 1000, cwd: '/fake', target: 'fake' })
    await backend.pty.exit({ exitCode: 3, signal: null })
    expect(sessionDescriptorSchema.parse(session.descriptor).exit).toEqual({ exitCode: 3, signal: null })
    await session.close('user')
    sessionDescriptorSchema.parse(session.descriptor)
    expect(phases).toEqual(['starting', 'running', 'exited', 'closed'])
    expect(await session.ended).toEqual({ exitCode: 3, signal: null })
  })

  it('puts the size in force that a viewer asked for while it started', async () => {
    backend.mode = 'manual'
    const session = registry.reserve(REQUEST)
    const launch = registry.launch(session, REQUEST)
    const { attachment } = view(session, { cols: 132, rows: 43 })
    expect(() => session.input(attachment, { client: CLIENT, seq: 1 }, Buffer.from('x'))).toThrow(/still starting/)
    await backend.launches[0]?.succeed()
    await launch
    expect(backend.pty.sizes).toEqual(['132x43'])
    session.input(attachment, { client: CLIENT, seq: 1 }, Buffer.from('x'))
    expect(backend.pty.written).toEqual(['x'])
  })

  it('ends at once when it is closed while it starts; the process that comes all the same is ended', async () => {
    backend.mode = 'manual'
    const session = registry.reserve(REQUEST)
    const phases = phasesOf(session)
    const launch = registry.launch(session, REQUEST)
    const outcome = expect(launch).rejects.toMatchObject({ code: 'CANCELLED' })
    const closed = session.close('user')
    expect(backend.launches[0]?.request.signal.aborted).toBe(true)
    await backend.launches[0]?.succeed()
    await outcome
    await closed
    expect(backend.pty.terminations).toBe(1)
    expect(backend.pty.isOver).toBe(true)
    expect(phases).toEqual(['starting', 'closed'])
    expect(await session.ended).toBeNull()
    expect(registry.all).toEqual([])
  })

  it('says that nothing is left only when it has looked, also when it is closed while it starts', async () => {
    backend.mode = 'manual'
    const session = registry.reserve(REQUEST)
    const launch = registry.launch(session, REQUEST)
    const outcome = expect(launch).rejects.toMatchObject({ code: 'CANCELLED' })
    const closed = session.close('user')
    const survivors = [{ pid: 7, command: 'stuck' }]
    const launched = backend.launches[0]
    if (launched === undefined) throw new Error('nothing was launched')
    launched.pty.termination = Promise.resolve({ verified: false, killed: [], survivors })
    await launched.succeed()
    await outcome
    expect(await closed).toEqual({ verified: false, killed: [], survivors })
  })

  it('announces the exit to each viewer once, after the last byte, and then the release', async () => {
    const session = await registry.open(REQUEST)
    const { sink } = view(session)
    backend.pty.print('almost')
    backend.pty.print(' done')
    await backend.pty.exit({ exitCode: null, signal: 'SIGKILL' })
    await session.close('user')
    expect(sink.text).toBe('almost done')
    expect(sink.events.slice(-3)).toEqual(['data', 'exited SIGKILL at 11', 'closed user'])
  })

  it('tells who closes a running session that it exited, then that it is gone', async () => {
    const session = await registry.open(REQUEST)
    const { sink } = view(session)
    await Promise.all([session.close('user'), session.close('orphaned'), session.close('shutdown')])
    expect(backend.pty.terminations).toBe(1)
    expect(sink.events.slice(-2)).toEqual(['exited SIGHUP at 0', 'closed user'])
  })

  it('looks for what an ended program left behind when it is closed', async () => {
    const session = await registry.open(REQUEST)
    await backend.pty.exit()
    const termination = { verified: true, killed: [4711], survivors: [] }
    backend.pty.termination = Promise.resolve(termination)
    expect(await session.close('user')).toEqual(termination)
    expect(backend.pty.terminations).toBe(1)
  })

  it('stays readable after the exit and refuses what would change it', async () => {
    const session = await registry.open(REQUEST)
    backend.pty.print('result')
    await backend.pty.exit()
    const { sink, attachment } = view(session)
    expect(sink.text).toBe('result')
    expect(sink.events.at(-1)).toBe('exited 0 at 6')
    expect(() => session.input(attachment, { client: CLIENT, seq: 1 }, Buffer.from('x'))).toThrow(TtyError)
    session.resize(attachment, { cols: 10, rows: 10 })
    expect(backend.pty.sizes).toEqual(['80x24'])
  })

  it('resumes a paused program before it ends it', async () => {
    const session = await registry.open(REQUEST)
    view(session)
    for (let n = 0; n < 64; n += 1) backend.pty.print(Buffer.alloc(16 * 1024))
    expect(backend.pty.isPaused).toBe(true)
    let wasPaused: boolean | null = null
    backend.pty.termination = new Promise((resolve) => {
      queueMicrotask(() => {
        wasPaused = backend.pty.isPaused
        resolve({ verified: true, killed: [], survivors: [] })
      })
    })
    await session.close('user')
    expect(wasPaused).toBe(false)
  })
})

describe('input', () => {
  it('is typed exactly once per number, whatever a client repeats after a broken socket', async () => {
    const random = randomForTest()
    const session = await registry.open(REQUEST)
    let attachment = view(session).attachment
    let sent = 0
    for (let step = 0; step < 500; step += 1) {
      if (random.boolean(0.1)) {
        // The socket broke: the client asks where the host is and sends everything after that again.
        session.detach(attachment)
        attachment = view(session).attachment
        const from = session.lastInputOf(CLIENT) + 1
        for (let seq = random.integer(1, from); seq <= sent; seq += 1)
          session.input(attachment, { client: CLIENT, seq }, Buffer.from(`${seq},`))
        continue
      }
      sent += 1
      session.input(attachment, { client: CLIENT, seq: sent }, Buffer.from(`${sent},`))
    }
    expect(backend.pty.written).toEqual(Array.from({ length: sent }, (_, at) => `${at + 1},`))
  })

  it('refuses a number that skips one, and takes nothing then', async () => {
    const session = await registry.open(REQUEST)
    const { attachment } = view(session)
    session.input(attachment, { client: CLIENT, seq: 1 }, Buffer.from('a'))
    expect(() => session.input(attachment, { client: CLIENT, seq: 3 }, Buffer.from('c'))).toThrow(
      expect.objectContaining({ code: 'INPUT_OUT_OF_ORDER', details: { expected: 2, got: 3 } }),
    )
    expect(backend.pty.written).toEqual(['a'])
    expect(session.lastInputOf(CLIENT)).toBe(1)
  })

  it('counts each client for itself', async () => {
    const session = await registry.open(REQUEST)
    const { attachment } = view(session)
    session.input(attachment, { client: CLIENT, seq: 1 }, Buffer.from('a'))
    session.input(attachment, { client: 'other' as ClientId, seq: 1 }, Buffer.from('b'))
    expect(backend.pty.written).toEqual(['a', 'b'])
  })

  it('is not typed later when the program refused it: the sender was told', async () => {
    const session = await registry.open(REQUEST)
    const { attachment } = view(session)
    backend.pty.refusal = new TtyError('INPUT_BACKLOG', 'full')
    expect(() => session.input(attachment, { client: CLIENT, seq: 1 }, Buffer.from('a'))).toThrow('full')
    backend.pty.refusal = null
    session.input(attachment, { client: CLIENT, seq: 1 }, Buffer.from('a'))
    session.input(attachment, { client: CLIENT, seq: 2 }, Buffer.from('b'))
    expect(backend.pty.written).toEqual(['b'])
  })
})

describe('who keeps a session from being an orphan', () => {
  it('is a viewer or a client that opened it; agents need none', async () => {
    const session = await registry.open(REQUEST)
    expect(session.orphanedAt).not.toBeNull()
    const hold = session.hold()
    expect(session.orphanedAt).toBeNull()
    const { attachment } = view(session)
    hold.dispose()
    hold.dispose()
    expect(session.orphanedAt).toBeNull()
    session.detach(attachment)
    expect(session.orphanedAt).not.toBeNull()
    const agents = await registry.open({ ...REQUEST, owner: { kind: 'agent', agentId: 'a' } })
    expect(agents.orphanedAt).toBeNull()
    agents.detach(view(agents).attachment)
    await settled()
    expect(agents.orphanedAt).toBeNull()
  })
})
