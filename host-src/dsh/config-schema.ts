/** Our zod settings schema in the words of DSH's schema library, derived field by field through JSON Schema. */
import type Schema from '@deepseek-ai/schemastery'
import { z } from 'zod'
import { settingsSchema } from '../../protocol-src/settings.ts'

type SchemaLibrary = typeof Schema

interface JsonField {
  readonly type?: string
  readonly default?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly enum?: readonly unknown[]
  readonly items?: JsonField
  readonly maxItems?: number
  readonly properties?: Readonly<Record<string, JsonField>>
  readonly required?: readonly string[]
  /** `secret`: the host shows it to no page. */
  readonly role?: string
}

/**
 * @param library the host's copy of schemastery
 * @throws TypeError for a construct that has no counterpart there, so that such a setting cannot ship
 */
export function toHostSchema(library: SchemaLibrary): Schema {
  return toHostObject(library, '', z.toJSONSchema(settingsSchema, { io: 'input' }) as JsonField)
}

function toHostObject(library: SchemaLibrary, at: string, { properties = {}, required = [] }: JsonField): Schema {
  const fields = Object.entries(properties).map(([key, field]) => {
    const schema = toHostField(library, at === '' ? key : `${at}.${key}`, field)
    return [key, required.includes(key) ? schema.required() : schema] as const
  })
  return library.object(Object.fromEntries(fields)) as unknown as Schema
}

function toHostField(library: SchemaLibrary, key: string, field: JsonField): Schema {
  const schema = withoutDefault(library, key, field)
  return field.default === undefined ? schema : schema.default(field.default as never)
}

function withoutDefault(library: SchemaLibrary, key: string, field: JsonField): Schema {
  if (field.enum !== undefined)
    return library.union(field.enum.map((value) => library.const(value as string))) as unknown as Schema
  switch (field.type) {
    case 'boolean':
      return library.boolean() as unknown as Schema
    case 'integer': {
      let number = library.number().step(1)
      if (field.minimum !== undefined) number = number.min(field.minimum)
      if (field.maximum !== undefined) number = number.max(field.maximum)
      return number as unknown as Schema
    }
    case 'string': {
      let text = library.string()
      if (field.pattern !== undefined) text = text.pattern(new RegExp(field.pattern, 'u'))
      if (field.maxLength !== undefined) text = text.max(field.maxLength)
      return (field.role === undefined ? text : text.role(field.role)) as unknown as Schema
    }
    case 'array': {
      const list = library.array(toHostField(library, `${key}[]`, field.items ?? {}))
      return (field.maxItems === undefined ? list : list.max(field.maxItems)) as unknown as Schema
    }
    case 'object':
      return toHostObject(library, key, field)
    default:
      throw new TypeError(`setting "${key}" of JSON type ${String(field.type)} has no counterpart in the host's schema`)
  }
}
