/** Short messages over the terminal's lower edge. */
import { say, type Translate } from '../locales.ts'
import type { Notice } from '../stores/panel-model.ts'
import type { Kit } from './kit.ts'
import { IconButton } from './IconButton.tsx'
import { joined } from './joined.ts'
import css from './NoticeList.module.css'
import popup from './Popup.module.css'

export function NoticeList(props: {
  kit: Kit
  t: Translate
  notices: readonly Notice[]
  onDismiss: (id: number) => void
}) {
  const { kit, t, notices, onDismiss } = props
  return (
    <div className={css['anchor']}>
      <div className={css['list']}>
        {notices.map(({ id, tone, message }) => (
          <div
            key={id}
            className={joined(popup['popup'], css['notice'])}
            data-tone={tone}
            data-tty-notice={message.key}
          >
            <span className={css['text']}>{say(t, message)}</span>
            <IconButton
              label={t('notice.dismiss')}
              onClick={() => {
                onDismiss(id)
              }}
            >
              <kit.CloseIcon size={12} />
            </IconButton>
          </div>
        ))}
      </div>
    </div>
  )
}
