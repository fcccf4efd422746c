/** Gets the proof for one socket upgrade over the app's own fenced RPC. */
import { RPC_CHANNEL, RPC_TICKET, ticketReplySchema } from '../../protocol-src/http-routes.ts'
import type { Ticket } from '../../protocol-src/ids.ts'
import { LinkError } from './link-error.ts'

/** The app's unary RPC, as far as it is used. */
export type RpcCall = (request: {
  channel: string
  endpoint: string
  payload: unknown
  signal: AbortSignal
}) => Promise<unknown>

/** @returns a function that gets a fresh ticket; it rejects when the host half does not answer or refuses */
export function ticketSource(call: RpcCall): (signal: AbortSignal) => Promise<Ticket> {
  return async (signal) => {
    const reply = await call({ channel: RPC_CHANNEL, endpoint: RPC_TICKET, payload: {}, signal })
    if (typeof reply !== 'object' || reply === null || !('ok' in reply) || reply.ok !== true || !('value' in reply)) {
      throw new LinkError('FORBIDDEN', 'The host gave no ticket for the terminal socket.')
    }
    return ticketReplySchema.parse(reply.value).ticket
  }
}
