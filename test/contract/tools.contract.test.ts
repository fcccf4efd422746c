/** What holds of every tool of the catalogue, whatever it does. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { toHostOutput, toHostParameters, type HostSchema } from '../../host-src/dsh/output-schema.ts'
import { TOOL_CATALOG } from '../../host-src/tools/tool-catalog.ts'
import { RISK_CLASSES } from '../../host-src/tools/tool.ts'
import { TERMINAL_TOOLS } from '../../protocol-src/tool-rows.ts'
import * as z from 'zod'

const SPECIFIED = [
  'tty_ask_user',
  'tty_capture',
  'tty_close',
  'tty_expect',
  'tty_history',
  'tty_list',
  'tty_open',
  'tty_run',
  'tty_screen',
  'tty_send',
]

describe('the catalogue', () => {
  it('has the tools of the specification, each once', () => {
    expect(TOOL_CATALOG.map(({ name }) => name).sort()).toEqual(SPECIFIED)
  })

  it('asks for exactly what acts', () => {
    const acting = TOOL_CATALOG.filter(({ risk }) => risk !== 'read').map(({ name }) => name)
    expect(acting.sort()).toEqual(['tty_open', 'tty_run', 'tty_send'])
    for (const { risk } of TOOL_CATALOG) expect(RISK_CLASSES).toContain(risk)
  })

  it('has a row in the conversation for each tool that works with one terminal', () => {
    const ofOneTerminal = TOOL_CATALOG.filter(({ output }) => 'sid' in output.shape).map(({ name }) => name)
    expect([...TERMINAL_TOOLS].sort()).toEqual(ofOneTerminal.sort())
  })

  it('is written in no second place', async () => {
    for (const file of ['host-src/dsh/tool-adapter.ts', 'host-src/tools/tool-policy.ts', 'host-src/tools/tool-gate.ts'])
      expect(await readFile(join(import.meta.dirname, '../..', file), 'utf8')).not.toMatch(/tty_[a-z]+/)
  })
})

describe.each(TOOL_CATALOG.map((tool) => [tool.name, tool] as const))('%s', (name, tool) => {
  it('describes itself and every argument that does not speak for itself, in few words', () => {
    expect(tool.description.length).toBeGreaterThan(40)
    expect(tool.description.length).toBeLessThan(900)
    expect(tool.description).not.toMatch(/\{\{|\n/)
  })

  it('takes an object without unknown keys, and says so to the model', () => {
    const parameters = toHostParameters(tool.input)
    expect(parameters).toMatchObject({ type: 'object', additionalProperties: false })
    expect(tool.input.safeParse({ surprise: 1 }).success).toBe(false)
    expect(JSON.stringify(parameters).length).toBeLessThan(1500)
  })

  it('has a result that the host can express', () => {
    const schema = toHostOutput(tool.output)
    expect(schema).toMatchObject({ type: 'object', additionalProperties: false })
    const visit = (node: HostSchema): void => {
      if (node.type === 'object') expect(node.additionalProperties).toBe(false)
      Object.values(node.properties ?? {}).forEach(visit)
      if (node.items !== undefined) visit(node.items)
    }
    visit(schema)
  })

  it('says what it would do, when somebody has to be asked', () => {
    expect(tool.request !== undefined, name).toBe(tool.risk !== 'read')
  })
})

describe('a result that the host cannot express', () => {
  it.each([
    ['a union of records by key', z.object({ a: z.record(z.string(), z.string()) })],
    ['a tuple', z.object({ a: z.tuple([z.string(), z.int()]) })],
  ])('does not ship: %s', (_, schema) => {
    expect(() => toHostOutput(schema)).toThrow(TypeError)
  })
})
