/** Puts values of settings, and what is wrong with them, into words. The dictionary itself comes from the host. */
import type { SettingField, SettingValue } from '../../protocol-src/setting-fields.ts'
import type { SettingWord } from '../../protocol-src/setting-words.ts'
import type { SettingKey } from '../../protocol-src/settings.ts'

export type Say = (word: SettingWord, params?: Record<string, unknown>) => string

/** How a value of a setting reads. */
export function sayValue(t: Say, { key, field, value }: { key: SettingKey; field: SettingField; value: SettingValue }) {
  if (Array.isArray(value)) return value.length > 0 ? t('list.count', { count: value.length }) : t('list.none')
  switch (field.kind) {
    case 'switch':
      return t(value === true ? 'on' : 'off')
    case 'choice':
      return sayOption(t, key, String(value))
    case 'number':
    case 'text':
    case 'list':
      return value === '' ? t('empty') : String(value)
  }
}

/** The schema that types the dictionary also gives the options. */
export function sayOption(t: Say, key: SettingKey, option: string): string {
  return t(`option.${key}.${option}` as SettingWord)
}

/** Why what is in a field is no value of it. */
export function sayInvalid(t: Say, key: SettingKey, field: SettingField): string {
  return field.kind === 'number' ? t('number', { min: field.min, max: field.max }) : t(`invalid.${key}` as SettingWord)
}
