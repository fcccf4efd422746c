import { describe, expect, it } from 'vitest'
import {
  ACTORS,
  decide,
  DECISIONS,
  MODES,
  POLICIES,
  RESTRICTED_TIERS,
  toMode,
  type Situation,
} from '../../../../host-src/tools/tool-policy.ts'
import { RISK_CLASSES } from '../../../../host-src/tools/tool.ts'

const ALL: readonly Situation[] = RISK_CLASSES.flatMap((risk) =>
  [null, ...MODES].flatMap((mode) =>
    POLICIES.flatMap((policy) =>
      ACTORS.flatMap((actor) =>
        RESTRICTED_TIERS.flatMap((restrictedTier) =>
          [false, true].map((isConfinable) => ({ risk, mode, policy, actor, restrictedTier, isConfinable })),
        ),
      ),
    ),
  ),
)
const RESTRICTED = new Set<unknown>(['read-only', 'workspace-write', 'unknown'])

/** The rules of the specification, written down a second time and in another way. */
const wanted = ({ risk, mode, policy, actor, restrictedTier, isConfinable }: Situation): string => {
  if (risk === 'read' || mode === null || !RESTRICTED.has(mode)) return 'allow'
  if (mode !== 'unknown' && restrictedTier === 'confine' && isConfinable) return 'confine'
  return policy === 'ask' && actor === 'agent' ? 'ask' : 'deny'
}

describe('the decision table', () => {
  it('decides every situation as the specification says', () => {
    expect(ALL).toHaveLength(3 * 6 * 3 * 2 * 2 * 2)
    for (const situation of ALL) expect(decide(situation).verdict, JSON.stringify(situation)).toBe(wanted(situation))
  })

  it('needs each of its rows', () => {
    const used = new Set(ALL.map((situation) => decide(situation).why))
    expect([...used].sort()).toEqual(DECISIONS.map(({ why }) => why).sort())
  })

  it('never lets through in a restricted tier what changes something, without a question or a sandbox', () => {
    for (const situation of ALL) {
      if (situation.risk === 'read' || !RESTRICTED.has(situation.mode)) continue
      expect(decide(situation).verdict, JSON.stringify(situation)).not.toBe('allow')
    }
  })

  it('takes a mode that it does not know for a restricted one', () => {
    for (const name of ['', 'full', 'toString', 7, undefined, {}]) expect(toMode(name)).toBe('unknown')
    for (const mode of MODES) expect(toMode(mode)).toBe(mode)
  })
})
