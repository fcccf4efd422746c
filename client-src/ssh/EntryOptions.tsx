/** What few entries need: the way to the machine, and what is allowed there. */
import { Check, Field, TextField } from './Field.tsx'
import type { FormPart } from './ssh-props.ts'
import css from './ssh.module.css'

export function EntryOptions({ t, book, form, before, errorOf, onChange }: FormPart) {
  const others = book.entries.filter(({ name, jump }) => name !== before?.name && jump === undefined)
  const hasProxy = book.hasProxyCommand || form.proxyCommand !== ''
  return (
    <fieldset className={css['section']}>
      <legend>{t('section.options')}</legend>
      <Field name="jump" label={t('field.jump')} about={t('field.jump.about')} error={errorOf('jump')}>
        {(described) => (
          <select
            {...described}
            className={css['text']}
            value={form.jump}
            onChange={({ target }) => {
              onChange({ jump: target.value })
            }}
          >
            <option value="">{t('field.jump.none')}</option>
            {[...new Set([...others.map(({ name }) => name), ...(form.jump === '' ? [] : [form.jump])])].map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Field>
      <TextField
        name="hostKeyAlias"
        label={t('field.hostKeyAlias')}
        about={t('field.hostKeyAlias.about')}
        error={errorOf('hostKeyAlias')}
        value={form.hostKeyAlias}
        onChange={(hostKeyAlias) => {
          onChange({ hostKeyAlias })
        }}
      />
      {hasProxy ? (
        <TextField
          name="proxyCommand"
          label={t('field.proxyCommand')}
          about={book.hasProxyCommand ? t('field.proxyCommand.about') : t('field.proxyCommand.off')}
          error={errorOf('proxyCommand')}
          value={form.proxyCommand}
          onChange={(proxyCommand) => {
            onChange({ proxyCommand })
          }}
        />
      ) : null}
      <Check
        name="agentForward"
        label={t('field.agentForward')}
        about={t('field.agentForward.about')}
        isOn={form.agentForward}
        onChange={(agentForward) => {
          onChange({ agentForward })
        }}
      />
      <Check
        name="persist"
        label={t('field.persist')}
        isOn={form.persist}
        onChange={(persist) => {
          onChange({ persist })
        }}
      />
    </fieldset>
  )
}
