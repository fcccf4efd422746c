import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { platformOf } from '../../../../host-src/backends/platform.ts'
import { assertShellUsable, chosenCwd, chosenShell, describeTarget } from '../../../../host-src/backends/shell-plan.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

const LINUX = platformOf('linux')

describe('chosenShell', () => {
  it('is the setting, else the user’s own, else the platform’s', () => {
    expect(chosenShell('/x/fish', { SHELL: '/bin/zsh' }, LINUX)).toBe('/x/fish')
    expect(chosenShell('', { SHELL: '/bin/zsh' }, LINUX)).toBe('/bin/zsh')
    expect(chosenShell('', { SHELL: 'zsh' }, LINUX)).toBe('/bin/sh')
    expect(chosenShell('', {}, platformOf('darwin'))).toBe('/bin/zsh')
    expect(chosenShell('', { COMSPEC: 'C:\\cmd.exe' }, platformOf('win32'))).toBe('C:\\cmd.exe')
  })
})

describe('assertShellUsable (PT-10)', () => {
  it('takes programs and scripts, with spaces in their path and through links', async () => {
    const folder = await temporaryFolder()
    const script = join(folder, 'my shell')
    await writeFile(script, '#!/bin/sh\nexec sh\n', { mode: 0o755 })
    await symlink('/bin/sh', join(folder, 'link'))
    for (const path of ['/bin/sh', script, join(folder, 'link')]) await assertShellUsable(path, LINUX)
  })

  it('refuses everything else with the path and the reason', async () => {
    const folder = await temporaryFolder()
    const file = async (name: string, text: string, mode: number): Promise<string> => {
      await writeFile(join(folder, name), text)
      await chmod(join(folder, name), mode)
      return join(folder, name)
    }
    await symlink(join(folder, 'nowhere'), join(folder, 'dangling'))
    await mkdir(join(folder, 'folder'))
    const cases: [string, string][] = [
      ['bash', 'relative'],
      ['./bash', 'relative'],
      [join(folder, 'missing'), 'missing'],
      [join(folder, 'dangling'), 'missing'],
      [join(folder, 'folder'), 'not-a-file'],
      ['/dev/null', 'not-a-file'],
      [await file('plain', '#!/bin/sh\n', 0o644), 'not-executable'],
      [await file('text', 'echo hello\n', 0o755), 'not-a-program'],
      [await file('empty', '', 0o755), 'not-a-program'],
      [await file('short', '#', 0o755), 'not-a-program'],
      [join(await file('file', '#!/bin/sh', 0o755), 'below'), 'unreadable'],
    ]
    for (const [path, reason] of cases) {
      await expect(assertShellUsable(path, LINUX), path).rejects.toMatchObject({
        code: 'SHELL_UNUSABLE',
        details: { path, reason },
        message: expect.stringContaining(`"${path}"`) as unknown,
      })
    }
  })
})

describe('chosenCwd (PT-09)', () => {
  it('is the first that was named, without a notice', async () => {
    const folder = await temporaryFolder()
    expect(await chosenCwd(['', folder, '/'])).toEqual({ cwd: folder, notices: [] })
  })

  it.each(['/no/such/folder', '/etc/passwd', 'relative', '~'])('falls back from %s and says so', async (requested) => {
    expect(await chosenCwd([requested, '/tmp'])).toEqual({
      cwd: homedir(),
      notices: [{ code: 'CWD_FALLBACK', requested, used: homedir() }],
    })
  })

  it('is the home directory when nobody names one', async () => {
    expect(await chosenCwd(['', ''])).toEqual({ cwd: homedir(), notices: [] })
  })
})

describe('describeTarget', () => {
  it('is the name of the shell, or the command’s first line, bounded', () => {
    expect(describeTarget(undefined, '/usr/bin/zsh')).toBe('zsh')
    expect(describeTarget('\n  make test\nmore', '/bin/sh')).toBe('make test')
    expect(describeTarget('x'.repeat(200), '/bin/sh')).toHaveLength(80)
  })
})
