import { describe, expect, it } from 'vitest'
import { expandProxyCommand } from '../../../../../host-src/backends/ssh/proxy-command.ts'
import { sshConnectionSchema } from '../../../../../protocol-src/ssh.ts'

const target = (host: string, username = 'ada') => ({
  connection: { ...sshConnectionSchema.parse({ host: 'h', username: 'u', port: 2222 }), host, username },
  book: 'work',
})

describe('a proxy command', () => {
  it('gets host, port, user and name, and a percent sign', () => {
    expect(expandProxyCommand('nc %h %p # %r %n 100%%', target('fe80::1%eth0'))).toBe(
      'nc fe80::1%eth0 2222 # ada work 100%',
    )
  })

  it.each(['a;id', '$(id)', '-oProxyCommand=id', 'a b', '`id`', 'a\nb', ''])('gets no host name like %j', (host) => {
    expect(() => expandProxyCommand('nc %h', target(host))).toThrow('host name')
  })

  it.each(['-l', 'a;b', "a'b", '$x'])('gets no user name like %j', (user) => {
    expect(() => expandProxyCommand('nc %r', target('h', user))).toThrow('user name')
  })

  it('is refused with a word that is not known', () => {
    expect(() => expandProxyCommand('nc %h %C', target('h'))).toThrow('"%C"')
    expect(() => expandProxyCommand('nc %', target('h'))).toThrow('"%"')
  })
})
