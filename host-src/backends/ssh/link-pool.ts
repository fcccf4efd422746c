/** Connections that are shared: who goes to the same machine in the same way uses one, and the last who leaves closes it. */
import type { HostRef } from '../../../protocol-src/ssh.ts'
import { SshConnector, targetOf } from './connector.ts'
import { ChannelRefused, type SshLink } from './link.ts'
import { sshError } from './ssh-faults.ts'
import type { ConnectContext, SshPorts, SshTarget } from './ssh-ports.ts'

export interface Lease {
  readonly link: SshLink
  release(): void
}

interface Shared {
  readonly key: string
  readonly link: SshLink
  holders: number
}

export class SshPool {
  readonly #ports: SshPorts
  readonly #connector: SshConnector
  readonly #shared = new Set<Shared>()
  #isDisposed = false

  constructor(ports: SshPorts) {
    this.#ports = ports
    this.#connector = new SshConnector(ports)
  }

  /** Connections that are up. */
  get size(): number {
    return this.#shared.size
  }

  /** @throws TtyError */
  async lease(host: HostRef, context: ConnectContext): Promise<Lease> {
    const target = targetOf(host, this.#ports)
    const key = this.#keyOf(target)
    const there = [...this.#shared].find((each) => each.key === key && each.link.isUp && !each.link.isFull)
    return this.#hold(there ?? (await this.#connect(target, context)))
  }

  /**
   * Open something; on another connection when the server lets no more be opened on this one.
   * @throws TtyError; nothing is leased then
   */
  async open<T>(
    host: HostRef,
    context: ConnectContext,
    open: (link: SshLink) => Promise<T>,
  ): Promise<{ lease: Lease; opened: T }> {
    for (let isSecond = false; ; isSecond = true) {
      const lease = isSecond
        ? this.#hold(await this.#connect(targetOf(host, this.#ports), context))
        : await this.lease(host, context)
      try {
        return { lease, opened: await open(lease.link) }
      } catch (error) {
        lease.release()
        if (!(error instanceof ChannelRefused)) throw error
        if (isSecond)
          throw sshError(
            'SSH_CHANNEL',
            { where: lease.link.where, phase: 'open' },
            {
              why: `the server opens no channel (${error.message})`,
              advice: 'Close other sessions on that machine, or ask who runs it.',
            },
          )
      }
    }
  }

  dispose(): void {
    this.#isDisposed = true
    for (const { link } of this.#shared) link.close()
    this.#shared.clear()
  }

  async #connect(target: SshTarget, context: ConnectContext): Promise<Shared> {
    const link = await this.#connector.connect(target, context)
    const shared: Shared = { key: this.#keyOf(target), link, holders: 0 }
    this.#shared.add(shared)
    link.onEnd(() => {
      this.#shared.delete(shared)
    })
    if (this.#isDisposed) link.close()
    return shared
  }

  #hold(shared: Shared): Lease {
    shared.holders += 1
    let isHeld = true
    return {
      link: shared.link,
      release: () => {
        if (!isHeld) return
        isHeld = false
        shared.holders -= 1
        if (shared.holders > 0) return
        this.#shared.delete(shared)
        shared.link.close()
      },
    }
  }

  /** Two that differ in anything go separate ways; an entry that was changed is another one. */
  #keyOf({ connection, book }: SshTarget): string {
    const { jump = '' } = connection
    return JSON.stringify([book, connection, jump === '' ? null : this.#ports.book.target({ book: jump })])
  }
}
