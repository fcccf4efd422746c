/** The gate in the real host: tiers, approvals, subagents, Code Mode and the headless profile. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bootAgentHost, sidIn, type AgentHost, type TestAgent } from '../support/agent-host.ts'
import { runHeadless } from '../support/headless.ts'
import { until } from '../support/wait.ts'

const RUN = { command: 'echo ran' }
const RAN = '[exit code 0]\nran'

let host: AgentHost
let agent: TestAgent
beforeAll(async () => {
  host = await bootAgentHost({ settings: { tty: { maxSessions: 16 } } })
  agent = await host.agent({ tier: 'workspace-write' })
})
afterAll(() => host.stop())

const left = (): Promise<string> => agent.call('tty_list').then(({ text }) => text)

describe('in a restricted tier', () => {
  it.each(['read-only', 'workspace-write'])(
    'asks with the exact command, and runs it when allowed: %s',
    async (tier) => {
      await agent.setTier(tier)
      const command = "printf 'a\\tb'; echo \u202e$HOME"
      const { text, isError } = await agent.call(
        'tty_run',
        { command, cwd: '/tmp' },
        { onApproval: () => 'allowed-once' },
      )
      expect(isError).toBe(false)
      expect(text).toContain('[exit code 0')
      expect(host.asked.at(-1)).toMatchObject({
        toolName: 'tty_run',
        reason: `Run in a terminal in "/tmp":\nprintf 'a\\tb'; echo \\u{202e}$HOME`,
      })
    },
  )

  it.each([
    ['tty_run', RUN],
    ['tty_open', { command: 'sleep 600' }],
    ['tty_open', {}],
  ])('does nothing when the user says no: %s', async (tool, args) => {
    const before = host.asked.length
    const outcome = await agent.call(tool, args, { onApproval: () => 'rejected' })
    expect(outcome).toMatchObject({ isError: true, text: expect.stringContaining(`did not allow ${tool}`) as unknown })
    expect(host.asked).toHaveLength(before + 1)
    expect(await left()).toContain('There is no terminal')
  })

  it('does nothing when the turn is cancelled while the question is open', async () => {
    const before = host.asked.length
    const call = agent.call('tty_run', { command: 'touch cancelled' }, { onApproval: () => null })
    await until(() => host.asked.length > before, { what: 'the question' })
    await agent.cancel()
    expect((await call).isError).toBe(true)
    expect(
      (await agent.call('tty_run', { command: 'ls cancelled' }, { onApproval: () => 'allowed-once' })).text,
    ).toContain('[exit code 2]')
  })

  it('asks before typing, with what would be typed, and never before looking', async () => {
    const sid = sidIn(await agent.call('tty_open', { command: 'cat' }, { onApproval: () => 'allowed-once' }))
    const before = host.asked.length
    for (const tool of ['tty_list', 'tty_capture', 'tty_screen'])
      expect((await agent.call(tool, tool === 'tty_list' ? {} : { sid })).isError).toBe(false)
    expect(host.asked).toHaveLength(before)
    const refused = await agent.call('tty_send', { sid, data: 'rm -rf x\n\u001b[2K', keys: ['C-c'] })
    expect(refused.isError).toBe(true)
    expect(host.asked.at(-1)?.reason).toBe(String.raw`Type into "cat": "rm -rf x\n\u{1b}[2K", then keys "C-c"`)
    expect((await agent.call('tty_capture', { sid })).text).not.toContain('rm')
    expect((await agent.call('tty_close', { sid })).isError).toBe(false)
    expect(host.asked).toHaveLength(before + 1)
  })

  it('does not ask for what cannot be done', async () => {
    const before = host.asked.length
    const outcome = await agent.call(
      'tty_send',
      { sid: 'A'.repeat(22), data: 'x' },
      { onApproval: () => 'allowed-once' },
    )
    expect(outcome.text).toContain('There is no session')
    expect(host.asked).toHaveLength(before)
  })

  it('takes a switch of the tier between two calls', async () => {
    expect((await agent.call('tty_run', RUN, { onApproval: () => 'rejected' })).isError).toBe(true)
    await agent.setTier('danger-full-access')
    const before = host.asked.length
    expect((await agent.call('tty_run', RUN)).text).toBe(RAN)
    expect(host.asked).toHaveLength(before)
    await agent.setTier('read-only')
    expect((await agent.call('tty_run', RUN, { onApproval: () => 'rejected' })).isError).toBe(true)
  })
})

describe('a subagent', () => {
  const delegate = async (tool: string, args: object): Promise<string> => {
    const prompt = `@call ${tool} ${JSON.stringify(args)}\n@say child: {last}`
    return (await agent.call('subagent', { description: 'child', prompt, run_in_background: false })).text
  }

  it('cannot ask, so it is refused at once in a restricted tier, and may look', async () => {
    await agent.setTier('workspace-write')
    const before = host.asked.length
    expect(await delegate('tty_run', RUN)).toContain('a delegated agent cannot ask')
    expect(await delegate('tty_list', {})).toContain('There is no terminal')
    expect(host.asked).toHaveLength(before)
  })

  it('runs with full access, and whoever delegated to it may drive and close its terminals', async () => {
    await agent.setTier('danger-full-access')
    expect(await delegate('tty_run', RUN)).toContain(RAN)
    const sid =
      /[A-Za-z0-9_-]{22}/.exec((await delegate('tty_open', { command: 'cat' })).replace(/.*child:/s, ''))?.[0] ?? ''
    expect((await agent.call('tty_send', { sid, data: 'x\n' })).isError).toBe(false)
    const stranger = await host.agent()
    expect((await stranger.call('tty_capture', { sid })).isError).toBe(false)
    expect((await stranger.call('tty_send', { sid, data: 'x\n' })).text).toContain('Another agent opened this terminal')
    expect((await stranger.call('tty_close', { sid })).text).toContain('Another agent opened this terminal')
    expect((await agent.call('tty_close', { sid })).text).toContain('Closed')
  })
})

describe('other ways to call', () => {
  it('the host has tiers, so nothing is said of their absence', () => {
    expect(host.dsh.log()).not.toContain('tools.not-gated')
  })

  it('Code Mode gets the values, through the same gate', async () => {
    const coder = await host.agent({ preset: 'code', tier: 'danger-full-access' })
    const code =
      'const r = await tools.tty_run({ command: "echo in code; exit 5" }); return [r.exitCode, r.text.trim()].join(" ")'
    expect((await coder.call('run_code', { code, description: 'd' })).text).toContain('5 in code')
    await coder.setTier('read-only')
    expect((await coder.call('run_code', { code, description: 'd' }, { onApproval: () => 'rejected' })).text).toContain(
      'did not allow tty_run',
    )
  })

  it('the headless profile has nobody to ask, and runs with full access', async () => {
    const task = `@call tty_run ${JSON.stringify(RUN)}\n@say answer: {last}`
    const refused = await runHeadless(task)
    expect(refused).toMatchObject({ code: 0, out: expect.stringContaining('nobody is there to give it') as unknown })
    const ran = await runHeadless(task, { DSH_PERMISSION_MODE: 'danger-full-access' })
    expect(ran).toMatchObject({ code: 0, out: expect.stringContaining(`answer: ${RAN}`) as unknown })
    expect(ran.survivors).toEqual([])
  })
})

describe('with restrictedTier: confine', () => {
  it('runs inside the sandbox of the tier without a question, and says so', async () => {
    await host.api.call('settings.update', { ns: 'tty', patch: { restrictedTier: 'confine' } })
    await agent.setTier('read-only')
    const before = host.asked.length
    const command = 'cat /etc/hostname >/dev/null && echo read; touch inside; echo code $?'
    const { text } = await agent.call('tty_run', { command })
    expect(text).toContain('\nread\n')
    expect(text).toMatch(/code [1-9]/)
    expect(text).toContain('ran inside the sandbox of the permission tier')
    await agent.setTier('workspace-write')
    const written = await agent.call('tty_run', {
      command: 'touch inside; echo code $?; touch /var/outside; echo code $?',
    })
    expect(written.text).toMatch(/code 0\n[^]*code [1-9]/)
    const sid = sidIn(await agent.call('tty_open', { command: 'cat' }))
    expect(host.asked).toHaveLength(before)
    // Typing is not confined by anything, so it is still asked for.
    expect((await agent.call('tty_send', { sid, data: 'x\n' })).isError).toBe(true)
    expect(host.asked).toHaveLength(before + 1)
    await agent.call('tty_close', { sid })
  })
})
