/** Real shells: what they are started with, where, and why not. */
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startInProcessHost, type InProcessHost } from '../support/in-process-host.ts'
import { cwdOf, environmentOf } from '../support/proc.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { until } from '../support/wait.ts'
import type { WsClient } from '../support/ws-client.ts'

let host: InProcessHost
let client: WsClient

const SECRETS: Record<string, string> = {
  DEEPSEEK_API_KEY: 'k1-secret',
  DSH_TOKEN: 'k2-secret',
  DSH_SECRET_T: 'zz-secret',
  NODE_OPTIONS: '--no-warnings=secret',
  LD_PRELOAD: '',
  'npm_config_//r/:_authToken': 'k3-secret',
  npm_config_x: '1-secret',
  ELECTRON_RUN_AS_NODE: '1-secret',
  PORT: '3080',
  GITHUB_TOKEN: 'k4-secret',
  AWS_SECRET_ACCESS_KEY: 'k5-secret',
  MY_PASSWORD: 'k6-secret',
  TMUX: '/tmp/tmux-secret',
  'BASH_FUNC_ls%%': '() { echo secret; }',
}
const KEPT: Record<string, string> = {
  LANG: 'C.UTF-8',
  SSH_AUTH_SOCK: '/tmp/agent',
  EDITOR: 'vim',
  KEYBOARD_LAYOUT: 'de',
  XDG_DATA_HOME: '/tmp/data',
}

beforeAll(async () => {
  host = await startInProcessHost({
    env: { ...SECRETS, ...KEPT, PATH: `/x/node_modules/.bin:${process.env['PATH'] ?? ''}` },
  })
  client = await host.connect()
})
afterAll(() => host.dispose())

const setSettings = (settings: object): void => {
  host.composition.settings.adopt({ maxSessions: 16, ...settings })
}

const SHELLS = ['/bin/bash', '/usr/bin/zsh', '/usr/bin/fish', '/bin/sh'].filter((path) => existsSync(path))

describe.each(SHELLS)('%s', (shell) => {
  it('starts, takes input, knows its size and ends with its own code', async () => {
    setSettings({ shell })
    const view = await client.start({}, { size: { cols: 101, rows: 33 } })
    expect(view.start.session.target).toBe(shell.split('/').at(-1))
    view.input(`stty size; echo $TERM $COLORTERM; tty; expr 6 '*' 7\n`)
    await view.untilText(/[\r\n]42\r/)
    expect(view.text).toMatch(/33 101/)
    expect(view.text).toMatch(/xterm-256color truecolor/)
    expect(view.text).toMatch(/\/dev\/pts\/\d+/)
    await view.resize({ cols: 77, rows: 22 })
    view.input('stty size; echo resi"zed"\n')
    await view.untilText(/resized\r/)
    expect(view.text).toMatch(/22 77/)
    view.input('exit 5\n')
    expect(await view.untilExited()).toMatchObject({ exit: { exitCode: 5, signal: null } })
    await client.request({ type: 'close', sid: view.sid })
  })

  it('runs a command session and ends with it', async () => {
    setSettings({ shell })
    const view = await client.start({ command: 'printf "%s" "a b"; exit 3' })
    expect(await view.untilExited()).toEqual(expect.objectContaining({ exit: { exitCode: 3, signal: null } }))
    expect(view.text).toBe('a b')
    await client.request({ type: 'close', sid: view.sid })
  })
})

describe('the environment (X-53, EN-01)', () => {
  it.each([
    ['an interactive shell', {}],
    ['a command session', { command: 'env -0; read -r _' }],
  ])('of %s has none of the host’s secrets and all of the user’s own', async (_name, spec) => {
    setSettings({ shell: '/bin/bash' })
    const view = await client.start(spec)
    const env = await until(
      () => {
        const each = environmentOf(view.start.session.pid ?? 0)
        return each['DSH_TTY_SESSION'] === view.sid && each
      },
      { what: 'the program to be started' },
    )
    for (const name of Object.keys(SECRETS)) expect(env, name).not.toHaveProperty([name])
    expect(JSON.stringify(env)).not.toContain('secret')
    expect(env).toMatchObject({ ...KEPT, HOME: host.home, TERM: 'xterm-256color', SHELL: '/bin/bash' })
    expect(env['PATH']).not.toContain('node_modules/.bin')
    // The shell itself and what it starts see the same.
    if (!('command' in spec)) {
      view.input("env; echo end'ed'\n")
      await view.untilText(/ended/)
      expect(view.text).not.toMatch(/secret|DEEPSEEK|npm_config|ELECTRON/)
      expect(view.text).toMatch(/KEYBOARD_LAYOUT=de/)
    }
    await client.request({ type: 'close', sid: view.sid })
  })

  it('takes TERM and COLORTERM from the settings, as data', async () => {
    setSettings({ shell: '/bin/bash', term: 'vt100', colorTerm: '' })
    const view = await client.start({ command: 'echo "[$TERM][$COLORTERM]"' })
    await view.untilExited()
    expect(view.text).toBe('[vt100][]\r\n')
    await client.request({ type: 'close', sid: view.sid })
  })
})

describe('a host without a locale (EN-03)', () => {
  it('still gives shells that know characters', async () => {
    const bare = await startInProcessHost({ env: { LANG: undefined, LC_ALL: undefined, LC_CTYPE: undefined } })
    try {
      await writeFile(join(bare.home, '中.txt'), '')
      const user = await bare.connect()
      const view = await user.start()
      await view.untilText(/\$ $/)
      view.input('ls; locale charmap\n')
      await view.untilText(/UTF-8/)
      expect(view.text).toMatch(/中\.txt/)
      // One backspace removes one character, not one byte.
      view.input("echo 'a中\x7fb' | od -An -c\n")
      await view.untilText(/a {3}b {2}\\n/)
    } finally {
      await bare.dispose()
    }
  })
})

describe('a shell that cannot run (PT-10)', () => {
  it('is refused with its path and the reason; one with spaces works; nothing is left', async () => {
    const folder = await temporaryFolder()
    const script = join(folder, 'my own shell')
    await writeFile(script, '#!/bin/sh\nexec /bin/sh "$@"\n', { mode: 0o755 })
    await writeFile(join(folder, 'text'), 'echo hi\n', { mode: 0o755 })
    await writeFile(join(folder, 'plain'), '#!/bin/sh\n', { mode: 0o644 })
    await mkdir(join(folder, 'folder'))
    const before = host.processes().length
    const sessions = (await client.request({ type: 'list' })).sessions.length
    for (const [shell, reason] of [
      [join(folder, 'missing'), 'missing'],
      [join(folder, 'folder'), 'not-a-file'],
      [join(folder, 'plain'), 'not-executable'],
      [join(folder, 'text'), 'not-a-program'],
      ['bash', 'relative'],
    ] as const) {
      setSettings({ shell })
      await expect(client.open(), shell).rejects.toMatchObject({
        code: 'SHELL_UNUSABLE',
        details: { path: shell, reason },
      })
    }
    setSettings({ shell: script })
    const view = await client.start({ command: 'echo $((6*7))' })
    await view.untilExited()
    expect(view.text).toBe('42\r\n')
    await client.request({ type: 'close', sid: view.sid })
    expect(host.processes()).toHaveLength(before)
    expect((await client.request({ type: 'list' })).sessions).toHaveLength(sessions)
  })
})

describe('where a shell starts (PT-09)', () => {
  it('is what was asked for, with any characters in it', async () => {
    setSettings({ shell: '/bin/bash' })
    const folder = join(await temporaryFolder(), "it's $(touch pwned) 中 dir")
    await mkdir(folder)
    const view = await client.start({ cwd: folder })
    expect(view.start.session).toMatchObject({ cwd: folder, notices: [] })
    await until(() => cwdOf(view.start.session.pid ?? 0) === folder, { what: 'the shell to be there' })
    expect(existsSync(join(folder, 'pwned'))).toBe(false)
    await client.request({ type: 'close', sid: view.sid })
  })

  it('is the home directory with a notice when that is gone, and the session lives', async () => {
    setSettings({ shell: '/bin/bash' })
    const folder = await temporaryFolder()
    await rm(folder, { recursive: true })
    const view = await client.start({ cwd: folder })
    const [notice] = view.start.session.notices
    expect(notice).toMatchObject({ code: 'CWD_FALLBACK', requested: folder })
    expect(notice).toHaveProperty('used', view.start.session.cwd)
    view.input('echo $((6*7))\n')
    await view.untilText(/\r42\r/)
    await client.request({ type: 'close', sid: view.sid })
  })

  it('is not a directory that may not be entered', async () => {
    setSettings({ shell: '/bin/bash' })
    const folder = await temporaryFolder()
    await writeFile(join(folder, 'file'), '')
    await chmod(folder, 0o755)
    const view = await client.start({ cwd: join(folder, 'file') })
    expect(view.start.session.notices).toHaveLength(1)
    await client.request({ type: 'close', sid: view.sid })
  })
})
