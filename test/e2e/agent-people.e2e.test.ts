/** People and agents at the same terminals: who may type when, what is hidden, and what only the person types. */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { bootAgentHost, sidIn, type AgentHost, type TestAgent } from '../support/agent-host.ts'
import { until } from '../support/wait.ts'
import { WsClient, type ClientView } from '../support/ws-client.ts'
import type { SessionId } from '../../protocol-src/ids.ts'
import type { SessionDescriptor } from '../../protocol-src/session.ts'

let host: AgentHost
let agent: TestAgent
let person: WsClient
beforeAll(async () => {
  host = await bootAgentHost({ settings: { tty: { maxSessions: 16 } } })
  agent = await host.agent()
  person = await WsClient.connect({ url: host.dsh.url })
})
afterAll(async () => {
  person.cut()
  await host.stop()
})

/** A terminal that the person opened and looks at. */
const userTerminal = async (command?: string): Promise<ClientView> => {
  const view = await person.start(command === undefined ? {} : { command })
  onTestFinished(async () => {
    await person.request({ type: 'close', sid: view.sid })
  })
  return view
}

/** A terminal of the agent that the person looks at. */
const agentTerminal = async (command: string): Promise<ClientView> => {
  const sid = sidIn(await agent.call('tty_open', { command })) as SessionId
  onTestFinished(async () => {
    await person.request({ type: 'close', sid }).catch(() => {}) // the test may have closed it
  })
  return person.attach(sid)
}

const listed = (): readonly SessionDescriptor[] => (person.last('sessions') ?? person.last('welcome'))?.sessions ?? []
const described = (sid: SessionId): SessionDescriptor | undefined => listed().find(({ id }) => id === sid)

const journal = async (sid: SessionId): Promise<{ type: string; data: Record<string, unknown> }[]> =>
  (await person.request({ type: 'history', sid, after: 0, limit: 1000 })).records

describe('an agent’s terminal', () => {
  it('is a normal session of every client, owned by the agent; the person may look, type and close', async () => {
    const view = await agentTerminal('cat')
    expect(described(view.sid)).toMatchObject({ owner: { kind: 'agent', agentId: agent.id }, phase: 'running' })
    view.input('from the person\n')
    await view.untilText(/from the person\s+from the person/)
    await person.request({ type: 'close', sid: view.sid })
    expect((await agent.call('tty_capture', { sid: view.sid })).text).toContain('There is no session')
  })

  it('stays when nobody looks', async () => {
    const sid = sidIn(await agent.call('tty_open', { command: 'sleep 600' }))
    await host.api.call('settings.update', { ns: 'tty', patch: { reconnectGraceSec: 0 } })
    onTestFinished(async () => {
      await host.api.call('settings.update', { ns: 'tty', patch: { reconnectGraceSec: 120 } })
    })
    await person.roundTrip()
    expect((await agent.call('tty_list')).text).toContain(sid)
    await agent.call('tty_close', { sid })
  })
})

describe('the person’s terminal', () => {
  it('can be read, typed into and not closed by an agent (X-36)', async () => {
    const view = await userTerminal('cat')
    expect((await agent.call('tty_list')).text).toContain(`${view.sid} `)
    expect((await agent.call('tty_send', { sid: view.sid, data: 'from the agent\n' })).isError).toBe(false)
    await view.untilText(/from the agent\s+from the agent/)
    const refused = await agent.call('tty_close', { sid: view.sid })
    expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('Ask them to close it') as unknown })
    expect(await journal(view.sid)).toContainEqual(
      expect.objectContaining({ type: 'input', data: { source: 'agent', bytes: 15 } }),
    )
  })

  it('is not typed into within three seconds of a key, unless that is forced, which goes on record', async () => {
    const view = await userTerminal('cat')
    view.input('half a word')
    await view.untilText(/half a word/)
    const refused = await agent.call('tty_send', { sid: view.sid, data: 'agent\n' })
    expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('within the last 3 s') as unknown })
    expect((await agent.call('tty_send', { sid: view.sid, data: 'agent\n', force: true })).isError).toBe(false)
    expect(await journal(view.sid)).toContainEqual(
      expect.objectContaining({ type: 'input', data: { source: 'agent', bytes: 6, forced: true } }),
    )
    await until(async () => !(await agent.call('tty_send', { sid: view.sid, data: 'later\n' })).isError, {
      what: 'the three seconds to be over',
      pollMs: 200,
    })
    await view.untilText(/later/)
  })

  it('is not typed into while a line waits at the prompt', async () => {
    const view = await userTerminal()
    await view.untilText(/\$ $/)
    view.input('echo mine')
    await view.untilText(/echo mine/)
    const refused = await until(
      async () => {
        const { text } = await agent.call('tty_send', { sid: view.sid, data: 'echo agent\n' })
        return text.includes('not sent yet') ? text : null
      },
      { what: 'the refusal because of the line', pollMs: 200 },
    )
    expect(refused).toContain('Nothing was sent')
    view.input('\r')
    await view.untilText(/^mine/m)
    await until(async () => !(await agent.call('tty_send', { sid: view.sid, data: 'echo agent\n' })).isError, {
      what: 'the agent to be let in',
      pollMs: 200,
    })
    await view.untilText(/^agent/m)
  })

  it('does not count what the page’s terminal answers by itself as typing', async () => {
    const view = await userTerminal('cat')
    view.input('\u001b[?1;2c\u001b[24;80R\u001b[I\u001b]11;rgb:0/0/0\u0007\u001bP1$r0m\u001b\\')
    await person.roundTrip()
    expect((await agent.call('tty_send', { sid: view.sid, data: 'x\n' })).isError).toBe(false)
  })
})

describe('a hidden terminal', () => {
  it('is not there for any tool, and one sentence says why; showing it brings it back', async () => {
    const view = await userTerminal('echo visible; cat')
    await view.untilText(/visible/)
    await person.request({ type: 'hide', sid: view.sid, hidden: true })
    const list = await agent.call('tty_list')
    expect(list.text).not.toContain(view.sid)
    expect(list.text).toContain('hidden by the user')
    const { sid } = view
    const unknown = 'B'.repeat(22)
    for (const [tool, args] of [
      ['tty_capture', {}],
      ['tty_screen', {}],
      ['tty_close', {}],
      ['tty_send', { data: 'x' }],
      ['tty_ask_user', { prompt: 'x' }],
    ] as const) {
      const hidden = await agent.call(tool, { ...args, sid })
      const absent = await agent.call(tool, { ...args, sid: unknown })
      expect(hidden, tool).toMatchObject({ isError: true })
      expect(hidden.text, tool).toBe(
        `${absent.text.replace(unknown, sid)} The user hid this terminal from agents; ask them to show it again if you need it.`,
      )
    }
    expect(host.lastPrompt().users.findLast((text) => text.includes('Terminals now'))).not.toContain(sid)
    await person.request({ type: 'hide', sid, hidden: false })
    expect((await agent.call('tty_capture', { sid })).text).toContain('visible')
    const types = (await journal(sid)).map(({ type }) => type)
    expect(types.filter((type) => type === 'hidden' || type === 'shown')).toEqual(['hidden', 'shown'])
  })

  it('ends the waits for it, without a word of what it printed', async () => {
    const view = await agentTerminal('echo visible; cat')
    const { sid } = view
    const waits = agent.call('tty_expect', { sid, pattern: 'never' })
    const other = await host.agent()
    const run = other.call('tty_run', { command: 'echo private; sleep 600' })
    const ran = await until(() => listed().find(({ spec }) => spec.command?.includes('private')), {
      what: 'the command',
    })
    const theirs = await person.attach(ran.id)
    await theirs.untilText(/private/)
    for (const id of [sid, ran.id]) await person.request({ type: 'hide', sid: id, hidden: true })
    for (const outcome of [await waits, await run]) {
      expect(outcome).toMatchObject({ isError: true, text: expect.stringContaining('The user hid this') as unknown })
      expect(outcome.text).not.toMatch(/visible|private/)
    }
    await person.request({ type: 'close', sid: ran.id })
  })

  it('stays hidden when its page goes and when the host is restarted', async () => {
    const sid = sidIn(await agent.call('tty_run', { command: 'echo past', keep: true })) as SessionId
    await person.request({ type: 'hide', sid, hidden: true })
    person.cut()
    await host.dsh.restart()
    person = await WsClient.connect({ url: host.dsh.url })
    expect(person.last('welcome')?.sessions.find(({ id }) => id === sid)?.hidden).toBe(true)
    await person.request({ type: 'close', sid })
    // The agent's own session lives on in the host; only the event stream of the test is a new one.
    await host.reconnect()
    agent = await host.agent()
  })
})

describe('tty_ask_user', () => {
  const PASSWORD = 'hunter2-not-for-agents'
  const ASK = `read -rsp 'Password: ' x; echo; [ "$x" = '${PASSWORD}' ] && echo welcome`

  it('lets the person type a password that only the program gets', async () => {
    const view = await agentTerminal(ASK)
    await view.untilText(/Password: $/)
    const call = agent.call('tty_ask_user', { sid: view.sid, prompt: 'Your password\u202e for\nthe server' })
    const request = await until(() => described(view.sid)?.request, { what: 'the request in the list' })
    expect(request).toMatchObject({ prompt: 'Your password for the server', isSecret: true })
    const refused = await host.agent().then((other) => other.call('tty_send', { sid: view.sid, data: 'guess\n' }))
    expect(refused.isError).toBe(true)
    view.input(`${PASSWORD}\r`)
    expect(await call).toEqual({
      text: 'The user answered. Look at what follows with tty_expect or tty_screen.',
      isError: false,
    })
    await view.untilText(/welcome/)
    expect(described(view.sid)?.request).toBeNull()
    expect(JSON.stringify(host.llm.requests)).not.toContain(`${PASSWORD}\\r`)
    expect((await agent.call('tty_capture', { sid: view.sid })).text).not.toContain(PASSWORD)
    expect(host.dsh.log()).not.toContain(PASSWORD)
  })

  it('tells that the person declined, that time ran out, that the program ended, and that nobody is there', async () => {
    const view = await agentTerminal('cat')
    const declined = agent.call('tty_ask_user', { sid: view.sid, prompt: 'Say yes' })
    const request = await until(() => described(view.sid)?.request, { what: 'the request' })
    const again = await host.agent().then((other) => other.call('tty_ask_user', { sid: view.sid, prompt: 'Me too' }))
    expect(again.isError).toBe(true)
    await person.request({ type: 'decline', sid: view.sid, request: request.id })
    expect((await declined).text).toContain('declined')
    expect((await agent.call('tty_ask_user', { sid: view.sid, prompt: 'Say yes', timeoutSec: 1 })).text).toContain(
      'did not answer in time',
    )
    const ended = agent.call('tty_ask_user', { sid: view.sid, prompt: 'Say yes' })
    await until(() => described(view.sid)?.request, { what: 'the request' })
    view.input('\u0004')
    expect((await ended).text).toContain('ended before the user answered')
    const alone = sidIn(await agent.call('tty_open', { command: 'cat' }))
    expect((await agent.call('tty_ask_user', { sid: alone, prompt: 'Anybody?' })).text).toContain(
      'Nobody has this terminal',
    )
    await agent.call('tty_close', { sid: alone })
  })

  it('is withdrawn with the turn', async () => {
    const view = await agentTerminal('cat')
    const call = agent.call('tty_ask_user', { sid: view.sid, prompt: 'Say yes' })
    await until(() => described(view.sid)?.request, { what: 'the request' })
    await agent.cancel()
    expect((await call).isError).toBe(true)
    await until(() => described(view.sid)?.request === null, { what: 'the request to be gone' })
  })
})
