/**
 * Questions to the person, on their way to the panels that are concerned and back. One answer counts, whoever gives it first;
 * it goes to whoever asked and nowhere else.
 */
import type { HostFrame } from '../../protocol-src/host-frames.ts'
import type { ClientId, SessionId } from '../../protocol-src/ids.ts'
import { ASK_TIMEOUT_MS, type Answer, type Question } from '../../protocol-src/question.ts'
import type { Audience, Person, Reply } from '../backends/ssh/person.ts'
import { TtyError } from '../base/errors.ts'

/** What of a connection matters here. */
export interface Panel {
  readonly client: ClientId | null
  readonly kind: 'panel' | 'cli' | null
  /** Whether it looks at a session, or opened it and will. */
  isConcernedWith(sid: SessionId): boolean
  send(frame: HostFrame): void
}

interface Pending {
  readonly ask: number
  readonly question: Question
  readonly audience: Audience
  readonly until: number
  readonly settle: (reply: Reply) => void
}

export class Questions implements Person {
  readonly #pending = new Map<number, Pending>()
  #panels: () => Iterable<Panel> = () => []
  #lastAsk = 0

  /** Whom there is to ask; until then nobody. */
  serve(panels: () => Iterable<Panel>): void {
    this.#panels = panels
  }

  get pendingCount(): number {
    return this.#pending.size
  }

  ask(question: Question, audience: Audience, signal: AbortSignal): Promise<Reply> {
    if (signal.aborted) return Promise.resolve({ kind: 'aborted' })
    const panels = this.#concerned(audience)
    if (panels.length === 0) return Promise.resolve({ kind: 'nobody' })
    this.#lastAsk += 1
    const ask = this.#lastAsk
    return new Promise((resolve) => {
      const settle = (reply: Reply): void => {
        if (!this.#pending.delete(ask)) return
        clearTimeout(timer)
        signal.removeEventListener('abort', aborted)
        for (const panel of this.#concerned(audience)) panel.send({ type: 'askEnded', ask })
        resolve(reply)
      }
      const aborted = (): void => {
        settle({ kind: 'aborted' })
      }
      const timer = setTimeout(() => {
        settle({ kind: 'timed-out' })
      }, ASK_TIMEOUT_MS)
      signal.addEventListener('abort', aborted, { once: true })
      const pending = { ask, question, audience, until: Date.now() + ASK_TIMEOUT_MS, settle }
      this.#pending.set(ask, pending)
      for (const panel of panels) panel.send(frameOf(pending))
    })
  }

  /**
   * Take what a panel's person said. @throws TtyError REQUEST_GONE when nobody waits for it, BAD_ARGUMENTS when it answers
   * something else
   */
  answer(ask: number, answer: Answer, panel: Panel): void {
    const pending = this.#pending.get(ask)
    if (pending === undefined || !isConcerned(panel, pending.audience))
      throw new TtyError(
        'REQUEST_GONE',
        'Nobody waits for this answer any more: it was answered elsewhere, took too long, or the connection was given up. Connect again to be asked again.',
      )
    if (answer.kind !== 'cancel' && (answer.kind === 'prompts') !== (pending.question.kind === 'prompts'))
      throw new TtyError('BAD_ARGUMENTS', 'That is no answer to what was asked. Nothing was done with it.')
    pending.settle(answer.kind === 'cancel' ? { kind: 'declined' } : answer)
  }

  /** A panel came, or came back, or looks at a session from now on: it is told what waits for it. */
  joined(panel: Panel, about: SessionId | null): void {
    for (const pending of this.#pending.values()) {
      const { audience } = pending
      const isAbout = about === null || (audience.kind === 'session' && audience.sid === about)
      if (isAbout && isConcerned(panel, audience)) panel.send(frameOf(pending))
    }
  }

  #concerned(audience: Audience): Panel[] {
    return [...this.#panels()].filter((panel) => isConcerned(panel, audience))
  }
}

function isConcerned(panel: Panel, audience: Audience): boolean {
  if (panel.kind !== 'panel') return false
  if (audience.kind === 'client') return panel.client === audience.client
  // What an agent or a plugin opens is a tab in every panel.
  return audience.owner !== 'user' || panel.isConcernedWith(audience.sid)
}

function frameOf({ ask, question, audience, until }: Pending): HostFrame {
  const sid = audience.kind === 'session' ? { sid: audience.sid } : {}
  return { type: 'ask', ask, ...sid, question, timeoutMs: Math.max(0, until - Date.now()) }
}
