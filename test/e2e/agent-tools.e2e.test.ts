/** The tools as a model uses them: through the agent loop, the gate and the validator of the real host. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bootAgentHost, type AgentHost, type TestAgent } from '../support/agent-host.ts'

let host: AgentHost
let agent: TestAgent
beforeAll(async () => {
  host = await bootAgentHost({ settings: { tty: { maxSessions: 16 } } })
  agent = await host.agent()
})
afterAll(() => host.stop())

describe('tty_run', () => {
  it('gives the output and the exit code of a command, and leaves no terminal', async () => {
    const { text, isError } = await agent.call('tty_run', { command: 'echo hello; pwd; exit 3' })
    expect({ text, isError }).toEqual({ text: `hello\n${host.dsh.home}\n[exit code 3]`, isError: false })
    expect((await agent.call('tty_list')).text).toContain('There is no terminal')
  })
})
