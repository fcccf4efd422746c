/**
 * The only place that knows DSH's tool API: a definition of the catalogue becomes a tool of the host. Arguments are parsed by
 * the definition's own schema, the gate is asked, the result is parsed again and stripped to what lossless JSON can say.
 */
import type { Context } from '@deepseek-ai/cordis'
import * as z from 'zod'
import { TtyError, messageOf, toTtyError } from '../base/errors.ts'
import type { Logger } from '../base/logger.ts'
import { modelText } from '../tools/model-text.ts'
import { requireVisible } from '../tools/session-view.ts'
import { TOOL_CATALOG } from '../tools/tool-catalog.ts'
import { passGate } from '../tools/tool-gate.ts'
import type { AnyTool, ToolContext } from '../tools/tool.ts'
import { toHostOutput, toHostParameters, type HostSchema } from './output-schema.ts'
import { hasTiers } from './host-ports.ts'
import { askUser, callerOf, tierOf, type HostCall } from './tool-ports.ts'

export interface ToolPorts extends Omit<ToolContext, 'caller' | 'confine'> {
  readonly logger: Logger
}

interface TextBlock {
  readonly type: 'text'
  readonly text: string
}

interface HostResult {
  readonly content: readonly { readonly text?: string }[]
  readonly isError: boolean
  readonly meta?: unknown
}

/** What the host's registry takes. */
export interface HostTool {
  readonly name: string
  readonly description: string
  readonly parameters: Record<string, unknown>
  readonly output: {
    readonly schema: HostSchema
    render(args: unknown, value: unknown): TextBlock[]
    presentationMeta(args: unknown, value: unknown): unknown
  }
  execute(args: unknown, call: HostCall): Promise<unknown>
  isConcurrencySafe(args: unknown): boolean
  presentCall(args: unknown): Record<string, unknown> | undefined
  presentResult(args: unknown, result: HostResult): Record<string, unknown> | undefined
}

interface ToolRegistry {
  register(tool: HostTool): unknown
}

/** Longest text that one result gives to the model, whatever its tool says. */
const MAX_RESULT_CHARS = 40_000

/** Register every tool while the host has a registry. */
export function registerTools(ctx: Context, ports: ToolPorts): void {
  ctx.inject(['tools'], (scope) => {
    const registry = (scope as unknown as { tools: ToolRegistry }).tools
    for (const tool of TOOL_CATALOG) registry.register(toHostTool(tool, ctx, ports))
    if (!hasTiers(ctx)) ports.logger.warn('tools.not-gated', { reason: 'this host has no permission tiers' })
  })
}

export function toHostTool(tool: AnyTool, ctx: Context, ports: ToolPorts): HostTool {
  return {
    name: tool.name,
    description: tool.description,
    parameters: toHostParameters(tool.input),
    output: {
      schema: toHostOutput(tool.output),
      render: (_args, value) => [{ type: 'text', text: bounded(tool.render(tool.output.parse(value))) }],
      presentationMeta: (_args, value) => cardFacts(value),
    },
    execute: (args, call) => execute(tool, args, { ctx, ports, call }),
    isConcurrencySafe: () => tool.risk === 'read' && tool.isExclusive !== true,
    presentCall: (args) => presentCall(tool, args),
    presentResult: (args, result) => presentResult(tool, args, result),
  }
}

async function execute(
  tool: AnyTool,
  args: unknown,
  { ctx, ports, call }: { ctx: Context; ports: ToolPorts; call: HostCall },
): Promise<unknown> {
  try {
    const input = parsed(tool, args)
    const look: ToolContext = { ...ports, caller: callerOf(ctx, call), confine: null }
    // Whoever is asked sees what is meant; what cannot be done anyway is not asked for.
    const { sid, ssh } = input as { sid?: string; ssh?: string }
    const session = sid === undefined ? null : requireVisible(look, sid)
    const { confine } = await passGate(tool, () => tool.request?.(input, session) ?? tool.name, {
      tier: tierOf(ctx, call),
      settings: ports.settings(),
      isElsewhere: ssh !== undefined,
      ask: (reason) => askUser(ctx, call, reason),
    })
    const output = await tool.run({ ...look, confine }, input, call.signal)
    return tool.output.parse(JSON.parse(JSON.stringify(output)))
  } catch (error) {
    throw spoken(tool, error, ports)
  }
}

/** @throws TtyError BAD_ARGUMENTS naming each of them */
function parsed(tool: AnyTool, args: unknown): Record<string, unknown> {
  const result = tool.input.safeParse(args)
  if (result.success) return result.data
  const problems = result.error.issues.map(
    ({ path, message }) => `${path.length === 0 ? 'arguments' : path.join('.')}: ${message}`,
  )
  throw new TtyError(
    'BAD_ARGUMENTS',
    `${tool.name} was not called as it must be, and nothing was done. ${problems.slice(0, 5).join('; ')}.`,
  )
}

/** What the model is told of a failure: a real Error with one cleaned sentence. */
function spoken(tool: AnyTool, thrown: unknown, { logger, settings }: ToolPorts): Error {
  const error = toTtyError(thrown)
  if (error.code === 'INTERNAL') logger.error('tool.failed', { tool: tool.name, message: messageOf(thrown) })
  const { text } = modelText(error.message, { maxChars: 2_000, maskSecrets: settings().maskSecrets })
  return new Error(text, { cause: error })
}

function bounded(text: string): string {
  if (text.length <= MAX_RESULT_CHARS) return text
  return `[${String(text.length - MAX_RESULT_CHARS)} characters are not shown]\n${text.slice(-MAX_RESULT_CHARS)}`
}

const cardFactsSchema = z.object({
  sid: z.string().optional(),
  exitCode: z.int().optional(),
  signal: z.string().optional(),
})

/** What the row of a finished call shows beside its text, and which terminal it opens. */
function cardFacts(value: unknown): unknown {
  const facts = cardFactsSchema.safeParse(value)
  return facts.success ? facts.data : {}
}

function presentCall(tool: AnyTool, args: unknown): Record<string, unknown> | undefined {
  const input = tool.input.safeParse(args)
  if (!input.success) return undefined
  const { kind, title } = tool.card(input.data)
  return kind === 'terminal' ? { card: 'terminal', title } : { card: 'generic', title, kind }
}

function presentResult(tool: AnyTool, args: unknown, result: HostResult): Record<string, unknown> | undefined {
  const input = tool.input.safeParse(args)
  if (result.isError || !input.success || tool.card(input.data).kind !== 'terminal') return undefined
  const { exitCode, signal } = cardFactsSchema.safeParse(result.meta).data ?? {}
  return {
    card: 'terminal',
    output: result.content.map(({ text }) => text ?? '').join(''),
    ...(signal !== undefined ? { signal } : exitCode === undefined ? {} : { exitCode }),
  }
}
