/**
 * By which keys machines are known. Trust on first use: any key that is recorded for a machine passes, and a machine of which
 * another key of the same type is recorded is refused. Whom to ask about a first key is not decided here.
 */
import { createHash, createHmac } from 'node:crypto'
import { MAX_FINGERPRINTS, SSH_PORT, type HostKeyRecord } from '../../protocol-src/ssh.ts'
import { TtyError } from '../base/errors.ts'
import type { SettingsStore } from '../settings/settings-store.ts'

export interface HostKeyPlace {
  readonly host: string
  readonly port: number
  /** Name under which its keys are kept instead (HostKeyAlias), or null. */
  readonly alias: string | null
}

export interface HostKey {
  readonly type: string
  /** As it goes over the wire. */
  readonly blob: Uint8Array
}

export type HostKeyVerdict =
  | { readonly verdict: 'known' }
  /** `others`: fingerprints of keys of other types; empty for a machine that was never seen. */
  | { readonly verdict: 'unknown'; readonly others: readonly string[] }
  | { readonly verdict: 'changed'; readonly known: readonly string[] }
  | { readonly verdict: 'revoked' }

export class HostKeys {
  readonly #settings: SettingsStore

  constructor({ settings }: { settings: SettingsStore }) {
    this.#settings = settings
  }

  list(): readonly HostKeyRecord[] {
    return this.#settings.current.hostKeys
  }

  check(place: HostKeyPlace, key: HostKey): HostKeyVerdict {
    const offered = fingerprintOf(key.blob)
    // Whoever revoked it meant the key, wherever it turns up.
    if (this.list().some(({ revoked }) => revoked.some((each) => hashOf(each) === offered)))
      return { verdict: 'revoked' }
    const known = this.#knownOf(place)
    if (known.some((each) => hashOf(each) === offered)) return { verdict: 'known' }
    // A key whose type nobody recorded may be of this one.
    const ofType = known.filter((each) => [key.type, null].includes(typeOf(each)))
    if (ofType.length > 0) return { verdict: 'changed', known: ofType.map(hashOf) }
    return { verdict: 'unknown', others: known.map(hashOf) }
  }

  /** Key types that are known of a machine, to be asked for before others. */
  knownTypes(place: HostKeyPlace): readonly string[] {
    const types = this.#knownOf(place).flatMap((each) => typeOf(each) ?? [])
    return [...new Set(types)]
  }

  /** @throws TtyError SETTINGS_NOT_SAVED */
  async remember(place: HostKeyPlace, key: HostKey): Promise<void> {
    const { host, port } = keptAs(place)
    await this.add([{ host, port, fingerprints: [`${key.type} ${fingerprintOf(key.blob)}`], revoked: [] }])
  }

  /** Records join those of the same machine. @throws TtyError SETTINGS_NOT_SAVED */
  async add(records: readonly HostKeyRecord[]): Promise<void> {
    await this.#settings.edit(({ hostKeys }) => {
      const joined = new Map(hostKeys.map((record) => [nameOf(record), record]))
      for (const record of records) {
        const before = joined.get(nameOf(record)) ?? { ...record, fingerprints: [], revoked: [] }
        joined.set(nameOf(record), {
          ...before,
          fingerprints: unitedKeys(before.fingerprints, record.fingerprints),
          revoked: unitedKeys(before.revoked, record.revoked),
        })
      }
      return { hostKeys: [...joined.values()] }
    })
  }

  /**
   * Forget one key of a machine, or all with null.
   * @throws TtyError SETTINGS_NOT_SAVED
   */
  async forget(at: Pick<HostKeyRecord, 'host' | 'port'>, fingerprint: string | null): Promise<void> {
    const name = nameOf(at)
    await this.#settings.edit(({ hostKeys }) => {
      const kept = hostKeys.flatMap((record) => {
        if (nameOf(record) !== name) return [record]
        if (fingerprint === null) return []
        const without = (list: readonly string[]): string[] => list.filter((each) => each !== fingerprint)
        const left = { ...record, fingerprints: without(record.fingerprints), revoked: without(record.revoked) }
        return left.fingerprints.length + left.revoked.length === 0 ? [] : [left]
      })
      return { hostKeys: kept }
    })
  }

  #knownOf(place: HostKeyPlace): readonly string[] {
    const name = nameOf(keptAs(place))
    return this.list()
      .filter((record) => (record.host.startsWith('|') ? isHashOf(record.host, name) : nameOf(record) === name))
      .flatMap(({ fingerprints }) => fingerprints)
  }
}

/** SHA-256 as OpenSSH shows it. */
export function fingerprintOf(blob: Uint8Array): string {
  return `SHA256:${createHash('sha256').update(blob).digest('base64').replace(/=+$/, '')}`
}

/** An alias stands for the machine whatever its port is. */
function keptAs({ host, port, alias }: HostKeyPlace): Pick<HostKeyRecord, 'host' | 'port'> {
  return alias === null ? { host, port } : { host: alias, port: SSH_PORT }
}

/** As known_hosts names a machine; hashed names are case-sensitive and hold the port. */
function nameOf({ host, port }: Pick<HostKeyRecord, 'host' | 'port'>): string {
  if (host.startsWith('|')) return host
  return port === SSH_PORT ? host.toLowerCase() : `[${host.toLowerCase()}]:${String(port)}`
}

/** Whether `|1|salt|hash` was made of this name. */
export function isHashOf(hashed: string, name: string): boolean {
  const [, version, salt, hash] = hashed.split('|')
  if (version !== '1' || salt === undefined || hash === undefined) return false
  return createHmac('sha1', Buffer.from(salt, 'base64')).update(name).digest('base64') === hash
}

/** The part of a recorded fingerprint that names the key. */
export function hashOf(fingerprint: string): string {
  return fingerprint.slice(fingerprint.lastIndexOf(' ') + 1)
}

function typeOf(fingerprint: string): string | null {
  const end = fingerprint.lastIndexOf(' ')
  return end === -1 ? null : fingerprint.slice(0, end)
}

/** One of each key; where it is there with its type and without, with. */
function unitedKeys(before: readonly string[], more: readonly string[]): string[] {
  const byHash = new Map<string, string>()
  for (const each of [...before, ...more]) {
    const other = byHash.get(hashOf(each))
    if (other === undefined || typeOf(other) === null) byHash.set(hashOf(each), each)
  }
  const all = [...byHash.values()]
  if (all.length > MAX_FINGERPRINTS)
    throw new TtyError('SETTINGS_INVALID', `More than ${String(MAX_FINGERPRINTS)} keys of one machine are not kept.`, {
      details: { problems: 'hostKeys' },
    })
  return all
}
