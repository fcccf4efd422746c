/** What a tool is: one definition from which the host's schemas, the gate, the cards, the documentation and the tests derive. */
import type * as z from 'zod'
import type { Logger } from '../base/logger.ts'
import type { Session } from '../sessions/session.ts'
import type { SessionRegistry } from '../sessions/session-registry.ts'
import type { Settings } from '../../protocol-src/settings.ts'
import type { AgentSessions } from './agent-sessions.ts'
import type { Caller } from './caller.ts'

/** What a call can do to the user's machine; the permission tiers decide on it. */
export const RISK_CLASSES = ['read', 'write', 'execute'] as const
export type RiskClass = (typeof RISK_CLASSES)[number]

/** Turns the arguments of a process into those of the same process inside a sandbox. @throws TtyError when it cannot */
export type Confine = (argv: readonly string[]) => readonly string[]

/** What a call may use. */
export interface ToolContext {
  readonly caller: Caller
  readonly registry: SessionRegistry
  readonly agents: AgentSessions
  readonly settings: () => Readonly<Settings>
  readonly platform: NodeJS.Platform
  /** Set when the gate let the call pass only inside the host's sandbox. */
  readonly confine: Confine | null
  readonly logger: Logger
}

/** How a row in the conversation shows a call. */
export interface CallCard {
  readonly kind: 'terminal' | 'read' | 'execute'
  readonly title: string
}

export interface ToolDefinition<I extends z.ZodObject = z.ZodObject, O extends z.ZodObject = z.ZodObject> {
  readonly name: string
  readonly risk: RiskClass
  /** Whether it may run inside the host's sandbox instead of being asked for. */
  readonly isConfinable?: true
  /** Reads overlap with other calls of the same step; this one does not. */
  readonly isExclusive?: true
  readonly description: string
  readonly input: I
  readonly output: O
  /** @throws TtyError whose message tells the agent what to do next */
  run(context: ToolContext, input: z.output<I>, signal: AbortSignal): Promise<z.output<O>>
  /** What the model reads. */
  render(output: z.output<O>): string
  card(input: z.output<I>): CallCard
  /** What exactly would be done, for the person who is asked. */
  readonly request?: (input: z.output<I>, session: Session | null) => string
}

/** A definition whose own types nobody needs any more: its input was parsed by its own schema. */
export type AnyTool = ToolDefinition

export function defineTool<I extends z.ZodObject, O extends z.ZodObject>(definition: ToolDefinition<I, O>): AnyTool {
  return definition as unknown as AnyTool
}
