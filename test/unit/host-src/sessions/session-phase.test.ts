import { describe, expect, it } from 'vitest'
import { advancePhase, isLive } from '../../../../host-src/sessions/session-phase.ts'
import { sessionPhaseSchema } from '../../../../protocol-src/session.ts'

const PHASES = sessionPhaseSchema.options

describe('advancePhase', () => {
  it('goes forward or stays, for every pair', () => {
    for (const [from, current] of PHASES.entries())
      for (const [to, next] of PHASES.entries()) expect(advancePhase(current, next)).toBe(to > from ? next : current)
  })
})

describe('isLive', () => {
  it('counts what runs or will', () => {
    expect(PHASES.filter(isLive)).toEqual(['starting', 'running'])
  })
})
