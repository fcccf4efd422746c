/** Decides whether a machine is the one it was: by what is recorded, else by the person or the setting. Sends nothing to it. */
import type { Question } from '../../../protocol-src/question.ts'
import { fingerprintOf, type HostKeyPlace } from '../../ssh/host-keys.ts'
import type { TtyError } from '../../base/errors.ts'
import { plainWords } from './plain-words.ts'
import { machineName, sshCancelled, sshError, type Fault } from './ssh-faults.ts'
import type { ConnectContext, SshPorts, SshTarget } from './ssh-ports.ts'
import type { Steps } from './steps.ts'

/** Of ssh2, best first. */
const ALGORITHMS = [
  'ssh-ed25519',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'rsa-sha2-512',
  'rsa-sha2-256',
  'ssh-rsa',
] as const
export type HostKeyAlgorithm = (typeof ALGORITHMS)[number]

const typeOf = (algorithm: string): string => (algorithm.startsWith('rsa-sha2-') ? 'ssh-rsa' : algorithm)

/** Ask for the kind of key that is known first: another one would look like a machine that was never seen. */
export function hostKeyAlgorithms(knownTypes: readonly string[]): HostKeyAlgorithm[] {
  const known = ALGORITHMS.filter((algorithm) => knownTypes.includes(typeOf(algorithm)))
  return [...known, ...ALGORITHMS.filter((algorithm) => !known.includes(algorithm))]
}

export const placeOf = ({ connection }: SshTarget): HostKeyPlace => ({
  host: connection.host,
  port: connection.port,
  alias: connection.hostKeyAlias ?? null,
})

/** The type that stands at the beginning of a public key. */
export function keyTypeOf(blob: Uint8Array): string {
  const bytes = Buffer.from(blob.buffer, blob.byteOffset, blob.length)
  if (bytes.length < 4) return ''
  const length = bytes.readUInt32BE(0)
  return length > 64 || 4 + length > bytes.length ? '' : plainWords(bytes.toString('latin1', 4, 4 + length), 64)
}

export class HostKeyJudge {
  readonly #ports: SshPorts
  readonly #context: ConnectContext
  readonly #steps: Steps

  constructor(ports: SshPorts, context: ConnectContext, steps: Steps) {
    this.#ports = ports
    this.#context = context
    this.#steps = steps
  }

  /** @throws TtyError when it is not to be trusted */
  async judge(target: SshTarget, blob: Uint8Array): Promise<void> {
    const place = placeOf(target)
    const key = { type: keyTypeOf(blob), blob }
    const verdict = this.#ports.hostKeys.check(place, key)
    const offered = fingerprintOf(blob)
    switch (verdict.verdict) {
      case 'known':
        return
      case 'revoked':
        throw this.#error('SSH_HOST_KEY_REVOKED', {
          why: `its key ${offered} is marked as revoked`,
          advice: 'Nothing was sent to it. Ask who runs the machine.',
          details: { keyType: key.type, offered },
        })
      case 'changed':
        throw this.#error('SSH_HOST_KEY_CHANGED', {
          why: `it shows another key (${key.type} ${offered}) than the one that is known (${verdict.known.join(', ')})`,
          advice:
            'Nothing was sent to it. Somebody may stand in between. If the machine was set up anew, delete its old key under "Host keys" in the settings of the terminal, and connect again.',
          details: { keyType: key.type, offered, known: verdict.known.join(', ') },
        })
      case 'unknown':
        await this.#firstContact({
          kind: 'host-key',
          where: this.#steps.where,
          keyType: key.type,
          fingerprint: offered,
          others: [...verdict.others],
        })
        if (this.#context.isDraft !== true) await this.#ports.hostKeys.remember(place, key)
    }
  }

  async #firstContact(question: Extract<Question, { kind: 'host-key' }>): Promise<void> {
    const { audience, signal } = this.#context
    const isPerson = audience.kind === 'client' || audience.owner === 'user'
    const policy = isPerson ? 'ask' : this.#ports.settings().agentFirstContact
    // A machine that stands in between could show a key of another kind: that is never accepted unseen.
    if (policy === 'accept' && question.others.length === 0) return
    const { keyType, fingerprint } = question
    const details = { keyType, offered: fingerprint }
    const why = `it was never seen before, and its key (${keyType} ${fingerprint}) `
    if (policy === 'refuse')
      throw this.#error('SSH_HOST_KEY_REFUSED', {
        why: `${why}is not accepted for agents by the setting "agentFirstContact"`,
        advice: 'Ask the user to connect to it once.',
        details,
      })
    const reply = await this.#steps.unhurried(() => this.#ports.person.ask(question, audience, signal))
    switch (reply.kind) {
      case 'accept':
        return
      case 'aborted':
        throw sshCancelled()
      case 'nobody':
        throw this.#error('SSH_HOST_KEY_REFUSED', {
          why: `${why}could be shown to nobody`,
          advice: `Open ${machineName(question.where)} once from the panel and accept its key there.`,
          details,
        })
      case 'timed-out':
        throw this.#error('SSH_HOST_KEY_REFUSED', {
          why: `${why}was not accepted in time`,
          advice: 'Connect again to be asked again.',
          details,
        })
      case 'declined':
      case 'prompts':
        throw this.#error('SSH_HOST_KEY_REFUSED', {
          why: `${why}was refused by the user`,
          advice: 'Nothing was sent to it.',
          details,
        })
    }
  }

  #error(code: 'SSH_HOST_KEY_REVOKED' | 'SSH_HOST_KEY_CHANGED' | 'SSH_HOST_KEY_REFUSED', fault: Fault): TtyError {
    return sshError(code, { where: this.#steps.where, phase: 'host-key' }, fault)
  }
}
