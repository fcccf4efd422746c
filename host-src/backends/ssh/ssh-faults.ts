/** Words for what goes wrong on the way to a machine: which machine, at which step, why as far as known, and what to do. */
import type { TtyErrorCode } from '../../../protocol-src/errors.ts'
import type { QuestionPlace, SshPhase } from '../../../protocol-src/question.ts'
import { plainWords } from './plain-words.ts'
import { TtyError, messageOf, systemCodeOf } from '../../base/errors.ts'

/** `user@host`, with the port where it is not 22. */
export function machineName({ user, host, port }: Pick<QuestionPlace, 'user' | 'host' | 'port'>): string {
  const shown = host.includes(':') ? `[${host}]` : host
  return `${user}@${shown}${port === 22 ? '' : `:${String(port)}`}`
}

/** As the subject of a sentence. */
const subject = (where: QuestionPlace): string =>
  where.hop === 'jump' ? `the jump host ${machineName(where)}` : machineName(where)

export interface Step {
  readonly where: QuestionPlace
  readonly phase: SshPhase
}

export interface Fault {
  readonly why: string
  readonly advice: string
  readonly cause?: unknown
  readonly details?: Readonly<Record<string, string | number | boolean>>
}

/** @param code of the table of errors */
export function sshError(code: TtyErrorCode, { where, phase }: Step, fault: Fault): TtyError {
  const { hop, host, port, user } = where
  return new TtyError(code, `${FAILED[phase](subject(where))}: ${fault.why}. ${fault.advice}`, {
    details: { hop, host, port, user, phase, reason: fault.why, ...fault.details },
    ...(fault.cause === undefined ? {} : { cause: fault.cause }),
  })
}

const FAILED: Record<SshPhase, (machine: string) => string> = {
  resolve: (machine) => `The address of ${machine} was not found`,
  connect: (machine) => `There is no connection to ${machine}`,
  handshake: (machine) => `The SSH handshake with ${machine} failed`,
  'host-key': (machine) => `The host key of ${machine} was not accepted`,
  authenticate: (machine) => `The login to ${machine} failed`,
  open: (machine) => `No terminal could be opened on ${machine}`,
}

/** What to look at when nothing more is known. */
const ADVICE: Record<SshPhase, string> = {
  resolve: 'Check the name and the network.',
  connect: 'Check that the machine runs, its port, and firewalls on the way.',
  handshake: 'Check that an SSH server listens there, and what its log says.',
  'host-key': 'Nothing was sent to it. Connect again.',
  authenticate: 'Check the user name and the kind of login, and what the log of the server says.',
  open: 'Check what the log of the server says, and try again.',
}

const CODES: Record<SshPhase, TtyErrorCode> = {
  resolve: 'SSH_RESOLVE',
  connect: 'SSH_CONNECT',
  handshake: 'SSH_HANDSHAKE',
  // What the judge of keys says it words itself.
  'host-key': 'SSH_LOST',
  authenticate: 'SSH_AUTH',
  open: 'SSH_CHANNEL',
}

const REASONS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'there is no such name',
  EAI_AGAIN: 'the name server does not answer',
  ECONNREFUSED: 'nothing listens on that port',
  ECONNRESET: 'the other side closed the connection',
  EHOSTUNREACH: 'the machine cannot be reached',
  ENETUNREACH: 'its network cannot be reached',
  ETIMEDOUT: 'it did not answer',
}

/** Whatever a step failed with, as an error for people. */
export function sshFault(step: Step, thrown: unknown): TtyError {
  if (thrown instanceof TtyError) return thrown
  const why = REASONS[systemCodeOf(thrown) ?? ''] ?? plainWords(messageOf(thrown), 300)
  return sshError(CODES[step.phase], step, { why, advice: ADVICE[step.phase], cause: thrown })
}

export function sshTimeout(step: Step, ms: number): TtyError {
  const why = `it took longer than ${String(Math.round(ms / 1000))} s`
  return sshError('SSH_TIMEOUT', step, { why, advice: ADVICE[step.phase] })
}

export const sshCancelled = (): TtyError => new TtyError('CANCELLED', 'The connection was given up before it was made.')
