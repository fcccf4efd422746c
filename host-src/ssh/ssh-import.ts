/** Takes over what the user's own SSH files say, as far as it goes: what there is first, then what was chosen. Writes none of them. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ImportChoice, ImportPreview } from '../../protocol-src/ssh-import.ts'
import type { BookEntry } from '../../protocol-src/ssh.ts'
import { TtyError, systemCodeOf } from '../base/errors.ts'
import { readConfigFiles } from './config-files.ts'
import { candidatesOf, type ImportUser } from './config-import.ts'
import type { ConnectionBook } from './connection-book.ts'
import { hashOf, type HostKeys } from './host-keys.ts'
import { parseKnownHosts, type KnownHosts } from './known-hosts.ts'

export interface SshImportPorts {
  readonly book: ConnectionBook
  readonly hostKeys: HostKeys
  readonly user: ImportUser
}

export class SshImport {
  readonly #ports: SshImportPorts

  constructor(ports: SshImportPorts) {
    this.#ports = ports
  }

  async preview(): Promise<ImportPreview> {
    const { book } = this.#ports
    const [{ candidates, notes }, known] = await Promise.all([this.#candidates(), this.#knownHosts()])
    const entries = [...candidates.values()].map(({ entry, shown }) => {
      const state = book.find(shown.name) !== null ? 'taken' : entry === null ? 'blocked' : 'new'
      return { ...shown, state } as const
    })
    const recorded = new Set(this.#recorded())
    const keys = known.records.flatMap(({ fingerprints, revoked }) => [...fingerprints, ...revoked].map(hashOf))
    const fresh = keys.filter((key) => !recorded.has(key)).length
    return {
      entries,
      configNotes: [...notes],
      newHostKeys: fresh,
      knownHostKeys: keys.length - fresh,
      hostKeyNotes: [...known.notes],
    }
  }

  /** @throws TtyError BOOK_NAME_UNKNOWN, BOOK_NAME_TAKEN, SETTINGS_NOT_SAVED */
  async apply({ names, hostKeys }: ImportChoice): Promise<void> {
    const { book } = this.#ports
    const { candidates } = await this.#candidates()
    const chosen = new Map<string, BookEntry>()
    const choose = (name: string): void => {
      const entry = candidates.get(name)?.entry ?? null
      if (entry === null)
        throw new TtyError(
          'BOOK_NAME_UNKNOWN',
          `The SSH configuration has no entry "${name}" that can be taken over.`,
          {
            details: { name },
          },
        )
      // What stands before it comes along, unless the book has it.
      if (entry.jump !== undefined && book.find(entry.jump) === null) choose(entry.jump)
      chosen.set(name, entry)
    }
    for (const name of names) choose(name)
    if (chosen.size > 0) await book.add([...chosen.values()])
    if (hostKeys) await this.#ports.hostKeys.add((await this.#knownHosts()).records)
  }

  async #candidates() {
    const { user } = this.#ports
    const { blocks, notes } = await readConfigFiles(join(user.home, '.ssh', 'config'), user.home)
    return { candidates: candidatesOf(blocks, user), notes }
  }

  async #knownHosts(): Promise<KnownHosts> {
    const path = join(this.#ports.user.home, '.ssh', 'known_hosts')
    try {
      return parseKnownHosts(await readFile(path, 'utf8'))
    } catch (error) {
      const notes = systemCodeOf(error) === 'ENOENT' ? [] : [{ code: 'unreadable' as const, what: path }]
      return { records: [], notes }
    }
  }

  #recorded(): string[] {
    return this.#ports.hostKeys.list().flatMap(({ fingerprints, revoked }) => [...fingerprints, ...revoked].map(hashOf))
  }
}
