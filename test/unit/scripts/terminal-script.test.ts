import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { context } from 'esbuild'
import { expect, it, onTestFinished } from 'vitest'
import { revisionOf } from '../../../host-src/gateway/page-script.ts'
import { terminalScript } from '../../../scripts/terminal-script.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const SOURCES = {
  'client-src/index.ts': `export { TERMINAL_REVISION } from './services/terminal-revision.ts'`,
  'client-src/services/terminal-revision.ts': `export const TERMINAL_REVISION = 'unbuilt'`,
  'client-src/terminal/module.ts': `export { text } from './text.ts'`,
  'client-src/terminal/text.ts': `export const text = 'one'`,
}

const project = async () => {
  const root = await temporaryFolder()
  const write = async (path: string, text: string): Promise<void> => {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
  for (const [path, text] of Object.entries(SOURCES)) await write(path, text)
  const shared = { absWorkingDir: root, outdir: 'lib', bundle: true, format: 'esm', logLevel: 'silent' } as const
  const script = { ...shared, entryPoints: [{ in: 'client-src/terminal/module.ts', out: 'terminal' }] }
  const builder = await context({
    ...shared,
    entryPoints: [{ in: 'client-src/index.ts', out: 'client' }],
    plugins: [terminalScript(script)],
  })
  onTestFinished(() => builder.dispose())
  const lib = (name: string): string => join(root, 'lib', name)
  const client = (): Promise<string> => readFile(lib('client.js'), 'utf8')
  const revision = async (): Promise<string> => revisionOf(await readFile(lib('terminal.js')))
  return { write, builder, lib, client, revision }
}

it('is built before the client half, which names its content', async () => {
  const { builder, client, revision } = await project()
  await builder.rebuild()
  expect(await client()).toContain(await revision())
  expect(await client()).not.toContain('unbuilt')
})

it('is another content after a change of its own sources, and untouched after one of the others', async () => {
  const { write, builder, lib, client, revision } = await project()
  await builder.rebuild()
  const [first, { mtimeMs }] = [await revision(), await stat(lib('terminal.js'))]
  await write('client-src/index.ts', `${SOURCES['client-src/index.ts']}\nexport const more = 1`)
  await builder.rebuild()
  expect([await revision(), (await stat(lib('terminal.js'))).mtimeMs]).toEqual([first, mtimeMs])
  await write('client-src/terminal/text.ts', `export const text = 'two'`)
  await builder.rebuild()
  expect(await revision()).not.toBe(first)
  expect(await client()).toContain(await revision())
})

it('stops the client half from being built when it cannot be, and is built again once it can', async () => {
  const { write, builder, client, revision } = await project()
  await builder.rebuild()
  await write('client-src/terminal/text.ts', 'export const text =')
  await expect(builder.rebuild()).rejects.toThrow(/text\.ts/)
  await write('client-src/terminal/text.ts', `export const text = 'three'`)
  await builder.rebuild()
  expect(await client()).toContain(await revision())
})
