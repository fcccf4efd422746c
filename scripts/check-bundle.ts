/** Checks what pages load of the built client half: what the app's loader and `import()` need, and what must never be in it. */
import { readdir, readFile } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { build, type BuildFailure } from 'esbuild'
import { PAGE_SCRIPTS, type PageScriptName } from '../protocol-src/http-routes.ts'
import { moduleTable } from './module-table.ts'
import { PAGE_SCRIPT_FACTS, SHARED_MODULES, type PageScriptFacts } from './page-scripts.ts'
import { inRoot, isMain, readManifest } from './project.ts'
import { runMain, UserError } from './user-error.ts'

/** After gzip: lib/client.js, which the app's first frame waits for, and that together with lib/terminal.js. */
const BUDGET_BYTES = { start: 90 * 1024, whole: 220 * 1024 } as const

/** Occurs in React's own code only; a user of React names it too, but never assigns it. */
const REACT_MARK = /__SECRET_INTERNALS_DO_NOT_USE_OR_YOU_WILL_BE_FIRED\s*=/

/** A class name that the emulator gives its own elements; it belongs into lib/terminal.js. */
const EMULATOR_MARK = 'xterm-helper-textarea'

/** Spellings that the linter cannot ban. */
const BANNED_IN_SOURCE: readonly { pattern: RegExp; why: string }[] = [
  { pattern: /querySelector(All)?\(\s*['"`][^'"`]*\[class/, why: 'class names of other plugins are hashed and change' },
  {
    pattern: /\b(innerHTML|outerHTML|insertAdjacentHTML|dangerouslySetInnerHTML)\b/,
    why: 'text must never become markup',
  },
]

/** What is known about the bundle's surroundings. */
export interface BundleFacts {
  packageName: string
  /** Specifiers that `require` answers. */
  table: readonly string[]
}

/** Sentences about what is wrong with the text of lib/client.js; empty when nothing is. */
export const bundleProblems = (code: string, { packageName, table }: BundleFacts): string[] => {
  const required = [...code.matchAll(/\brequire\("([^"]+)"\)/g)].map(([, specifier = '']) => specifier)
  const size = gzipSync(code).length
  return [
    ...required.filter((each) => isBuiltin(each)).map((each) => `needs the Node module "${each}"`),
    ...required
      .filter((each) => !isBuiltin(each) && !table.includes(each))
      .map((each) => `requires "${each}", which is not in the module table`),
    ...(REACT_MARK.test(code) ? ['contains a second React'] : []),
    ...(code.includes(EMULATOR_MARK) ? ['contains the emulator, which is loaded when needed'] : []),
    ...(size > BUDGET_BYTES.start ? [`is ${kib(size)} after gzip; the budget is ${kib(BUDGET_BYTES.start)}`] : []),
    ...registrationProblems(code, packageName),
  ]
}

/** Sentences about what is wrong with the text of a script that pages load when they need it; empty when nothing is. */
export const moduleProblems = async (
  code: string,
  { budget, exports }: Pick<PageScriptFacts, 'budget' | 'exports'>,
  shared: readonly string[],
): Promise<string[]> => {
  const required = [...code.matchAll(/\brequire\("([^"]+)"\)/g)].map(([, specifier = '']) => specifier)
  const size = gzipSync(code).length
  return [
    ...required
      .filter((each) => !shared.includes(each))
      .map((each) => `requires "${each}", which the page does not give it`),
    ...exports.filter((name) => !new RegExp(`\\b${name}:\\(\\)=>`).test(code)).map((name) => `does not export ${name}`),
    ...(REACT_MARK.test(code) ? ['contains a second React'] : []),
    ...(size > budget ? [`is ${kib(size)} after gzip; the budget is ${kib(budget)}`] : []),
    ...(await interfaceProblems(code)),
  ]
}

/** Looks at imports and exports with a parser; the module itself needs a page to run. */
const interfaceProblems = async (code: string): Promise<string[]> => {
  try {
    const { metafile } = await build({
      stdin: { contents: code, loader: 'js' },
      bundle: true,
      external: ['*'],
      format: 'esm',
      write: false,
      outdir: 'unused',
      metafile: true,
      logLevel: 'silent',
    })
    const { imports = [], exports = [] } = Object.values(metafile.outputs)[0] ?? {}
    return [
      ...imports
        .filter(({ kind }) => kind !== 'require-call')
        .map(({ path }) => `imports "${path}", which no page can resolve`),
      ...(String(exports) === 'create' ? [] : [`exports ${exports.join(', ')} and not "create" alone`]),
    ]
  } catch (error) {
    const { errors } = error as Partial<BuildFailure>
    if (errors === undefined) throw error
    return errors.map(({ text }) => `is no module: ${text}`)
  }
}

/** Sentences about the size of both scripts after gzip; empty when it is in the budget. */
export const totalProblems = (bytes: number): string[] =>
  bytes > BUDGET_BYTES.whole ? [`are ${kib(bytes)} after gzip together; the budget is ${kib(BUDGET_BYTES.whole)}`] : []

const kib = (bytes: number): string => `${(bytes / 1024).toFixed(1)} KiB`

/** Runs the script the way the page does and looks at what it registers; the factory itself is not called. */
const registrationProblems = (code: string, packageName: string): string[] => {
  const registered: { id?: unknown; factory?: unknown }[] = []
  const window = { __ModuleLoader__: { load: (entry: object) => registered.push(entry) } }
  try {
    runInContext(code, createContext({ window }), { timeout: 5000 })
  } catch (error) {
    return [`throws while it registers itself: ${String(error)}`]
  }
  const [entry] = registered
  if (registered.length !== 1 || entry === undefined) return [`registers ${registered.length} modules, not one`]
  return [
    ...(entry.id === packageName ? [] : [`registers itself as ${JSON.stringify(entry.id)}, not "${packageName}"`]),
    ...(typeof entry.factory === 'function' ? [] : ['registers no factory']),
  ]
}

/** Sentences about absolute paths in a source map; they would tell where it was built. */
export const sourceMapProblems = (map: string): string[] => {
  const { sources } = JSON.parse(map) as { sources: string[] }
  return sources
    .filter((source) => /^([a-z-]+:)?(\/|[A-Z]:)/i.test(source))
    .map((source) => `source map names ${source}`)
}

/** Sentences about banned spellings in one source file. */
export const sourceProblems = (file: string, text: string): string[] =>
  text.split('\n').flatMap((line, at) =>
    BANNED_IN_SOURCE.flatMap(({ pattern, why }) => {
      const found = pattern.exec(line)
      return found === null ? [] : [`${file}:${at + 1}: ${found[0]} (${why})`]
    }),
  )

const clientSourceProblems = async (): Promise<string[]> => {
  const entries = await readdir(inRoot('client-src'), { recursive: true })
  const files = entries.filter((entry) => /\.tsx?$/.test(entry))
  const found = files.map(async (file) =>
    sourceProblems(join('client-src', file), await readFile(inRoot('client-src', file), 'utf8')),
  )
  return (await Promise.all(found)).flat()
}

interface BundleReport {
  problems: string[]
  /** After gzip. */
  startBytes: number
  wholeBytes: number
  /** Of each script that is loaded when it is needed. */
  scriptBytes: Readonly<Record<PageScriptName, number>>
}

/** Checks the scripts, their source maps and the client sources; lib/ must be built. */
export const checkBundle = async (): Promise<BundleReport> => {
  const { name, dsh } = readManifest()
  const read = (file: string): Promise<string> => readFile(inRoot('lib', file), 'utf8')
  const client = await read('client.js')
  const about = [
    ...bundleProblems(client, { packageName: name, table: moduleTable(dsh.client.external) }),
    ...sourceMapProblems(await read('client.js.map')),
  ]
  const scripts = await Promise.all(
    PAGE_SCRIPTS.map(async (name) => {
      const code = await read(`${name}.js`)
      const found = [
        ...(await moduleProblems(code, PAGE_SCRIPT_FACTS[name], SHARED_MODULES)),
        ...sourceMapProblems(await read(`${name}.js.map`)),
      ]
      return { name, bytes: gzipSync(code).length, problems: found.map((problem) => `lib/${name}.js ${problem}`) }
    }),
  )
  const scriptBytes = Object.fromEntries(scripts.map(({ name, bytes }) => [name, bytes])) as BundleReport['scriptBytes']
  const startBytes = gzipSync(client).length
  const wholeBytes = startBytes + scriptBytes.terminal
  return {
    problems: [
      ...about.map((problem) => `lib/client.js ${problem}`),
      ...scripts.flatMap(({ problems }) => problems),
      ...totalProblems(wholeBytes).map((problem) => `lib/client.js and lib/terminal.js ${problem}`),
      ...(await clientSourceProblems()),
    ],
    startBytes,
    wholeBytes,
    scriptBytes,
  }
}

if (isMain(import.meta.url)) {
  runMain(async () => {
    const { problems, startBytes, wholeBytes, scriptBytes } = await checkBundle()
    if (problems.length > 0) throw new UserError(problems.join('\n'))
    const { start, whole } = BUDGET_BYTES
    process.stdout.write(
      `after gzip: lib/client.js ${kib(startBytes)} of ${kib(start)}, with lib/terminal.js ${kib(wholeBytes)} of ${kib(whole)}\n`,
    )
    for (const name of PAGE_SCRIPTS)
      process.stdout.write(`lib/${name}.js ${kib(scriptBytes[name])} of ${kib(PAGE_SCRIPT_FACTS[name].budget)}\n`)
  })
}
