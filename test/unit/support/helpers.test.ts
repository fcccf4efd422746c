import { spawn } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { decideStep, parseScript, type ChatMessage } from '../../support/mock-llm.ts'
import {
  childrenOf,
  cwdOf,
  descendantsOf,
  environmentOf,
  isAlive,
  untilGone,
  withEnvironment,
} from '../../support/proc.ts'
import { randomForTest, randomFromSeed } from '../../support/random.ts'
import { staysTrue, until } from '../../support/wait.ts'

describe('until', () => {
  it('returns the first fact that is there', async () => {
    let looks = 0
    expect(await until(() => (++looks < 3 ? null : looks), { what: 'three looks', pollMs: 1 })).toBe(3)
  })

  it('fails with what was waited for and what was seen instead', async () => {
    await expect(until(() => false, { what: 'rain', timeoutMs: 5, pollMs: 1 })).rejects.toThrow(
      'Waited 5 ms in vain for rain (last seen: false)',
    )
    const broken = (): never => {
      throw new Error('dry')
    }
    await expect(until(broken, { what: 'rain', timeoutMs: 5, pollMs: 1 })).rejects.toThrow(/last error: Error: dry/)
  })

  it('notices when a fact does not stay true', async () => {
    let looks = 0
    await expect(staysTrue(() => ++looks < 2, { what: 'calm', forMs: 1000 })).rejects.toThrow('did not: calm')
  })
})

describe('random', () => {
  it('repeats itself for the same seed and stays in range', () => {
    const [one, two] = [randomFromSeed(7), randomFromSeed(7)]
    const draw = (): number => one.integer(-2, 2)
    const drawn = Array.from({ length: 200 }, draw)
    expect(drawn).toEqual(Array.from({ length: 200 }, () => two.integer(-2, 2)))
    expect(new Set(drawn)).toEqual(new Set([-2, -1, 0, 1, 2]))
    expect(randomFromSeed(8).next()).not.toBe(randomFromSeed(7).next())
  })

  it('shuffles without losing anything', () => {
    const items = Array.from({ length: 50 }, (_, at) => at)
    const shuffled = randomForTest().shuffle(items)
    expect(shuffled.toSorted((a, b) => a - b)).toEqual(items)
  })
})

describe('process table', () => {
  it('sees children, their environment and their end', async () => {
    const shell = spawn('/bin/sh', ['-c', 'sleep 60 & wait'], { env: { MARK: 'm1', PATH: '/bin:/usr/bin' }, cwd: '/' })
    const pid = shell.pid ?? -1
    const [sleep] = await until(() => childrenOf(pid).length > 0 && childrenOf(pid), { what: 'the child of the shell' })
    const sleepPid = sleep?.pid ?? -1
    await until(() => environmentOf(sleepPid)['MARK'] === 'm1', { what: 'the environment of the child' })
    expect(new Set(withEnvironment('MARK', 'm1').map((each) => each.pid))).toEqual(new Set([pid, sleepPid]))
    expect(descendantsOf(process.pid).map((each) => each.pid)).toEqual(expect.arrayContaining([pid, sleepPid]))
    expect(cwdOf(sleepPid)).toBe('/')
    expect(isAlive(sleepPid)).toBe(true)
    shell.kill('SIGKILL')
    process.kill(sleepPid, 'SIGKILL')
    await untilGone([pid, sleepPid])
    expect(withEnvironment('MARK', 'm1')).toEqual([])
  })
})

describe('scripted model', () => {
  const tools = [{ function: { name: 't' } }]
  const ask = (...messages: ChatMessage[]): unknown => decideStep({ model: 'm', messages, tools })
  const user = (content: string): ChatMessage => ({ role: 'user', content })

  it('reads calls, joined calls, thoughts, answers and statuses', () => {
    expect(parseScript('@think hm\n@call a {"x":1}\n@and\n@call b\nchatter\n@status 429\n@say done')).toEqual([
      {
        kind: 'calls',
        calls: [
          { name: 'a', args: '{"x":1}' },
          { name: 'b', args: '{}' },
        ],
        think: 'hm',
      },
      { kind: 'status', status: 429 },
      { kind: 'say', text: 'done' },
    ])
  })

  it('finds its place from the conversation, whatever snapshots stand between', () => {
    const script = user('@call a {}\n@say got {last}')
    expect(ask(script)).toMatchObject({ kind: 'calls' })
    const result: ChatMessage = { role: 'tool', content: '$& 42' }
    expect(ask(script, { role: 'assistant', content: '' }, result, user('Current runtime context'))).toEqual({
      kind: 'say',
      text: 'got $& 42',
    })
  })

  it('gives requests without tools a title', () => {
    expect(decideStep({ model: 'm', messages: [user('@call a {}')] })).toEqual({ kind: 'say', text: 'Scripted title' })
  })
})
