/** The real host with a scripted model: calls go through the host's own agent loop, gate and validator. */
import { join } from 'node:path'
import { connectDshApi, type ApprovalRequest, type DshApi, type TurnOptions } from './dsh-api.ts'
import { bootTestDsh, type TestDsh, type TestDshOptions } from './dsh.ts'
import { startMockLlm, textOf, type MockLlm } from './mock-llm.ts'

/** What the model was given for one call. */
export interface ToolOutcome {
  readonly text: string
  readonly isError: boolean
}

export interface TestAgent {
  /** Id of its session in the host, which owns what it opens. */
  readonly id: string
  /** One call in a turn of its own. */
  call(tool: string, args?: object, options?: TurnOptions): Promise<ToolOutcome>
  /** Several calls in one step, in their order. */
  callAll(
    calls: readonly (readonly [tool: string, args: object])[],
    options?: TurnOptions,
  ): Promise<readonly ToolOutcome[]>
  /** Arguments as a model may send them. */
  callRaw(tool: string, args: string, options?: TurnOptions): Promise<ToolOutcome>
  /** Ends the turn that is going on. */
  cancel(): Promise<void>
  /** `read-only`, `workspace-write` or `danger-full-access`. */
  setTier(preset: string): Promise<void>
}

export interface AgentOptions {
  readonly tier?: string
  readonly preset?: string
  readonly workspace?: string
}

export interface AgentHost {
  readonly dsh: TestDsh
  readonly api: DshApi
  readonly llm: MockLlm
  /** Approvals that the host has asked for, oldest first. */
  readonly asked: ApprovalRequest[]
  /** @param options `workspace`: a folder of the home, so that the app's page lists the conversation */
  agent(options?: AgentOptions): Promise<TestAgent>
  /** What the last agent step sent as system prompt, and the snapshots in user messages. */
  lastPrompt(): { system: string; users: readonly string[] }
  /** After a restart of the host: a new event stream. Agents of before are of no more use. */
  reconnect(): Promise<void>
  stop(): Promise<void>
}

export const bootAgentHost = async (options: TestDshOptions = {}): Promise<AgentHost> => {
  const llm = await startMockLlm()
  const dsh = await bootTestDsh({ modelUrl: llm.url, ...options })
  let api = await connectDshApi(dsh.url)
  const asked: ApprovalRequest[] = []

  const newSession = async ({ preset, workspace }: AgentOptions): Promise<string> => {
    if (workspace === undefined)
      return api.createSession({ cwd: dsh.home, ...(preset === undefined ? {} : { agentPreset: preset }) })
    const made = await api.call<{ workspace: { workspaceId: string } }>('workspace.create', {
      path: join(dsh.home, workspace),
    })
    const { workspaceId } = made.workspace
    return (await api.call<{ sessionId: string }>('session.create', { workspaceId })).sessionId
  }

  const agent = async (wish: AgentOptions = {}): Promise<TestAgent> => {
    const { tier = 'danger-full-access' } = wish
    const id = await newSession(wish)
    const setTier = (name: string): Promise<void> => api.command(id, `/permission ${name}`)
    await setTier(tier)
    const run = async (script: string, turn: TurnOptions = {}): Promise<readonly ToolOutcome[]> => {
      const { onApproval } = turn
      const { results } = await api.turn(id, `${script}\n@say done`, {
        timeoutMs: 60_000,
        ...turn,
        onApproval: (request) => {
          asked.push(request)
          return onApproval === undefined ? 'rejected' : onApproval(request)
        },
      })
      return results
    }
    const only = async (script: string, turn?: TurnOptions): Promise<ToolOutcome> => {
      const [first] = await run(script, turn)
      if (first === undefined) throw new Error(`The turn "${script}" had no tool result`)
      return first
    }
    return {
      id,
      setTier,
      call: (tool, args = {}, turn) => only(`@call ${tool} ${JSON.stringify(args)}`, turn),
      callRaw: (tool, args, turn) => only(`@call ${tool} ${args}`, turn),
      callAll: (calls, turn) =>
        run(calls.map(([tool, args]) => `@call ${tool} ${JSON.stringify(args)}`).join('\n@and\n'), turn),
      cancel: async () => {
        await api.call('session.cancel', { sessionId: id })
      },
    }
  }

  return {
    dsh,
    get api() {
      return api
    },
    llm,
    asked,
    agent,
    lastPrompt: () => {
      const messages = llm.agentRequests().at(-1)?.messages ?? []
      return {
        system: messages
          .filter(({ role }) => role === 'system')
          .map(textOf)
          .join('\n'),
        users: messages.filter(({ role }) => role === 'user').map(textOf),
      }
    },
    reconnect: async () => {
      api.close()
      api = await connectDshApi(dsh.url)
    },
    stop: async () => {
      api.close()
      await dsh.stop()
      await llm.close()
    },
  }
}

/** The session id that a result speaks of. */
export const sidIn = ({ text }: ToolOutcome): string => {
  const found = /(?<![A-Za-z0-9_-])[A-Za-z0-9_-]{22}(?![A-Za-z0-9_-])/.exec(text)
  if (found === null) throw new Error(`There is no session id in: ${text}`)
  return found[0]
}
