/**
 * One control for each kind of field. A control shows what it is given and tells what the person made of it; whether that
 * is a value, and what becomes of it, is not its business.
 */
import type { KeyboardEvent, ReactNode } from 'react'
import type { SettingField } from '../../protocol-src/setting-fields.ts'
import type { SettingKey } from '../../protocol-src/settings.ts'
import type { FieldInput } from '../stores/settings-draft.ts'
import { sayOption, type Say } from './say.ts'
import css from './SettingsCard.module.css'

export interface ControlProps<F extends SettingField = SettingField> {
  readonly setting: SettingKey
  readonly field: F
  readonly input: FieldInput
  readonly t: Say
  readonly isReadOnly: boolean
  readonly onEdit: (input: FieldInput) => void
  /** Show what a list holds, where it is edited. */
  readonly onOpen: () => void
  /** For the control's own element: its id, what describes it, and the list of what it offers. */
  readonly about: {
    readonly id: string
    readonly 'aria-describedby': string
    readonly 'aria-invalid': boolean
    readonly list?: string | undefined
  }
}

const RENDERERS: {
  readonly [K in SettingField['kind']]: (props: ControlProps<Extract<SettingField, { kind: K }>>) => ReactNode
} = {
  switch: ({ input, isReadOnly, onEdit, about }) => (
    <input
      {...about}
      className={css['switch']}
      type="checkbox"
      role="switch"
      checked={input === true}
      aria-checked={input === true}
      disabled={isReadOnly}
      onChange={({ target }) => {
        onEdit(target.checked)
      }}
    />
  ),
  choice: ({ setting, field, input, t, isReadOnly, onEdit, about }) => (
    <select
      {...about}
      className={css['select']}
      value={String(input)}
      disabled={isReadOnly}
      onChange={({ target }) => {
        onEdit(target.value)
      }}
    >
      {field.options.map((option) => (
        <option key={option} value={option}>
          {sayOption(t, setting, option)}
        </option>
      ))}
    </select>
  ),
  number: ({ field: { min, max }, input, isReadOnly, onEdit, about }) => {
    const text = String(input)
    const value = /^\s*-?\d+\s*$/.test(text) ? Number(text) : undefined
    const handleKey = (event: KeyboardEvent): void => {
      const step = { ArrowUp: 1, ArrowDown: -1 }[event.key]
      if (step === undefined || value === undefined || isReadOnly) return
      event.preventDefault()
      onEdit(String(Math.min(max, Math.max(min, value + step))))
    }
    // Not of type "number": that would hide from us, and from the person, what is wrong with a text.
    return (
      <input
        {...about}
        className={`${css['text'] ?? ''} ${css['number'] ?? ''}`}
        type="text"
        inputMode="numeric"
        role="spinbutton"
        aria-valuemin={min}
        aria-valuemax={max}
        aria-valuenow={value}
        value={text}
        readOnly={isReadOnly}
        onKeyDown={handleKey}
        onChange={({ target }) => {
          onEdit(target.value)
        }}
      />
    )
  },
  text: ({ input, isReadOnly, onEdit, about }) => (
    <input
      {...about}
      className={css['text']}
      type="text"
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      value={String(input)}
      readOnly={isReadOnly}
      onChange={({ target }) => {
        onEdit(target.value)
      }}
    />
  ),
  list: ({ setting, input, t, onOpen, about }) => (
    <span className={css['list']}>
      <span>{input === '0' ? t('list.none') : t('list.count', { count: input })}</span>
      <button
        id={about.id}
        aria-describedby={about['aria-describedby']}
        aria-label={t('list.edit.label', { label: t(`label.${setting}`) })}
        aria-haspopup="dialog"
        type="button"
        className={css['act']}
        onClick={onOpen}
      >
        {t('list.edit')}
      </button>
    </span>
  ),
}

/** The control of a setting's kind. */
export function SettingControl(props: ControlProps): ReactNode {
  const render = RENDERERS[props.field.kind] as (props: ControlProps) => ReactNode
  return render(props)
}
