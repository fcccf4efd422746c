/**
 * The gate as data: what a call may do, by the tier that is in force at this moment. Code, documentation and tests derive
 * from the one table. Knows nothing of who asks or how.
 */
import type { RiskClass } from './tool.ts'

/** Modes of DSH 0.1.0-rc.8, and what newer hosts add. Any other name counts as `unknown`. */
export const MODES = ['read-only', 'workspace-write', 'auto-review', 'danger-full-access', 'unknown'] as const
export type Mode = (typeof MODES)[number]
/** `none`: the host has no approval service, or nobody could be asked. */
export const POLICIES = ['ask', 'never', 'none'] as const
export type Policy = (typeof POLICIES)[number]
export const ACTORS = ['agent', 'subagent'] as const
export type Actor = (typeof ACTORS)[number]
/** `confine`: in the restricted tiers run inside the host's sandbox instead of asking, where a tool can. */
export const RESTRICTED_TIERS = ['ask', 'confine'] as const
export type RestrictedTier = (typeof RESTRICTED_TIERS)[number]

export type Verdict = 'allow' | 'confine' | 'ask' | 'deny'

export interface Situation {
  readonly risk: RiskClass
  /** Null: the host has no permission tiers. */
  readonly mode: Mode | null
  readonly policy: Policy
  readonly actor: Actor
  readonly restrictedTier: RestrictedTier
  /** Whether the tool can run inside the host's sandbox, and the host has one. */
  readonly isConfinable: boolean
}

interface Row {
  readonly verdict: Verdict
  readonly why: string
  /** Facts that must hold; those not named may be anything. */
  readonly when: { readonly [K in keyof Situation]?: readonly Situation[K][] }
}

const RESTRICTED: readonly Mode[] = ['read-only', 'workspace-write', 'unknown']

/** The first row whose facts hold decides. The last one holds always. */
export const DECISIONS: readonly Row[] = [
  { verdict: 'allow', why: 'reading changes nothing', when: { risk: ['read'] } },
  { verdict: 'allow', why: 'this host has no permission tiers', when: { mode: [null] } },
  { verdict: 'allow', why: 'full access', when: { mode: ['danger-full-access'] } },
  { verdict: 'allow', why: 'DSH reviews each call itself', when: { mode: ['auto-review'] } },
  {
    verdict: 'confine',
    why: 'it runs inside the sandbox of this tier',
    when: { mode: ['read-only', 'workspace-write'], restrictedTier: ['confine'], isConfinable: [true] },
  },
  {
    verdict: 'deny',
    why: 'it needs an approval, and a delegated agent cannot ask for one',
    when: { mode: RESTRICTED, actor: ['subagent'] },
  },
  { verdict: 'ask', why: 'the tier is restricted', when: { mode: RESTRICTED, policy: ['ask'] } },
  { verdict: 'deny', why: 'it needs an approval, and nothing may be asked here', when: {} },
]

/** @returns the verdict and the reason, which is a part of a sentence */
export function decide(situation: Situation): { verdict: Verdict; why: string } {
  const row = DECISIONS.find(({ when }) =>
    (Object.keys(when) as (keyof Situation)[]).every((fact) =>
      (when[fact] as readonly unknown[]).includes(situation[fact]),
    ),
  )
  // Without a row that decides, nothing is allowed.
  return row ?? { verdict: 'deny', why: 'no rule allows it' }
}

export function toMode(name: unknown): Mode {
  return MODES.find((mode) => mode === name) ?? 'unknown'
}
