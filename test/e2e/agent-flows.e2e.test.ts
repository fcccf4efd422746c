/** What agents do with terminals all day, through the agent loop of the real host: wait, answer, page, edit. */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { bootAgentHost, sidIn, type AgentHost, type TestAgent, type ToolOutcome } from '../support/agent-host.ts'
import { until } from '../support/wait.ts'
import { WsClient } from '../support/ws-client.ts'
import type { SessionId } from '../../protocol-src/ids.ts'

const DEV_SERVER = `
import { createServer } from 'node:http'
const server = createServer((_, response) => response.end('hi'))
server.listen(0, '127.0.0.1', () => {
  console.log('\\u001b[32m  ready\\u001b[0m in 5 ms')
  console.log('  Local: \\u001b[36mhttp://127.0.0.1:' + server.address().port + '/\\u001b[0m   press q to quit')
})
process.stdin.setRawMode(true)
process.stdin.on('data', (key) => {
  if (String(key) !== 'q') return
  console.log('bye')
  process.exit(3)
})
`
const WIZARD = `
const choices = ['alpha', 'beta', 'gamma']
let at = 0
const draw = () => {
  process.stdout.write('\\u001b[2J\\u001b[HPick one:\\r\\n')
  choices.forEach((name, i) => process.stdout.write((i === at ? '\\u001b[7m> ' : '  ') + name + '\\u001b[0m\\r\\n'))
}
process.stdin.setRawMode(true)
draw()
process.stdin.on('data', (key) => {
  const text = String(key)
  if (text === '\\u001b[B') at = Math.min(at + 1, 2)
  if (text === '\\u001b[A') at = Math.max(at - 1, 0)
  if (text === '\\r') { console.log('\\u001b[2J\\u001b[Hchose ' + choices[at]); process.exit(0) }
  draw()
})
`

let host: AgentHost
let agent: TestAgent
beforeAll(async () => {
  host = await bootAgentHost({
    settings: { tty: { maxSessions: 16 } },
    homeFiles: { 'server.mjs': DEV_SERVER, 'wizard.mjs': WIZARD },
  })
  agent = await host.agent()
})
afterAll(() => host.stop())

const open = async (args: object = {}): Promise<string> => {
  const sid = sidIn(await agent.call('tty_open', args))
  onTestFinished(async () => {
    await agent.call('tty_close', { sid })
  })
  return sid
}

const expectText = (sid: string, pattern: string, timeoutSec = 20): Promise<ToolOutcome> =>
  agent.call('tty_expect', { sid, pattern, timeoutSec })

/** A shell at its prompt. */
const shell = async (): Promise<string> => {
  const sid = await open()
  expect((await expectText(sid, String.raw`\$ $`)).text).toContain('matched')
  return sid
}

const type = (sid: string, line: string): Promise<ToolOutcome> =>
  agent.call('tty_send', { sid, data: line, keys: ['Enter'] })

describe('the classic flows', () => {
  it('a dev server: wait for its address, quit it with a key, and read what the command left', async () => {
    const sid = await shell()
    await type(sid, `${process.execPath} server.mjs`)
    const ready = await expectText(sid, String.raw`http://127\.0\.0\.1:\d+/`)
    const address = /http:\/\/127\.0\.0\.1:\d+\//.exec(ready.text)?.[0] ?? ''
    expect(await (await fetch(address)).text()).toBe('hi')
    expect((await agent.call('tty_capture', { sid, last: true })).text).toMatch(/^\[a command is running/)
    expect((await agent.call('tty_list')).text).toContain('[running')
    await agent.call('tty_send', { sid, data: 'q' })
    expect((await expectText(sid, 'bye')).text).toContain('matched "bye"')
    const last = await until(
      async () => {
        const { text } = await agent.call('tty_capture', { sid, last: true })
        return text.includes('exit code 3') ? text : null
      },
      { what: 'the end of the command' },
    )
    expect(last).toMatch(/ready in 5 ms\n[^]*bye$/)
    expect((await agent.call('tty_list')).text).toContain(`${sid} [idle]`)
  })

  it('a wizard, driven by arrow keys and read by its screen', async () => {
    const sid = await open({ command: `${process.execPath} wizard.mjs` })
    await expectText(sid, 'Pick one')
    await agent.call('tty_send', { sid, keys: ['Down'] })
    await until(async () => (await agent.call('tty_screen', { sid })).text.includes('> beta'), { what: 'the choice' })
    await agent.call('tty_send', { sid, keys: ['Enter'] })
    const chosen = await expectText(sid, 'chose (alpha|beta|gamma)')
    expect(chosen.text).toContain('matched "chose beta"')
  })

  it('a pager', async () => {
    const sid = await shell()
    await type(sid, 'seq 1 400 | less')
    await until(async () => /^1$/m.test((await agent.call('tty_screen', { sid })).text), { what: 'the first page' })
    expect((await agent.call('tty_list')).text).toContain('it waits for input')
    await agent.call('tty_send', { sid, data: 'G' })
    await until(async () => /^400$/m.test((await agent.call('tty_screen', { sid })).text), { what: 'the last page' })
    await agent.call('tty_send', { sid, data: 'q' })
    await until(async () => (await agent.call('tty_list')).text.includes(`${sid} [idle]`), { what: 'the prompt' })
    await type(sid, 'echo after')
    expect((await expectText(sid, '^after$')).text).toContain('matched "after"')
  })

  it('a password that the person types while the agent waits', async () => {
    const sid = await shell()
    await using person = await WsClient.connect({ url: host.dsh.url })
    const view = await person.attach(sid as SessionId)
    await type(sid, `read -rsp 'Password: ' x; echo; [ "$x" = 'hunter2' ] && echo welcome`)
    await expectText(sid, 'Password: ')
    const asked = agent.call('tty_ask_user', { sid, prompt: 'The password, please' })
    await until(() => person.last('sessions')?.sessions.find(({ id }) => id === sid)?.request?.isSecret === true, {
      what: 'the request for a secret',
    })
    view.input('hunter2\r')
    expect((await asked).text).toContain('The user answered')
    expect((await expectText(sid, '^welcome$')).text).toContain('matched "welcome"')
    expect(JSON.stringify(host.llm.requests.at(-1))).not.toMatch(/hunter2[^']/)
  })

  it('an editor, driven by keys and read by its screen', async () => {
    const sid = await shell()
    await type(sid, 'vim -u NONE -N letter.txt')
    await until(async () => (await agent.call('tty_screen', { sid })).text.includes('full-screen'), {
      what: 'the editor',
    })
    await agent.call('tty_send', { sid, data: 'iDear all,', keys: ['Enter', 'Escape'] })
    await agent.call('tty_send', { sid, data: ':wq', keys: ['Enter'] })
    await until(async () => (await agent.call('tty_list')).text.includes(`${sid} [idle]`), { what: 'the prompt' })
    expect((await agent.call('tty_run', { command: 'cat letter.txt' })).text).toContain('Dear all,')
  })
})

describe('tty_expect', () => {
  it('is not fooled by the echo of what was typed (AG-03)', async () => {
    const sid = await shell()
    await type(sid, 'sleep 1; echo MARK_77')
    const { text } = await expectText(sid, 'MARK_77')
    expect(text).toMatch(/^\[matched "MARK_77"/)
    expect(text).not.toContain('sleep 1; echo')
  })

  it('sees what was printed before it was called, with the end of the command (AG-05)', async () => {
    const sid = await shell()
    await type(sid, 'echo HELLO_5; (exit 6)')
    await until(async () => (await agent.call('tty_list')).text.includes('[idle]'), { what: 'the end' })
    expect((await expectText(sid, 'HELLO_5', 3)).text).toMatch(
      /^\[matched "HELLO_5" \(last\); the command ended with exit code 6/,
    )
  })

  it('ends with the command, and with a time-out that uses nothing up', async () => {
    const sid = await shell()
    await type(sid, '(exit 9)')
    expect((await expectText(sid, 'never')).text).toContain('the command ended with exit code 9')
    await type(sid, 'echo later; sleep 600')
    expect((await expectText(sid, 'never', 1)).text).toContain('no match in time')
    expect((await expectText(sid, '^later$', 1)).text).toContain('matched "later"')
  })

  it('settles at once on an ended terminal, and says so', async () => {
    const sid = await open({ command: 'echo over; exit 4' })
    await until(async () => (await agent.call('tty_list')).text.includes('exit code 4'), { what: 'the end' })
    expect((await expectText(sid, 'over')).text).toMatch(/^\[matched "over" \(buffered\); exit code 4/)
    expect((await expectText(sid, 'never')).text).toMatch(/^\[no match; exit code 4/)
  })

  it('ends when the person presses a key', async () => {
    const sid = await open({ command: 'cat' })
    await using person = await WsClient.connect({ url: host.dsh.url })
    const view = await person.attach(sid as SessionId)
    let outcome: ToolOutcome | null = null
    const wait = expectText(sid, 'never').then((text) => {
      outcome = text
    })
    // Until the wait has begun nobody notices.
    await until(
      () => {
        view.input('x')
        return outcome
      },
      { what: 'the interruption', pollMs: 100 },
    )
    await wait
    expect(outcome).toMatchObject({ text: expect.stringContaining('the user pressed a key') as unknown })
  })

  it('lets five wait, refuses the sixth, and settles all when the terminal goes (AG-32)', async () => {
    const sid = sidIn(await agent.call('tty_open', { command: 'cat' }))
    const waits = agent.callAll(Array.from({ length: 6 }, () => ['tty_expect', { sid, pattern: 'never' }] as const))
    await using person = await WsClient.connect({ url: host.dsh.url })
    const other = await host.agent()
    await until(async () => (await other.call('tty_expect', { sid, pattern: 'x', timeoutSec: 1 })).isError, {
      what: 'the limit',
    })
    await person.request({ type: 'close', sid: sid as SessionId })
    const outcomes = await waits
    expect(outcomes.filter(({ text }) => text.includes('which is the limit'))).toHaveLength(1)
    expect(outcomes.filter(({ text }) => text.startsWith('[no match'))).toHaveLength(5)
  })

  it('takes hostile and broken patterns (X-38)', async () => {
    const sid = await open({ command: `echo ${'a'.repeat(60)}!; cat` })
    await expectText(sid, 'a!')
    for (const pattern of ['^(a+)+$', '(.*)*x', '(a|a)*b'])
      expect((await expectText(sid, pattern, 1)).isError, pattern).toBe(false)
    for (const pattern of ['(', '(?=a)', String.raw`(a)\1`, '(a{50}){50}'])
      expect(await expectText(sid, pattern, 1), pattern).toMatchObject({
        isError: true,
        text: expect.stringContaining('The pattern cannot be used') as unknown,
      })
    expect((await expectText(sid, 'a'.repeat(600), 1)).text).toContain('was not called as it must be')
  })

  it('is cancelled with the turn', async () => {
    const sid = await open({ command: 'cat' })
    const wait = expectText(sid, 'never')
    const other = await host.agent()
    await other.call('tty_list')
    await agent.cancel()
    expect((await wait).isError).toBe(true)
  })
})

describe('tty_history', () => {
  it('finds finished commands by text, code and terminal', async () => {
    const sid = await shell()
    for (const line of ['echo one', '(exit 7)', 'echo two']) {
      await type(sid, line)
      await until(async () => (await agent.call('tty_history', { sid })).text.includes(line), { what: line })
    }
    const all = (await agent.call('tty_history', { sid })).text.split('\n')
    expect(all).toHaveLength(3)
    expect(all[0]).toMatch(/\[exit code 0, \d+ ms\] "echo two" in "/)
    expect((await agent.call('tty_history', { sid, exitCode: -1 })).text).toContain('"(exit 7)"')
    expect((await agent.call('tty_history', { sid, pattern: '^echo', limit: 1 })).text).toMatch(
      /"echo two".*\n\[there are more/,
    )
    expect((await agent.call('tty_history', { sid, pattern: 'nothing like it' })).text).toBe('[no finished command]')
  })
})
