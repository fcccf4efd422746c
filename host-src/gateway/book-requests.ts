/** What pages ask about the connection book and host keys, and what they are told of both: never a secret. */
import type { ClientFrame } from '../../protocol-src/client-frames.ts'
import type { ReplyOf } from '../../protocol-src/host-frames.ts'
import type { SettingsStore } from '../settings/settings-store.ts'
import type { ConnectionBook } from '../ssh/connection-book.ts'
import type { HostKeys } from '../ssh/host-keys.ts'
import type { Secrets } from '../ssh/secrets.ts'
import type { SshImport } from '../ssh/ssh-import.ts'

export interface BookRequestsPorts {
  readonly settings: SettingsStore
  readonly secrets: Secrets
  readonly book: ConnectionBook
  readonly hostKeys: HostKeys
  readonly files: SshImport
  /** Whether the host was started with leave for commands as the way to a machine. */
  readonly mayProxy: boolean
}

type FrameOf<T extends ClientFrame['type']> = Extract<ClientFrame, { type: T }>

export class BookRequests {
  readonly #ports: BookRequestsPorts

  constructor(ports: BookRequestsPorts) {
    this.#ports = ports
  }

  book(): ReplyOf<'book'> {
    const { book, secrets, settings, mayProxy } = this.#ports
    return {
      entries: book.list(),
      canStore: secrets.canStore,
      hasProxyCommand: mayProxy && settings.current.allowProxyCommand,
    }
  }

  async saveHost({ draft, replaces }: FrameOf<'saveHost'>): Promise<Record<string, never>> {
    await this.#ports.book.save(draft, replaces)
    return {}
  }

  async removeHost({ name }: FrameOf<'removeHost'>): Promise<Record<string, never>> {
    await this.#ports.book.remove(name)
    return {}
  }

  hostKeys(): ReplyOf<'hostKeys'> {
    return { records: [...this.#ports.hostKeys.list()] }
  }

  async forgetHostKey({ host, port, fingerprint }: FrameOf<'forgetHostKey'>): Promise<ReplyOf<'hostKeys'>> {
    await this.#ports.hostKeys.forget({ host, port }, fingerprint)
    return this.hostKeys()
  }

  readSshFiles(): Promise<ReplyOf<'readSshFiles'>> {
    return this.#ports.files.preview()
  }

  async importSsh({ choice }: FrameOf<'importSsh'>): Promise<Record<string, never>> {
    await this.#ports.files.apply(choice)
    return {}
  }

  /** The book changed, or what an entry may do. */
  onChange(listener: () => void): () => void {
    return this.#ports.settings.watch(['sshHosts', 'allowProxyCommand'], listener)
  }
}
