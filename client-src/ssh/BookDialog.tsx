/** The connection book as a list. */
import { useState } from 'react'
import { Dialog } from './Dialog.tsx'
import type { BookProps } from './ssh-props.ts'
import css from './ssh.module.css'

export function BookDialog({ kit, t, book, requests, sayError, onShow, onClose, onConnect }: BookProps) {
  const [failure, setFailure] = useState<string | null>(null)
  const { Button } = kit
  const remove = (name: string): void => {
    setFailure(null)
    requests.remove(name).catch((error: unknown) => {
      setFailure(sayError(error))
    })
  }
  return (
    <Dialog
      kit={kit}
      name="book"
      title={t('book')}
      closeLabel={t('close')}
      onClose={onClose}
      footer={
        <div className={css['buttons']}>
          <Button
            variant="ghost"
            onClick={() => {
              onShow({ kind: 'host-keys' })
            }}
          >
            {t('book.hostKeys')}
          </Button>
          <Button
            variant="ghost"
            onClick={() => {
              onShow({ kind: 'import' })
            }}
          >
            {t('book.import')}
          </Button>
          <span className={css['spring']} />
          <Button
            variant="primary"
            onClick={() => {
              onShow({ kind: 'entry', name: null })
            }}
          >
            {t('book.new')}
          </Button>
        </div>
      }
    >
      {book.entries.length === 0 ? <p className={css['about']}>{t('book.empty')}</p> : null}
      <ul className={css['list']}>
        {book.entries.map(({ name, username, host, port, jump }) => (
          <li key={name} className={css['item']} data-tty-entry-name={name}>
            <span className={css['what']}>
              <span>{name}</span>
              <span className={css['about']}>
                {`${username}@${host}${port === 22 ? '' : `:${String(port)}`}`}
                {jump === undefined ? '' : ` · ${t('book.via', { jump })}`}
              </span>
            </span>
            <button
              type="button"
              className={css['link']}
              aria-label={t('book.connect', { name })}
              onClick={() => {
                onConnect({ book: name })
              }}
            >
              {t('connect')}
            </button>
            <button
              type="button"
              className={css['link']}
              aria-label={t('book.edit', { name })}
              onClick={() => {
                onShow({ kind: 'entry', name })
              }}
            >
              {t('edit')}
            </button>
            <button
              type="button"
              className={css['link']}
              aria-label={t('book.delete', { name })}
              onClick={() => {
                remove(name)
              }}
            >
              {t('delete')}
            </button>
          </li>
        ))}
      </ul>
      <p className={css['bad']} role="alert">
        {failure}
      </p>
    </Dialog>
  )
}
