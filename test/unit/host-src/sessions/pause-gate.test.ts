import { describe, expect, it } from 'vitest'
import { PauseGate } from '../../../../host-src/sessions/pause-gate.ts'

const make = () => {
  const applied: boolean[] = []
  return { applied, gate: new PauseGate((isPaused) => applied.push(isPaused)) }
}

describe('PauseGate', () => {
  it('is shut while there is any reason, and says so once', () => {
    const { applied, gate } = make()
    gate.set('viewers', true)
    gate.set('viewers', true)
    gate.set('backlog', true)
    gate.set('viewers', false)
    expect(applied).toEqual([true])
    gate.set('backlog', false)
    expect(applied).toEqual([true, false])
  })

  it('stays open once it was opened for good, whatever reason comes', () => {
    const { applied, gate } = make()
    gate.set('viewers', true)
    gate.open()
    gate.set('backlog', true)
    gate.set('viewers', false)
    gate.open()
    expect(applied).toEqual([true, false])
  })
})
