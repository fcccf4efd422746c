/** Asks before running programs are ended. Holds the keyboard meanwhile, which the app's dialog leaves to its user. */
import { useEffect, useRef } from 'react'
import type { Translate } from '../locales.ts'
import type { Kit } from './kit.ts'
import type { Loss } from './tab-rows.ts'
import css from './CloseDialog.module.css'
import { holdKeyboard } from './hold-keyboard.ts'

export function CloseDialog(props: {
  kit: Kit
  t: Translate
  loss: Loss
  onCancel: () => void
  /** Absent where there is nothing to be hidden instead. */
  onMinimise?: () => void
  onEnd: () => void
}) {
  const { kit, t, loss, onCancel, onMinimise, onEnd } = props
  const { live, agents } = loss
  const { Button, Modal } = kit
  const row = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const dialog = row.current?.closest<HTMLElement>('[role="dialog"]') ?? null
    return dialog === null ? undefined : holdKeyboard(dialog, row.current?.querySelector('button') ?? null)
  }, [])
  const title = live === 1 ? t('confirm.title.one') : t('confirm.title.other', { count: live })
  const byAgents = agents === 1 ? t('confirm.agents.one') : t('confirm.agents.other', { count: agents })
  const what = t(onMinimise === undefined ? 'confirm.tabs' : 'confirm.body')
  return (
    <Modal
      open
      title={title}
      closeLabel={t('confirm.cancel')}
      description={agents === 0 ? what : `${byAgents} ${what}`}
      onClose={onCancel}
      footer={
        <div className={css['row']} data-tty-confirm="" ref={row}>
          <Button variant="ghost" onClick={onCancel}>
            {t('confirm.cancel')}
          </Button>
          {onMinimise === undefined ? null : (
            <Button variant="outline" onClick={onMinimise}>
              {t('panel.minimise')}
            </Button>
          )}
          <Button variant="primary" className={css['danger'] ?? ''} onClick={onEnd}>
            {t('confirm.end')}
          </Button>
        </div>
      }
    />
  )
}
