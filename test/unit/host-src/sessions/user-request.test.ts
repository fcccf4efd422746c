import { beforeEach, describe, expect, it, vi } from 'vitest'
import { TtyError } from '../../../../host-src/base/errors.ts'
import { PersonTyping } from '../../../../host-src/sessions/person-typing.ts'
import { UserRequests, type Question } from '../../../../host-src/sessions/user-request.ts'
import { recordingLogger } from '../../../support/recording-logger.ts'

let typing: PersonTyping
let requests: UserRequests
let changes: (string | null)[]
let abort: AbortController

beforeEach(() => {
  vi.useFakeTimers()
  typing = new PersonTyping(recordingLogger())
  changes = []
  requests = new UserRequests(typing, () => changes.push(requests.pending?.prompt ?? null))
  abort = new AbortController()
  return () => vi.useRealTimers()
})

const ask = (change: Partial<Question> = {}) =>
  requests.ask({ prompt: 'code?', isSecret: false, timeoutMs: 1000, signal: abort.signal, ...change })
const key = (text: string): void => {
  typing.note(Buffer.from(text), 0)
}
const codeOf = (error: unknown): string => (error instanceof TtyError ? error.code : String(error))

describe('a request to the person', () => {
  it('is answered by a line, not by a key, and says nothing of it', async () => {
    const answer = ask()
    expect(requests.pending).toEqual({ id: 1, prompt: 'code?', isSecret: false })
    key('1')
    key('2')
    expect(requests.pending).not.toBeNull()
    key('\r')
    expect(await answer).toBe('answered')
    expect(changes).toEqual(['code?', null])
  })

  it.each([
    ['declined', () => requests.decline(1)],
    ['ended', () => requests.end()],
    ['timed-out', () => vi.advanceTimersByTime(1000)],
  ])('is %s', async (outcome, act) => {
    const answer = ask()
    act()
    expect(await answer).toBe(outcome)
    expect(requests.pending).toBeNull()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('is withdrawn by its signal', async () => {
    const answer = ask().catch(codeOf)
    abort.abort({ kind: 'user' })
    expect(await answer).toBe('CANCELLED')
    expect(requests.pending).toBeNull()
    expect(await ask().catch(codeOf)).toBe('CANCELLED')
    expect(changes).toEqual(['code?', null])
  })

  it('is the only one, and an old one cannot be declined', async () => {
    const first = ask()
    expect(await ask().catch(codeOf)).toBe('REQUEST_PENDING')
    expect(requests.decline(2)).toBe(false)
    requests.decline(1)
    await first
    const second = ask()
    expect(requests.decline(1)).toBe(false)
    expect(requests.pending?.id).toBe(2)
    requests.decline(2)
    expect(await second).toBe('declined')
  })
})
