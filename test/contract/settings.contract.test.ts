/** Laws over the settings: each has metadata and means the same to us and to the host's schema library. */
import library from '@deepseek-ai/schemastery'
import { describe, expect, it } from 'vitest'
import { toHostSchema } from '../../host-src/dsh/config-schema.ts'
import { DEFAULT_SETTINGS, SETTING_KEYS, metaOf, settingsSchema, type SettingKey } from '../../protocol-src/settings.ts'

const hostSchema = toHostSchema(library) as unknown as (value: unknown) => Record<string, unknown>

const ENTRY = { name: 'a', host: 'a.example', username: 'b' }

/** Values at and beyond the borders of each field. A new field needs a row here, or the first test fails. */
const SAMPLES: Record<SettingKey, readonly unknown[]> = {
  maxSessions: [0, 1, 4, 16, 17, 1.5],
  scrollback: [-1, 0, 100_000, 100_001, 0.5],
  fontSize: [7, 8, 32, 33, 13.5],
  fontFamily: ['', 'JetBrains Mono', "'Fira Code', monospace", 'x;}', 'x{', 'a\\b', 'x'.repeat(200), 'x'.repeat(201)],
  cursorStyle: ['block', 'bar', 'underline', 'beam', ''],
  cursorBlink: [true, false],
  bell: ['off', 'visual', 'sound'],
  stickyCommand: [true, false],
  screenReaderMode: [true, false],
  shell: ['', '/bin/zsh', '/with space/sh', 'x'.repeat(4096), 'x'.repeat(4097)],
  term: ['xterm', 'xterm-256color', 'a.b+c_d', '', 'x y', 'x;y', '$(x)', '../x', 'x'.repeat(64), 'x'.repeat(65)],
  colorTerm: ['truecolor', '24bit', '', 'yes'],
  cwd: ['', '/tmp', 'x'.repeat(4097)],
  shellIntegration: [true, false],
  persistence: ['off', 'tmux', 'screen', ''],
  endOnPageClose: [true, false],
  journal: ['disk', 'memory', 'tape', ''],
  journalMaxMb: [0, 1, 1024, 1025, 1.5],
  restrictedTier: ['ask', 'confine', 'never', ''],
  maskSecrets: [true, false],
  reconnectGraceSec: [-1, 0, 3600, 3601, 1.5],
  sshHosts: [
    [],
    [ENTRY],
    [
      {
        ...ENTRY,
        port: 2222,
        auth: 'password',
        password: 'env:PW',
        passphrase: 'x',
        keyPath: '~/k',
        jump: 'b',
        proxyCommand: 'nc %h %p',
      },
    ],
    [{ ...ENTRY, name: '' }],
    [{ ...ENTRY, name: ' a' }],
    [{ ...ENTRY, name: 'x'.repeat(65) }],
    [{ name: 'a', username: 'b' }],
    [{ ...ENTRY, host: '[::1]x' }],
    [{ ...ENTRY, host: '-oProxyCommand=x' }],
    [{ ...ENTRY, host: 'a;b' }],
    [{ ...ENTRY, username: '-l' }],
    [{ ...ENTRY, port: 0 }],
    [{ ...ENTRY, port: 65_536 }],
    [{ ...ENTRY, auth: 'none' }],
    [{ ...ENTRY, agentForward: 'yes' }],
    Array.from({ length: 201 }, (_, index) => ({ ...ENTRY, name: String(index) })),
  ],
  hostKeys: [
    [],
    [
      {
        host: 'a',
        port: 22,
        fingerprints: [`ssh-rsa SHA256:${'A'.repeat(43)}`],
        revoked: [`SHA256:${'A'.repeat(43)}`],
      },
    ],
    [{ host: 'a', fingerprints: ['SHA256:short'] }],
    [{ host: 'a b', fingerprints: [] }],
    [{ port: 22 }],
    [{ host: 'a', port: 0 }],
  ],
  agentFirstContact: ['ask', 'accept', 'refuse', 'never', ''],
  allowProxyCommand: [true, false],
}
const WRONG_TYPES = [{}, [], { nested: 1 }, ['x'], 'x'.repeat(5000), -1.5, '\u0000']

const accepts = (check: (value: unknown) => unknown, value: unknown): boolean => {
  try {
    check(value)
    return true
  } catch {
    return false
  }
}

describe('every setting', () => {
  it('has samples here', () => {
    expect(Object.keys(SAMPLES).sort()).toEqual([...SETTING_KEYS].sort())
  })

  it.each(SETTING_KEYS)('%s has metadata and a default', (key) => {
    expect(['session', 'appearance', 'ssh', 'agents']).toContain(metaOf(key).section)
    expect(['live', 'next', 'restart']).toContain(metaOf(key).applies)
    expect(DEFAULT_SETTINGS[key]).toBeDefined()
  })

  it('has the same default in the host’s schema', () => {
    expect({ ...hostSchema({}) }).toEqual(DEFAULT_SETTINGS)
  })

  it.each(SETTING_KEYS)('%s is judged the same by both schemas', (key) => {
    for (const value of SAMPLES[key]) {
      const candidate = { [key]: value }
      const ours = accepts((each) => settingsSchema.parse(each), candidate)
      expect(accepts(hostSchema, candidate), `${key} = ${JSON.stringify(value).slice(0, 60)}`).toBe(ours)
      if (ours) expect(settingsSchema.parse(hostSchema(candidate))[key]).toEqual(settingsSchema.parse(candidate)[key])
    }
  })

  it.each(SETTING_KEYS)('%s is never taken with a wrong type by both', (key) => {
    for (const value of WRONG_TYPES) {
      const candidate = { [key]: value }
      const ours = accepts((each) => settingsSchema.parse(each), candidate)
      // The host's library converts a little; what it lets through must still be refused by ours.
      if (!ours)
        expect(
          accepts((each) => settingsSchema.parse(hostSchema(each)), candidate),
          `${key} = ${JSON.stringify(value)}`,
        ).toBe(false)
    }
  })
})
