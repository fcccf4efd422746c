/** A tool's zod schemas in the words of the host: free JSON Schema for arguments, the enforced subset for results. */
import * as z from 'zod'

export interface HostSchema {
  readonly type?: 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | 'null'
  readonly oneOf?: readonly HostSchema[]
  readonly properties?: Readonly<Record<string, HostSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean
  readonly items?: HostSchema
  readonly enum?: readonly (string | number | boolean | null)[]
  readonly const?: string | number | boolean | null
  readonly description?: string
}

/** Keywords that say more than the subset can; our own schema still enforces them. */
const DROPPED = new Set([
  '$schema',
  'default',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'pattern',
  'format',
])
const KEPT = new Set(['type', 'required', 'enum', 'const', 'description', 'title'])
const TYPES = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'])

/** Arguments are passed to the model as they are. */
export function toHostParameters(schema: z.ZodObject): Record<string, unknown> {
  const { $schema: _, ...parameters } = z.toJSONSchema(schema, { io: 'input' })
  return parameters
}

/** @throws TypeError for a construct that the subset cannot express, so that such a tool cannot ship */
export function toHostOutput(schema: z.ZodType): HostSchema {
  return subset(z.toJSONSchema(schema, { io: 'output' }) as Record<string, unknown>, 'output')
}

function subset(node: Record<string, unknown>, path: string): HostSchema {
  const result: Record<string, unknown> = {}
  for (const [keyword, value] of Object.entries(node)) {
    if (DROPPED.has(keyword)) continue
    if (keyword === 'properties') {
      result['properties'] = Object.fromEntries(
        Object.entries(value as Record<string, Record<string, unknown>>).map(([key, property]) => [
          key,
          subset(property, `${path}.${key}`),
        ]),
      )
    } else if (keyword === 'items') result['items'] = subset(value as Record<string, unknown>, `${path}[]`)
    else if (keyword === 'anyOf' || keyword === 'oneOf') {
      result['oneOf'] = (value as Record<string, unknown>[]).map((branch, at) =>
        subset(branch, `${path}|${String(at)}`),
      )
    } else if (keyword === 'additionalProperties') {
      if (typeof value !== 'boolean') throw unsupported(path, 'additionalProperties with a schema')
      result['additionalProperties'] = value
    } else if (KEPT.has(keyword)) result[keyword] = value
    else throw unsupported(path, keyword)
  }
  const { type } = result
  if (type !== undefined && !TYPES.has(type as string)) throw unsupported(path, `the type ${JSON.stringify(type)}`)
  return result as HostSchema
}

const unsupported = (path: string, what: string): TypeError =>
  new TypeError(`a tool's result has ${what} at ${path}, which the host's schemas cannot express`)
