import { describe, expect, it } from 'vitest'
import { newMarkNonce, newSessionId } from '../../../../../host-src/base/random-id.ts'
import { factsFrom, type RemoteFacts } from '../../../../../host-src/backends/ssh/remote-facts.ts'
import { newFolder, startCommand, startScript } from '../../../../../host-src/backends/ssh/remote-start.ts'
import { parseLook } from '../../../../../host-src/backends/ssh/remote-tree.ts'

const FACTS: RemoteFacts = {
  shell: '/bin/bash',
  home: '/home/ada',
  hostName: 'box',
  temporary: '/tmp',
  zdotdir: null,
  isPosix: false,
  zshLooksAtZdotdir: false,
}
const start = { sessionId: newSessionId(), nonce: newMarkNonce(), cwd: null, command: null, hasHooks: true }

describe('a start on another machine', () => {
  it('has the nonce in the file of the shell only', async () => {
    const script = await startScript(FACTS, start, '/tmp/f')
    const [before = '', hook = '', after = ''] = script.split(/cat >.*\n|\nDSH_TTY_END_OF_FILE\n/)
    expect(hook).toContain(start.nonce)
    expect(before + after).not.toContain(start.nonce)
    expect(after).toContain("exec '/bin/bash' '--rcfile' '/tmp/f/bashrc' '-i'")
    expect(startCommand('/tmp/f')).not.toContain(start.nonce)
  })

  it.each([
    ['a command', {}, { command: "echo 'x'" }],
    ['a shell without hooks', { shell: '/bin/ksh' }, {}],
    ['a setting that is off', {}, { hasHooks: false }],
    ['bash in POSIX mode', { isPosix: true }, {}],
    ['a zsh whose files look at ZDOTDIR', { shell: '/bin/zsh', zshLooksAtZdotdir: true }, {}],
  ])('has no hooks for %s, and removes its folder itself', async (_what, facts, more) => {
    const script = await startScript({ ...FACTS, ...facts }, { ...start, ...more }, '/tmp/f')
    expect(script).not.toContain(start.nonce)
    expect(script.split('\n')[3]).toBe('rm -rf -- "$__dsh_folder"')
  })

  it('gives zsh its own ZDOTDIR back', async () => {
    const script = await startScript({ ...FACTS, shell: '/bin/zsh', zdotdir: "/home/o'neil" }, start, '/tmp/f')
    expect(script).toContain(String.raw`export ZDOTDIR='/home/o'\''neil'`)
    expect(script).toContain("exec env ZDOTDIR='/tmp/f' '/bin/zsh' '-l'")
  })

  it('is in a folder that nobody can guess', () => {
    expect(newFolder(FACTS)).toMatch(/^\/tmp\/dsh-tty-start-[0-9a-f]{24}$/)
    expect(newFolder(FACTS)).not.toBe(newFolder(FACTS))
  })
})

describe('what an account says of itself', () => {
  it('is read line by line', () => {
    const body =
      'shell=/usr/bin/zsh\nhome=/home/a=b\nname=box.example\ntemporary=/var/tmp/\nzdotdir==/home/z\nposix=\nzshenv=2\n'
    expect(factsFrom(body)).toEqual({
      shell: '/usr/bin/zsh',
      home: '/home/a=b',
      hostName: 'box.example',
      temporary: '/var/tmp',
      zdotdir: '/home/z',
      isPosix: false,
      zshLooksAtZdotdir: true,
    })
  })

  it('gives no folder that a shell would read as more than a path', () => {
    expect(factsFrom('home=/h\ntemporary=/tmp/$(id)\n')?.temporary).toBe('/tmp')
  })

  it('is nothing where there is no home', () => {
    expect(factsFrom('shell=/bin/sh\n')).toBeNull()
  })
})

describe('the processes of another machine', () => {
  const row = (pid: number, ppid: number, name = 'x'): string =>
    `${pid} (${name}) S ${ppid} ${pid} ${pid} 0 -1 ${Array(13).fill('0').join(' ')} 777 0`

  it('are read with whatever their names are', () => {
    const seen = parseLook(`${row(10, 1, 'a) b (')}\n${row(11, 10)}\nmarked\n/proc/10/environ\nend\n`)
    expect(seen?.rows.map(({ pid, ppid, startedAt }) => [pid, ppid, startedAt])).toEqual([
      [10, 1, '777'],
      [11, 10, '777'],
    ])
    expect(seen?.marked).toEqual(new Set([10]))
  })

  it('are nothing when not all of it came', () => {
    expect(parseLook(`${row(10, 1)}\nmarked\n/proc/10/environ\n`)).toBeNull()
    expect(parseLook('')).toBeNull()
  })
})
