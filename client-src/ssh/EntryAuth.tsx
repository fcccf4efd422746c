/** How somebody logs in to a machine. */
import { isOfAnother } from './entry-form.ts'
import { Field, TextField } from './Field.tsx'
import { SecretField } from './SecretField.tsx'
import type { FormPart } from './ssh-props.ts'
import css from './ssh.module.css'

const METHODS = ['agent', 'key', 'password'] as const

export function EntryAuth({ t, book, form, before, errorOf, onChange }: FormPart) {
  const { auth } = form
  const another = isOfAnother(form, before)
  return (
    <fieldset className={css['section']}>
      <legend>{t('section.auth')}</legend>
      <Field name="auth" label={t('field.auth')}>
        {(described) => (
          <select
            {...described}
            className={css['text']}
            value={auth}
            onChange={({ target }) => {
              onChange({ auth: METHODS.find((method) => method === target.value) ?? 'agent' })
            }}
          >
            {METHODS.map((method) => (
              <option key={method} value={method}>
                {t(`auth.${method}`)}
              </option>
            ))}
          </select>
        )}
      </Field>
      {auth === 'password' ? null : (
        <TextField
          name="keyPath"
          label={t('field.keyPath')}
          about={auth === 'agent' ? t('field.keyPath.agent.about') : t('field.keyPath.about')}
          error={errorOf('keyPath')}
          value={form.keyPath}
          onChange={(keyPath) => {
            onChange({ keyPath })
          }}
        />
      )}
      {auth === 'key' ? (
        <SecretField
          t={t}
          field="passphrase"
          input={form.passphrase}
          held={before?.passphrase ?? null}
          isOfAnother={another}
          canStore={book.canStore}
          error={errorOf('passphrase')}
          onChange={(passphrase) => {
            onChange({ passphrase })
          }}
        />
      ) : null}
      {auth === 'password' ? (
        <SecretField
          t={t}
          field="password"
          input={form.password}
          held={before?.password ?? null}
          isOfAnother={another}
          canStore={book.canStore}
          error={errorOf('password')}
          onChange={(password) => {
            onChange({ password })
          }}
        />
      ) : null}
    </fieldset>
  )
}
