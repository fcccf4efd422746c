import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { SettingsStore } from '../../../../host-src/settings/settings-store.ts'
import { HostKeys, fingerprintOf, isHashOf, type HostKey } from '../../../../host-src/ssh/host-keys.ts'
import { recordingLogger } from '../../../support/recording-logger.ts'

const key = (type: string, text: string): HostKey => ({ type, blob: Buffer.from(`${type} ${text}`) })
const ED = key('ssh-ed25519', 'one')
const RSA = key('ssh-rsa', 'two')
const AT = { host: 'h.example', port: 22, alias: null }
const typed = ({ type, blob }: HostKey): string => `${type} ${fingerprintOf(blob)}`

const open = (hostKeys: unknown[] = []) => {
  const settings = new SettingsStore(recordingLogger())
  settings.adopt({ hostKeys })
  return { settings, keys: new HostKeys({ settings }) }
}
const hashed = (name: string): string => {
  const salt = Buffer.from('12345678901234567890')
  return `|1|${salt.toString('base64')}|${createHmac('sha1', salt).update(name).digest('base64')}`
}

describe('HostKeys', () => {
  it('knows a machine by any of its keys, and refuses another key of a type that it knows', async () => {
    const { keys } = open()
    expect(keys.check(AT, ED)).toEqual({ verdict: 'unknown', others: [] })
    await keys.remember(AT, ED)
    await keys.remember(AT, RSA)
    expect([ED, RSA].map((each) => keys.check(AT, each).verdict)).toEqual(['known', 'known'])
    expect(keys.check(AT, key('ssh-ed25519', 'changed'))).toEqual({
      verdict: 'changed',
      known: [fingerprintOf(ED.blob)],
    })
    expect(keys.knownTypes(AT)).toEqual(['ssh-ed25519', 'ssh-rsa'])
    expect(keys.list()).toHaveLength(1)
  })

  it('takes a key of a type that it does not know for one to ask about, and says what it knows', async () => {
    const { keys } = open()
    await keys.remember(AT, RSA)
    expect(keys.check(AT, ED)).toEqual({ verdict: 'unknown', others: [fingerprintOf(RSA.blob)] })
  })

  it('refuses when the type of the recorded key is not known', () => {
    const { keys } = open([{ host: AT.host, fingerprint: fingerprintOf(RSA.blob) }])
    expect(keys.check(AT, RSA).verdict).toBe('known')
    expect(keys.check(AT, ED)).toEqual({ verdict: 'changed', known: [fingerprintOf(RSA.blob)] })
    expect(keys.knownTypes(AT)).toEqual([])
  })

  it('tells ports apart, but not the case of names', async () => {
    const { keys } = open()
    await keys.remember(AT, ED)
    expect(keys.check({ ...AT, host: 'H.Example' }, ED).verdict).toBe('known')
    expect(keys.check({ ...AT, port: 2222 }, ED)).toEqual({ verdict: 'unknown', others: [] })
    await keys.remember({ ...AT, port: 2222 }, RSA)
    expect(keys.list().map(({ port, fingerprints }) => [port, fingerprints])).toEqual([
      [22, [typed(ED)]],
      [2222, [typed(RSA)]],
    ])
  })

  it('keeps the keys of an alias by the alias alone', async () => {
    const { keys } = open()
    await keys.remember({ host: '10.0.0.1', port: 2222, alias: 'box' }, ED)
    expect(keys.check({ host: '10.0.0.9', port: 22, alias: 'box' }, ED).verdict).toBe('known')
    expect(keys.check({ host: '10.0.0.1', port: 2222, alias: null }, ED).verdict).toBe('unknown')
  })

  it('finds machines whose names are hashed', () => {
    const record = (name: string) => ({ host: hashed(name), fingerprints: [typed(ED)] })
    const { keys } = open([record('h.example'), record('[other.example]:2222')])
    expect(keys.check(AT, ED).verdict).toBe('known')
    expect(keys.check({ host: 'other.example', port: 2222, alias: null }, ED).verdict).toBe('known')
    expect(keys.check({ host: 'other.example', port: 22, alias: null }, ED).verdict).toBe('unknown')
    expect(isHashOf('|2|a|b', 'x')).toBe(false)
    expect(isHashOf('|1|only', 'x')).toBe(false)
  })

  it('refuses a revoked key, for every machine and even where it is recorded', () => {
    const { keys } = open([
      { host: '*', revoked: [typed(ED)] },
      { host: AT.host, fingerprints: [typed(ED), typed(RSA)] },
    ])
    expect(keys.check(AT, ED)).toEqual({ verdict: 'revoked' })
    expect(keys.check({ ...AT, host: 'never.seen' }, ED)).toEqual({ verdict: 'revoked' })
    expect(keys.check(AT, RSA).verdict).toBe('known')
  })

  it('forgets one key, or a whole machine', async () => {
    const { keys } = open()
    await keys.remember(AT, ED)
    await keys.remember(AT, RSA)
    await keys.remember({ ...AT, port: 2222 }, ED)
    await keys.forget(AT, typed(ED))
    expect(keys.check(AT, ED)).toEqual({ verdict: 'unknown', others: [fingerprintOf(RSA.blob)] })
    await keys.forget(AT, null)
    expect(keys.list().map(({ port }) => port)).toEqual([2222])
    await keys.forget({ ...AT, port: 2222 }, typed(ED))
    expect(keys.list()).toEqual([])
  })

  it('learns the type of a key that was recorded without', async () => {
    const { keys } = open([{ host: AT.host, fingerprint: fingerprintOf(ED.blob) }])
    await keys.remember(AT, ED)
    expect(keys.list()[0]?.fingerprints).toEqual([typed(ED)])
  })

  it('loses none of two that are remembered at once', async () => {
    const { keys } = open()
    await Promise.all([keys.remember(AT, ED), keys.remember(AT, RSA), keys.remember({ ...AT, host: 'b' }, ED)])
    expect(keys.list().map(({ fingerprints }) => fingerprints.length)).toEqual([2, 1])
  })
})
