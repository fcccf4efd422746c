/** The package as a person installs it: the packed tarball and a linked checkout, through the host's own installer. */
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { runCommand } from '../../../scripts/command.ts'
import { ensureDshHost } from '../../../scripts/dsh-host.ts'
import { bootDshWeb, freePort } from '../../../scripts/dsh-web.ts'
import { inRoot, ROOT } from '../../../scripts/project.ts'
import { WsClient } from '../../support/ws-client.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dsh-tty-install-'))
  // The installer wants pnpm on the PATH; a two-line program is enough.
  await mkdir(join(folder, 'bin'))
  await writeFile(join(folder, 'bin', 'pnpm'), '#!/bin/sh\nexec npx -y pnpm@10 "$@"\n')
  await chmod(join(folder, 'bin', 'pnpm'), 0o755)
})
afterEach(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }))

const pack = async (): Promise<string> => {
  const { code, stdout, output } = await runCommand('npm', [
    'pack',
    '--json',
    '--ignore-scripts',
    '--pack-destination',
    folder,
  ])
  if (code !== 0) throw new Error(output)
  const [packed] = JSON.parse(stdout) as { filename: string }[]
  return join(folder, packed?.filename ?? '')
}

it.each([
  ['tarball', pack],
  ['linked checkout', () => Promise.resolve(`link:${ROOT}`)],
])('works from a %s, with install scripts blocked', async (_, spec) => {
  const dshHome = join(folder, 'dsh')
  const path = [join(folder, 'bin'), inRoot('node_modules', '.bin'), process.env['PATH']].join(delimiter)
  const env = { DSH_HOME: dshHome, PATH: path }
  const { launcher } = await ensureDshHost()
  const add = await runCommand(process.execPath, [launcher, 'plugin', '--profile', 'web', 'add', await spec()], { env })
  expect(add.code, add.output).toBe(0)
  const web = await bootDshWeb({ dshHome, port: await freePort(), env })
  try {
    const client = await WsClient.connect({ url: web.url })
    const view = await client.start({ command: 'echo $((6*7)); read -r _' })
    await view.untilText(/42/)
    // The thread that parses, and the emulator in it, were installed as well.
    expect((await client.request({ type: 'hash', sid: view.sid })).hash).toMatch(/^[0-9a-f]{32}$/)
    expect((await client.request({ type: 'close', sid: view.sid })).termination.verified).toBe(true)
    await client.close()
  } finally {
    await web.stop()
  }
})
