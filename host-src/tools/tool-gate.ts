/** Puts a call before the decision table, and where that says so before the user. Knows the host only through its ports. */
import { TtyError } from '../base/errors.ts'
import type { Settings } from '../../protocol-src/settings.ts'
import { decide, type Actor, type Mode, type Policy, type Verdict } from './tool-policy.ts'
import type { AnyTool, Confine } from './tool.ts'

/** What is in force for the caller at this moment; read for every call, because the user can change it between two. */
export interface Tier {
  /** Null: the host has no permission tiers. */
  readonly mode: Mode | null
  readonly policy: Policy
  readonly actor: Actor
  /** Null where the host has no sandbox. */
  readonly confine: Confine | null
}

export type Approval = 'allowed-once' | 'rejected' | 'cancelled' | 'unavailable'

export interface GatePorts {
  readonly tier: Tier
  readonly settings: Readonly<Pick<Settings, 'restrictedTier'>>
  /** What is asked for happens on another machine, where no sandbox of this one reaches. */
  readonly isElsewhere?: boolean
  /** Ask the user about this one call. @param reason all that the user is told besides the call itself */
  readonly ask: (reason: string) => Promise<Approval>
}

/** What the gate judges: a tool, or what another plugin of the host asks for. */
export type GatedAction = Pick<AnyTool, 'name' | 'risk' | 'isConfinable'>

export interface Pass {
  readonly verdict: Exclude<Verdict, 'deny'>
  /** Set when the call may run only like this. */
  readonly confine: Confine | null
}

/**
 * @param request says exactly what would be done
 * @throws TtyError NOT_ALLOWED, CANCELLED
 */
export async function passGate(
  tool: GatedAction,
  request: () => string,
  { tier, settings, ask, isElsewhere = false }: GatePorts,
): Promise<Pass> {
  const { mode, policy, actor, confine } = tier
  const isConfinable = tool.isConfinable === true && confine !== null && !isElsewhere
  const { restrictedTier } = settings
  const { verdict, why } = decide({ risk: tool.risk, mode, policy, actor, restrictedTier, isConfinable })
  if (verdict === 'allow') return { verdict, confine: null }
  if (verdict === 'confine') return { verdict, confine }
  if (verdict === 'deny')
    throw new TtyError(
      'NOT_ALLOWED',
      `${tool.name} is not allowed in the permission tier "${mode ?? ''}": ${why}. Nothing was done. Say what you wanted to do and let the user decide.`,
    )
  const answer = await ask(request())
  switch (answer) {
    case 'allowed-once':
      return { verdict, confine: null }
    case 'rejected':
      throw new TtyError(
        'NOT_ALLOWED',
        `The user did not allow ${tool.name}. Nothing was done. Do not try the same again; ask what they want instead.`,
      )
    case 'cancelled':
      throw new TtyError('CANCELLED', `${tool.name} was cancelled before the user decided. Nothing was done.`)
    case 'unavailable':
      throw new TtyError(
        'NOT_ALLOWED',
        `${tool.name} needs an approval, and nobody is there to give it. Nothing was done. Say what you wanted to do.`,
      )
  }
}
