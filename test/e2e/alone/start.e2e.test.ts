import { spawn, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { freePort } from '../../../scripts/dsh-web.ts'
import { ROOT } from '../../../scripts/project.ts'
import { withEnvironment } from '../../support/proc.ts'
import { until } from '../../support/wait.ts'

const HEALTH_PATH = '/api/dsh-tty/health'

/** A started command: all it printed, and how it ended. */
interface Run {
  child: ChildProcess
  printed: () => string
  ended: Promise<number | null>
}

describe('npm start', () => {
  let home: string
  let mark: string

  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'dsh-tty-start-'))
    mark = randomUUID()
  })

  afterEach(async () => {
    for (const { pid } of started()) process.kill(pid, 'SIGKILL')
    await rm(home, { recursive: true, force: true, maxRetries: 3 })
  })

  /** Everything that the command under test started and that still runs. */
  const started = (): ReturnType<typeof withEnvironment> => withEnvironment('START_TEST', mark)

  const run = (command: string, args: readonly string[]): Run => {
    // No model key: the app must come up without one.
    const { DEEPSEEK_API_KEY: _key, ...env } = process.env
    const child = spawn(command, args, {
      cwd: ROOT,
      env: { ...env, START_TEST: mark },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let text = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        text += chunk.toString()
      })
    }
    const ended = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)))
    return { child, printed: () => text, ended }
  }

  const start = (...args: string[]): Run => run(process.execPath, ['scripts/run.mjs', 'start', '--home', home, ...args])

  const untilReady = ({ printed }: Run): Promise<boolean> =>
    until(() => printed().includes('is ready at'), { what: 'the ready line', timeoutMs: 60_000 })

  it('prints the address when the plugin answers there, and Ctrl-C ends all it started', async () => {
    const port = await freePort()
    const web = start('--port', String(port))
    await untilReady(web)
    const answer = await fetch(`http://127.0.0.1:${port}${HEALTH_PATH}`)
    expect(await answer.json()).toMatchObject({ ok: true })
    expect(web.printed()).toContain(`http://127.0.0.1:${port}/`)
    expect(started().length).toBeGreaterThan(1)
    web.child.kill('SIGINT')
    expect(await web.ended).toBe(0)
    expect(started()).toEqual([])
  })

  it('ends all it started when npm itself is told to stop', async () => {
    const port = await freePort()
    const web = run('npm', ['start', '--', '--home', home, '--port', String(port)])
    await untilReady(web)
    web.child.kill('SIGTERM')
    await until(() => started().length === 0, { what: 'everything to end' })
  })

  it('can be stopped while it boots', async () => {
    const web = start('--port', String(await freePort()))
    const isHost = (argv: readonly string[]): boolean => argv.some((word) => word.endsWith('bin.js'))
    await until(() => started().some(({ argv }) => isHost(argv)), { what: 'the host process', timeoutMs: 60_000 })
    web.child.kill('SIGTERM')
    expect(await web.ended).toBe(0)
    expect(web.printed()).not.toContain('is ready')
    expect(started()).toEqual([])
  })

  it('says in one sentence that the port is taken', async () => {
    const other = createServer()
    await new Promise<void>((done) => other.listen(0, '127.0.0.1', done))
    const { port } = other.address() as AddressInfo
    const web = start('--port', String(port))
    expect(await web.ended).toBe(1)
    expect(web.printed()).toBe(
      `Cannot start: port ${port} on 127.0.0.1 is taken by another program. ` +
        'End that program, or choose another port: npm start -- --port N\n',
    )
    await new Promise((done) => other.close(done))
  })

  it('says in one sentence that a flag is unknown', async () => {
    const web = start('--prot', '1')
    expect(await web.ended).toBe(1)
    expect(web.printed()).toBe(
      "Cannot start: Unknown option '--prot'. Usage: npm start -- [--port N] [--home DIR] [--open]\n",
    )
  })
})
