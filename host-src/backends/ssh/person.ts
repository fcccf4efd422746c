/** Asking the person in front of a panel, as the way to a machine needs it. Who carries the question is not known here. */
import type { ClientId, SessionId } from '../../../protocol-src/ids.ts'
import type { Answer, Question } from '../../../protocol-src/question.ts'
import type { Owner } from '../../../protocol-src/session.ts'

/** For whom something is done: a session's viewers, or the one client that wants to know. */
export type Audience =
  | { readonly kind: 'session'; readonly sid: SessionId; readonly owner: Owner['kind'] }
  | { readonly kind: 'client'; readonly client: ClientId }

export type Reply =
  | Exclude<Answer, { kind: 'cancel' }>
  /** `nobody`: no panel that could be asked is there. */
  | { readonly kind: 'declined' | 'timed-out' | 'nobody' | 'aborted' }

export interface Person {
  /** Ask and wait. Never rejects: an aborted wait is an answer, too. */
  ask(question: Question, audience: Audience, signal: AbortSignal): Promise<Reply>
}
