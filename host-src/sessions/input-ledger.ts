/** Which numbered input of which client was taken, so that a broken socket neither loses nor repeats any. */
import type { ClientId } from '../../protocol-src/ids.ts'
import { TtyError } from '../base/errors.ts'

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

  /**
   * Take number `seq` of `client`.
   * @returns false when it was taken before, so that it must not be typed again
   * @throws TtyError INPUT_OUT_OF_ORDER when one in between is missing; nothing is taken then
   */
  take(client: ClientId, seq: number): boolean {
    const verdict = this.judge(client, seq)
    if (verdict === 'repeat') return false
    if (verdict === 'gap') {
      const expected = this.lastOf(client) + 1
      throw new TtyError(
        'INPUT_OUT_OF_ORDER',
        `Input number ${String(seq)} came before number ${String(expected)}; nothing of it was typed. Attach again and continue from the number in the reply.`,
        { details: { expected, got: seq } },
      )
    }
    this.record(client, seq)
    return true
  }
}
