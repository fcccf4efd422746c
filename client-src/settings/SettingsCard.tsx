/**
 * The card of the terminal in the app's settings. Walks the schema and names no setting: a new one appears by itself. Edits
 * are held until saved; what is shown afterwards is the host's answer.
 */
import { useId, useState, type FormEvent, type ReactNode } from 'react'
import { metaOf, type SettingKey, type SettingMeta } from '../../protocol-src/settings.ts'
import type { SettingsDraft, SettingsForm } from '../stores/settings-draft.ts'
import { SettingRow, focusControl, type RowActions } from './SettingRow.tsx'
import { SettingsFooter } from './SettingsFooter.tsx'
import { useSettingFacts, type AskSettingFacts } from './use-setting-facts.ts'
import type { Say } from './say.ts'
import css from './SettingsCard.module.css'

export interface SettingsCardProps {
  readonly t: Say
  readonly useForm: <S>(select: (form: SettingsForm | null) => S) => S
  readonly actions: RowActions & Pick<SettingsDraft, 'resetAll' | 'discard' | 'save'>
  /** A list is edited in a dialog of its own. */
  readonly openList: (setting: SettingKey) => void
  readonly askFacts: AskSettingFacts
  /** The app's own glyph. */
  readonly ChevronIcon: (props: { className?: string }) => ReactNode
}

export function SettingsCard({ t, useForm, actions, openList, askFacts, ChevronIcon }: SettingsCardProps) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const form = useForm((each) => each)
  const facts = useSettingFacts(askFacts, isOpen)
  // A card that nobody can act on tells a person nothing.
  if (form === null) return null
  const idOf = (setting: SettingKey): string => `${id}-${setting}`
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault()
    if (form.firstInvalid === null) void actions.save()
    else focusControl(idOf(form.firstInvalid))
  }
  return (
    // The role is said because the app puts an element of its own between the list and this.
    // oxlint-disable-next-line jsx-a11y/no-redundant-roles -- see above
    <li role="listitem" className={css['card']} data-open={isOpen} data-tty-settings="">
      <button
        type="button"
        className={css['header']}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => {
          setOpen(!isOpen)
        }}
      >
        <span className={css['heading']}>
          <span className={css['title']}>{t('title')}</span>
          <span className={css['description']}>{t('description')}</span>
        </span>
        {form.unsaved === 0 ? null : <span className={css['pill']}>{t('unsaved', { count: form.unsaved })}</span>}
        <ChevronIcon className={css['chevron'] ?? ''} />
      </button>
      {isOpen ? (
        <form className={css['body']} id={id} aria-label={t('title')} noValidate onSubmit={handleSubmit}>
          {form.isWritable ? null : (
            <p className={css['readOnly']} role="note">
              {t('readOnly')}
            </p>
          )}
          <p className={css['problem']} aria-live="polite" data-tty-file-problem={facts.fileProblem !== null}>
            {facts.fileProblem === null ? null : t('fileProblem', { problem: facts.fileProblem })}
          </p>
          {sectionsOf(form).map(([section, settings]) => (
            <fieldset key={section} className={css['section']}>
              <legend className={css['legend']}>{t(`section.${section}`)}</legend>
              {settings.map(([setting, state]) => (
                <SettingRow
                  key={setting}
                  setting={setting}
                  id={idOf(setting)}
                  state={state}
                  isReadOnly={!form.isWritable}
                  t={t}
                  actions={actions}
                  openList={openList}
                  suggestions={facts.suggestions[setting]}
                />
              ))}
            </fieldset>
          ))}
          <SettingsFooter form={form} t={t} actions={actions} />
        </form>
      ) : null}
    </li>
  )
}

type Fields = [SettingKey, NonNullable<ReturnType<SettingsForm['fields']['get']>>][]

/** By section, in the order in which the schema comes to them. */
function sectionsOf({ fields }: SettingsForm): readonly [SettingMeta['section'], Fields][] {
  const sections = new Map<SettingMeta['section'], Fields>()
  for (const entry of fields) {
    const { section } = metaOf(entry[0])
    sections.set(section, [...(sections.get(section) ?? []), entry])
  }
  return [...sections]
}
