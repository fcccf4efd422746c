/** Short messages over the panel's lower edge. */
import { IconCloseOutline16 } from '@deepseek-ai/dsh-client-ui-primitives'
import { say, type Translate } from '../locales.ts'
import type { Notice } from '../stores/panel-model.ts'
import { IconButton } from './IconButton.tsx'
import css from './NoticeList.module.css'

export function NoticeList(props: { t: Translate; notices: readonly Notice[]; onDismiss: (id: number) => void }) {
  const { t, notices, onDismiss } = props
  return (
    <div className={css['list']}>
      {notices.map(({ id, tone, message }) => (
        <div key={id} className={css['notice']} data-tone={tone} data-tty-notice={message.key}>
          <span className={css['text']}>{say(t, message)}</span>
          <IconButton
            label={t('notice.dismiss')}
            onClick={() => {
              onDismiss(id)
            }}
          >
            <IconCloseOutline16 size={12} />
          </IconButton>
        </div>
      ))}
    </div>
  )
}
