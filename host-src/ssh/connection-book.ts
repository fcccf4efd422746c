/**
 * The connection book: entries by name, each change of it one edit of the settings. Secrets come in and are never given out;
 * a secret belongs to one account of one machine, and does not follow an entry to another.
 */
import {
  OPEN_FIELDS,
  SECRET_FIELDS,
  isSameAccount,
  referenceOf,
  type BookEntry,
  type EntryDraft,
  type HostRef,
  type PublicEntry,
  type SecretEdit,
  type SecretField,
  type SecretState,
  type SshConnection,
} from '../../protocol-src/ssh.ts'
import { TtyError } from '../base/errors.ts'
import type { SettingsStore } from '../settings/settings-store.ts'
import type { Secrets } from './secrets.ts'

export interface ConnectionBookPorts {
  readonly settings: SettingsStore
  readonly secrets: Secrets
}

export class ConnectionBook {
  readonly #settings: SettingsStore
  readonly #secrets: Secrets

  constructor({ settings, secrets }: ConnectionBookPorts) {
    this.#settings = settings
    this.#secrets = secrets
  }

  get entries(): readonly BookEntry[] {
    return this.#settings.current.sshHosts
  }

  find(name: string): BookEntry | null {
    return this.entries.find((entry) => entry.name === name) ?? null
  }

  /** Where a reference leads; null when the book has no such entry. */
  target(ref: HostRef): { readonly connection: SshConnection; readonly book: string | null } | null {
    if ('book' in ref) {
      const entry = this.find(ref.book)
      return entry === null ? null : { connection: withoutName(entry), book: entry.name }
    }
    const { connection, secretsOf } = ref
    const kept = secretsOf === undefined ? null : this.find(secretsOf)
    if (kept === null || !isSameAccount(kept, connection)) return { connection, book: null }
    const { password, passphrase } = kept
    const secrets = {
      ...(password === undefined ? {} : { password }),
      ...(passphrase === undefined ? {} : { passphrase }),
    }
    return { connection: { ...secrets, ...connection }, book: null }
  }

  /** As pages may see it. */
  list(): PublicEntry[] {
    return this.entries.map((entry) => ({
      name: entry.name,
      ...openPart(entry),
      password: stateOf(entry.password),
      passphrase: stateOf(entry.passphrase),
    }))
  }

  /**
   * @param replaces name of the entry that this one takes the place of, or null for a new one
   * @throws TtyError BOOK_NAME_TAKEN, BOOK_NAME_UNKNOWN, SECRET_OF_ANOTHER, CREDENTIALS_FAILED, SETTINGS_NOT_SAVED
   */
  async save(draft: EntryDraft, replaces: string | null): Promise<void> {
    const before = replaces === null ? null : this.require(replaces)
    this.#refuseTaken(draft.name, replaces)
    const secrets: Partial<Record<SecretField, string>> = {}
    for (const field of SECRET_FIELDS) {
      const text = await this.#secretFor(draft, field, before)
      if (text !== undefined) secrets[field] = text
    }
    const entry: BookEntry = { name: draft.name, ...openPart(draft), ...secrets }
    await this.#settings.edit(({ sshHosts }) => {
      // Looked at again: another edit may have come before this one.
      this.#refuseTaken(draft.name, replaces)
      if (replaces === null) return { sshHosts: [...sshHosts, entry] }
      this.require(replaces)
      return {
        sshHosts: sshHosts.map((each) => {
          if (each.name === replaces) return entry
          return each.jump === replaces ? { ...each, jump: entry.name } : each
        }),
      }
    })
    if (before !== null) await this.#forgetUnused(before)
  }

  /** @throws TtyError BOOK_NAME_UNKNOWN, BOOK_ENTRY_NEEDED, SETTINGS_NOT_SAVED */
  async remove(name: string): Promise<void> {
    const entry = this.require(name)
    await this.#settings.edit(({ sshHosts }) => {
      const behind = sshHosts.filter(({ jump }) => jump === name).map((each) => each.name)
      if (behind.length > 0)
        throw new TtyError(
          'BOOK_ENTRY_NEEDED',
          `"${name}" stands before ${behind.join(', ')}. Change those first, or remove them.`,
          { details: { name, behind: behind.join(', ') } },
        )
      return { sshHosts: sshHosts.filter((each) => each.name !== name) }
    })
    await this.#forgetUnused(entry)
  }

  /** Put entries behind those that are there. @throws TtyError BOOK_NAME_TAKEN: none is added then */
  async add(entries: readonly BookEntry[]): Promise<void> {
    await this.#settings.edit(({ sshHosts }) => {
      for (const { name } of entries) this.#refuseTaken(name, null)
      return { sshHosts: [...sshHosts, ...entries] }
    })
  }

  /** @throws TtyError BOOK_NAME_UNKNOWN */
  require(name: string): BookEntry {
    const entry = this.find(name)
    if (entry !== null) return entry
    throw new TtyError('BOOK_NAME_UNKNOWN', `The connection book has no entry named "${name}".`, { details: { name } })
  }

  #refuseTaken(name: string, replaces: string | null): void {
    if (name === replaces || this.find(name) === null) return
    throw new TtyError(
      'BOOK_NAME_TAKEN',
      `The connection book has an entry named "${name}" already. Choose another name, or edit that entry.`,
      { details: { name } },
    )
  }

  /** What the settings hold for it. */
  async #secretFor(draft: EntryDraft, field: SecretField, before: BookEntry | null): Promise<string | undefined> {
    const edit: SecretEdit = draft[field]
    switch (edit.kind) {
      case 'clear':
        return undefined
      case 'set':
        if (!edit.store || referenceOf(edit.value) !== null) return edit.value
        return await this.#secrets.store(draft, field, edit.value)
      case 'keep': {
        const text = before?.[field]
        if (before === null || text === undefined) return undefined
        if (isSameAccount(before, draft)) return text
        throw new TtyError(
          'SECRET_OF_ANOTHER',
          `The ${field} was stored for ${before.username} at ${before.host} port ${String(before.port)}. Enter it again for the new account, or clear it.`,
          { details: { field } },
        )
      }
    }
  }

  /** Nothing stays in the credential store that no entry refers to any more. */
  async #forgetUnused(entry: BookEntry): Promise<void> {
    for (const field of SECRET_FIELDS) {
      const isUsed = this.entries.some((each) => each[field] !== undefined && each[field] === entry[field])
      if (!isUsed) await this.#secrets.forget(entry, field, entry[field])
    }
  }
}

function withoutName(entry: BookEntry): SshConnection {
  const { name: _name, ...connection } = entry
  return connection
}

/** Everything but name and secrets. */
function openPart<T extends Omit<SshConnection, SecretField>>(entry: T): Omit<SshConnection, SecretField> {
  const part = Object.fromEntries(
    OPEN_FIELDS.flatMap((field) => (entry[field] === undefined ? [] : [[field, entry[field]]])),
  )
  return part as unknown as Omit<SshConnection, SecretField>
}

function stateOf(text: string | undefined): SecretState {
  const name = text === undefined ? null : referenceOf(text)
  return { isSet: text !== undefined, reference: name === null ? null : `env:${name}` }
}
