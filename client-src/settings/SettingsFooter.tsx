/** Save, discard and reset, and what became of the last save. Stays in sight while the card is scrolled. */
import type { SaveOutcome, SettingsDraft, SettingsForm } from '../stores/settings-draft.ts'
import type { Say } from './say.ts'
import css from './SettingsCard.module.css'

/** Said after a save, the one that asks most of the person last. */
const APPLIES = ['live', 'next', 'restart'] as const

export function SettingsFooter(props: {
  form: SettingsForm
  t: Say
  actions: Pick<SettingsDraft, 'resetAll' | 'discard'>
}) {
  const { form, t, actions } = props
  const { unsaved, isSaving, outcome, firstInvalid } = form
  const hasOwn = [...form.fields.values()].some(({ isOwn }) => isOwn)
  const isFailed = outcome !== null && outcome.kind !== 'saved'
  const said = isSaving ? t('saving') : outcome === null ? '' : sayOutcome(t, outcome)
  if (!form.isWritable) return null
  return (
    <div className={css['footer']}>
      <output className={css['outcome']} data-failed={isFailed}>
        {said === '' && firstInvalid !== null ? t('invalid') : said}
      </output>
      <div className={css['buttons']}>
        <button
          type="button"
          className={css['plain']}
          aria-disabled={!hasOwn}
          onClick={() => {
            actions.resetAll()
          }}
        >
          {t('reset.all')}
        </button>
        <button
          type="button"
          className={css['outline']}
          aria-disabled={unsaved === 0}
          onClick={() => {
            actions.discard()
          }}
        >
          {t('discard')}
        </button>
        <button type="submit" className={css['primary']} aria-disabled={unsaved === 0 || isSaving}>
          {t('save')}
        </button>
      </div>
    </div>
  )
}

function sayOutcome(t: Say, outcome: SaveOutcome): string {
  switch (outcome.kind) {
    case 'saved':
      return [
        t('saved.done'),
        ...APPLIES.filter((each) => outcome.applies.has(each)).map((each) => t(`saved.${each}`)),
      ].join(' ')
    case 'refused':
      return t('failed.refused', { reason: outcome.reason })
    case 'moved':
      return t('failed.moved')
    case 'unreachable':
      return t('failed.unreachable')
  }
}
