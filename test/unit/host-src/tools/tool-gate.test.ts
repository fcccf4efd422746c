import { describe, expect, it, vi } from 'vitest'
import { TtyError } from '../../../../host-src/base/errors.ts'
import { passGate, type Approval, type GatePorts, type Tier } from '../../../../host-src/tools/tool-gate.ts'
import { TOOL_CATALOG } from '../../../../host-src/tools/tool-catalog.ts'
import type { AnyTool } from '../../../../host-src/tools/tool.ts'

const tool = (name: string): AnyTool => {
  const found = TOOL_CATALOG.find((each) => each.name === name)
  if (found === undefined) throw new Error(name)
  return found
}
const confine = (argv: readonly string[]): readonly string[] => ['box', ...argv]
const TIER: Tier = { mode: 'read-only', policy: 'ask', actor: 'agent', confine }
const ports = (change: Partial<Tier> = {}, answer: Approval = 'rejected') => {
  const ask = vi.fn<GatePorts['ask']>(() => Promise.resolve(answer))
  return { tier: { ...TIER, ...change }, settings: { restrictedTier: 'ask' as const }, ask }
}
const codeOf = (error: unknown): string => (error instanceof TtyError ? error.code : String(error))

describe('the gate', () => {
  it('asks with what would be done, and lets only a grant through', async () => {
    const allowed = ports({}, 'allowed-once')
    expect(await passGate(tool('tty_run'), () => 'run it', allowed)).toEqual({ verdict: 'ask', confine: null })
    expect(allowed.ask).toHaveBeenCalledExactlyOnceWith('run it')
    for (const [answer, code] of [
      ['rejected', 'NOT_ALLOWED'],
      ['cancelled', 'CANCELLED'],
      ['unavailable', 'NOT_ALLOWED'],
    ] as const)
      expect(await passGate(tool('tty_run'), () => '', ports({}, answer)).catch(codeOf)).toBe(code)
  })

  it('asks nobody for reading, with full access, and where it must refuse', async () => {
    for (const [name, change] of [
      ['tty_list', {}],
      ['tty_run', { mode: 'danger-full-access', policy: 'never' }],
      ['tty_run', { mode: null, policy: 'none' }],
      ['tty_run', { policy: 'never' }],
      ['tty_run', { policy: 'none' }],
      ['tty_run', { actor: 'subagent' }],
    ] as const) {
      const each = ports(change)
      await passGate(tool(name), () => 'x', each).catch(codeOf)
      expect(each.ask, name).not.toHaveBeenCalled()
    }
  })

  it('confines what can be confined, and only that', async () => {
    const settings = { restrictedTier: 'confine' as const }
    const inBox = { ...ports(), settings }
    expect(await passGate(tool('tty_run'), () => 'x', inBox)).toEqual({ verdict: 'confine', confine })
    expect(await passGate(tool('tty_send'), () => 'x', inBox).catch(codeOf)).toBe('NOT_ALLOWED')
    expect(inBox.ask).toHaveBeenCalledOnce()
    const elsewhere = { ...ports({}, 'allowed-once'), settings, isElsewhere: true }
    expect(await passGate(tool('tty_open'), () => 'x', elsewhere)).toEqual({ verdict: 'ask', confine: null })
    expect(elsewhere.ask).toHaveBeenCalledOnce()
    const noBox = { ...ports({ confine: null }, 'allowed-once'), settings }
    expect((await passGate(tool('tty_run'), () => 'x', noBox)).confine).toBeNull()
    expect(noBox.ask).toHaveBeenCalledOnce()
  })
})
