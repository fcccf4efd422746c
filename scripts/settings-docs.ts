/** The text of docs/settings.md, from the schema of the settings and the words of their card. */
import { en } from '../protocol-src/setting-words.ts'
import { fieldOf, type SettingValue } from '../protocol-src/setting-fields.ts'
import {
  DEFAULT_SETTINGS,
  SETTINGS_NAMESPACE,
  SETTING_KEYS,
  metaOf,
  type SettingKey,
  type SettingMeta,
} from '../protocol-src/settings.ts'

const APPLIES: Readonly<Record<SettingMeta['applies'], string>> = {
  live: 'at once',
  next: en['applies.next'],
  restart: en['applies.restart'],
}

const INTRODUCTION = `# Settings

<!-- Written by scripts/gen-docs.ts from protocol-src/settings.ts and protocol-src/setting-words.ts; do not edit. -->

In DSH under Settings › Plugins › ${en.title}, or in DSH's \`settings.yaml\` under \`${SETTINGS_NAMESPACE}\`. Saved is applied: nothing
needs a restart unless the last column says so. A file that is edited while DSH runs is followed; with an unknown key, or a value out
of range, in it, what was in force stays in force, and the card and DSH's log say what is wrong.
A file that is wrong when DSH starts is named in the log only: until it is right the defaults are in force, and DSH shows no card.`

export const settingsDocument = (): string => {
  const sections = [...new Set(SETTING_KEYS.map((key) => metaOf(key).section))]
  return `${[INTRODUCTION, ...sections.map(sectionOf)].join('\n\n')}\n`
}

const sectionOf = (section: SettingMeta['section']): string =>
  [
    `## ${en[`section.${section}`]}`,
    '',
    '| key | what it is | values | default | applies |',
    '| --- | --- | --- | --- | --- |',
    ...SETTING_KEYS.filter((key) => metaOf(key).section === section).map(rowOf),
  ].join('\n')

const rowOf = (key: SettingKey): string => {
  const meaning = `**${en[`label.${key}`]}.** ${en[`about.${key}`]}`
  const cells = [code(key), meaning, valuesOf(key), code(DEFAULT_SETTINGS[key]), APPLIES[metaOf(key).applies]]
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}

const valuesOf = (key: SettingKey): string => {
  const field = fieldOf(key)
  switch (field.kind) {
    case 'switch':
      return `${code(true)}, ${code(false)}`
    case 'choice':
      return field.options.map(code).join(', ')
    case 'number':
      return `${field.min} to ${field.max}`
    case 'text':
      return en[`invalid.${key}` as keyof typeof en]
    case 'list':
      return '[list](ssh.md#settings-file)'
  }
}

/** As it is written in the settings file. */
const code = (value: SettingValue): string =>
  value === '' ? "`''`" : `\`${Array.isArray(value) ? '[]' : String(value)}\``
