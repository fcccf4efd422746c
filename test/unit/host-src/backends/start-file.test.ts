import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, realpathSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { writeStartFile } from '../../../../host-src/backends/start-file.ts'

let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "dsh-tty it's-")))
})
afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

const HOSTILE = `'"$(touch pwn)\`touch pwn\`\\ \n;&|<>*?[]{}~!#%\t\u00e9`

it('starts exactly what it was told, with that environment and in that directory, and is gone then', async () => {
  const program = 'process.stdout.write(JSON.stringify([process.argv.slice(1), process.cwd(), process.env]))'
  const argv = await writeStartFile(folder, {
    argv: [process.execPath, '-e', program, '--', HOSTILE, ''],
    env: { PATH: '/usr/bin', A: HOSTILE, IFS: 'x', UID: '7', 'no-name': 'x', EMPTY: '' },
    cwd: folder,
    without: ['SECRET', 'A', '1bad'],
  })
  const path = argv[1] as string
  expect(statSync(path).mode & 0o777).toBe(0o600)
  const said = execFileSync(argv[0] as string, argv.slice(1), { env: { SECRET: 's', OLDPWD: '/' }, encoding: 'utf8' })
  const [args, cwd, env] = JSON.parse(said) as [string[], string, Record<string, string>]
  expect(args).toEqual([HOSTILE, ''])
  expect(cwd).toBe(folder)
  expect(env).toMatchObject({ PATH: '/usr/bin', A: HOSTILE, EMPTY: '', PWD: folder })
  expect(env).not.toHaveProperty('SECRET')
  expect(env).not.toHaveProperty('OLDPWD')
  expect(existsSync(path)).toBe(false)
  expect(existsSync(join(folder, 'pwn'))).toBe(false)
})
