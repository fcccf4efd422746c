import { describe, expect, it } from 'vitest'
import { SESSION_MARKER, childEnv, isHostVariable } from '../../../../host-src/backends/child-env.ts'
import type { SessionId } from '../../../../protocol-src/ids.ts'

const SESSION_ID = 'abcdefghijklmnopqrstuv' as SessionId

const envOf = (host: Record<string, string | undefined>, change: { colorTerm?: string } = {}): Record<string, string> =>
  childEnv({
    host,
    sessionId: SESSION_ID,
    term: 'xterm-256color',
    colorTerm: 'truecolor',
    shell: '/bin/bash',
    cwd: '/tmp',
    ...change,
  })

describe('isHostVariable', () => {
  it.each([
    // security X-53 and case EN-01
    'DEEPSEEK_API_KEY',
    'DSH_TOKEN',
    'DSH_HOME',
    'DSH_SECRET_T',
    'NODE_OPTIONS',
    'LD_PRELOAD',
    'npm_config_//r/:_authToken',
    'npm_config_x',
    'npm_lifecycle_event',
    'ELECTRON_RUN_AS_NODE',
    'PORT',
    'OPENAI_API_KEY',
    'ANTHROPIC_APIKEY',
    'AWS_SECRET_ACCESS_KEY',
    'GITHUB_TOKEN',
    'NPM_TOKEN',
    'DB_PASSWORD',
    'MYSQL_PASSWD',
    'SSH_PASSPHRASE',
    'GOOGLE_APPLICATION_CREDENTIALS',
    'HTTP_AUTH',
    'encryption_key',
    'SIGNING_KEYS',
    'TMUX',
    'STY',
    'COLUMNS',
    'BASH_FUNC_module%%',
    'CI',
  ])('keeps %s from shells', (name) => {
    expect(isHostVariable(name)).toBe(true)
  })

  it.each([
    'PATH',
    'HOME',
    'USER',
    'LANG',
    'LC_TIME',
    'SSH_AUTH_SOCK',
    'SSH_AGENT_PID',
    'XDG_RUNTIME_DIR',
    'DISPLAY',
    'WAYLAND_DISPLAY',
    'EDITOR',
    'KEYBOARD_LAYOUT',
    'MONKEY',
    'TURKEYS',
    'GPG_TTY',
    'http_proxy',
    'JAVA_HOME',
  ])('lets %s through', (name) => {
    expect(isHostVariable(name)).toBe(false)
  })
})

describe('childEnv', () => {
  it('is the user’s own environment plus what a terminal says of itself', () => {
    const env = envOf({ PATH: '/usr/bin:/bin', HOME: '/h', LANG: 'de_DE.UTF-8', SSH_AUTH_SOCK: '/s', TERM: 'dumb' })
    expect(env).toEqual({
      PATH: '/usr/bin:/bin',
      HOME: '/h',
      LANG: 'de_DE.UTF-8',
      SSH_AUTH_SOCK: '/s',
      TERM: 'xterm-256color',
      COLORTERM: 'truecolor',
      TERM_PROGRAM: 'dsh-tty',
      SHELL: '/bin/bash',
      PWD: '/tmp',
      [SESSION_MARKER]: SESSION_ID,
    })
  })

  it('leaves COLORTERM out when the setting is empty, whatever the host has', () => {
    expect(envOf({ COLORTERM: 'truecolor' }, { colorTerm: '' })).not.toHaveProperty('COLORTERM')
  })

  it('replaces the marker of the session that the host itself runs in', () => {
    expect(envOf({ [SESSION_MARKER]: 'outer' })[SESSION_MARKER]).toBe(SESSION_ID)
  })

  it('takes the tool folders of npm out of PATH and leaves the rest in order', () => {
    const path = '/w/node_modules/.bin:/usr/local/bin:/w/npm/node-gyp-bin:/usr/bin:/opt/node_modules/.bin-x'
    expect(envOf({ PATH: path })['PATH']).toBe('/usr/local/bin:/usr/bin:/opt/node_modules/.bin-x')
  })

  describe('the locale (EN-03)', () => {
    /** The character set that the C library would use: LC_ALL, LC_CTYPE and LANG in this order, empty means unset. */
    const ctypeOf = (env: Record<string, string>): string =>
      [env['LC_ALL'], env['LC_CTYPE'], env['LANG']].find((value) => value !== undefined && value !== '') ?? 'C'

    it.each([
      {},
      { LANG: '' },
      { LANG: 'C' },
      { LANG: 'POSIX' },
      { LANG: 'de_DE' },
      { LANG: 'de_DE.ISO-8859-1' },
      { LC_ALL: 'C' },
      { LC_ALL: 'POSIX', LANG: 'de_DE.UTF-8' },
      { LC_ALL: '', LANG: 'C' },
      { LC_ALL: '', LC_CTYPE: '' },
      { LC_CTYPE: 'C' },
      { LC_CTYPE: 'C', LANG: 'de_DE.UTF-8' },
      { LC_CTYPE: 'POSIX', LANG: 'C' },
      { LC_CTYPE: 'C', LANG: '' },
    ])('is UTF-8 for %j', (host: Record<string, string>) => {
      expect(ctypeOf(envOf(host))).toMatch(/utf-?8/i)
    })

    it.each([
      { LANG: 'de_DE.UTF-8' },
      { LANG: 'en_US.utf8', LC_TIME: 'C' },
      { LC_ALL: 'C.UTF-8' },
      { LC_ALL: 'C.UTF-8', LANG: 'C' },
      { LC_CTYPE: 'C.UTF-8', LANG: 'C' },
      { LC_ALL: '', LANG: 'de_DE.UTF-8' },
      { LC_ALL: '', LC_CTYPE: '', LANG: 'fr_FR.UTF-8' },
    ])('stays as the user has it for %j', (host: Record<string, string>) => {
      const env = envOf(host)
      for (const name of ['LC_ALL', 'LC_CTYPE', 'LANG', 'LC_TIME']) expect(env[name] ?? '', name).toBe(host[name] ?? '')
    })

    it('keeps the language of messages when only the character set was wrong', () => {
      expect(envOf({ LANG: 'de_DE.ISO-8859-1' })['LANG']).toBe('de_DE.ISO-8859-1')
    })
  })
})
