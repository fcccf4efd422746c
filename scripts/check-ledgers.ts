/**
 * Checks that DEFECTS.md and ROADMAP.md still say what is so: ids are unique, table and blocks agree, the guard of every
 * fixed defect exists and contains its title, roadmap items are whole, and every TODO names one of them.
 */
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inRoot, isMain, ROOT } from './project.ts'
import { runMain, UserError } from './user-error.ts'

const MAX_NOW_ITEMS = 5
const ROADMAP_SECTIONS = ['Now', 'Next', 'Later', 'Not doing'] as const
const STATUSES = ['open', 'fixed', 'wontfix'] as const
const SOURCE_FOLDERS = ['protocol-src', 'host-src', 'client-src', 'scripts', 'test']
/** This file and its test speak about TODO marks without being one. */
const NOT_SCANNED = /check-ledgers/

/** Reads a file of the checkout as text, or null when it is not there. */
export type ReadText = (path: string) => string | null

interface TableRow {
  id: string
  severity: string
  status: string
  test: string
}

interface Block {
  id: string
  severity: string
  status: string
  body: string
}

const TABLE_ROW =
  /^\|?\s*(D\d{3})\s*\|\s*([^|]*?)\s*\|\s*([^|]*?)\s*\|\s*([^|]*?)\s*\|\s*([^|]*?)\s*\|\s*([^|]*?)\s*\|?\s*$/gm
const BLOCK_HEAD = /^### (D\d{3}) · (S\d) · (\S+) — (.+)$/gm
const GUARD = /^Guard:\s+(\S+) › "(.+)" — seen red: yes$/m

const tableRows = (text: string): TableRow[] =>
  [...text.matchAll(TABLE_ROW)].map(([, id = '', severity = '', status = '', , , test = '']) => ({
    id,
    severity,
    status,
    test,
  }))

const blocks = (text: string): Block[] => {
  const heads = [...text.matchAll(BLOCK_HEAD)]
  return heads.map((head, at) => {
    const [, id = '', severity = '', status = ''] = head
    return { id, severity, status, body: text.slice(head.index, heads[at + 1]?.index) }
  })
}

const duplicates = (ids: readonly string[]): string[] => [...new Set(ids.filter((id, at) => ids.indexOf(id) !== at))]

/** Sentences about what is wrong with DEFECTS.md. */
export const defectProblems = (text: string, readText: ReadText): string[] => {
  const rows = tableRows(text)
  const details = blocks(text)
  const malformed = [...text.matchAll(/^### (?=D).*$/gm)].length - details.length
  return [
    ...(malformed > 0 ? [`${malformed} block headings are not "### D012 · S2 · fixed — symptom"`] : []),
    ...duplicates(rows.map(({ id }) => id)).map((id) => `${id} is in the table twice`),
    ...duplicates(details.map(({ id }) => id)).map((id) => `${id} has two blocks`),
    ...rows.flatMap((row) => rowProblems(row, details)),
    ...details.flatMap((block) => [
      ...(rows.some(({ id }) => id === block.id) ? [] : [`${block.id} has a block but no row in the table`]),
      ...(block.status === 'fixed' ? guardProblems(block, readText) : []),
    ]),
  ]
}

const rowProblems = ({ id, severity, status }: TableRow, details: readonly Block[]): string[] => {
  const block = details.find((each) => each.id === id)
  const isKnown = (STATUSES as readonly string[]).includes(status)
  return [
    ...(/^S[1-4]$/.test(severity) ? [] : [`${id}: "${severity}" is no severity (S1 to S4)`]),
    ...(isKnown ? [] : [`${id}: "${status}" is no status (${STATUSES.join(', ')})`]),
    ...(block === undefined && status === 'open' ? [`${id} is open and has no block`] : []),
    ...(block !== undefined && (block.status !== status || block.severity !== severity)
      ? [`${id}: the table says ${severity} ${status}, its block ${block.severity} ${block.status}`]
      : []),
  ]
}

const guardProblems = ({ id, body }: Block, readText: ReadText): string[] => {
  const [, path = '', title = ''] = GUARD.exec(body) ?? []
  if (path === '') return [`${id} is fixed and has no line: Guard: <test file> › "<title>" — seen red: yes`]
  const test = readText(path)
  if (test === null) return [`${id}: its guard ${path} does not exist`]
  return test.includes(title) ? [] : [`${id}: ${path} has no test "${title}"`]
}

/** Sentences about what is wrong with ROADMAP.md. */
export const roadmapProblems = (text: string): string[] => {
  const sections = [...text.matchAll(/^## (.+)$/gm)].map(([, title = '']) => title.trim())
  const missing = ROADMAP_SECTIONS.filter((name) => !sections.some((title) => title.startsWith(name)))
  const ids = roadmapIds(text)
  const now = /^## Now\b([\s\S]*?)(?=^## |(?![\s\S]))/m.exec(text)?.[1] ?? ''
  const inNow = [...now.matchAll(/^[-*] .*R\d{2,3}/gm)].length
  const items = [...text.matchAll(/^[-*] \**(R\d{2,3}\b.*)$/gm)].map(([, item = '']) => item)
  return [
    ...missing.map((name) => `there is no section "## ${name}"`),
    ...duplicates(ids).map((id) => `${id} is there twice`),
    ...(inNow > MAX_NOW_ITEMS ? [`Now has ${inNow} items; at most ${MAX_NOW_ITEMS}`] : []),
    ...items
      .filter((item) => item.split(' · ').length !== 5)
      .map((item) => `"${item.slice(0, 40)}" is not "R07 · outcome · acceptance check · touches · size"`),
  ]
}

/** Ids of the roadmap's items; "Not doing" has reasons instead of ids. */
export const roadmapIds = (text: string): string[] =>
  [...text.matchAll(/^[-*] \**(R\d{2,3})\b/gm)].map(([, id = '']) => id)

/** Sentences about TODO marks in one source file that name no roadmap item. */
export const todoProblems = (file: string, text: string, knownIds: readonly string[]): string[] =>
  text.split('\n').flatMap((line, at) => {
    const [, id] = /\bTODO\b(?:\((R\d{2,3})\))?/.exec(line) ?? []
    if (!/\bTODO\b/.test(line)) return []
    if (id === undefined) return [`${file}:${at + 1}: a TODO must name its roadmap item: TODO(R07)`]
    return knownIds.includes(id) ? [] : [`${file}:${at + 1}: ${id} is not in ROADMAP.md`]
  })

const allTodoProblems = async (knownIds: readonly string[]): Promise<string[]> => {
  const problems: string[] = []
  for (const folder of SOURCE_FOLDERS.filter((each) => existsSync(inRoot(each)))) {
    for (const entry of await readdir(inRoot(folder), { recursive: true })) {
      if (!/\.(ts|tsx|css|sh|zsh|fish|ps1)$/.test(entry) || NOT_SCANNED.test(entry)) continue
      problems.push(...todoProblems(join(folder, entry), await readFile(inRoot(folder, entry), 'utf8'), knownIds))
    }
  }
  return problems
}

/** Checks both ledgers of this checkout. */
export const checkLedgers = async (): Promise<string[]> => {
  const files = new Map<string, string>()
  const load = async (path: string): Promise<void> => {
    if (existsSync(join(ROOT, path))) files.set(path, await readFile(join(ROOT, path), 'utf8'))
  }
  await Promise.all(['DEFECTS.md', 'ROADMAP.md'].map(load))
  const defects = files.get('DEFECTS.md')
  const roadmap = files.get('ROADMAP.md')
  const guards = [...(defects ?? '').matchAll(/^Guard:\s+(\S+)/gm)].map(([, path = '']) => path)
  await Promise.all(guards.map(load))
  return [
    ...(defects === undefined
      ? ['DEFECTS.md is missing']
      : defectProblems(defects, (path) => files.get(path) ?? null).map((each) => `DEFECTS.md: ${each}`)),
    ...(roadmap === undefined
      ? ['ROADMAP.md is missing']
      : roadmapProblems(roadmap).map((each) => `ROADMAP.md: ${each}`)),
    ...(await allTodoProblems(roadmapIds(roadmap ?? ''))),
  ]
}

if (isMain(import.meta.url)) {
  runMain(async () => {
    const problems = await checkLedgers()
    if (problems.length > 0) throw new UserError(problems.join('\n'))
    process.stdout.write('DEFECTS.md and ROADMAP.md are in order\n')
  })
}
