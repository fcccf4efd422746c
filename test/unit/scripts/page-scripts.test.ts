import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { context } from 'esbuild'
import { expect, it, onTestFinished } from 'vitest'
import { revisionOf } from '../../../host-src/gateway/page-script.ts'
import { pageScripts, SCRIPT_WRAPPER, takesFromPage } from '../../../scripts/page-scripts.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const SHARED = ['client-src/shared.ts']
const SOURCES = {
  'client-src/index.ts': `export { SCRIPT_REVISIONS, SHARED_MODULES } from './services/built-scripts.ts'`,
  'client-src/services/built-scripts.ts': `export const SCRIPT_REVISIONS = {}\nexport const SHARED_MODULES = {}`,
  'client-src/shared.ts': `export const counter = { count: 0 }`,
  'client-src/terminal/module.ts': `import { counter } from '../shared.ts'\nexport { text } from './text.ts'\ncounter.count += 1\nexport const counted = counter`,
  'client-src/terminal/text.ts': `export const text = 'one'`,
  'client-src/help/module.ts': `export const help = 'yes'`,
}

const project = async () => {
  const root = await temporaryFolder()
  const write = async (path: string, text: string): Promise<void> => {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
  for (const [path, text] of Object.entries(SOURCES)) await write(path, text)
  const options = { absWorkingDir: root, outdir: 'lib', bundle: true, format: 'esm', logLevel: 'silent' } as const
  const scriptOf = (name: string) => ({
    ...options,
    ...SCRIPT_WRAPPER,
    entryPoints: [{ in: `client-src/${name}/module.ts`, out: name }],
    plugins: [takesFromPage(root, SHARED)],
  })
  const scripts = { terminal: scriptOf('terminal'), help: scriptOf('help') }
  const builder = await context({
    ...options,
    entryPoints: [{ in: 'client-src/index.ts', out: 'client' }],
    plugins: [pageScripts({ root, shared: SHARED, scripts })],
  })
  onTestFinished(() => builder.dispose())
  const lib = (name: string): string => join(root, 'lib', name)
  const client = (): Promise<string> => readFile(lib('client.js'), 'utf8')
  const revision = async (name = 'terminal'): Promise<string> => revisionOf(await readFile(lib(`${name}.js`)))
  return { write, builder, lib, client, revision }
}

it('is built before the client half, which names its content', async () => {
  const { builder, client, revision } = await project()
  await builder.rebuild()
  for (const name of ['terminal', 'help']) expect(await client()).toContain(`"${name}": "${await revision(name)}"`)
})

it('takes what the page has, and brings everything else along', async () => {
  const { builder, lib } = await project()
  await builder.rebuild()
  const load = async (path: string): Promise<Record<string, unknown>> =>
    (await import(`data:text/javascript,${encodeURIComponent(await readFile(path, 'utf8'))}`)) as never
  const { SHARED_MODULES } = (await load(lib('client.js'))) as { SHARED_MODULES: Record<string, unknown> }
  const { create } = (await load(lib('terminal.js'))) as { create: (take: unknown) => Record<string, unknown> }
  const take = (name: string): unknown => SHARED_MODULES[name]
  const [first, second] = [create(take), create(take)]
  expect(first).toMatchObject({ text: 'one' })
  // Its body ran twice over the one counter of the page.
  expect(first['counted']).toBe(second['counted'])
  expect(first['counted']).toEqual({ count: 2 })
})

it('may not bring a zod of its own', async () => {
  const { write, builder } = await project()
  await write('client-src/help/module.ts', `export * from 'zod'`)
  await expect(builder.rebuild()).rejects.toThrow(/"zod" is the page's own/)
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
