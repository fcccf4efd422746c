/** One line for who sees the panel for the first time. It has room of its own, so that it covers nothing. */
import { say, type Translate } from '../locales.ts'
import type { Kit } from './kit.ts'
import { IconButton } from './IconButton.tsx'
import css from './FirstHint.module.css'

export function FirstHint({ kit, t, onDismiss }: { kit: Kit; t: Translate; onDismiss: () => void }) {
  return (
    <div className={css['hint']} data-tty-hint="">
      <span className={css['text']}>{say(t, { key: 'hint.first', params: { key: 'Ctrl+`', help: 'Ctrl+?' } })}</span>
      <IconButton label={t('hint.dismiss')} onClick={onDismiss}>
        <kit.CloseIcon size={12} />
      </IconButton>
    </div>
  )
}
