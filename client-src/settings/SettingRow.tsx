/** One setting: its name, its control, when it applies, and what there is to say of its value. */
import { fieldOf } from '../../protocol-src/setting-fields.ts'
import { metaOf, type SettingKey } from '../../protocol-src/settings.ts'
import type { FieldState, SettingsDraft } from '../stores/settings-draft.ts'
import { SettingControl } from './setting-fields.tsx'
import { sayInvalid, sayValue, type Say } from './say.ts'
import css from './SettingsCard.module.css'

export type RowActions = Pick<SettingsDraft, 'edit' | 'reset' | 'drop'>

export function SettingRow(props: {
  setting: SettingKey
  /** Unique on the page. */
  id: string
  state: FieldState
  isReadOnly: boolean
  t: Say
  actions: RowActions
  openList: (setting: SettingKey) => void
  /** Values that are offered; any other will do as well. */
  suggestions: readonly string[] | undefined
}) {
  const { setting, id, state, isReadOnly, t, actions, openList, suggestions = [] } = props
  const field = fieldOf(setting)
  const { applies, isOnlyTurnedOff = false } = metaOf(setting)
  const label = t(`label.${setting}`)
  const say = (value: FieldState['inForce']): string => sayValue(t, { key: setting, field, value })
  const canReset = !isReadOnly && (state.isOwn || state.isInvalid)
  return (
    <div className={css['row']} data-tty-setting={setting} data-edited={state.isEdited || state.isInvalid}>
      <div className={css['words']}>
        <div className={css['name']}>
          <label htmlFor={id}>{label}</label>
          {applies === 'live' ? null : (
            <span className={css['pill']} id={`${id}-applies`}>
              {t(`applies.${applies}`)}
            </span>
          )}
        </div>
        <p className={css['about']} id={`${id}-about`}>
          {t(`about.${setting}`)}
          {field.kind === 'number' ? ` ${field.min}–${field.max}` : ''}
        </p>
        <div className={css['notes']} id={`${id}-notes`} aria-live="polite">
          {state.isInvalid ? <p className={css['bad']}>{sayInvalid(t, setting, field)}</p> : null}
          {state.isRefused ? <p className={css['bad']}>{t('refused')}</p> : null}
          {state.isMovedElsewhere ? <p>{t('elsewhere', { value: say(state.inForce) })}</p> : null}
          {state.isAnsweredOtherwise ? <p>{t('answered', { value: say(state.inForce) })}</p> : null}
        </div>
        <div className={css['acts']}>
          {state.isMovedElsewhere ? (
            <button
              type="button"
              className={css['act']}
              aria-label={t('elsewhere.take.label', { label, value: say(state.inForce) })}
              onClick={() => {
                actions.drop(setting)
                focusControl(id)
              }}
            >
              {t('elsewhere.take')}
            </button>
          ) : null}
          {canReset ? (
            <button
              type="button"
              className={css['act']}
              aria-label={t('reset.label', { label, value: say(state.inherited) })}
              onClick={() => {
                actions.reset(setting)
                focusControl(id)
              }}
            >
              {t('reset')}
            </button>
          ) : null}
        </div>
      </div>
      <div className={css['control']}>
        <SettingControl
          setting={setting}
          field={field}
          input={state.input}
          t={t}
          isReadOnly={isReadOnly || (isOnlyTurnedOff && state.inForce === false)}
          onEdit={(input) => {
            actions.edit(setting, input)
          }}
          onOpen={() => {
            openList(setting)
          }}
          about={{
            id,
            'aria-describedby': `${id}-applies ${id}-about ${id}-notes`,
            'aria-invalid': state.isInvalid || state.isRefused,
            list: suggestions.length === 0 ? undefined : `${id}-offered`,
          }}
        />
        {suggestions.length === 0 ? null : (
          <datalist id={`${id}-offered`}>
            {suggestions.map((value) => (
              <option key={value} value={value}>
                {value}
              </option>
            ))}
          </datalist>
        )}
      </div>
    </div>
  )
}

/** The pressed button goes away with what it did; the keyboard stays at the setting. */
export function focusControl(id: string): void {
  document.getElementById(id)?.focus()
}
