import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { newSessionId } from '../../../../host-src/base/random-id.ts'
import { Questions, type Panel } from '../../../../host-src/gateway/questions.ts'
import type { HostFrame } from '../../../../protocol-src/host-frames.ts'
import type { ClientId, SessionId } from '../../../../protocol-src/ids.ts'
import { ASK_TIMEOUT_MS, type Question } from '../../../../protocol-src/question.ts'

const where = { user: 'ada', host: 'h', port: 22, hop: 'target' as const, book: null }
const HOST: Question = { kind: 'host-key', where, keyType: 'ssh-ed25519', fingerprint: 'SHA256:x', others: [] }
const SECRET: Question = {
  kind: 'prompts',
  where,
  purpose: 'password',
  name: '',
  instructions: '',
  prompts: [{ text: '', echo: false }],
  again: false,
}

class FakePanel implements Panel {
  readonly client: ClientId
  readonly kind: 'panel' | 'cli'
  readonly sent: HostFrame[] = []
  readonly sessions = new Set<SessionId>()

  constructor(kind: 'panel' | 'cli' = 'panel', sid?: SessionId) {
    this.client = newSessionId() as string as ClientId
    this.kind = kind
    if (sid !== undefined) this.sessions.add(sid)
  }
  isConcernedWith(sid: SessionId): boolean {
    return this.sessions.has(sid)
  }
  send(frame: HostFrame): void {
    this.sent.push(frame)
  }
  get types(): string[] {
    return this.sent.map(({ type }) => type)
  }
}

const sid = newSessionId()
const session = { kind: 'session', sid, owner: 'user' } as const
const { signal } = new AbortController()

const serving = (...panels: FakePanel[]): Questions => {
  const questions = new Questions()
  questions.serve(() => panels)
  return questions
}

describe('a question', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('goes to the panels of its session, and the first answer counts', async () => {
    const [here, too, other, cli] = [
      new FakePanel('panel', sid),
      new FakePanel('panel', sid),
      new FakePanel(),
      new FakePanel('cli', sid),
    ]
    const questions = serving(here, too, other, cli)
    const reply = questions.ask(SECRET, session, signal)
    expect([here, too, other, cli].map(({ types }) => types.length)).toEqual([1, 1, 0, 0])
    questions.answer(1, { kind: 'prompts', values: ['secret'] }, too)
    expect(await reply).toEqual({ kind: 'prompts', values: ['secret'] })
    expect(here.types).toEqual(['ask', 'askEnded'])
    expect(() => questions.answer(1, { kind: 'prompts', values: ['x'] }, here)).toThrow('Nobody waits')
    expect(JSON.stringify([here.sent, too.sent])).not.toContain('secret')
  })

  it('is answered by nobody who was not asked', () => {
    const [here, other] = [new FakePanel('panel', sid), new FakePanel()]
    const questions = serving(here, other)
    void questions.ask(HOST, session, signal)
    expect(() => questions.answer(1, { kind: 'accept' }, other)).toThrow('Nobody waits')
    expect(questions.pendingCount).toBe(1)
  })

  it.each([
    [SECRET, { kind: 'accept' as const }],
    [HOST, { kind: 'prompts' as const, values: [] }],
  ])('takes no answer to something else', (question, answer) => {
    const here = new FakePanel('panel', sid)
    const questions = serving(here)
    void questions.ask(question, session, signal)
    expect(() => questions.answer(1, answer, here)).toThrow('no answer to what was asked')
  })

  it('of an agent goes to every panel; of a test to the one that wants it', () => {
    const [one, other] = [new FakePanel(), new FakePanel()]
    const questions = serving(one, other)
    void questions.ask(HOST, { ...session, owner: 'agent' }, signal)
    void questions.ask(HOST, { kind: 'client', client: other.client }, signal)
    expect([one.types.length, other.types.length]).toEqual([1, 2])
    expect(other.sent[1]).not.toHaveProperty('sid')
  })

  it('that nobody can be asked is not asked', async () => {
    expect(await serving(new FakePanel('cli', sid)).ask(HOST, session, signal)).toEqual({ kind: 'nobody' })
  })

  it('ends by itself, by the person, and with what it was for', async () => {
    const here = new FakePanel('panel', sid)
    const questions = serving(here)
    const late = questions.ask(HOST, session, signal)
    await vi.advanceTimersByTimeAsync(ASK_TIMEOUT_MS)
    expect(await late).toEqual({ kind: 'timed-out' })
    const declined = questions.ask(HOST, session, signal)
    questions.answer(2, { kind: 'cancel' }, here)
    expect(await declined).toEqual({ kind: 'declined' })
    const abort = new AbortController()
    const given = questions.ask(HOST, session, abort.signal)
    abort.abort()
    expect(await given).toEqual({ kind: 'aborted' })
    expect(questions.pendingCount).toBe(0)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('is asked again of a panel that comes back', () => {
    const here = new FakePanel('panel', sid)
    const questions = serving(here)
    void questions.ask(HOST, session, signal)
    const again = new FakePanel('panel', sid)
    questions.joined(again, null)
    questions.joined(again, newSessionId())
    expect(again.sent).toMatchObject([{ type: 'ask', ask: 1, sid, timeoutMs: ASK_TIMEOUT_MS }])
    const stranger = new FakePanel()
    questions.joined(stranger, sid)
    expect(stranger.sent).toEqual([])
  })
})
