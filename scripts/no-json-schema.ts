/**
 * esbuild plugin of the client half: leaves out the part of zod that writes schemas as JSON Schema, which every schema
 * carries along and no page asks for. Asking for it throws.
 */
import { readFile } from 'node:fs/promises'
import type { Plugin } from 'esbuild'

const SCHEMAS = /[\\/]zod[\\/]v4[\\/]classic[\\/]schemas\.js$/
const REFERENCES: readonly (readonly [RegExp, string])[] = [
  [/\binst\._zod\.processJSONSchema = .*;/g, ''],
  [/createStandardJSONSchemaMethod\(this, "\w+"\)/g, 'undefined'],
  [
    /createToJSONSchemaMethod\(this, \{\}\)\(params\)/g,
    '(() => { throw new Error("no JSON Schema in this build") })()',
  ],
]

export const noJsonSchema: Plugin = {
  name: 'no-json-schema',
  setup(build) {
    // What nothing refers to any more is dropped.
    build.onLoad({ filter: SCHEMAS }, async ({ path }) => {
      const source = await readFile(path, 'utf8')
      const contents = REFERENCES.reduce((text, [reference, instead]) => text.replaceAll(reference, instead), source)
      return { contents, loader: 'js' }
    })
  },
}
