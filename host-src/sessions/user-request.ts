/**
 * What an agent asks the person to type into one session. The person types into the terminal itself, so the answer goes to
 * the program and to nobody else; all that is known here is that a line was sent.
 */
import type { UserRequest } from '../../protocol-src/session.ts'
import { TtyError } from '../base/errors.ts'
import type { PersonTyping } from './person-typing.ts'

export type RequestOutcome = 'answered' | 'declined' | 'timed-out' | 'ended'

export interface Question {
  readonly prompt: string
  readonly isSecret: boolean
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

export class UserRequests {
  readonly #typing: PersonTyping
  readonly #changed: () => void
  #lastId = 0
  #pending: { request: UserRequest; settle: (outcome: RequestOutcome) => void } | null = null

  /** @param changed the request that is shown is another one now */
  constructor(typing: PersonTyping, changed: () => void) {
    this.#typing = typing
    this.#changed = changed
  }

  get pending(): UserRequest | null {
    return this.#pending?.request ?? null
  }

  /** @rejects TtyError REQUEST_PENDING while another one waits; CANCELLED when the signal aborts */
  async ask({ prompt, isSecret, timeoutMs, signal }: Question): Promise<RequestOutcome> {
    if (this.#pending !== null)
      throw new TtyError(
        'REQUEST_PENDING',
        'The user is being asked something in this terminal already. Wait for that answer; nothing was asked.',
      )
    // Its reason may be any object, and no error.
    if (signal.aborted) throw withdrawn()
    let resolve!: (outcome: RequestOutcome | 'aborted') => void
    const settled = new Promise<RequestOutcome | 'aborted'>((settle) => {
      resolve = settle
    })
    const timer = setTimeout(() => {
      resolve('timed-out')
    }, timeoutMs)
    const aborted = (): void => {
      resolve('aborted')
    }
    signal.addEventListener('abort', aborted, { once: true })
    const stopListening = this.#typing.onKey((isSent) => {
      if (isSent) resolve('answered')
    })
    this.#pending = { request: { id: ++this.#lastId, prompt, isSecret }, settle: resolve }
    this.#changed()
    const outcome = await settled
    clearTimeout(timer)
    signal.removeEventListener('abort', aborted)
    stopListening()
    this.#pending = null
    this.#changed()
    if (outcome === 'aborted') throw withdrawn()
    return outcome
  }

  /** The person will not answer. @returns whether that request was still waiting */
  decline(id: number): boolean {
    if (this.#pending?.request.id !== id) return false
    this.#pending.settle('declined')
    return true
  }

  /** Nobody can answer any more. */
  end(): void {
    this.#pending?.settle('ended')
  }
}

const withdrawn = (): TtyError => new TtyError('CANCELLED', 'The call was cancelled before the user answered.')
