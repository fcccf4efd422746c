import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readConfigFiles } from '../../../../host-src/ssh/config-files.ts'
import { candidatesOf } from '../../../../host-src/ssh/config-import.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

const read = async (files: Readonly<Record<string, string>>) => {
  const home = await temporaryFolder()
  for (const [name, text] of Object.entries(files)) {
    const path = join(home, '.ssh', name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text)
  }
  const { blocks, notes } = await readConfigFiles(join(home, '.ssh', 'config'), home)
  const candidates = candidatesOf(blocks, { home, name: 'me' })
  const of = (name: string) => candidates.get(name)
  const notesOf = (name: string) => of(name)?.shown.notes.map(({ code, what }) => `${code}: ${what}`)
  return { home, notes, of, notesOf, names: [...candidates.keys()] }
}

describe('the import of an SSH configuration', () => {
  it('makes an entry of every name, with defaults of the patterns that match it', async () => {
    const { of, names, notes } = await read({
      config: `
Host One two
  HostName %h.example.com
  Port 2222
Host o* !other
  User="op"
  IdentityFile "~/.ssh/a key"
Host *
  User everybody
  ForwardAgent yes
`,
    })
    expect(notes).toEqual([])
    expect(names).toEqual(['One', 'two'])
    expect(of('two')?.entry).toEqual({
      name: 'two',
      host: 'two.example.com',
      port: 2222,
      username: 'everybody',
      auth: 'agent',
      agentForward: true,
      persist: true,
    })
    // Patterns tell upper case from lower, as OpenSSH's do.
    expect(of('One')?.entry).toMatchObject({ host: 'One.example.com', username: 'everybody' })
  })

  it('takes the first value of each, every key file into account, and the local user where none is named', async () => {
    const { home, of, notesOf } = await read({
      config: `Host a
  Port 1022 # not 22
  Port 22
  IdentityFile %d/.ssh/%r_key
  IdentityFile ~/.ssh/second
  IdentityFile none
  HostName [::1]
  HostKeyAlias box
`,
    })
    expect(of('a')?.entry).toMatchObject({
      host: '::1',
      port: 1022,
      username: 'me',
      auth: 'key',
      keyPath: `${home}/.ssh/me_key`,
      hostKeyAlias: 'box',
    })
    expect(notesOf('a')).toEqual(['identity: ~/.ssh/second'])
  })

  it('follows includes where they stand, with patterns, and under the conditions around them', async () => {
    const { of, names, notes } = await read({
      config: `Include conf.d/*.conf
Host inner
  Include only-inner
Host late
  User late
`,
      'conf.d/a.conf': 'Host from-a\n  User a\n',
      'conf.d/b.conf': 'Host from-b late\n  Port 99\n',
      'conf.d/ignored.txt': 'Host ignored\n',
      'only-inner': 'User inner-user\nHost nested\n  Port 7\n',
    })
    expect(notes).toEqual([])
    expect(names).not.toContain('ignored')
    expect(of('from-a')?.entry).toMatchObject({ username: 'a' })
    expect(of('late')?.entry).toMatchObject({ username: 'late', port: 99 })
    expect(of('inner')?.entry).toMatchObject({ username: 'inner-user', port: 22 })
    expect(of('nested')?.entry).toMatchObject({ username: 'me', port: 22 })
  })

  it('ends at includes that go round, and says so', async () => {
    const { of, notes } = await read({ config: 'Host a\n  User x\nInclude config\n' })
    expect(of('a')?.entry).toMatchObject({ username: 'x' })
    expect(notes.map(({ code }) => code)).toContain('too-many')
  })

  it('lets an entry jump over another one, or over a machine that only the jump names', async () => {
    const { of, names } = await read({
      config: `Host bastion
  HostName b.example.com
Host behind
  ProxyJump bastion
Host far
  ProxyJump op@gate.example.com:2200
Host direct
  ProxyJump none
Host *
  ProxyJump bastion
`.replace('Host *\n  ProxyJump bastion\n', ''),
    })
    expect(of('behind')?.entry).toMatchObject({ jump: 'bastion' })
    expect(of('far')?.entry).toMatchObject({ jump: 'op@gate.example.com:2200' })
    expect(of('op@gate.example.com:2200')?.entry).toMatchObject({
      host: 'gate.example.com',
      port: 2200,
      username: 'op',
    })
    expect(of('direct')?.entry?.jump).toBeUndefined()
    expect(names.indexOf('op@gate.example.com:2200')).toBeLessThan(names.indexOf('far'))
  })

  it.each([
    ['ProxyCommand nc %h %p', 'proxy-command'],
    ['ProxyJump a,b', 'jump-chain'],
    ['ProxyJump behind', 'jump-chain'],
    ['ProxyJump x', 'jump-chain'],
    ['ProxyJump commanded', 'jump'],
    ['ProxyJump "two words"', 'jump'],
    ['Port ssh', 'invalid'],
    ['User "a b"', 'invalid'],
    ['HostName -oProxyCommand=x', 'invalid'],
  ])('does not offer an entry with %s as if it needed no more than that', async (line, code) => {
    const { of } = await read({
      config: `Host x\n  ${line}\nHost first\nHost behind\n  ProxyJump first\nHost commanded\n  ProxyCommand nc %h %p\n`,
    })
    expect(of('x')?.entry).toBeNull()
    expect(of('x')?.shown.notes.map((note) => note.code)).toEqual([code])
    expect(of('behind')?.entry).toMatchObject({ jump: 'first' })
  })

  it('names every directive that is not carried over, and every block with conditions', async () => {
    const { notes, notesOf, of } = await read({
      config: `Host a
  LocalForward 8080 localhost:80
  SetEnv X=1
  Compression yes
Match host a exec "touch /tmp/never"
  User evil
Match all
  User all
`,
    })
    expect(of('a')?.entry).toMatchObject({ username: 'all' })
    expect(notesOf('a')).toEqual([
      'directive: localforward 8080 localhost:80',
      'directive: setenv X=1',
      'directive: compression yes',
    ])
    expect(notes).toEqual([{ code: 'match', what: 'host a exec touch /tmp/never' }])
  })

  it('says of a file that it cannot make sense of, and takes the others', async () => {
    const { notes, of, home } = await read({ config: 'Include broken\nHost a\n', broken: 'Host "never closed\n' })
    expect(of('a')?.entry).not.toBeNull()
    expect(notes).toEqual([{ code: 'unreadable', what: join(home, '.ssh', 'broken') }])
  })

  it('is empty without a configuration', async () => {
    expect(await read({})).toMatchObject({ names: [], notes: [] })
  })
})
