/** Which numbered input of which client was taken, so that a broken socket neither loses nor repeats any. */
import type { ClientId } from '../../protocol-src/ids.ts'

/** Clients remembered per session; the one that typed longest ago is forgotten first. */
const MAX_CLIENTS = 64

export type InputVerdict = 'next' | 'repeat' | 'gap'

export class InputLedger {
  /** In order of last use. */
  readonly #lastSeq = new Map<ClientId, number>()

  /** The last number taken from `client`; 0 when none was. */
  lastOf(client: ClientId): number {
    return this.#lastSeq.get(client) ?? 0
  }

  judge(client: ClientId, seq: number): InputVerdict {
    const last = this.lastOf(client)
    if (seq <= last) return 'repeat'
    return seq === last + 1 ? 'next' : 'gap'
  }

  record(client: ClientId, seq: number): void {
    this.#lastSeq.delete(client)
    this.#lastSeq.set(client, seq)
    if (this.#lastSeq.size > MAX_CLIENTS) {
      const oldest = this.#lastSeq.keys().next().value
      if (oldest !== undefined) this.#lastSeq.delete(oldest)
    }
  }
}
