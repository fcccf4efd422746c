/** Laws over the settings card: every setting has its words in both languages, a control, and a way to the host and back. */
import library from '@deepseek-ai/schemastery'
import type { ReactElement } from 'react'
import { describe, expect, it } from 'vitest'
import { SettingControl } from '../../client-src/settings/setting-fields.tsx'
import { sayInvalid, sayOption, sayValue, type Say } from '../../client-src/settings/say.ts'
import { en, zh, type SettingWord } from '../../protocol-src/setting-words.ts'
import { SettingsDraft, type HostSettings, type SettingEdit } from '../../client-src/stores/settings-draft.ts'
import { createStore } from '../../client-src/stores/store.ts'
import { toHostSchema } from '../../host-src/dsh/config-schema.ts'
import { fieldOf, type SettingField, type SettingValue } from '../../protocol-src/setting-fields.ts'
import { DEFAULT_SETTINGS, SETTING_KEYS, settingsSchema, type SettingKey } from '../../protocol-src/settings.ts'

const hostSchema = toHostSchema(library) as unknown as (value: unknown) => Record<string, unknown>
const placeholders = (text: string) => new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))
const sayIn =
  (words: Readonly<Record<SettingWord, string>>): Say =>
  (word, params = {}) =>
    words[word].replaceAll(/\{(\w+)\}/g, (_, name: string) => String(params[name]))

/** What a person would put into a control of this kind so that it changes. */
const otherInput = (key: SettingKey, field: SettingField): { input: string | boolean; value: unknown } => {
  const now = DEFAULT_SETTINGS[key]
  switch (field.kind) {
    case 'switch':
      return { input: now !== true, value: now !== true }
    case 'choice': {
      const option = field.options.find((each) => each !== now) ?? ''
      return { input: option, value: option }
    }
    case 'number':
      return { input: String(field.max), value: field.max }
    case 'text':
      return { input: 'changed', value: 'changed' }
    case 'list':
      throw new TypeError('a list is edited elsewhere')
  }
}

const open = () => {
  const inForce = new Map<SettingKey, SettingValue>(SETTING_KEYS.map((key) => [key, DEFAULT_SETTINGS[key]]))
  const settings = createStore<HostSettings | null>({
    inForce,
    own: new Set(),
    inherited: inForce,
    isWritable: true,
  })
  const sent: SettingEdit[] = []
  const save = async (edits: readonly SettingEdit[]) => {
    sent.push(...edits)
    return { kind: 'saved' as const }
  }
  return { draft: new SettingsDraft({ settings, save }), sent }
}

describe('every setting', () => {
  it.each(SETTING_KEYS)('%s has its words', (key) => {
    const field = fieldOf(key)
    for (const words of [en, zh]) {
      const t = sayIn(words)
      const said = [
        t(`label.${key}`),
        t(`about.${key}`),
        sayValue(t, { key, field, value: DEFAULT_SETTINGS[key] }),
        ...(field.kind === 'choice' ? field.options.map((option) => sayOption(t, key, option)) : []),
        ...(field.kind === 'number' || field.kind === 'text' ? [sayInvalid(t, key, field)] : []),
      ]
      for (const text of said) expect(text.trim()).not.toBe('')
    }
  })

  const isList = (key: SettingKey): boolean => fieldOf(key).kind === 'list'

  it.each(SETTING_KEYS.filter((key) => !isList(key)))(
    '%s has a control that tells what is put into it, and the host takes that',
    async (key) => {
      const { draft, sent } = open()
      const field = fieldOf(key)
      const { input, value } = otherInput(key, field)
      const element = SettingControl({
        setting: key,
        field,
        input: draft.getSnapshot()?.fields.get(key)?.input ?? '',
        t: sayIn(en),
        isReadOnly: false,
        onEdit: (next) => {
          draft.edit(key, next)
        },
        onOpen: () => {
          throw new Error('there is nothing to open')
        },
        about: { id: 'field', 'aria-describedby': 'words', 'aria-invalid': false },
      }) as ReactElement<{ id: string; onChange: (event: object) => void }>
      expect(element.props.id).toBe('field')
      element.props.onChange({ target: typeof input === 'boolean' ? { checked: input } : { value: input } })
      expect(draft.getSnapshot()).toMatchObject({ unsaved: 1, firstInvalid: null })
      await draft.save()
      expect(sent).toEqual([{ op: 'set', key, value }])
      const stored = JSON.parse(JSON.stringify({ [key]: value })) as unknown
      expect(settingsSchema.parse({ ...hostSchema(stored) })[key]).toBe(value)
    },
  )

  it.each(SETTING_KEYS.filter(isList))(
    '%s is opened where it is edited, and nothing that the card does can empty it',
    (key) => {
      const { draft, sent } = open()
      const opened: string[] = []
      const element = SettingControl({
        setting: key,
        field: fieldOf(key),
        input: draft.getSnapshot()?.fields.get(key)?.input ?? '',
        t: sayIn(en),
        isReadOnly: false,
        onEdit: () => {
          throw new Error('there is nothing to edit')
        },
        onOpen: () => opened.push(key),
        about: { id: 'field', 'aria-describedby': 'words', 'aria-invalid': false },
      }) as ReactElement<{ children: readonly ReactElement<{ id?: string; onClick?: () => void }>[] }>
      const button = element.props.children.find(({ props }) => props.id === 'field')
      button?.props.onClick?.()
      expect(opened).toEqual([key])
      draft.reset(key)
      draft.edit(key, '')
      draft.resetAll()
      expect(draft.getSnapshot()).toMatchObject({ unsaved: 0, firstInvalid: null })
      expect(sent).toEqual([])
    },
  )

  it.each(SETTING_KEYS)('%s has a field with the bounds that the schema has', (key) => {
    const field = fieldOf(key)
    if (field.kind !== 'number') return
    const check = (value: number) => settingsSchema.shape[key].safeParse(value).success
    expect([field.min - 1, field.min, field.max, field.max + 1].map(check)).toEqual([false, true, true, false])
  })
})

describe('the words of the card', () => {
  const words = Object.keys(zh) as SettingWord[]

  it('are the same in both languages, with the same facts in each', () => {
    expect(new Set(Object.keys(en))).toEqual(new Set(words))
    for (const word of words) {
      expect(en[word].trim(), word).not.toBe('')
      expect(placeholders(en[word]), word).toEqual(placeholders(zh[word]))
    }
  })

  it('are about settings that there are', () => {
    const keys = new Set<string>(SETTING_KEYS)
    for (const word of words) {
      const [, key] = /^(?:label|about|invalid|option)\.([^.]+)/.exec(word) ?? []
      if (key !== undefined) expect(keys.has(key), word).toBe(true)
    }
  })
})
