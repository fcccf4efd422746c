/** One quiet line at the panel's lower edge: history is not kept as it should be, and why. */
import { say, type Message, type Translate } from '../locales.ts'
import type { Kit } from './kit.ts'
import { IconButton } from './IconButton.tsx'
import css from './JournalLine.module.css'

export function JournalLine(props: { kit: Kit; t: Translate; message: Message; onDismiss: () => void }) {
  const { kit, t, message, onDismiss } = props
  return (
    <div className={css['line']} data-tty-journal>
      <span className={css['text']}>{say(t, message)}</span>
      <IconButton label={t('journal.dismiss')} onClick={onDismiss}>
        <kit.CloseIcon size={12} />
      </IconButton>
    </div>
  )
}
