import { describe, expect, it } from 'vitest'
import { TicketOffice } from '../../../../host-src/gateway/tickets.ts'
import { TICKET_LIFETIME_MS } from '../../../../protocol-src/limits.ts'

const office = (): { tickets: TicketOffice; pass: (ms: number) => void } => {
  let now = 1000
  return { tickets: new TicketOffice(() => now), pass: (ms) => void (now += ms) }
}

describe('TicketOffice', () => {
  it('takes a ticket once', () => {
    const { tickets } = office()
    const ticket = tickets.issue()
    expect(tickets.redeem(ticket)).toBe(true)
    expect(tickets.redeem(ticket)).toBe(false)
  })

  it('takes a ticket until its time is over', () => {
    const { tickets, pass } = office()
    const [early, late] = [tickets.issue(), tickets.issue()]
    pass(TICKET_LIFETIME_MS - 1)
    expect(tickets.redeem(early)).toBe(true)
    pass(1)
    expect(tickets.redeem(late)).toBe(false)
  })

  it('lives no longer than half a minute', () => {
    expect(TICKET_LIFETIME_MS).toBeLessThanOrEqual(30_000)
  })

  it.each([undefined, '', 'x', 'A'.repeat(22), '__proto__', 'constructor'])('refuses %j', (ticket) => {
    const { tickets } = office()
    tickets.issue()
    expect(tickets.redeem(ticket)).toBe(false)
  })

  it('knows no ticket of another office', () => {
    expect(office().tickets.redeem(office().tickets.issue())).toBe(false)
  })

  it('holds a bounded number: the oldest goes, the newest is good', () => {
    const { tickets } = office()
    const issued = Array.from({ length: 1000 }, () => tickets.issue())
    const good = issued.filter((ticket) => tickets.redeem(ticket))
    expect(good).toEqual(issued.slice(-256))
  })

  it('never gives the same ticket twice', () => {
    const { tickets } = office()
    expect(new Set(Array.from({ length: 1000 }, () => tickets.issue())).size).toBe(1000)
  })
})
