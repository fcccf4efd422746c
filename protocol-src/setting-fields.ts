/**
 * What kind of value each setting takes, read off its schema: what a form or a document needs to know of a field.
 * A setting of another kind cannot ship, because asking for it throws.
 */
import * as z from 'zod'
import { settingsSchema, type SettingKey, type Settings } from './settings.ts'

export type SettingField =
  | { readonly kind: 'switch' }
  | { readonly kind: 'choice'; readonly options: readonly string[] }
  | { readonly kind: 'number'; readonly min: number; readonly max: number }
  | { readonly kind: 'text' }
  /** Things with fields of their own, which are edited elsewhere, one by one. */
  | { readonly kind: 'list' }

export type SettingValue = Settings[SettingKey]

/** @throws TypeError when the schema of this setting is of no kind that there is a field for */
export function fieldOf(key: SettingKey): SettingField {
  const schema: z.ZodType = settingsSchema.shape[key].unwrap()
  if (schema instanceof z.ZodBoolean) return { kind: 'switch' }
  if (schema instanceof z.ZodEnum) return { kind: 'choice', options: schema.options.map(String) }
  if (schema instanceof z.ZodString) return { kind: 'text' }
  if (schema instanceof z.ZodArray) return { kind: 'list' }
  if (schema instanceof z.ZodNumber && schema.minValue !== null && schema.maxValue !== null)
    return { kind: 'number', min: schema.minValue, max: schema.maxValue }
  throw new TypeError(`setting "${key}" has no field that edits it`)
}

/** @returns what `candidate` means for this setting, or undefined when it is no value of it */
export function parseSetting(key: SettingKey, candidate: unknown): SettingValue | undefined {
  // A missing value would become the default.
  if (candidate === undefined) return undefined
  const parsed = settingsSchema.shape[key].safeParse(candidate)
  return parsed.success ? parsed.data : undefined
}
