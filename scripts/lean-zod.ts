/**
 * esbuild plugin of the client half: zod without what no page asks for. The part that writes schemas as JSON Schema, which
 * every schema carries along (asking for it throws), the formats that every string carries along as methods and most of its other
 * checks (they are not there), compiled parsers, values that contain themselves,
 * and the English sentences about what is wrong with a value (issues have codes, and nobody is shown zod's words).
 */
import { readFile } from 'node:fs/promises'
import type { Plugin } from 'esbuild'

const SCHEMAS = /[\\/]zod[\\/]v4[\\/]classic[\\/]schemas\.js$/
const REFERENCES: readonly (readonly [RegExp, string])[] = [
  [/\binst\._zod\.processJSONSchema = .*;/g, ''],
  [/createStandardJSONSchemaMethod\(this, "\w+"\)/g, 'undefined'],
  // email(params) { … } and its kin.
  [/^ {4}\w+\(params\) \{\n +return this\.check\(core\._\w+\(Zod\w+, params\)\);\n {4}\},?\n/gm, ''],
  // Checks of strings that `regex` can say, too.
  [
    /^ {4}(?:includes|startsWith|endsWith|lowercase|uppercase|normalize|toLowerCase|toUpperCase|slugify)\([^)]*\) \{\n +return this\.check\(checks\.\w+\([^)]*\)\);\n {4}\},?\n/gm,
    '',
  ],
  // Ways to build and to run schemas that no schema of ours takes.
  [
    /^ {4}(?:async )?(?:with|exactOptional|nullish|nonoptional|and|or|prefault|readonly|describe|isOptional|isNullable|apply|(?:safe)?(?:en|de|En|De)code(?:Async)?)(?:: (?:async )?function \w+)?\([^)]*\) \{\n(?: {8}.*\n)+ {4}\},\n/gm,
    '',
  ],
  // What makes values parse that contain themselves; JSON cannot.
  [/core\.config\(\{ memoizer: core\.memoizer\(\) \}\)/g, 'undefined'],
  // Parsers that are compiled at run time: for many objects a second, which a page does not get.
  [/\$ZodObjectJIT(?=\.init\()/g, '$$ZodObject'],
  [
    /createToJSONSchemaMethod\(this, \{\}\)\(params\)/g,
    '(() => { throw new Error("no JSON Schema in this build") })()',
  ],
]

const ENGLISH = /[\\/]zod[\\/]v4[\\/]locales[\\/]en\.js$/
const NO_SENTENCES = 'export default () => ({ localeError: () => "Invalid input" })'

/** The writer of JSON Schema is also who says what the bounds of a number are; of its answer, that is what a page asks for. */
const PROCESSORS = /[\\/]zod[\\/]v4[\\/]core[\\/]json-schema-processors\.js$/
const BOUNDS = `
export const aggregateChecks = ({ _zod: { def } }) => {
  let minimum, maximum
  for (const { _zod: { def: { check, value, inclusive } } } of def.checks ?? []) {
    if (!inclusive) continue
    if (check === 'greater_than' && !(minimum > value)) minimum = value
    if (check === 'less_than' && !(maximum < value)) maximum = value
  }
  return { minimum, maximum }
}
export const toJSONSchema = undefined
export const allProcessors = undefined`

export const leanZod: Plugin = {
  name: 'lean-zod',
  setup(build) {
    build.onLoad({ filter: ENGLISH }, () => ({ contents: NO_SENTENCES, loader: 'js' }))
    build.onLoad({ filter: PROCESSORS }, () => ({ contents: BOUNDS, loader: 'js' }))
    // What nothing refers to any more is dropped.
    build.onLoad({ filter: SCHEMAS }, async ({ path }) => {
      const source = await readFile(path, 'utf8')
      const contents = REFERENCES.reduce((text, [reference, instead]) => text.replaceAll(reference, instead), source)
      return { contents, loader: 'js' }
    })
  },
}
