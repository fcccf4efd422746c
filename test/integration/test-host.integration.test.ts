import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { bootTestDsh, type TestDsh, type TestDshOptions } from '../support/dsh.ts'
import { connectDshApi } from '../support/dsh-api.ts'
import { DUMMY_HEALTH_PATH, writeDummyPlugin } from '../support/dummy-plugin.ts'
import { startMockLlm } from '../support/mock-llm.ts'
import { environmentOf, isAlive, withEnvironment } from '../support/proc.ts'

describe('a throwaway host', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dsh-tty-dummy-'))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  const boot = async (host = '', options: TestDshOptions = {}): Promise<TestDsh> => {
    await writeDummyPlugin(folder, { host })
    return bootTestDsh({ packageDir: folder, readyPath: DUMMY_HEALTH_PATH, ...options })
  }

  it('has its own home, comes back after a restart, and leaves nothing behind', async () => {
    const dsh = await boot('', { homeFiles: { '.config/x': 'y' } })
    const first = dsh.pid
    expect(existsSync(join(dsh.home, '.config', 'x'))).toBe(true)
    expect(environmentOf(first)).toMatchObject({ HOME: dsh.home, DSH_HOME: dsh.dshHome })
    expect(Object.keys(environmentOf(first)).filter((key) => /^(npm_|VITEST)/i.test(key))).toEqual([])
    await dsh.restart('crash')
    expect(isAlive(first)).toBe(false)
    await dsh.restart()
    const answer = await fetch(dsh.url + DUMMY_HEALTH_PATH)
    expect(await answer.json()).toEqual({ ok: true })
    const last = dsh.pid
    await dsh.stop()
    expect(isAlive(last)).toBe(false)
    expect(existsSync(dsh.home)).toBe(false)
    expect(existsSync(dsh.dshHome)).toBe(false)
  })

  it('rejects with the host’s own words when a plugin fails, and leaves no process', async () => {
    const before = new Set(withEnvironment('SHELL', '/bin/bash').map(({ pid }) => pid))
    await expect(boot(`throw new Error('dummy refuses')`)).rejects.toThrow(
      /before the plugin was ready[\s\S]*dummy refuses/,
    )
    const after = withEnvironment('SHELL', '/bin/bash').filter(({ pid }) => !before.has(pid))
    expect(after.filter(({ argv }) => argv.some((word) => word.includes('@deepseek-ai')))).toEqual([])
  })

  it('names and ends a process that outlives it', async () => {
    const dsh = await boot(`spawn('sleep', ['4321'], { detached: true, stdio: 'ignore' }).unref()`)
    const orphan = dsh.processes().find(({ argv }) => argv[0] === 'sleep')
    expect(orphan).toBeDefined()
    await expect(dsh.stop()).rejects.toThrow(/outlived the host[\s\S]*sleep 4321/)
    expect(isAlive(orphan?.pid ?? -1)).toBe(false)
    expect(existsSync(dsh.home)).toBe(false)
  })

  it('runs an agent turn with the scripted model', async () => {
    await using llm = await startMockLlm()
    await using dsh = await boot('', { modelUrl: llm.url })
    using api = await connectDshApi(dsh.url)
    const session = await api.createSession({ cwd: dsh.home })
    const turn = await api.turn(session, '@call read {"file_path":"/no/such/file"}\n@say saw {last}')
    expect(turn.reason).toBe('completed')
    expect(turn.results).toHaveLength(1)
    expect(turn.results[0]?.isError).toBe(true)
    expect(llm.agentRequests()).toHaveLength(2)
  })

  it('asks for approvals and takes the answer', async () => {
    await using llm = await startMockLlm()
    const host = `
      ctx.on('tools/pre-execute', async (exec, next) =>
        exec.name === 'read' ? { kind: 'ask', reason: 'may I?' } : next())`
    await using dsh = await boot(host, { modelUrl: llm.url })
    using api = await connectDshApi(dsh.url)
    const session = await api.createSession({ cwd: dsh.home })
    const asked: string[] = []
    const turn = await api.turn(session, '@call read {"file_path":".bashrc"}\n@say done', {
      onApproval: ({ toolName, reason }) => {
        asked.push(`${toolName}: ${reason}`)
        return 'rejected'
      },
    })
    expect(asked).toEqual(['read: may I?'])
    expect(turn.results[0]?.text).toMatch(/rejected/)
    await api.command(session, '/permission read-only')
    await expect(api.command(session, '/permission nonsense')).rejects.toThrow('/permission nonsense')
    await expect(api.call('no.such.method')).rejects.toThrow('no.such.method')
  })
})
