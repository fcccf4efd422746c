/**
 * Writes the documents that are made from code: docs/tools.md from the catalogue of tools and the decision table,
 * docs/settings.md from the schema of the settings. With `--check` it writes nothing and fails when a document is not what the code says.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { toHostParameters } from '../host-src/dsh/output-schema.ts'
import { TOOL_CATALOG } from '../host-src/tools/tool-catalog.ts'
import { decide, DECISIONS, MODES, RESTRICTED_TIERS, type Verdict } from '../host-src/tools/tool-policy.ts'
import type { AnyTool } from '../host-src/tools/tool.ts'
import { inRoot, isMain } from './project.ts'
import { settingsDocument } from './settings-docs.ts'
import { runMain, UserError } from './user-error.ts'

interface Property {
  readonly type?: string
  readonly items?: Property
  readonly description?: string
  readonly minimum?: number
  readonly maximum?: number
}

/** Path in the checkout to text. */
const documents = (): Readonly<Record<string, string>> => ({
  'docs/tools.md': toolsDocument(),
  'docs/settings.md': settingsDocument(),
})

const cell = (text: string): string => text.replaceAll('|', String.raw`\|`).replaceAll('\n', ' ')
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n')

const toolsDocument = (): string => `<!-- Written by scripts/gen-docs.ts from host-src/tools; do not edit. -->

# Agent tools

What DSH's agents can do with the user's terminals. Every call shows in the conversation; every terminal that an agent opens is a tab
in the user's panel, marked AI. Terminals that the user hid are to a tool as if they were not there, plus one sentence that says so.

The first line of a result, in brackets, is the tool's own; everything after it was printed by programs. What is read is cleaned as a
person would read it, bounded, and secrets of a clear shape are masked (setting \`maskSecrets\`).

${table(
  ['tool', 'risk', 'what it does'],
  TOOL_CATALOG.map(({ name, risk, description }) => [
    `[\`${name}\`](#${name})`,
    risk,
    description.split('. ')[0] ?? '',
  ]),
)}

## Permission tiers

Each call is judged by the tier that is in force at that moment; the first row whose facts hold decides.

${table(
  ['', 'when', 'because'],
  DECISIONS.map(({ verdict, when, why }) => [VERDICTS[verdict], conditions(when), why]),
)}

What that comes to for a tool that acts (read tools are always allowed):

${table(['tier', 'policy', ...COLUMNS.map(({ title }) => title)], situations())}

- Asking covers one call. The question shows exactly what would be run or typed, with everything that cannot be seen spelled out.
- An unanswered question waits until it is answered or the turn is cancelled. Without anybody to ask (headless) the call is refused.
- \`restrictedTier: confine\` runs \`tty_run\` and \`tty_open\` inside DSH's own sandbox of the tier instead of asking. The sandbox of a
  process stays what it was when the tier changes. Where the machine has no sandbox backend, the call is refused. Typing into a
  terminal is always asked for.
- Newer tiers whose name is not known count as restricted. A host without permission tiers is not gated; the log says so at the start.

${TOOL_CATALOG.map(toolSection).join('\n\n')}
`

const VERDICTS: Readonly<Record<Verdict, string>> = {
  allow: 'allow',
  confine: 'run in the sandbox',
  ask: 'ask the user',
  deny: 'refuse',
}

const conditions = (when: (typeof DECISIONS)[number]['when']): string => {
  const parts = Object.entries(when).map(
    ([fact, values]) => `${fact}: ${values.map((value: string | boolean | null) => value ?? 'none').join(', ')}`,
  )
  return parts.length === 0 ? 'otherwise' : parts.join('; ')
}

const COLUMNS = (['agent', 'subagent'] as const).flatMap((actor) =>
  RESTRICTED_TIERS.map((restrictedTier) => ({
    title: restrictedTier === 'ask' ? actor : `${actor}, \`confine\``,
    facts: { actor, restrictedTier, isConfinable: restrictedTier === 'confine' },
  })),
)

const situations = (): string[][] =>
  [null, ...MODES].flatMap((mode) =>
    (['ask', 'never', 'none'] as const).flatMap((policy) => {
      const verdicts = COLUMNS.map(({ facts }) => VERDICTS[decide({ risk: 'execute', mode, policy, ...facts }).verdict])
      return [[mode ?? 'no tiers', policy, ...verdicts]]
    }),
  )

const toolSection = (tool: AnyTool): string => {
  const { properties, required = [] } = toHostParameters(tool.input) as {
    properties: Record<string, Property>
    required?: string[]
  }
  const rows = Object.entries(properties).map(([name, property]) => [
    `\`${name}\`${required.includes(name) ? '' : ' (optional)'}`,
    typeOf(property),
    property.description ?? '',
  ])
  const results = Object.keys(tool.output.shape).map((name) => `\`${name}\``)
  return [
    `## ${tool.name}`,
    `${tool.description}`,
    rows.length === 0 ? 'No arguments.' : table(['argument', 'type', ''], rows),
    `Result: ${results.join(', ')}.`,
  ].join('\n\n')
}

const typeOf = ({ type = 'any', items, minimum, maximum }: Property): string => {
  if (type === 'array') return `array of ${items?.type ?? 'any'}`
  const isBounded = minimum !== undefined && maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER
  return isBounded ? `${type}, ${minimum} to ${maximum}` : type
}

/** Sentences about documents that are not what the code says. */
export const staleDocuments = async (): Promise<string[]> => {
  const problems: string[] = []
  for (const [path, text] of Object.entries(documents())) {
    const found = await readFile(inRoot(path), 'utf8').catch(() => null)
    if (found !== text) problems.push(`${path} is not what the code says. Run "node scripts/gen-docs.ts".`)
  }
  return problems
}

if (isMain(import.meta.url)) {
  runMain(async () => {
    if (process.argv.includes('--check')) {
      const problems = await staleDocuments()
      if (problems.length > 0) throw new UserError(problems.join('\n'))
    } else for (const [path, text] of Object.entries(documents())) await writeFile(inRoot(path), text)
  })
}
