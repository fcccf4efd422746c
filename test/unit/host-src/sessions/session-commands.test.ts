import { hostname } from 'node:os'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { newMarkNonce, newSessionId } from '../../../../host-src/base/random-id.ts'
import type { SessionRegistry } from '../../../../host-src/sessions/session-registry.ts'
import type { Session } from '../../../../host-src/sessions/session.ts'
import { restoreRecorded } from '../../../../host-src/sessions/past-session.ts'
import { MAX_LISTED_COMMAND_CHARS } from '../../../../protocol-src/limits.ts'
import { sessionDescriptorSchema } from '../../../../protocol-src/session.ts'
import { FakeBackend } from '../../../support/fake-backend.ts'
import { marksOf, type MarkPrinter } from '../../../support/marks.ts'
import { RecordingSink, view } from '../../../support/recording-sink.ts'
import { recordingLogger } from '../../../support/recording-logger.ts'
import { memoryJournal, testRegistry } from '../../../support/test-registry.ts'

const SIZE = { cols: 80, rows: 24 }
const SHELL = { spec: { kind: 'local' as const }, size: SIZE, owner: { kind: 'user' as const } }
const ONE_COMMAND = { ...SHELL, spec: { kind: 'local' as const, command: 'make' } }

let backend: FakeBackend
let registry: SessionRegistry
beforeEach(() => {
  backend = new FakeBackend()
  registry = testRegistry(backend)
})

/** A session and the marks that its shell prints. */
const openShell = async (request: typeof SHELL = SHELL): Promise<{ session: Session; marks: MarkPrinter }> => {
  const session = await registry.open(request)
  const nonce = backend.launches.at(-1)?.request.markNonce
  if (nonce === undefined) throw new Error('nothing was launched')
  return { session, marks: marksOf(nonce) }
}
const recordsOf = (
  session: Session,
  types: readonly ('commandStarted' | 'commandFinished' | 'prompt' | 'cwd' | 'marksDistrusted')[],
) => session.journal.read({ types, limit: 100 }).map(({ type, data }) => ({ type, ...data }))

describe('a session of a shell', () => {
  it('says nothing of running before the first mark, and the truth after it', async () => {
    const { session, marks } = await openShell()
    backend.pty.print('welcome\r\n')
    expect(session.descriptor).not.toHaveProperty('running')
    backend.pty.print(`${marks.promptStart}$ ${marks.promptEnd}`)
    expect(session.descriptor).toMatchObject({
      running: false,
      lastCommand: null,
      currentCommand: null,
      commandsSeen: 0,
    })
    backend.pty.print(marks.start('make'))
    expect(session.descriptor).toMatchObject({
      running: true,
      lastCommand: null,
      currentCommand: { id: 1, text: 'make' },
    })
    backend.pty.print(`out${marks.end(2)}${marks.cwd('/src')}`)
    expect(sessionDescriptorSchema.parse(session.descriptor)).toMatchObject({
      running: false,
      lastCommand: { id: 1, text: 'make', exitCode: 2 },
      currentCommand: null,
      commandsSeen: 1,
      cwd: '/src',
    })
  })

  it('has another nonce than every other session', async () => {
    await openShell()
    await openShell()
    const [one, other] = backend.launches.map(({ request }) => request.markNonce)
    expect(one).toMatch(/^[0-9a-f]{32}$/)
    expect(one).not.toBe(other)
  })

  it('tells its viewers when a command starts and ends, and not those that have left or were not answered yet', async () => {
    const { session, marks } = await openShell()
    const [stays, leaves, comes] = [view(session), view(session), new RecordingSink()]
    session.detach(leaves.attachment)
    // Its reply, which comes first, was not sent yet.
    session.attach(comes, { size: SIZE, from: { offset: 0, change: 0 } })
    backend.pty.print(`${marks.start('ls')}a${marks.end(1)}`)
    const heard = (events: readonly string[]): string[] => events.filter((event) => event.startsWith('command'))
    expect(heard(stays.sink.events)).toEqual(['command 1 ls started', 'command 1 ls ended 1'])
    expect(heard(leaves.sink.events)).toEqual([])
    expect(heard(comes.events)).toEqual([])
  })

  it('announces a change for every change of what its descriptor says of commands', async () => {
    const { session, marks } = await openShell()
    const states: unknown[] = []
    session.onChange(({ descriptor }) => {
      if (states.at(-1) !== descriptor.running) states.push(descriptor.running)
    })
    for (const text of [marks.promptStart, marks.start('a'), marks.end(0)]) backend.pty.print(text)
    expect(states).toEqual([false, true, false])
  })

  it('shortens what it says in the list, not what it tells when it is asked', async () => {
    const { session, marks } = await openShell()
    const text = 'x'.repeat(MAX_LISTED_COMMAND_CHARS + 1)
    backend.pty.print(marks.start(text))
    expect(session.descriptor.currentCommand).toMatchObject({ text: text.slice(0, -1), truncated: true })
    expect(session.commands.list({ limit: 1 })).toMatchObject([{ text, truncated: false }])
  })

  it('is known to run nothing once its process ended, and its command to have ended with it', async () => {
    const { session, marks } = await openShell()
    backend.pty.print(`${marks.promptStart}${marks.start('kill -9 $$')}x`)
    await backend.pty.exit({ exitCode: null, signal: 'SIGKILL' })
    expect(session.descriptor).toMatchObject({
      running: false,
      lastCommand: { text: 'kill -9 $$', exitCode: null, outputTo: session.descriptor.outputOffset },
    })
    expect(recordsOf(session, ['commandFinished'])).toHaveLength(1)
  })

  it('without marks runs nothing once its process ended', async () => {
    const { session } = await openShell()
    await backend.pty.exit()
    expect(session.descriptor).toMatchObject({ running: false, lastCommand: null })
  })
})

describe('a shell that puts another program in its place', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  const running = async () => {
    const { session, marks } = await openShell()
    backend.pty.program = 'shell'
    backend.pty.print(marks.promptStart)
    backend.pty.print(marks.start('exec other'))
    return { session, marks }
  }

  it('is not known to run anything any more', async () => {
    const { session } = await running()
    backend.pty.program = 'other'
    backend.pty.print('$ ')
    await vi.advanceTimersByTimeAsync(1000)
    expect(session.descriptor).not.toHaveProperty('running')
    expect(session.descriptor).toMatchObject({ currentCommand: null, lastCommand: null, commandsSeen: 1 })
    const looks = vi.spyOn(backend.pty, 'image')
    backend.pty.print('more')
    await vi.advanceTimersByTimeAsync(1000)
    expect(looks).not.toHaveBeenCalled()
  })

  it('is not one whose command takes its time, or whose program cannot be known', async () => {
    const { session } = await running()
    for (const program of ['shell', null]) {
      backend.pty.program = program
      backend.pty.print('more')
      await vi.advanceTimersByTimeAsync(1000)
      expect(session.descriptor).toMatchObject({ running: true, currentCommand: { text: 'exec other' } })
    }
  })

  it('is not looked for while no command runs, nor after the end', async () => {
    const { session, marks } = await running()
    backend.pty.print(marks.end(0))
    backend.pty.program = 'other'
    await vi.advanceTimersByTimeAsync(1000)
    expect(session.descriptor).toMatchObject({ running: false, lastCommand: { exitCode: 0 } })
    const looks = vi.spyOn(backend.pty, 'image')
    backend.pty.print(marks.start('x'))
    await backend.pty.exit()
    await vi.advanceTimersByTimeAsync(1000)
    expect(looks).not.toHaveBeenCalled()
  })
})

describe('a session of one command', () => {
  it('runs while its process lives, whatever it prints', async () => {
    const { session, marks } = await openShell(ONE_COMMAND)
    backend.pty.print('\x1b]133;D;0\x07' + marks.end(0) + marks.promptStart)
    expect(session.descriptor).toMatchObject({ running: true, commandsSeen: 0 })
    expect(session.markNonce).toBeNull()
    await backend.pty.exit({ exitCode: 3, signal: null })
    expect(session.descriptor).toMatchObject({ running: false })
  })
})

describe('the directory of a session', () => {
  it('follows reports of this machine until the shell itself tells it, and only the shell is believed on record', async () => {
    const { session, marks } = await openShell()
    backend.pty.print(`\x1b]7;file://${hostname()}/hint\x07\x1b]7;file://evil.test/etc\x07`)
    expect(session.descriptor.cwd).toBe('/hint')
    backend.pty.print(`${marks.cwd('/proven')}\x1b]7;file:///forged\x07`)
    expect(session.descriptor.cwd).toBe('/proven')
    expect(recordsOf(session, ['cwd'])).toEqual([
      { type: 'cwd', path: '/fake' },
      { type: 'cwd', path: '/proven' },
    ])
  })
})

describe('the journal', () => {
  it('has every command with the place of its output, from which the next host knows them again', async () => {
    const { session, marks } = await openShell()
    const prompt = `${marks.cwd('/src')}${marks.promptStart}$ ${marks.promptEnd}`
    backend.pty.print(`${prompt}${marks.start('make')}out${marks.end(2)}${marks.cwd('/tmp')}${marks.promptStart}`)
    backend.pty.print(`${marks.start()}more${marks.start('last')}`)
    expect(recordsOf(session, ['commandStarted', 'commandFinished', 'prompt']).map(({ type }) => type)).toEqual([
      'prompt',
      'commandStarted',
      'commandFinished',
      'prompt',
      'commandStarted',
      'commandFinished',
      'commandStarted',
    ])
    const { commands } = restoreRecorded(session.journal, { size: SIZE, cwd: '/tmp' })
    const known = { running: true, isTrusted: true }
    expect(commands).toEqual({ ...known, commands: session.commands.list({ limit: 10 }), seen: 3, cwd: '/tmp' })
    expect(commands.commands.map(({ text, cwd, endedAt }) => [text, cwd, endedAt !== null])).toEqual([
      ['make', '/src', true],
      [null, '/tmp', true],
      ['last', '/tmp', false],
    ])
  })

  it('gives the next host the newest commands only', () => {
    const session = memoryJournal().begin(newSessionId())
    for (let id = 1; id <= 250; id += 1)
      session.append('commandStarted', { id, text: 'x', truncated: false, outputFrom: id, promptAt: null })
    session.append('commandFinished', { id: 1, exitCode: 0, outputTo: 9 })
    session.append('commandFinished', { id: 250, exitCode: 4, outputTo: 300 })
    const { commands, seen } = restoreRecorded(session, { size: SIZE, cwd: null }).commands
    expect([commands.length, commands[0]?.id, commands.at(-1)?.exitCode, seen]).toEqual([200, 51, 4, 250])
  })
})

describe('a nonce that was printed', () => {
  it('ends all trust: one record, one line in the log, and a state that nobody knows', async () => {
    const logger = recordingLogger()
    registry = testRegistry(backend, { logger })
    const { session, marks } = await openShell()
    const nonce = backend.launches.at(-1)?.request.markNonce ?? ''
    backend.pty.print(`${marks.promptStart}${marks.start('set')}`)
    const at = session.descriptor.outputOffset + 2
    backend.pty.print(`K=${nonce}\r\nK=${nonce}\r\n${marks.end(0)}${marks.promptStart}`)
    expect(session.descriptor).not.toHaveProperty('running')
    expect(session.descriptor).toMatchObject({ lastCommand: null, currentCommand: null, commandsSeen: 1 })
    expect(recordsOf(session, ['marksDistrusted'])).toEqual([{ type: 'marksDistrusted', at }])
    expect(logger.of('marks.distrusted')).toHaveLength(1)
    // Terminals that hold marks and terminals that begin anew must not differ.
    expect(session.markNonce).toBe(nonce)
  })

  it('is in no record, no descriptor and no line of the log', async () => {
    const logger = recordingLogger()
    registry = testRegistry(backend, { logger })
    const { session, marks } = await openShell()
    const nonce = backend.launches.at(-1)?.request.markNonce ?? ''
    expect(nonce).toHaveLength(newMarkNonce().length)
    backend.pty.print(`${marks.promptStart}${marks.cwd('/x')}${marks.start('a')}out${marks.end(0)}K=${nonce}`)
    await backend.pty.exit()
    const said = JSON.stringify([session.descriptor, session.journal.read({ limit: 1000 }), logger.lines])
    expect(said).toContain('marksDistrusted')
    expect(said).not.toContain(nonce)
  })
})
