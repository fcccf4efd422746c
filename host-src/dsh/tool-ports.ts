/** What the tools use of DSH 0.1.0-rc.8's services, typed in one place: who calls, which tier is in force, how to ask. */
import type { Context } from '@deepseek-ai/cordis'
import { TtyError, messageOf } from '../base/errors.ts'
import type { Approval, Tier } from '../tools/tool-gate.ts'
import { toMode, type Policy } from '../tools/tool-policy.ts'
import type { Caller } from '../tools/caller.ts'
import type { Confine } from '../tools/tool.ts'
import { optionalService } from './host-ports.ts'

/** The session of a DSH agent. */
export interface HostSession {
  readonly id: string
  readonly header: {
    readonly cwd?: string
    readonly delegationDepth?: number
    readonly parentSession?: string
  }
}

export interface HostAgent {
  readonly session: HostSession
}

/** One call, as the host hands it over. */
export interface HostCall {
  readonly callId: string
  readonly name: string
  readonly signal: AbortSignal
  readonly agent?: HostAgent
}

interface SandboxPolicy {
  resolve(request: { session?: HostSession }): { mode: string; workspaceRoot: string; sessionId?: string }
}

interface Sandbox {
  confine(
    argv: readonly string[],
    policy: { mode: string; workspaceRoot: string; sessionId?: string },
  ): { argv: string[] }
}

interface ApprovalService {
  readonly config?: { readonly policy?: string }
  overrideOf(session: HostSession): string | undefined
  request(question: {
    agent: HostAgent
    toolName: string
    callId: string
    reason: string
    signal: AbortSignal
  }): Promise<string>
}

interface Sessions {
  get(id: string): HostSession | undefined
}

/** Stands for host code that calls a tool without an agent. */
const NO_AGENT = 'host'
const MAX_DELEGATIONS = 16

export function callerOf(ctx: Context, { agent }: Pick<HostCall, 'agent'>): Caller {
  const session = agent?.session
  if (session === undefined) return { agentId: NO_AGENT, ancestors: [], cwd: null }
  const ancestors: string[] = []
  const sessions = optionalService(ctx, 'sessions') as Sessions | undefined
  for (let at: HostSession | undefined = session; at !== undefined && ancestors.length < MAX_DELEGATIONS;) {
    const parent: string | undefined = at.header.parentSession
    if (parent === undefined || parent === session.id || ancestors.includes(parent)) break
    ancestors.push(parent)
    at = sessions?.get(parent)
  }
  return { agentId: session.id, ancestors, cwd: session.header.cwd ?? null }
}

/** What is in force for this call now. */
export function tierOf(ctx: Context, { agent }: Pick<HostCall, 'agent'>): Tier {
  const policies = optionalService(ctx, 'sandboxPolicy') as SandboxPolicy | undefined
  const session = agent?.session
  const actor = (session?.header.delegationDepth ?? 0) > 0 ? 'subagent' : 'agent'
  if (policies === undefined) return { mode: null, policy: 'none', actor, confine: null }
  const resolved = policies.resolve(session === undefined ? {} : { session })
  return {
    mode: toMode(resolved.mode),
    policy: policyOf(optionalService(ctx, 'approval') as ApprovalService | undefined, session),
    actor,
    confine: confineBy(optionalService(ctx, 'sandbox') as Sandbox | undefined, resolved),
  }
}

function policyOf(approval: ApprovalService | undefined, session: HostSession | undefined): Policy {
  if (approval === undefined || session === undefined) return 'none'
  const policy = approval.overrideOf(session) ?? approval.config?.policy ?? 'ask'
  return policy === 'ask' ? 'ask' : 'never'
}

function confineBy(sandbox: Sandbox | undefined, policy: Parameters<Sandbox['confine']>[1]): Confine | null {
  if (sandbox === undefined) return null
  return (argv) => {
    try {
      return sandbox.confine(argv, policy).argv
    } catch (error) {
      throw new TtyError(
        'NOT_ALLOWED',
        `The sandbox of this permission tier cannot be had on this machine (${messageOf(error)}), so nothing was started. The user can set "restrictedTier" to "ask", or choose another tier.`,
        { cause: error },
      )
    }
  }
}

/** Put one call before the user. */
export async function askUser(ctx: Context, call: HostCall, reason: string): Promise<Approval> {
  const approval = optionalService(ctx, 'approval') as ApprovalService | undefined
  const { agent, name: toolName, callId, signal } = call
  if (approval === undefined || agent === undefined) return 'unavailable'
  const outcome = await approval.request({ agent, toolName, callId, reason, signal })
  return outcome === 'allowed-once' || outcome === 'rejected' || outcome === 'cancelled' ? outcome : 'unavailable'
}
