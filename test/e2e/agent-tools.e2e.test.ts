/** The tools as a model uses them: through the agent loop, the gate and the validator of the real host. */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { bootAgentHost, sidIn, type AgentHost, type TestAgent } from '../support/agent-host.ts'
import { TOOL_CATALOG } from '../../host-src/tools/tool-catalog.ts'
import { until } from '../support/wait.ts'

let host: AgentHost
let agent: TestAgent
beforeAll(async () => {
  host = await bootAgentHost({ settings: { tty: { maxSessions: 16 } } })
  agent = await host.agent()
})
afterAll(() => host.stop())

/** A terminal that is closed with the test. */
const open = async (command?: string): Promise<string> => {
  const sid = sidIn(await agent.call('tty_open', command === undefined ? {} : { command }))
  onTestFinished(async () => {
    await agent.call('tty_close', { sid })
  })
  return sid
}

/** The output once it holds `pattern`. */
const captured = (sid: string, pattern: RegExp): Promise<string> =>
  until(
    async () => {
      const { text } = await agent.call('tty_capture', { sid })
      return pattern.test(text) ? text : null
    },
    { what: `${String(pattern)} in the terminal`, timeoutMs: 20_000 },
  )

describe('the catalogue', () => {
  it('is what the model is offered, with schemas as they are', async () => {
    await agent.call('tty_list')
    const offered = new Map(
      host.llm
        .agentRequests()
        .at(-1)
        ?.tools?.map((tool) => [tool.function.name, tool.function]),
    )
    for (const { name, description } of TOOL_CATALOG) {
      expect(offered.get(name)?.description).toBe(description)
      expect(offered.get(name)?.parameters).toMatchObject({ type: 'object', additionalProperties: false })
    }
  })
})

describe('tty_run', () => {
  it('gives the output and the exit code of a command, and leaves no terminal', async () => {
    const { text, isError } = await agent.call('tty_run', { command: 'echo hello; pwd; exit 3' })
    expect({ text, isError }).toEqual({ text: `[exit code 3]\nhello\n${host.dsh.home}`, isError: false })
    expect((await agent.call('tty_list')).text).toContain('There is no terminal')
  })

  it('runs a heredoc as it stands (AG-01)', async () => {
    const command = "cat > hd.txt <<'EOF'\nline one\n$HOME `x`\nEOF\ncat hd.txt; wc -c < hd.txt"
    const { text } = await agent.call('tty_run', { command })
    expect(text).toBe('[exit code 0]\nline one\n$HOME `x`\n19')
  })

  it('shows what a person would see of progress bars (AG-11)', async () => {
    const command = String.raw`for i in 1 50 100; do printf '\rLoad %3d%%' $i; done; echo; printf 'Working\rDone\e[K\n'`
    expect((await agent.call('tty_run', { command })).text).toBe('[exit code 0]\nLoad 100%\nDone')
  })

  it('ends with the newest of a huge output, and says how much is not shown (AG-09)', async () => {
    const { text } = await agent.call('tty_run', { command: 'seq 1 2000000', timeoutSec: 60 })
    expect(text).toMatch(/^\[exit code 0; \d{7,8} earlier bytes are not shown\]\n/)
    expect(text).toMatch(/\n1999999\n2000000$/)
    expect(text.length).toBeLessThan(20_000)
  })

  it('goes on running after a time-out, and the terminal keeps the truth (AG-19)', async () => {
    const outcome = await agent.call('tty_run', { command: 'sleep 2; echo FIN; exit 4', timeoutSec: 1 })
    const sid = sidIn(outcome)
    expect(outcome.text).toContain('still running in')
    expect(outcome.text).not.toContain('exit code')
    expect(await captured(sid, /exit code/)).toBe('[exit code 4]\nFIN')
    expect((await agent.call('tty_close', { sid })).text).toContain('all of its processes are gone')
  })

  it('tells that a signal ended the shell (AG-21)', async () => {
    expect((await agent.call('tty_run', { command: 'kill -9 $$' })).text).toBe('[ended by SIGKILL]')
  })

  it.each(['sleep 60 & true', '(setsid sleep 61 &) ; true', 'nohup sleep 62 >/dev/null 2>&1 & true'])(
    'does not wait for what a command leaves behind, and says that it ended it: %s (AG-17)',
    async (command) => {
      const { text } = await agent.call('tty_run', { command, timeoutSec: 30 })
      expect(text).toContain('[exit code 0')
      expect(host.dsh.processes().filter(({ argv }) => argv[0] === 'sleep')).toEqual([])
    },
  )

  it('keeps an ended terminal when asked to', async () => {
    const outcome = await agent.call('tty_run', { command: 'echo kept', keep: true })
    const sid = sidIn(outcome)
    expect(outcome.text).toBe(`[exit code 0; kept as ${sid}]\nkept`)
    expect((await agent.call('tty_capture', { sid })).text).toContain('\nkept')
    expect((await agent.call('tty_list')).text).toContain(`${sid} [exit code 0]`)
    const refused = await agent.call('tty_send', { sid, data: 'x' })
    expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('has ended') as unknown })
    await agent.call('tty_close', { sid })
    expect((await agent.call('tty_capture', { sid })).text).toContain('There is no session')
  })

  it('comes back when a program waits for input, and says when it is a secret (AG-13, AG-15)', async () => {
    const secret = await agent.call('tty_run', {
      command: `read -rsp 'Password: ' x; echo; echo got=\${#x}`,
      timeoutSec: 30,
    })
    const sid = sidIn(secret)
    expect(secret.text).toMatch(/^\[running in \S+: it asks for a secret.*\]\nPassword: ?$/)
    await agent.call('tty_send', { sid, data: 'abc\n' })
    expect(await captured(sid, /exit code/)).toContain('got=3')
    await agent.call('tty_close', { sid })
    const pager = await agent.call('tty_run', { command: 'seq 1 500 | less', timeoutSec: 30 })
    expect(pager.text).toContain('it waits for input')
    await agent.call('tty_close', { sid: sidIn(pager) })
    expect((await agent.call('tty_run', { command: 'echo ok' })).text).toBe('[exit code 0]\nok')
  })

  it('ends the command with the turn', async () => {
    const call = agent.call('tty_run', { command: 'echo begun; sleep 777' })
    await until(() => host.dsh.processes().some(({ argv }) => argv[1] === '777'), { what: 'the command to run' })
    await agent.cancel()
    expect((await call).isError).toBe(true)
    await until(() => !host.dsh.processes().some(({ argv }) => argv[1] === '777'), { what: 'the command to be gone' })
    expect((await agent.call('tty_list')).text).toContain('There is no terminal')
  })

  it('survives bytes that are no text (AG-29)', async () => {
    const { text, isError } = await agent.call('tty_run', { command: String.raw`printf 'a\xff\xfe\0b\x9bc\n'` })
    expect(isError).toBe(false)
    expect(text).toMatch(/a.*b.*c|a.*b/s)
    expect(text).not.toContain('\0')
  })

  it('says why nothing was started', async () => {
    const relative = await agent.call('tty_run', { command: 'pwd', cwd: '/no/such/folder' })
    expect(relative.text).toContain('[exit code 0]')
    for (const args of [
      '{}',
      '{"command":""}',
      '{"command":1}',
      '{"command":"x","timeoutSec":601}',
      '{"command":"x","more":1}',
      '"text"',
      '[]',
    ]) {
      const outcome = await agent.callRaw('tty_run', args)
      expect(outcome, args).toMatchObject({
        isError: true,
        text: expect.stringMatching(/tty_run was not called as it must be/) as unknown,
      })
    }
  })
})

describe('a shell that stays', () => {
  it('is opened, typed into, read and closed', async () => {
    const sid = await open()
    expect((await agent.call('tty_send', { sid, data: 'echo $((6*7))', keys: ['Enter'] })).text).toContain(
      'Sent 14 bytes',
    )
    expect(await captured(sid, /^42$/m)).toContain('42')
    expect((await agent.call('tty_list')).text).toContain('opened by you')
  })

  it('reads on from an offset, so nothing is read twice', async () => {
    const sid = await open('cat')
    const first = await agent.call('tty_send', { sid, data: 'one\n' })
    await captured(sid, /one\s+one/)
    const offset = /offset (\d+)/.exec((await agent.call('tty_send', { sid, data: 'two\n' })).text)?.[1]
    expect(first.text).toContain('offset 0')
    const later = await until(
      async () => {
        const { text } = await agent.call('tty_capture', { sid, from: Number(offset) })
        return /two\s+two/.test(text) ? text : null
      },
      { what: 'the later output' },
    )
    expect(later).not.toContain('one')
  })

  it('gets keys as bytes, text as it is, and refuses names that are none (AG-23, AG-24)', async () => {
    const sid = await open('stty raw -echo; echo ready; cat -v')
    await captured(sid, /ready/)
    const unknown = await agent.call('tty_send', { sid, data: 'x', keys: ['Hyper'] })
    expect(unknown).toMatchObject({
      isError: true,
      text: expect.stringContaining('There is no key "Hyper"') as unknown,
    })
    await agent.call('tty_send', { sid, data: 'Enter C-c | %1 ~ \\', keys: ['Up', 'F5', 'M-b', 'C-c', 'Escape'] })
    await agent.call('tty_send', { sid, data: '.' })
    const [, typed] = /ready\s+(.*)\./s.exec(await captured(sid, /\.$/m)) ?? []
    expect(typed).toBe('Enter C-c | %1 ~ \\^[[A^[[15~^[b^C^[')
    expect((await agent.call('tty_send', { sid })).text).toContain('give data, keys or both')
  })

  it('refuses a line that the terminal would cut (AG-25)', async () => {
    const sid = await open('echo ready; cat > c.out')
    await captured(sid, /ready/)
    const refused = await agent.call('tty_send', { sid, data: `${'x'.repeat(6000)}\n` })
    expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('4095') as unknown })
    expect((await agent.call('tty_send', { sid, data: `${'x'.repeat(4000)}\n${'y'.repeat(4000)}\n` })).isError).toBe(
      false,
    )
  })

  it('shows the screen of a program that redraws itself', async () => {
    const sid = await open('vim -u NONE -N notes.txt')
    const look = (pattern: RegExp): Promise<string> =>
      until(
        async () => {
          const { text } = await agent.call('tty_screen', { sid })
          return pattern.test(text) ? text : null
        },
        { what: `${String(pattern)} on the screen` },
      )
    await look(/full-screen program/)
    await agent.call('tty_send', { sid, data: 'ihello from vim', keys: ['Escape'] })
    expect(await look(/cursor row 1, column 14/)).toContain('hello from vim')
    await agent.call('tty_send', { sid, data: ':wq', keys: ['Enter'] })
    await captured(sid, /exit code 0/)
    expect((await agent.call('tty_run', { command: 'cat notes.txt' })).text).toBe('[exit code 0]\nhello from vim')
  })

  it('tells that "last" has no meaning for a command', async () => {
    const sid = await open('sleep 600')
    const outcome = await agent.call('tty_capture', { sid, last: true })
    expect(outcome).toMatchObject({ isError: true, text: expect.stringContaining('Use `lines` instead') as unknown })
  })

  it('refuses when the limit is reached, and says what to do', async () => {
    await host.api.call('settings.update', { ns: 'tty', patch: { maxSessions: 1 } })
    onTestFinished(async () => {
      await host.api.call('settings.update', { ns: 'tty', patch: { maxSessions: 16 } })
    })
    await open('sleep 600')
    const refused = await agent.call('tty_open', { command: 'sleep 600' })
    expect(refused).toMatchObject({
      isError: true,
      text: expect.stringContaining('Close one or raise the limit') as unknown,
    })
  })
})

describe('the prompts', () => {
  it('hold the guidance, and a picture of the terminals that is sent again only when it changes', async () => {
    const sid = await open('sleep 600')
    await agent.call('tty_list')
    const { system, users } = host.lastPrompt()
    expect(system).toContain('tty_run runs one command')
    expect(system).toContain('/bin/bash')
    expect(users.findLast((text) => text.includes('Terminals now'))).toContain(`${sid}: local "sleep 600"`)
    const pictures = (): number => host.lastPrompt().users.filter((text) => text.includes(`- ${sid}:`)).length
    const before = pictures()
    await agent.call('tty_list')
    await agent.call('tty_capture', { sid })
    expect(pictures()).toBe(before)
  })

  it('take a title that looks like a variable of the prompt', async () => {
    const sid = await open("echo '{{cwd}} {{nothing}}'; sleep 600")
    expect((await agent.call('tty_list')).text).toContain(sid)
    expect(host.lastPrompt().users.join('\n')).toContain('{ {cwd}}')
  })
})
