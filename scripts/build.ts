/**
 * Builds both halves into lib/: the host half as an ES module, the client half as a script for the module loader and ES
 * modules that it loads when it needs them.
 */
import { existsSync } from 'node:fs'
import { cp, mkdir, readdir, rm } from 'node:fs/promises'
import { context, type BuildFailure, type BuildOptions, type Message, type Plugin } from 'esbuild'
import { ownedCss } from './css-plugin.ts'
import { moduleTable, onlyTheModuleTable } from './module-table.ts'
import { leanZod } from './lean-zod.ts'
import { inRoot, isMain, readManifest, ROOT } from './project.ts'
import { PAGE_SCRIPT_FACTS, pageScripts, SCRIPT_WRAPPER, SHARED_MODULES, takesFromPage } from './page-scripts.ts'
import { runMain, UserError } from './user-error.ts'

/** Lowest Node the host half runs on; package.json `engines` says the same. */
const HOST_TARGET = 'node22.19'
const CLIENT_TARGET = 'es2022'

/** Source path to output path of the host half: what the host loads, what that loads later, and a thread. */
const HOST_ENTRIES = [
  { in: 'host-src/index.ts', out: 'index' },
  { in: 'host-src/start.ts', out: 'start' },
  { in: 'host-src/terminal/screen-worker.ts', out: 'screen-worker' },
]
/** What the entries share; named by content, so those of earlier builds are removed. */
const SHARED = /^shared-\w+\.js(\.map)?$/

/** Shell scripts that the host half reads at run time. */
const HOOKS = { from: 'host-src/terminal/hooks', to: 'lib/hooks' }

/** Everything but the packages that are installed beside ours: a file less is sooner loaded. */
const hostOptions = (): BuildOptions => {
  const { dependencies, peerDependencies } = readManifest()
  return {
    absWorkingDir: ROOT,
    entryPoints: HOST_ENTRIES,
    outdir: 'lib',
    bundle: true,
    splitting: true,
    chunkNames: 'shared-[hash]',
    format: 'esm',
    platform: 'node',
    target: HOST_TARGET,
    external: Object.keys({ ...dependencies, ...peerDependencies }).flatMap((name) => [name, `${name}/*`]),
    metafile: true,
    sourcemap: true,
    charset: 'utf8',
    logLevel: 'silent',
  }
}

/** What the scripts of a page have in common. */
const PAGE_OPTIONS = {
  absWorkingDir: ROOT,
  outdir: 'lib',
  bundle: true,
  platform: 'browser',
  target: CLIENT_TARGET,
  jsx: 'automatic',
  minify: true,
  sourcemap: true,
  charset: 'utf8',
  logLevel: 'silent',
  legalComments: 'none',
  define: { 'process.env.NODE_ENV': '"production"' },
} as const satisfies BuildOptions

/** No module table: the app answers no imports of a module that the browser loads by itself. */
const pageScriptOptions = (packageName: string): Record<string, BuildOptions> =>
  Object.fromEntries(
    Object.entries(PAGE_SCRIPT_FACTS).map(([name, { entry }]) => [
      name,
      {
        ...PAGE_OPTIONS,
        ...SCRIPT_WRAPPER,
        entryPoints: [{ in: entry, out: name }],
        plugins: [takesFromPage(ROOT, SHARED_MODULES), onlyTheModuleTable([]), ownedCss(packageName, ROOT)],
      },
    ]),
  )

const clientOptions = (): BuildOptions => {
  const { name, dsh } = readManifest()
  return {
    ...PAGE_OPTIONS,
    entryPoints: [{ in: 'client-src/index.ts', out: 'client' }],
    format: 'cjs',
    plugins: [
      pageScripts({ root: ROOT, shared: SHARED_MODULES, scripts: pageScriptOptions(name) }),
      onlyTheModuleTable(moduleTable(dsh.client.external)),
      ownedCss(name, ROOT),
      leanZod,
    ],
    banner: {
      js: `window.__ModuleLoader__.load({id:${JSON.stringify(name)},factory:(require)=>{var module={exports:{}};var exports=module.exports;`,
    },
    footer: { js: 'return module.exports}});' },
  }
}

/** Which half an output belongs to. */
export type Half = 'host' | 'client'

/** Called after every build of one half: `errors` is empty when lib/ holds the new output. */
export type OnBuilt = (half: Half, errors: readonly string[]) => void

/** A finished first build; `dispose` ends watching (and does nothing when `watch` was not asked for). */
export interface BuildHandle {
  dispose(): Promise<void>
}

/**
 * Builds lib/ and copies the shipped assets. lib/types is the type checker's and is left alone.
 * Rejects with a UserError that lists every place when the first build fails. With `watch`, later builds are told to `onBuilt` only.
 */
export const build = async ({
  watch = false,
  onBuilt,
}: { watch?: boolean; onBuilt?: OnBuilt } = {}): Promise<BuildHandle> => {
  await mkdir(inRoot('lib'), { recursive: true })
  const halves: readonly [Half, BuildOptions][] = [
    ['host', hostOptions()],
    ['client', clientOptions()],
  ]
  const contexts = await Promise.all(halves.map(([half, options]) => context(reporting(half, options, onBuilt))))
  const dispose = async (): Promise<void> => {
    await Promise.all(contexts.map((each) => each.dispose()))
  }
  try {
    const built = await Promise.all(contexts.map((each) => each.rebuild()))
    await copyHooks()
    await dropStale(built.flatMap(({ metafile }) => Object.keys(metafile?.outputs ?? {})))
    if (watch) await Promise.all(contexts.map((each) => each.watch()))
  } catch (error) {
    await dispose()
    const { errors } = error as Partial<BuildFailure>
    if (errors === undefined) throw error
    throw new UserError(`The build failed:\n${errors.map(placeOf).join('\n')}`, { cause: error })
  }
  if (!watch) await dispose()
  return { dispose }
}

const placeOf = ({ text, location }: Message): string =>
  location === null ? text : `${location.file}:${location.line}: ${text}`

const reporting = (half: Half, options: BuildOptions, onBuilt: OnBuilt | undefined): BuildOptions => {
  if (onBuilt === undefined) return options
  const report: Plugin = {
    name: 'report',
    setup: (inner) => {
      inner.onEnd(({ errors }) => {
        onBuilt(half, errors.map(placeOf))
      })
    },
  }
  return { ...options, plugins: [...(options.plugins ?? []), report] }
}

/** Remove what the entries of earlier builds shared. @param built paths of this build's files, from the root */
const dropStale = async (built: readonly string[]): Promise<void> => {
  const shared = (await readdir(inRoot('lib'))).filter((file) => SHARED.test(file))
  const stale = shared.filter((file) => !built.includes(`lib/${file}`))
  await Promise.all(stale.map((file) => rm(inRoot('lib', file), { force: true })))
}

const copyHooks = async (): Promise<void> => {
  await rm(inRoot(HOOKS.to), { recursive: true, force: true })
  if (existsSync(inRoot(HOOKS.from))) await cp(inRoot(HOOKS.from), inRoot(HOOKS.to), { recursive: true })
}

if (isMain(import.meta.url)) {
  runMain(async () => {
    const started = performance.now()
    await build()
    process.stdout.write(`built lib/ in ${((performance.now() - started) / 1000).toFixed(1)} s\n`)
  })
}
