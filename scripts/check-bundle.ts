/** Checks the built client half: what the web app's loader needs, and what must never be in it. */
import { readdir, readFile } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { moduleTable } from './module-table.ts'
import { inRoot, isMain, readManifest } from './project.ts'
import { runMain, UserError } from './user-error.ts'

/** Bytes of lib/client.js after gzip. */
const BUDGET_BYTES = 180 * 1024

/** Occurs in React's own code only; a user of React names it too, but never assigns it. */
const REACT_MARK = /__SECRET_INTERNALS_DO_NOT_USE_OR_YOU_WILL_BE_FIRED\s*=/

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

/** Sentences about what is wrong with the text of a client bundle; empty when nothing is. */
export const bundleProblems = (code: string, { packageName, table }: BundleFacts): string[] => {
  const required = [...code.matchAll(/\brequire\("([^"]+)"\)/g)].map(([, specifier = '']) => specifier)
  const size = gzipSync(code).length
  return [
    ...required.filter((each) => isBuiltin(each)).map((each) => `needs the Node module "${each}"`),
    ...required
      .filter((each) => !isBuiltin(each) && !table.includes(each))
      .map((each) => `requires "${each}", which is not in the module table`),
    ...(REACT_MARK.test(code) ? ['contains a second React'] : []),
    ...(size > BUDGET_BYTES ? [`is ${kib(size)} after gzip; the budget is ${kib(BUDGET_BYTES)}`] : []),
    ...registrationProblems(code, packageName),
  ]
}

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

/** Checks lib/client.js, its source map and the client sources; lib/ must be built. */
export const checkBundle = async (): Promise<{ problems: string[]; gzipBytes: number }> => {
  const { name, dsh } = readManifest()
  const code = await readFile(inRoot('lib', 'client.js'), 'utf8')
  const map = await readFile(inRoot('lib', 'client.js.map'), 'utf8')
  const about = [
    ...bundleProblems(code, { packageName: name, table: moduleTable(dsh.client.external) }),
    ...sourceMapProblems(map),
  ]
  return {
    problems: [...about.map((problem) => `lib/client.js ${problem}`), ...(await clientSourceProblems())],
    gzipBytes: gzipSync(code).length,
  }
}

if (isMain(import.meta.url)) {
  runMain(async () => {
    const { problems, gzipBytes } = await checkBundle()
    if (problems.length > 0) throw new UserError(problems.join('\n'))
    process.stdout.write(`lib/client.js: ${kib(gzipBytes)} after gzip, budget ${kib(BUDGET_BYTES)}\n`)
  })
}
