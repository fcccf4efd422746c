import { readdir } from 'node:fs/promises'
import { build } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { leanZod } from '../../../scripts/lean-zod.ts'
import { inRoot, ROOT } from '../../../scripts/project.ts'

const SOURCE = `
import * as z from 'zod'
const schema = z.object({ v: z.literal(1), n: z.number().int().min(8).max(32).nullable(), s: z.string().trim().regex(/^[a-z ]*$/).min(1).max(9).nullable() })
export const parse = (value) => schema.parse(value)
export const bounds = [schema.shape.n.unwrap().minValue, schema.shape.n.unwrap().maxValue]
export const describe = () => schema.toJSONSchema()
`

const bundled = async (plugins: Parameters<typeof build>[0]['plugins'] = []) => {
  const { outputFiles } = await build({
    stdin: { contents: SOURCE, resolveDir: ROOT, loader: 'js' },
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
    plugins,
  })
  const code = outputFiles[0]?.text ?? ''
  type Built = { bounds: unknown; parse: (value: unknown) => unknown; describe: () => unknown }
  const module = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as Built
  return { code, ...module }
}

describe('zod for pages', () => {
  it('judges values as before, is smaller, and says what it lacks', async () => {
    const whole = await bundled()
    const part = await bundled([leanZod])
    expect(part.bounds).toEqual([8, 32])
    for (const value of [
      { v: 1, n: 9, s: 'a' },
      { v: 1, n: null, s: null },
    ])
      expect(part.parse(value)).toEqual(whole.parse(value))
    for (const value of [{ v: 2, n: 9, s: 'a' }, { v: 1, n: 99, s: 'a' }, { v: 1, n: 9, s: '' }, null])
      expect(() => part.parse(value)).toThrow()
    expect(whole.code.length - part.code.length).toBeGreaterThan(25_000)
    expect(whole.describe()).toMatchObject({ type: 'object' })
    expect(() => part.describe()).toThrow('no JSON Schema')
  })

  it('makes every schema of the protocol', async () => {
    const files = (await readdir(inRoot('protocol-src'))).filter((file) => file.endsWith('.ts'))
    const { outputFiles } = await build({
      stdin: {
        contents: files.map((file, at) => `export * as m${at} from './protocol-src/${file}'`).join('\n'),
        resolveDir: ROOT,
      },
      bundle: true,
      format: 'esm',
      write: false,
      plugins: [leanZod],
    })
    const code = outputFiles[0]?.text ?? ''
    const made = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as object
    expect(Object.keys(made)).toHaveLength(files.length)
  })
})
