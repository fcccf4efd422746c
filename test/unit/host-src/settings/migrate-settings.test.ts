import { describe, expect, it } from 'vitest'
import { migrateSettings } from '../../../../host-src/settings/migrate-settings.ts'
import { parseSettings } from '../../../../host-src/settings/settings-store.ts'

const HASH = 'A'.repeat(43)

describe('migrateSettings', () => {
  it.each([`SHA256:${HASH}`, `SHA256:${HASH}=`, HASH, `${HASH}=`])(
    'makes of one fingerprint %s the first of several',
    (fingerprint) => {
      const old = { hostKeys: [{ host: 'h', port: 22, fingerprint }] }
      expect(migrateSettings(old)).toEqual({ hostKeys: [{ host: 'h', port: 22, fingerprints: [`SHA256:${HASH}`] }] })
      expect(parseSettings(old).hostKeys).toEqual([
        { host: 'h', port: 22, fingerprints: [`SHA256:${HASH}`], revoked: [] },
      ])
    },
  )

  it('joins it with those that are there already', () => {
    const other = `SHA256:${'B'.repeat(43)}`
    const old = { hostKeys: [{ host: 'h', fingerprint: HASH, fingerprints: [other, `SHA256:${HASH}`] }] }
    expect(migrateSettings(old)).toEqual({ hostKeys: [{ host: 'h', fingerprints: [`SHA256:${HASH}`, other] }] })
  })

  it.each([
    {},
    { hostKeys: [] },
    { hostKeys: [{ host: 'h', fingerprints: [] }] },
    { hostKeys: 'x' },
    { hostKeys: [1] },
    null,
    7,
  ])('leaves %j as it is', (section) => {
    expect(migrateSettings(section)).toBe(section)
  })

  it('leaves a fingerprint that it does not understand to the schema', () => {
    expect(() => parseSettings({ hostKeys: [{ host: 'h', fingerprint: 'MD5:aa' }] })).toThrow(
      expect.objectContaining({ code: 'SETTINGS_INVALID' }),
    )
  })
})
