import { mkdir, readFile, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { newMarkNonce } from '../../../../host-src/base/random-id.ts'
import { ShellIntegration } from '../../../../host-src/terminal/shell-integration.ts'
import type { ShellStart } from '../../../../host-src/terminal/shell-recipes.ts'
import { recordingLogger } from '../../../support/recording-logger.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

const start = (shell: string, more: Partial<ShellStart> = {}): ShellStart => ({
  shell,
  args: ['-i'],
  env: { HOME: '/home/u' },
  nonce: newMarkNonce(),
  ...more,
})

const integration = async (): Promise<{ directory: string; it: ShellIntegration }> => {
  const directory = join(await temporaryFolder(), "it's", 'shells')
  return { directory, it: new ShellIntegration({ directory, logger: recordingLogger() }) }
}

describe('a start with hooks', () => {
  it.each(['/bin/bash', '/usr/bin/zsh'])(
    'has the nonce of %s in one file that only the user can read',
    async (shell) => {
      const { directory, it: made } = await integration()
      const wish = start(shell)
      const plan = await made.prepare(wish)
      expect(plan).not.toBeNull()
      const [folder = ''] = await readdir(directory)
      const [file = ''] = await readdir(join(directory, folder))
      expect(JSON.stringify(plan)).not.toContain(wish.nonce)
      expect((await stat(directory)).mode & 0o777).toBe(0o700)
      expect((await stat(join(directory, folder))).mode & 0o777).toBe(0o700)
      expect((await stat(join(directory, folder, file))).mode & 0o777).toBe(0o600)
      const text = await readFile(join(directory, folder, file), 'utf8')
      expect(text.split(wish.nonce)).toHaveLength(2)
      expect(text).not.toMatch(/@[A-Z_]+@/)
      await plan?.release()
      expect(await readdir(directory)).toEqual([])
    },
  )

  it('of PowerShell and fish reads its file after the profiles of the user, whatever the folder is called', async () => {
    const { directory, it: made } = await integration()
    const fish = await made.prepare(start('/usr/bin/fish'))
    const [folder = ''] = await readdir(directory)
    const path = join(directory, folder)
    expect(fish?.args).toEqual(['-i', '--init-command', `source '${path.replaceAll("'", "\\'")}/init.fish'`])
    await fish?.release()
    const pwsh = await made.prepare(start('/usr/bin/pwsh', { args: ['-NoLogo'] }))
    const [other = ''] = await readdir(directory)
    const file = join(directory, other, 'init.ps1').replaceAll("'", "''")
    expect(pwsh?.args).toEqual(['-NoLogo', '-NoExit', '-Command', `try { . '${file}' } catch {}`])
  })

  it('two starts share nothing', async () => {
    const { directory, it: made } = await integration()
    const plans = await Promise.all([made.prepare(start('/bin/bash')), made.prepare(start('/bin/bash'))])
    expect(await readdir(directory)).toHaveLength(2)
    await plans[0]?.release()
    expect(await readdir(directory)).toHaveLength(1)
  })
})

describe('a start without hooks', () => {
  it.each(['/bin/sh', '/bin/dash', '/usr/bin/ksh', '/opt/my bash', '/bin/bashful', '/bin/rbash'])(
    'is what %s gets, and no file is made',
    async (shell) => {
      const { directory, it: made } = await integration()
      expect(await made.prepare(start(shell))).toBeNull()
      await expect(readdir(directory)).rejects.toMatchObject({ code: 'ENOENT' })
    },
  )

  it('is what a bash in POSIX mode gets, which reads no rc file', async () => {
    const { it: made } = await integration()
    expect(await made.prepare(start('/bin/bash', { env: { POSIXLY_CORRECT: '' } }))).toBeNull()
  })

  it('is what is left when the hooks are not there, or the folder cannot be made', async () => {
    const folder = await temporaryFolder()
    const logger = recordingLogger()
    const noHooks = new ShellIntegration({
      directory: join(folder, 'a'),
      logger,
      hooks: pathToFileURL(`${folder}/no/`),
    })
    expect(await noHooks.prepare(start('/bin/bash'))).toBeNull()
    await writeFile(join(folder, 'file'), '')
    const noFolder = new ShellIntegration({ directory: join(folder, 'file/shells'), logger })
    expect(await noFolder.prepare(start('/bin/bash'))).toBeNull()
    expect(logger.lines.map(({ event }) => event)).toEqual([
      'shell-integration.not-prepared',
      'shell-integration.not-prepared',
    ])
  })
})

describe('what shells of an earlier host have left', () => {
  it('is removed; what belongs to another living host stays', async () => {
    const { directory, it: made } = await integration()
    // 1 lives always; no process has a number beyond the limit of Linux.
    for (const name of ['1-a', '99999999-b', `${process.pid}-c`, 'strange'])
      await mkdir(join(directory, name), { recursive: true })
    await made.clean()
    expect(await readdir(directory)).toEqual(['1-a'])
  })

  it('may be nothing at all', async () => {
    const { it: made } = await integration()
    await expect(made.clean()).resolves.toBeUndefined()
  })
})
