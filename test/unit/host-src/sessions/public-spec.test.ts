import { describe, expect, it } from 'vitest'
import { publicSpec, withSecretsOf } from '../../../../host-src/sessions/public-spec.ts'
import type { LaunchSpec } from '../../../../protocol-src/session.ts'
import { sshConnectionSchema, type SshConnection } from '../../../../protocol-src/ssh.ts'

const ssh = (more: Partial<SshConnection> = {}): LaunchSpec => ({
  kind: 'ssh',
  host: { connection: { ...sshConnectionSchema.parse({ host: 'box', username: 'ada' }), ...more } },
})

describe('what is told of a start', () => {
  it('has no secret, only references', () => {
    const told = JSON.stringify(publicSpec(ssh({ password: 'secret', passphrase: 'env:NAME' })))
    expect(told).not.toContain('"secret"')
    expect(told).toContain('env:NAME')
  })

  it.each<LaunchSpec>([
    { kind: 'local', command: 'x' },
    { kind: 'ssh', host: { book: 'box' } },
  ])('is all of it where there is none', (spec) => {
    expect(publicSpec(spec)).toEqual(spec)
  })
})

describe('the same once more', () => {
  const before = ssh({ password: 'secret' })

  it('has the secrets that were left out', () => {
    expect(withSecretsOf(publicSpec(before), before)).toEqual(before)
  })

  it('keeps what was typed anew', () => {
    expect(withSecretsOf(ssh({ password: 'other' }), before)).toEqual(ssh({ password: 'other' }))
  })

  it.each([{ host: 'other' }, { username: 'eve' }, { port: 2222 }])('takes no secret to %j', (change) => {
    expect(withSecretsOf(ssh(change), before)).toEqual(ssh(change))
  })

  it('takes none from anything else', () => {
    expect(withSecretsOf(ssh(), undefined)).toEqual(ssh())
    expect(withSecretsOf(ssh(), { kind: 'ssh', host: { book: 'box' } })).toEqual(ssh())
    expect(withSecretsOf({ kind: 'local' }, before)).toEqual({ kind: 'local' })
  })
})
