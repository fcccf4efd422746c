import { expect, it } from 'vitest'
import { newHostInstanceId, newSessionId, newTicket } from '../../../../host-src/base/random-id.ts'
import { hostInstanceIdSchema, sessionIdSchema, ticketSchema } from '../../../../protocol-src/ids.ts'

it('makes ids of 128 random bits that never repeat and share no prefix', () => {
  const ids = Array.from({ length: 2000 }, () => newSessionId())
  for (const id of ids) expect(sessionIdSchema.parse(id)).toBe(id)
  expect(new Set(ids).size).toBe(ids.length)
  // Each position takes many values: nothing in an id counts up or stays.
  for (let at = 0; at < 21; at += 1) expect(new Set(ids.map((id) => id[at])).size).toBeGreaterThan(50)
  expect(ticketSchema.safeParse(newTicket()).success).toBe(true)
  expect(hostInstanceIdSchema.safeParse(newHostInstanceId()).success).toBe(true)
})
