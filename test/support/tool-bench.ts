/** The tools as the host gets them, over a composition in this process, with services of the host that the test decides on. */
import type { Context } from '@deepseek-ai/cordis'
import { toHostTool, type HostTool, type ToolPorts } from '../../host-src/dsh/tool-adapter.ts'
import { TOOL_CATALOG } from '../../host-src/tools/tool-catalog.ts'

export interface ToolCallOptions {
  readonly agentId?: string
  readonly delegationDepth?: number
  readonly parentSession?: string
  readonly cwd?: string
  readonly signal?: AbortSignal
}

export interface ToolBench {
  tool(name: string): HostTool
  /** The canonical value, as the host's validator gets it. */
  run(name: string, args?: unknown, options?: ToolCallOptions): Promise<Record<string, unknown>>
  /** What the model reads of it. */
  read(name: string, args?: unknown, options?: ToolCallOptions): Promise<string>
}

/** @param services by name; none of them: a host without permission tiers */
export const toolBench = (ports: ToolPorts, services: Record<string, unknown> = {}): ToolBench => {
  const ctx = { get: (name: string) => services[name] } as unknown as Context
  const tools = new Map(TOOL_CATALOG.map((definition) => [definition.name, toHostTool(definition, ctx, ports)]))
  const tool = (name: string): HostTool => {
    const found = tools.get(name)
    if (found === undefined) throw new Error(`There is no tool ${name}`)
    return found
  }
  const run = async (
    name: string,
    args: unknown = {},
    options: ToolCallOptions = {},
  ): Promise<Record<string, unknown>> => {
    const { agentId = 'session-agent', delegationDepth, parentSession, cwd, signal } = options
    const header = {
      ...(delegationDepth === undefined ? {} : { delegationDepth }),
      ...(parentSession === undefined ? {} : { parentSession }),
      ...(cwd === undefined ? {} : { cwd }),
    }
    return (await tool(name).execute(args, {
      callId: 'call',
      name,
      signal: signal ?? new AbortController().signal,
      agent: { session: { id: agentId, header } },
    })) as Record<string, unknown>
  }
  return {
    tool,
    run,
    read: async (name, args, options) => {
      const value = await run(name, args, options)
      return tool(name)
        .output.render(args, value)
        .map(({ text }) => text)
        .join('')
    },
  }
}
