import { mkdtemp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isPortFree } from '../../../scripts/dsh-web.ts'
import { prepareDshHome } from '../../../scripts/dsh-home.ts'
import { userEnvironment } from '../../../scripts/environment.ts'
import { withLock } from '../../../scripts/file-lock.ts'
import { parseLaunchOptions } from '../../../scripts/launch.ts'
import { until } from '../../support/wait.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dsh-tty-launch-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

describe('command line of npm start', () => {
  it('has defaults for everything', () => {
    expect(parseLaunchOptions([])).toEqual({ port: 3080, dshHome: resolve('.dsh/home'), openBrowser: false })
  })

  it('takes a port, a home and --open', () => {
    expect(parseLaunchOptions(['--port', '4000', '--home', '/tmp/h', '--open'])).toEqual({
      port: 4000,
      dshHome: '/tmp/h',
      openBrowser: true,
    })
  })

  it.each([
    [['--prot', '1'], /Unknown option '--prot'.*Usage: npm start/],
    [['extra'], /Unexpected argument 'extra'/],
    [['--port', 'x'], /--port must be a number from 1 to 65535, not "x"/],
    [['--port', '70000'], /not "70000"/],
    [['--home'], /'--home <value>' argument missing/],
  ])('refuses %j in one sentence', (args, sentence) => {
    expect(() => parseLaunchOptions(args)).toThrow(sentence)
  })
})

describe('environment of the host', () => {
  it('has nothing that npm or a test runner added', () => {
    const cleaned = userEnvironment({
      PATH: ['/x/node_modules/.bin', '/lib/node-gyp-bin', '/usr/bin'].join(':'),
      npm_lifecycle_event: 'start',
      INIT_CWD: '/x',
      NODE_OPTIONS: '--inspect',
      VITEST_WORKER_ID: '1',
      EDITOR: 'vim',
    })
    expect(cleaned).toEqual({ PATH: '/usr/bin', EDITOR: 'vim' })
  })
})

describe('ports', () => {
  it('are taken while something listens', async () => {
    const server = createServer()
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const { port } = server.address() as AddressInfo
    expect(await isPortFree(port)).toBe(false)
    await new Promise((done) => server.close(done))
    expect(await isPortFree(port)).toBe(true)
  })
})

describe('lock between processes', () => {
  it('lets one in at a time', async () => {
    const path = join(folder, 'lock')
    const seen: string[] = []
    const enter = (name: string): Promise<void> =>
      withLock(path, 5000, async () => {
        seen.push(`${name} in`)
        await until(() => seen.length > 0, { what: 'a turn of the event loop' })
        seen.push(`${name} out`)
      })
    await Promise.all([enter('a'), enter('b')])
    expect(seen[0]?.[0]).toBe(seen[1]?.[0])
    expect(seen).toHaveLength(4)
  })

  it('is taken over from an owner that is gone', async () => {
    const path = join(folder, 'lock')
    await mkdir(path)
    await writeFile(join(path, 'owner'), '999999999')
    expect(await withLock(path, 1000, async () => 'in')).toBe('in')
  })

  it('gives up on a living owner and names it', async () => {
    const path = join(folder, 'lock')
    await mkdir(path)
    await writeFile(join(path, 'owner'), String(process.pid))
    await expect(withLock(path, 10, async () => 'in')).rejects.toThrow(`process ${process.pid} holds it`)
  })

  it('is free again after work that failed', async () => {
    const path = join(folder, 'lock')
    await expect(withLock(path, 1000, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await withLock(path, 10, async () => 'in')).toBe('in')
  })
})

describe('DSH home', () => {
  const packageDir = (): string => join(folder, 'package')
  const profile = (): string => join(folder, 'dsh', 'profiles', 'web')

  beforeEach(async () => {
    await mkdir(join(packageDir(), 'lib', 'types'), { recursive: true })
    const manifest = {
      name: '@hyzyn/dsh-tty',
      files: ['lib', 'cordis.patch.yml', 'LICENSE'],
      dependencies: { ws: '*' },
    }
    await writeFile(join(packageDir(), 'package.json'), JSON.stringify(manifest))
    await writeFile(join(packageDir(), 'cordis.patch.yml'), '[]')
    for (const name of ['index.js', 'client.js', 'terminal.js', 'types/x.d.ts'])
      await writeFile(join(packageDir(), 'lib', name), 'one')
  })

  const prepare = (client: 'copied' | 'live'): Promise<void> =>
    prepareDshHome({ dshHome: join(folder, 'dsh'), packageDir: packageDir(), client })
  const installed = (file: string): Promise<string> =>
    readFile(join(profile(), 'node_modules', '@hyzyn', 'dsh-tty', file), 'utf8')

  it('has the packed files and the dependencies, and the bundle after the host’s own', async () => {
    await prepare('copied')
    expect(await installed('lib/index.js')).toBe('one')
    expect(await installed('lib/terminal.js')).toBe('one')
    await expect(installed('lib/types/x.d.ts')).rejects.toThrow('ENOENT')
    expect(await readFile(join(profile(), 'node_modules', 'ws', 'package.json'), 'utf8')).toContain('"ws"')
    const { dsh } = JSON.parse(await readFile(join(profile(), 'package.json'), 'utf8'))
    expect(dsh.profile.bundles).toEqual(['@deepseek-ai/dsh-base', '@deepseek-ai/dsh-web-app', '@hyzyn/dsh-tty'])
  })

  it('keeps other plugins and the user’s patches when prepared again', async () => {
    await prepare('copied')
    const file = join(profile(), 'package.json')
    const known = JSON.parse(await readFile(file, 'utf8'))
    known.dsh.profile.bundles.push('other')
    await writeFile(file, JSON.stringify(known))
    await writeFile(join(profile(), 'cordis.patch.yml'), '- id: x')
    await prepare('copied')
    expect(JSON.parse(await readFile(file, 'utf8')).dsh.profile.bundles).toContain('other')
    expect(await readFile(join(profile(), 'cordis.patch.yml'), 'utf8')).toBe('- id: x')
  })

  it('sees a rebuilt client half at once when it is live', async () => {
    await prepare('live')
    for (const name of ['client.js', 'terminal.js', 'index.js']) await writeFile(join(packageDir(), 'lib', name), 'two')
    expect(await installed('lib/client.js')).toBe('two')
    expect(await installed('lib/terminal.js')).toBe('two')
    expect(await installed('lib/index.js')).toBe('one')
  })
})
