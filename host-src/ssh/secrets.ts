/**
 * Values behind what the settings hold: a text is its own value, `env:NAME` is looked up at every use, in the host's credential
 * store first and in the environment after it. Keeps no value, and says none in what it throws.
 */
import { createHash } from 'node:crypto'
import { referenceOf, type SecretField, type SshConnection } from '../../protocol-src/ssh.ts'
import { TtyError } from '../base/errors.ts'
import type { Logger } from '../base/logger.ts'

/** The host's own store of credentials, by bare names. */
export interface CredentialStore {
  resolve(name: string): Promise<string | null>
  /** Rejects when something that cannot be written stands before it. */
  set(name: string, value: string): Promise<void>
  unset(name: string): Promise<void>
}

export interface SecretsPorts {
  /** Read at the moment of use: services come and go. */
  readonly credentials: () => CredentialStore | null
  readonly hostEnv: Readonly<Record<string, string | undefined>>
  readonly logger: Logger
}

const DERIVED = 'TTY_SSH_'
const READABLE_CHARS = 40
const HASH_CHARS = 12

export class Secrets {
  readonly #ports: SecretsPorts

  constructor(ports: SecretsPorts) {
    this.#ports = ports
  }

  /** Whether values can be put where the settings hold only a reference. */
  get canStore(): boolean {
    return this.#ports.credentials() !== null
  }

  /** @returns the value of a stored text or reference, or null when nothing is there */
  async resolve(text: string): Promise<string | null> {
    const name = referenceOf(text)
    if (name === null) return text
    let stored: string | null = null
    try {
      stored = (await this.#ports.credentials()?.resolve(name)) ?? null
    } catch {
      // Its message may quote what it read.
      this.#ports.logger.warn('credentials.unreadable', { name })
    }
    return stored ?? (this.#ports.hostEnv[name] || null)
  }

  /**
   * Put a value into the credential store.
   * @returns the reference that the settings hold instead
   * @throws TtyError CREDENTIALS_FAILED
   */
  async store(account: Account, field: SecretField, value: string): Promise<string> {
    const name = derivedName(account, field)
    try {
      const store = this.#ports.credentials()
      if (store === null) throw new Error('there is none')
      await store.set(name, value)
    } catch {
      throw new TtyError(
        'CREDENTIALS_FAILED',
        `The credential store of DSH did not take the ${field} (as ${name}). Check that its file can be written and that the environment has no variable of that name, or save without it.`,
        { details: { name } },
      )
    }
    return `env:${name}`
  }

  /** Take back what `store` put there. References that somebody chose are left alone. */
  async forget(account: Account, field: SecretField, text: string | undefined): Promise<void> {
    const name = derivedName(account, field)
    if (text !== `env:${name}`) return
    try {
      await this.#ports.credentials()?.unset(name)
    } catch {
      this.#ports.logger.warn('credentials.not-removed', { name })
    }
  }
}

export type Account = Pick<SshConnection, 'host' | 'port' | 'username'>

/** The same for the same account and field, and for no other: the readable part alone could be. */
export function derivedName({ username, host, port }: Account, field: SecretField): string {
  const facts = [username, host.toLowerCase(), String(port)]
  const readable = facts
    .join('_')
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .slice(0, READABLE_CHARS)
    .toUpperCase()
  const hash = createHash('sha256')
    .update(JSON.stringify([...facts, field]))
    .digest('hex')
    .slice(0, HASH_CHARS)
  return `${DERIVED}${field.toUpperCase()}_${readable}_${hash.toUpperCase()}`
}
