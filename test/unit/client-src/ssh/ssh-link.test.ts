import { describe, expect, it } from 'vitest'
import type { HostLink, SideFrame } from '../../../../client-src/connection/host-link.ts'
import { SshLink } from '../../../../client-src/ssh/ssh-link.ts'
import { createStore } from '../../../../client-src/stores/store.ts'
import type { Question } from '../../../../protocol-src/question.ts'

const BOOK = { entries: [], canStore: true, hasProxyCommand: false }
const QUESTION: Question = {
  kind: 'host-key',
  where: { user: 'a', host: 'b', port: 22, hop: 'target', book: null },
  keyType: 'ssh-ed25519',
  fingerprint: 'SHA256:x',
  others: [],
}
const asks = (ask: number): SideFrame => ({ type: 'ask', ask, question: QUESTION, timeoutMs: 1000 })

const open = (heard: readonly SideFrame[] = []) => {
  const state = createStore<{ kind: string }>({ kind: 'connecting' })
  const listeners = new Set<(frame: SideFrame) => void>()
  const sent: object[] = []
  const host = {
    link: state,
    listen: (listener: (frame: SideFrame) => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    ask: (_: string, request: object) => {
      sent.push(request)
      return Promise.resolve(BOOK)
    },
    tell: (request: object) => {
      sent.push(request)
      return Promise.resolve()
    },
  }
  const link = new SshLink(host as unknown as HostLink, heard)
  const say = (frame: SideFrame): void => {
    for (const listener of listeners) listener(frame)
  }
  const asked = (): number[] => link.questions.getSnapshot().map(({ ask }) => ask)
  return { link, state, say, sent, asked, listeners }
}

describe('SshLink', () => {
  it('asks for the book with every connection', async () => {
    const { link, state, sent } = open()
    expect(link.book.getSnapshot()).toBeNull()
    for (const kind of ['open', 'waiting', 'open']) state.set({ kind })
    expect(sent).toEqual([{ type: 'book' }, { type: 'book' }])
    await Promise.resolve()
    expect(link.book.getSnapshot()).toEqual(BOOK)
  })

  it('shows questions in the order in which they came, each once, and those that came before it', () => {
    const { say, asked } = open([asks(1)])
    say(asks(2))
    say(asks(1))
    expect(asked()).toEqual([2, 1])
    say({ type: 'askEnded', ask: 2 })
    expect(asked()).toEqual([1])
  })

  it('takes a question away when it is answered, and all when the connection is gone', async () => {
    const { link, say, state, sent, asked } = open()
    state.set({ kind: 'open' })
    say(asks(1))
    say(asks(2))
    await link.answer(1, { kind: 'accept' })
    expect(asked()).toEqual([2])
    expect(sent.at(-1)).toEqual({ type: 'answer', ask: 1, answer: { kind: 'accept' } })
    state.set({ kind: 'waiting' })
    expect(asked()).toEqual([])
  })

  it('gives up the test that it is asked to, and lets go of everything', () => {
    const { link, sent, listeners } = open()
    const first = link.test({ book: 'a' })
    link.test({ book: 'b' })
    first.cancel()
    expect(sent).toEqual([
      { type: 'testConnection', test: 1, host: { book: 'a' } },
      { type: 'testConnection', test: 2, host: { book: 'b' } },
      { type: 'cancelTest', test: 1 },
    ])
    link.dispose()
    expect(listeners.size).toBe(0)
  })
})
