import { describe, expect, it } from 'vitest'
import { DEFAULT_SETTINGS, SETTING_KEYS, clientSettingsSchema, settingsSchema } from '../../../protocol-src/settings.ts'

describe('settingsSchema', () => {
  it('has a default for every field, and the defaults are valid', () => {
    expect(settingsSchema.parse({})).toEqual(DEFAULT_SETTINGS)
    expect(settingsSchema.parse(DEFAULT_SETTINGS)).toEqual(DEFAULT_SETTINGS)
    expect(Object.keys(DEFAULT_SETTINGS).sort()).toEqual([...SETTING_KEYS].sort())
  })

  it.each([
    { maxSessions: 0 },
    { maxSessions: 17 },
    { maxSessions: '4' },
    { maxSessions: NaN },
    { scrollback: -1 },
    { reconnectGraceSec: 3601 },
    { reconnectGraceSec: 0.5 },
    { term: 'xterm; touch /tmp/p6' },
    { term: '$(touch /tmp/p6)' },
    { term: '../../x' },
    { term: 'xterm\n' },
    { term: '' },
    { colorTerm: 'yes' },
    { shell: 'a\0b' },
    { fontFamily: 'x;} body{display:none' },
    { cursorStyle: 'beam' },
    { unknown: 1 },
    null,
    [],
    'maxSessions',
  ])('refuses %j', (candidate) => {
    expect(settingsSchema.safeParse(candidate).success).toBe(false)
  })

  it('keeps the host’s own fields from clients', () => {
    const shared = Object.keys(clientSettingsSchema.shape)
    for (const secret of ['shell', 'cwd', 'term', 'reconnectGraceSec']) expect(shared).not.toContain(secret)
    for (const key of shared) expect(SETTING_KEYS).toContain(key)
  })
})
