import { describe, expect, it } from 'vitest'
import { InputLedger } from '../../../../host-src/sessions/input-ledger.ts'
import type { ClientId } from '../../../../protocol-src/ids.ts'
import { randomForTest } from '../../../support/random.ts'

const client = (name: string | number): ClientId => String(name) as ClientId

describe('InputLedger', () => {
  it('takes each number of each client once and in order, whatever is repeated or reordered', () => {
    const random = randomForTest()
    const ledger = new InputLedger()
    const taken = new Map<ClientId, number[]>([client('a'), client('b'), client('c')].map((id) => [id, []]))
    for (let step = 0; step < 3000; step += 1) {
      const who = random.pick([...taken.keys()])
      const last = taken.get(who)?.length ?? 0
      const seq = Math.max(0, last + random.integer(-3, 3))
      const verdict = ledger.judge(who, seq)
      expect(verdict).toBe(seq <= last ? 'repeat' : seq === last + 1 ? 'next' : 'gap')
      if (verdict !== 'next') continue
      ledger.record(who, seq)
      taken.get(who)?.push(seq)
      expect(ledger.lastOf(who)).toBe(seq)
    }
    for (const numbers of taken.values()) expect(numbers).toEqual(numbers.map((_, at) => at + 1))
  })

  it('remembers a bounded number of clients, and forgets the one that typed longest ago', () => {
    const ledger = new InputLedger()
    for (let n = 0; n < 64; n += 1) ledger.record(client(n), 1)
    ledger.record(client(0), 2)
    ledger.record(client('new'), 1)
    expect(ledger.lastOf(client(0))).toBe(2)
    expect(ledger.lastOf(client(1))).toBe(0)
    expect(ledger.lastOf(client(2))).toBe(1)
  })
})
