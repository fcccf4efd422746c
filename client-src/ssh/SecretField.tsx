/** A secret of an entry: what the host has is never here; it is kept, replaced or cleared. */
import { useState } from 'react'
import type { SecretState } from '../../protocol-src/ssh.ts'
import type { SecretInput } from './entry-form.ts'
import { Check, Field } from './Field.tsx'
import type { SaySsh } from './words.ts'
import css from './ssh.module.css'

export function SecretField(props: {
  t: SaySsh
  field: 'password' | 'passphrase'
  input: SecretInput
  /** What the host has, or null for a new entry. */
  held: SecretState | null
  /** The host has it for another account than the one filled in. */
  isOfAnother: boolean
  canStore: boolean
  error: string | null
  onChange: (input: SecretInput) => void
}) {
  const { t, field, input, held, isOfAnother, canStore, error, onChange } = props
  const [isEdited, setEdited] = useState(!input.isKept)
  const isHeld = held?.isSet === true && !isOfAnother
  if (isHeld && input.isKept && !isEdited)
    return (
      <Field name={field} label={t(`field.${field}`)}>
        {({ id }) => (
          <span className={css['kept']}>
            <span>
              {held.reference === null ? t('secret.kept') : t('secret.reference', { reference: held.reference })}
            </span>
            <button
              id={id}
              type="button"
              className={css['link']}
              onClick={() => {
                setEdited(true)
                onChange({ ...input, isKept: false })
              }}
            >
              {t('secret.change')}
            </button>
          </span>
        )}
      </Field>
    )
  const isReference = input.text.startsWith('env:')
  return (
    <>
      <Field
        name={field}
        label={t(`field.${field}`)}
        about={held?.isSet === true && isOfAnother ? t('secret.another') : t(`field.${field}.about`)}
        error={error}
      >
        {(described) => (
          <span className={css['kept']}>
            <input
              {...described}
              className={css['text']}
              // A reference is no secret, and has to be read to be right.
              type={isReference ? 'text' : 'password'}
              autoComplete="new-password"
              spellCheck={false}
              value={input.text}
              onChange={({ target }) => {
                onChange({ ...input, isKept: false, text: target.value })
              }}
            />
            {isHeld ? (
              <button
                type="button"
                className={css['link']}
                onClick={() => {
                  setEdited(false)
                  onChange({ ...input, isKept: true, text: '' })
                }}
              >
                {t('secret.keep')}
              </button>
            ) : null}
          </span>
        )}
      </Field>
      {input.text === '' || isReference || !canStore ? null : (
        <Check
          name={`${field}-store`}
          label={t('secret.store')}
          {...(input.isStored ? {} : { about: t('secret.plain') })}
          isOn={input.isStored}
          onChange={(isStored) => {
            onChange({ ...input, isStored })
          }}
        />
      )}
      {input.text === '' || isReference || canStore ? null : <p className={css['about']}>{t('secret.plain')}</p>}
    </>
  )
}
