/** One line of a form: its name, its control, what there is to say of it, and what is wrong with it. */
import { useId, type ReactNode } from 'react'
import css from './ssh.module.css'

export interface Described {
  readonly id: string
  readonly 'aria-describedby': string
  readonly 'aria-invalid': boolean
}

export function Field(props: {
  label: string
  about?: string | undefined
  /** Null while it is as it has to be. */
  error?: string | null
  name: string
  children: (described: Described) => ReactNode
}) {
  const { label, about, error = null, name, children } = props
  const id = useId()
  return (
    <div className={css['field']} data-tty-field={name}>
      <label className={css['label']} htmlFor={id}>
        {label}
      </label>
      <div className={css['control']}>
        {children({ id, 'aria-describedby': `${id}-about ${id}-error`, 'aria-invalid': error !== null })}
        {about === undefined ? null : (
          <p className={css['about']} id={`${id}-about`}>
            {about}
          </p>
        )}
        <p className={css['error']} id={`${id}-error`} aria-live="polite">
          {error}
        </p>
      </div>
    </div>
  )
}

export function TextField(props: {
  label: string
  about?: string | undefined
  error?: string | null
  name: string
  value: string
  onChange: (value: string) => void
  isFirst?: boolean
  isNumber?: boolean
}) {
  const { value, onChange, isFirst = false, isNumber = false, ...about } = props
  return (
    <Field {...about}>
      {(described) => (
        <input
          {...described}
          className={css['text']}
          type="text"
          inputMode={isNumber ? 'numeric' : undefined}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          data-tty-first={isFirst ? '' : undefined}
          value={value}
          onChange={({ target }) => {
            onChange(target.value)
          }}
        />
      )}
    </Field>
  )
}

export function Check(props: {
  label: string
  about?: string
  name: string
  isOn: boolean
  onChange: (isOn: boolean) => void
}) {
  const { label, about, name, isOn, onChange } = props
  const id = useId()
  return (
    <div className={css['check']} data-tty-field={name}>
      <input
        id={id}
        type="checkbox"
        checked={isOn}
        aria-describedby={about === undefined ? undefined : `${id}-about`}
        onChange={({ target }) => {
          onChange(target.checked)
        }}
      />
      <div>
        <label htmlFor={id}>{label}</label>
        {about === undefined ? null : (
          <p className={css['about']} id={`${id}-about`}>
            {about}
          </p>
        )}
      </div>
    </div>
  )
}
