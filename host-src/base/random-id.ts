/** Ids that cannot be guessed. */
import { randomBytes } from 'node:crypto'
import {
  encodeRandomId,
  type HostInstanceId,
  type MarkNonce,
  type SessionId,
  type Ticket,
} from '../../protocol-src/ids.ts'

const randomId = (): string => encodeRandomId(randomBytes(16))

export const newSessionId = (): SessionId => randomId() as SessionId
export const newTicket = (): Ticket => randomId() as Ticket
export const newHostInstanceId = (): HostInstanceId => randomId() as HostInstanceId
export const newMarkNonce = (): MarkNonce => randomBytes(16).toString('hex') as MarkNonce
