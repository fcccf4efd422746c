/** Shows a paste that the program would take for typing, and asks what to do with it. */
import { useEffect, useRef } from 'react'
import type { Translate } from '../locales.ts'
import type { PasteChoice } from '../stores/popup-model.ts'
import { holdKeyboard } from './hold-keyboard.ts'
import type { Kit } from './kit.ts'
import css from './PasteDialog.module.css'
import { visibleControls } from './visible-controls.ts'

/** What is shown of a longer text. */
const MAX_SHOWN_CHARS = 10_000

export function PasteDialog(props: { kit: Kit; t: Translate; text: string; onAnswer: (choice: PasteChoice) => void }) {
  const { kit, t, text, onAnswer } = props
  const { Button, Modal } = kit
  const row = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const dialog = row.current?.closest<HTMLElement>('[role="dialog"]') ?? null
    const release = dialog === null ? null : holdKeyboard(dialog, row.current?.querySelector('button') ?? null)
    return () => {
      release?.()
      // Gone with the panel: nobody agreed.
      onAnswer('nothing')
    }
  }, [onAnswer])
  const shown = text.slice(0, MAX_SHOWN_CHARS)
  const parts = visibleControls(shown)
  const count = text.replace(/(?:\r\n|\r|\n)$/, '').split(/\r\n|\r|\n/).length
  const hidden = text.length - shown.length
  const choose = (choice: PasteChoice) => (): void => {
    onAnswer(choice)
  }
  return (
    <Modal
      open
      title={count === 1 ? t('paste.title.one') : t('paste.title.other', { count })}
      closeLabel={t('confirm.cancel')}
      description={t('paste.body')}
      onClose={choose('nothing')}
      footer={
        <div className={css['row']} data-tty-confirm="" ref={row}>
          <Button variant="ghost" onClick={choose('nothing')}>
            {t('confirm.cancel')}
          </Button>
          <Button variant="outline" onClick={choose('one-line')}>
            {t('paste.oneLine')}
          </Button>
          <Button variant="primary" onClick={choose('lines')}>
            {t('paste.lines')}
          </Button>
        </div>
      }
    >
      {/* Takes the keyboard, so that a long text can be scrolled with it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <section className={css['text']} aria-label={t('paste.text')} tabIndex={0} data-tty-paste="">
        {parts.map(({ text: part, isSign }, at) =>
          isSign ? (
            <span key={at} className={css['sign']}>
              {part}
            </span>
          ) : (
            part
          ),
        )}
      </section>
      {hidden > 0 ? <p className={css['note']}>{t('paste.more', { count: hidden })}</p> : null}
      {parts.some(({ isSign }) => isSign) ? <p className={css['note']}>{t('paste.controls')}</p> : null}
    </Modal>
  )
}
