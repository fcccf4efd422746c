/**
 * esbuild plugin of the client half: builds the scripts that the page loads when it needs them, before it, and tells it
 * which content of each to load. A change of one is thereby a change of the client half, which open pages notice.
 *
 * A script is an ES module with one export, `create(take)`, which runs its body and returns what it exports. What the page
 * has already (React, schemas, stores) it does not bring along but takes by name.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { context, type BuildContext, type BuildFailure, type BuildOptions, type OutputFile, type Plugin } from 'esbuild'
import { revisionOf } from '../host-src/gateway/page-script.ts'
import type { PageScriptName } from '../protocol-src/http-routes.ts'

const KIB = 1024

export interface PageScriptFacts {
  readonly entry: string
  /** After gzip. */
  readonly budget: number
  /** What the page expects of it. */
  readonly exports: readonly string[]
}

export const PAGE_SCRIPT_FACTS: Readonly<Record<PageScriptName, PageScriptFacts>> = {
  terminal: {
    entry: 'client-src/terminal/terminal-module.ts',
    budget: 136 * KIB,
    exports: ['createView', 'pageTheme'],
  },
  settings: { entry: 'client-src/settings/settings-script.tsx', budget: 14 * KIB, exports: ['startSettings'] },
  webgl: { entry: 'client-src/webgl/webgl-script.ts', budget: 40 * KIB, exports: ['WebglAddon'] },
  guests: { entry: 'client-src/guests/guests-script.ts', budget: 8 * KIB, exports: ['MountView', 'PaneFrame'] },
  help: { entry: 'client-src/help/help-script.ts', budget: 6 * KIB, exports: ['KeyList', 'words'] },
  ssh: {
    entry: 'client-src/ssh/ssh-script.tsx',
    budget: 18 * KIB,
    exports: ['startSsh', 'dialogWords', 'panelWords'],
  },
}

/** What the page gives its scripts: packages by name, own modules by their path from the root. */
export const SHARED_MODULES: readonly string[] = [
  'react',
  'react/jsx-runtime',
  'protocol-src/settings.ts',
  'protocol-src/ssh.ts',
  'protocol-src/errors.ts',
  'client-src/connection/link-error.ts',
  'protocol-src/setting-fields.ts',
  'client-src/keys.ts',
  'client-src/locales.ts',
  'client-src/touch-keys.ts',
  'client-src/stores/store.ts',
  'client-src/panel/Popups.tsx',
  'client-src/panel/TerminalPane.tsx',
  'client-src/services/terminal-tabs.ts',
  'client-src/stores/panel-store.ts',
  'client-src/stores/tab-store.ts',
]

/** The module whose exports are replaced. */
const BUILT_SOURCE = /[\\/]client-src[\\/]services[\\/]built-scripts\.ts$/

/** Around the body of a script, which is a CommonJS module. */
export const SCRIPT_WRAPPER = {
  format: 'cjs',
  banner: { js: 'export const create=(require)=>{var module={exports:{}};var exports=module.exports;' },
  footer: { js: 'return module.exports};' },
} as const satisfies BuildOptions

/** esbuild plugin of a script: leaves open what the page gives it. @param root absolute path of the checkout */
export const takesFromPage = (root: string, shared: readonly string[]): Plugin => ({
  name: 'takes-from-page',
  setup(build) {
    build.onResolve({ filter: /^[^.]/ }, ({ path, kind, importer }) => {
      if (kind === 'entry-point') return undefined
      if (shared.includes(path)) return { path, external: true }
      // A second zod would be another one: what parses is shared with the page, or stays there.
      return /^zod($|\/)/.test(path)
        ? { errors: [{ text: `"${path}" is the page's own (from ${importer})` }] }
        : undefined
    })
    build.onResolve({ filter: /^\./ }, ({ path, resolveDir }) => {
      const own = relative(root, join(resolveDir, path)).split(sep).join('/')
      return shared.includes(own) ? { path: own, external: true } : undefined
    })
  },
})

export interface PageScriptsOptions {
  /** Absolute path of the checkout. */
  readonly root: string
  readonly shared: readonly string[]
  /** Of each script's build; written to its `outdir`, and only when it is another one than before. */
  readonly scripts: Readonly<Record<string, BuildOptions>>
}

export const pageScripts = ({ root, shared, scripts }: PageScriptsOptions): Plugin => ({
  name: 'page-scripts',
  setup: async (outer) => {
    const contexts = await Promise.all(
      Object.entries(scripts).map(async ([name, options]): Promise<[string, BuildContext<BuildOptions>]> => [
        name,
        await context({ ...options, absWorkingDir: root, write: false, metafile: true }),
      ]),
    )
    const inputs = new Map<string, readonly string[]>()
    const watched = (): string[] => [...inputs.values()].flat()
    const revisionsOf = async ([name, script]: (typeof contexts)[number]): Promise<[string, string]> => {
      const { outputFiles = [], metafile } = await script.rebuild()
      inputs.set(
        name,
        Object.keys(metafile?.inputs ?? {}).map((path) => join(root, path)),
      )
      await Promise.all(outputFiles.map(writeChanged))
      const code = outputFiles.find(({ path }) => path.endsWith('.js'))?.contents ?? new Uint8Array()
      return [name, revisionOf(code)]
    }
    outer.onLoad({ filter: BUILT_SOURCE }, async () => {
      try {
        const revisions = Object.fromEntries(await Promise.all(contexts.map(revisionsOf)))
        const contents = `${sharedSource(shared)}\nexport const SCRIPT_REVISIONS = ${JSON.stringify(revisions)}`
        return { contents, loader: 'js', resolveDir: root, watchFiles: watched() }
      } catch (error) {
        const { errors } = error as BuildFailure
        if (errors === undefined) throw error
        return { errors, watchFiles: watched() }
      }
    })
    outer.onDispose(() => void Promise.all(contexts.map(([, script]) => script.dispose())))
  },
})

const sharedSource = (shared: readonly string[]): string => {
  const imports = shared.map((name, at) => {
    const path = /\.tsx?$/.test(name) ? `./${name}` : name
    return `import * as m${at} from ${JSON.stringify(path)}`
  })
  const entries = shared.map((name, at) => `${JSON.stringify(name)}: m${at}`)
  return `${imports.join('\n')}\nexport const SHARED_MODULES = {${entries.join(', ')}}`
}

const writeChanged = async ({ path, contents }: OutputFile): Promise<void> => {
  const known = await readFile(path).catch(
    () => null, // not there yet
  )
  if (known?.equals(contents) === true) return
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, contents)
}
