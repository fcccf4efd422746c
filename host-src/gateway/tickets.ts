/** Single-use proofs that a client could use the host's fenced RPC channel. */
import { TICKET_LIFETIME_MS } from '../../protocol-src/limits.ts'
import type { Ticket } from '../../protocol-src/ids.ts'
import { newTicket } from '../base/random-id.ts'

/** Outstanding tickets; the oldest goes first, so that asking for many cannot fill the memory. */
const MAX_OUTSTANDING = 256

export class TicketOffice {
  readonly #expiryOf = new Map<string, number>()
  readonly #now: () => number

  /** @param now milliseconds, monotonic */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  issue(): Ticket {
    for (const [ticket, expiry] of this.#expiryOf) {
      if (expiry > this.#now() && this.#expiryOf.size < MAX_OUTSTANDING) break
      this.#expiryOf.delete(ticket)
    }
    const ticket = newTicket()
    this.#expiryOf.set(ticket, this.#now() + TICKET_LIFETIME_MS)
    return ticket
  }

  /** Use a ticket up. @returns whether it was good: issued here, unused, not expired */
  redeem(ticket: string | undefined): boolean {
    if (ticket === undefined) return false
    const expiry = this.#expiryOf.get(ticket)
    this.#expiryOf.delete(ticket)
    return expiry !== undefined && expiry > this.#now()
  }
}
