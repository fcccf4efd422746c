/**
 * Results of the tools on usual and unusual ways, held against the validator of the installed host, with real programs in real
 * terminals (AG-27, AG-28).
 */
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { TOOL_CATALOG } from '../../host-src/tools/tool-catalog.ts'
import { loadHostValidator, type HostValidator } from '../support/host-validator.ts'
import { startInProcessHost, type InProcessHost } from '../support/in-process-host.ts'
import { toolBench, type ToolBench } from '../support/tool-bench.ts'
import { until } from '../support/wait.ts'

let validator: HostValidator
let host: InProcessHost
let bench: ToolBench
const seen = new Set<string>()

beforeAll(async () => {
  validator = await loadHostValidator()
  host = await startInProcessHost()
  bench = toolBench(host.composition.tools)
})
afterAll(() => host.dispose())

/** Runs a tool and holds its result against the host's rules. */
const checked = async (name: string, args: object = {}): Promise<Record<string, unknown>> => {
  const value = await bench.run(name, args)
  const { output } = bench.tool(name)
  expect(validator.validateJsonSchemaValue(output.schema, value), name).toEqual([])
  expect(JSON.parse(JSON.stringify(value)), `${name} without loss`).toStrictEqual(value)
  const [block] = output.render(args, value)
  expect(block?.text.length, `${name} says something`).toBeGreaterThan(0)
  expect(output.presentationMeta(args, value)).toBeDefined()
  seen.add(name)
  return value
}

const opened = async (args: object): Promise<string> => {
  const { sid } = await checked('tty_open', args)
  onTestFinished(async () => {
    await bench.run('tty_close', { sid }).catch(() => {}) // closed by the test
  })
  return sid as string
}

const ended = (sid: string): Promise<boolean> =>
  until(() => host.composition.registry.list().find(({ id }) => id === sid)?.phase === 'exited', { what: 'the end' })

describe('every result', () => {
  it('has a schema that the host takes', () => {
    for (const { name } of TOOL_CATALOG) validator.assertSupportedJsonSchema(bench.tool(name).output.schema)
  })

  it('fits on a host without terminals', async () => {
    expect(await checked('tty_list')).toEqual({ sessions: [], hidden: 0 })
    expect(await checked('tty_history')).toEqual({ commands: [], more: false })
  })

  it('fits for commands that end well, badly, by a signal, late and never', async () => {
    expect(await checked('tty_run', { command: 'echo ok' })).toMatchObject({
      exitCode: 0,
      running: false,
      closed: true,
    })
    expect(await checked('tty_run', { command: 'exit 7' })).toMatchObject({ exitCode: 7, text: '' })
    const killed = await checked('tty_run', { command: 'kill -9 $$', keep: true })
    expect(killed).toMatchObject({ signal: 'SIGKILL', exited: true })
    expect(killed).not.toHaveProperty('exitCode')
    for (const name of ['tty_capture', 'tty_screen']) await checked(name, { sid: killed['sid'] })
    const late = await checked('tty_run', { command: 'sleep 600', timeoutSec: 1 })
    expect(late).toMatchObject({ running: true, timedOut: true, exited: false })
    expect(late).not.toHaveProperty('exitCode')
    await checked('tty_list')
    await checked('tty_close', { sid: late['sid'] })
    await checked('tty_close', { sid: killed['sid'] })
    await checked('tty_history')
  })

  it('fits for bytes that are no text, and for output that never ends', async () => {
    const binary = await checked('tty_run', { command: 'head -c 100000 /dev/urandom', keep: true })
    for (const raw of [false, true]) {
      const { text } = await checked('tty_capture', { sid: binary['sid'], raw })
      // oxlint-disable-next-line no-control-regex -- none of them may be there
      expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/)
    }
    await checked('tty_screen', { sid: binary['sid'] })
    const flood = await opened({ command: 'yes' })
    expect(await checked('tty_expect', { sid: flood, pattern: 'never', timeoutSec: 1 })).toMatchObject({
      timedOut: true,
    })
    expect(String((await checked('tty_capture', { sid: flood }))['text']).length).toBeLessThan(16_001)
  })

  it('fits for a shell with and without marks, idle, busy and ended', async () => {
    for (const shellIntegration of [true, false]) {
      host.composition.settings.adopt({ maxSessions: 16, shellIntegration })
      const sid = await opened({})
      await checked('tty_expect', { sid, pattern: String.raw`\$ `, timeoutSec: 10 })
      await checked('tty_send', { sid, data: 'echo marked', keys: ['Enter'] })
      await checked('tty_expect', { sid, pattern: '^marked', timeoutSec: 10 })
      await checked('tty_list')
      const last = bench.run('tty_capture', { sid, last: true })
      if (shellIntegration)
        await until(async () => (await checked('tty_capture', { sid, last: true }))['commandExitCode'] === 0, {
          what: 'the end of the command',
        })
      else await expect(last).rejects.toThrow('does not tell where its commands begin')
      await last.catch(() => {}) // looked at above
      await checked('tty_send', { sid, data: 'exit 3', keys: ['Enter'] })
      await ended(sid)
      await checked('tty_expect', { sid, pattern: 'never' })
      await checked('tty_capture', { sid })
      await checked('tty_list')
    }
    host.composition.settings.adopt({ maxSessions: 16 })
  })

  it('fits for a request that nobody can answer', async () => {
    const sid = await opened({ command: 'cat' })
    expect(await checked('tty_ask_user', { sid, prompt: 'Anybody?' })).toMatchObject({ outcome: 'nobody' })
  })

  it('was looked at for every tool', () => {
    expect([...seen].sort()).toEqual(TOOL_CATALOG.map(({ name }) => name).sort())
  })
})

describe('every error', () => {
  it('is a real Error with a sentence, whatever the arguments are', async () => {
    for (const { name, input } of TOOL_CATALOG)
      for (const args of [null, undefined, 'text', 7, [], { sid: {} }, { sid: 'x', surprise: 1 }]) {
        if (input.safeParse(args).success) continue
        const error: unknown = await bench.run(name, args ?? null).catch((thrown: unknown) => thrown)
        expect(error, name).toBeInstanceOf(Error)
        expect((error as Error).message, name).toMatch(/^tty_\w+ was not called as it must be, and nothing was done\./)
        expect(bench.tool(name).presentCall(args)).toBeUndefined()
        expect(bench.tool(name).presentResult(args, { content: [], isError: true })).toBeUndefined()
      }
  })

  it('says what to do about a terminal that is not there', async () => {
    for (const { name, input } of TOOL_CATALOG) {
      const args = { sid: 'C'.repeat(22), pattern: 'x', data: 'x', prompt: 'x' }
      const known = Object.fromEntries(Object.entries(args).filter(([key]) => key in input.shape))
      if (!('sid' in known)) continue
      await expect(bench.run(name, known), name).rejects.toThrow(/There is no session "C+"\. Call tty_list/)
    }
  })

  it('is no plain object when the call was aborted with one', async () => {
    const abort = new AbortController()
    abort.abort({ kind: 'user' })
    for (const [name, args] of [
      ['tty_run', { command: 'sleep 600' }],
      ['tty_open', {}],
    ] as const)
      await expect(bench.run(name, args, { signal: abort.signal }), name).rejects.toThrow('The call was cancelled')
    const sid = await opened({ command: 'cat' })
    for (const [name, args] of [
      ['tty_expect', { sid, pattern: 'x' }],
      ['tty_ask_user', { sid, prompt: 'x' }],
    ] as const)
      await expect(bench.run(name, args, { signal: abort.signal }), name).rejects.toThrow(/call was cancelled/)
    expect(host.composition.registry.liveCount).toBe(1)
  })

  it('masks a secret that it repeats', async () => {
    const error = bench.run('tty_capture', { sid: 'ghp_0123456789abcdefghijklmnopqrstuvwxyzAB' })
    await expect(error).rejects.not.toThrow('0123456789abcdefghij')
  })
})

describe('a directory', () => {
  it('is the agent’s own unless the call names one, which may be relative to it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'dsh-tty-cwd-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const where = async (args: object, cwd?: string): Promise<unknown> =>
      (await bench.run('tty_run', { command: 'pwd', ...args }, cwd === undefined ? {} : { cwd }))['text']
    expect(await where({}, folder)).toBe(`${folder}\n`)
    expect(await where({ cwd: '..' }, folder)).toBe(`${tmpdir()}\n`)
    expect(await where({ cwd: '/' }, folder)).toBe('/\n')
    await expect(where({ cwd: 'x' })).rejects.toThrow('must be an absolute path')
  })
})

describe('what was printed', () => {
  it('is read on piece by piece, each byte once, in order', async () => {
    const { sid } = await bench.run('tty_run', { command: 'seq 1 9000', keep: true })
    let text = ''
    let pieces = 0
    for (let from = 0, more = 1; more > 0; pieces += 1) {
      const piece = await checked('tty_capture', { sid, from })
      text += String(piece['text'])
      expect(piece['bytesOmitted']).toBe(0)
      more = (piece['moreBytes'] as number | undefined) ?? 0
      from = piece['nextOffset'] as number
    }
    expect(text).toBe(Array.from({ length: 9000 }, (_, n) => `${String(n + 1)}\n`).join(''))
    expect(pieces).toBeGreaterThan(2)
    const tail = await checked('tty_capture', { sid, lines: 2 })
    expect(tail).toMatchObject({ text: '8999\n9000\n' })
    expect(Number(tail['bytesSeen']) - Number(tail['bytesOmitted'])).toBe(12)
    await bench.run('tty_close', { sid })
  })
})

describe('what is typed', () => {
  it('is what the program gets; only for Windows a line feed becomes what its consoles take for Enter', async () => {
    const onWindows = toolBench({ ...host.composition.tools, platform: 'win32' })
    for (const [tools, wanted] of [
      [bench, 'a$\nb$'],
      [onWindows, 'a^M$\nb^M$'],
    ] as const) {
      const sid = await opened({ command: 'stty -echo -icrnl; echo ready; cat -A' })
      await bench.run('tty_expect', { sid, pattern: 'ready' })
      await tools.run('tty_send', { sid, data: 'a\nb\n' })
      await until(async () => String((await bench.run('tty_capture', { sid }))['text']).includes(wanted), {
        what: wanted,
      })
    }
  })
})

describe('a host without permission tiers', () => {
  it('is not gated; one with tiers is, though it has nobody to ask', async () => {
    expect((await bench.run('tty_run', { command: 'true' }))['exitCode']).toBe(0)
    const sandboxPolicy = { resolve: () => ({ mode: 'workspace-write', workspaceRoot: '/' }) }
    const gated = toolBench(host.composition.tools, { sandboxPolicy })
    await expect(gated.run('tty_run', { command: 'true' })).rejects.toThrow('is not allowed in the permission tier')
    expect((await gated.run('tty_list'))['hidden']).toBe(0)
  })

  it('a sandbox that cannot be had is a refusal, never a plain run', async () => {
    host.composition.settings.adopt({ maxSessions: 16, restrictedTier: 'confine' })
    onTestFinished(() => {
      host.composition.settings.adopt({ maxSessions: 16 })
    })
    const sandboxPolicy = { resolve: () => ({ mode: 'read-only', workspaceRoot: '/' }) }
    const sandbox = {
      confine: () => {
        throw new Error('no backend works')
      },
    }
    const gated = toolBench(host.composition.tools, { sandboxPolicy, sandbox })
    await expect(gated.run('tty_run', { command: `touch ${join(host.home, 'ran')}` })).rejects.toThrow(
      'no backend works',
    )
    expect((await bench.run('tty_run', { command: `ls ${join(host.home, 'ran')}` }))['exitCode']).toBe(2)
  })
})

it('a command is run as it stands whatever mode the line editor of the user’s shell is in (AG-31)', async () => {
  const client = await host.connect()
  const view = await client.start()
  await view.untilText(/\$ $/)
  view.input('set -o vi\n')
  await view.untilText(/\$ $/)
  view.input('\x1b')
  const files = await readdir(host.home)
  const value = await checked('tty_run', { command: 'echo hi' })
  expect({ exitCode: value['exitCode'], text: String(value['text']).trim() }).toEqual({ exitCode: 0, text: 'hi' })
  expect(await readdir(host.home)).toEqual(files)
  await client.request({ type: 'close', sid: view.sid })
})
