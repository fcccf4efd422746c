import { describe, expect, it } from 'vitest'
import { referenceOf, sshConnectionSchema, withoutSecrets } from '../../../protocol-src/ssh.ts'

const connection = (over: object) => sshConnectionSchema.safeParse({ host: 'a.example', username: 'b', ...over })

describe('a connection', () => {
  it('has defaults for what nobody says', () => {
    expect(connection({}).data).toEqual({
      host: 'a.example',
      port: 22,
      username: 'b',
      auth: 'agent',
      agentForward: false,
      persist: true,
    })
  })

  it.each(['::1', '[::1]', '[fe80::1%eth0]', '10.0.0.1', 'übung.example', 'a_b', 'a'])('goes to %s', (host) => {
    expect(connection({ host }).data?.host).toBe(host.replace(/^\[|\]$/g, ''))
  })

  it.each([
    '',
    ' a',
    '-a',
    'a b',
    'a;b',
    '$(a)',
    'a\nb',
    'user@a',
    '[::1',
    '::1]',
    'a/b',
    '`a`',
    'a,b',
    '\u0000',
    'a\u009bb',
  ])('does not go to %j', (host) => {
    expect(connection({ host }).success).toBe(false)
  })

  it.each([
    { username: '-l' },
    { username: 'a b' },
    { username: '' },
    { jump: '' },
    { jump: 'a\nb' },
    { port: '22' },
    { password: '' },
    { password: 'a\0b' },
    { proxyCommand: 'a\nb' },
    { other: 1 },
  ])('refuses %j', (over) => {
    expect(connection(over).success).toBe(false)
  })
})

describe('withoutSecrets', () => {
  it('leaves out values and keeps references', () => {
    const open = withoutSecrets(connection({ password: 'hunter2', passphrase: 'env:PHRASE' }).data as never)
    expect(open).toEqual({ ...connection({}).data, passphrase: 'env:PHRASE' })
    expect(referenceOf('env:PHRASE')).toBe('PHRASE')
  })
})
