/** What there is to take over from the user's SSH files, what of it cannot be, and the choice. */
import { useId, useState } from 'react'
import type { ImportEntry, ImportPreview } from '../../protocol-src/ssh-import.ts'
import { Dialog } from './Dialog.tsx'
import { Check } from './Field.tsx'
import type { SaySsh } from './words.ts'
import type { SshProps } from './ssh-props.ts'
import { useAnswer } from './use-answer.ts'
import css from './ssh.module.css'

export function ImportDialog({ kit, t, requests, sayError, onClose }: SshProps) {
  const [answer, follow] = useAnswer(() => requests.readFiles())
  /** Those that are not wanted: everything that can be taken over is, until somebody says otherwise. */
  const [unwanted, setUnwanted] = useState<ReadonlySet<string>>(new Set())
  const [hasHostKeys, setHostKeys] = useState(true)
  const [outcome, setOutcome] = useState<{ isGood: boolean; text: string } | null>(null)
  const { Button } = kit
  const preview = answer.kind === 'here' ? answer.value : null
  const names = (preview?.entries ?? []).filter(({ state }) => state === 'new').map(({ name }) => name)
  const chosen = names.filter((name) => !unwanted.has(name))
  const take = (): void => {
    if (preview === null) return
    requests.takeOver({ names: chosen, hostKeys: hasHostKeys && preview.newHostKeys > 0 }).then(
      () => {
        setOutcome({ isGood: true, text: t('import.done') })
        follow(requests.readFiles())
      },
      (error: unknown) => {
        setOutcome({ isGood: false, text: sayError(error) })
      },
    )
  }
  return (
    <Dialog
      kit={kit}
      name="import"
      title={t('import')}
      closeLabel={t('close')}
      onClose={onClose}
      footer={
        <div className={css['buttons']}>
          <span className={css['spring']} />
          <Button variant="ghost" onClick={onClose}>
            {t('close')}
          </Button>
          <Button variant="primary" onClick={take}>
            {t('import.do')}
          </Button>
        </div>
      }
    >
      <p className={css['about']}>{t('import.about')}</p>
      {answer.kind === 'waiting' ? <output>{t('loading')}</output> : null}
      {answer.kind === 'failed' ? (
        <p className={css['bad']} role="alert">
          {sayError(answer.error)}
        </p>
      ) : null}
      {preview === null ? null : (
        <>
          {preview.entries.length === 0 ? <p className={css['about']}>{t('import.empty')}</p> : null}
          <ul className={css['list']}>
            {preview.entries.map((entry) => (
              <Entry
                key={entry.name}
                t={t}
                entry={entry}
                isChosen={entry.state === 'new' && !unwanted.has(entry.name)}
                onChoose={(isChosen) => {
                  const others = [...unwanted].filter((name) => name !== entry.name)
                  setUnwanted(new Set(isChosen ? others : [...others, entry.name]))
                }}
              />
            ))}
          </ul>
          {preview.newHostKeys === 0 ? (
            <p className={css['about']}>{t('import.noHostKeys')}</p>
          ) : (
            <Check
              name="hostKeys"
              label={t('import.hostKeys', { count: preview.newHostKeys, known: preview.knownHostKeys })}
              isOn={hasHostKeys}
              onChange={setHostKeys}
            />
          )}
          <FileNotes t={t} preview={preview} />
        </>
      )}
      <output className={outcome?.isGood === false ? css['bad'] : css['good']}>{outcome?.text}</output>
    </Dialog>
  )
}

function Entry(props: { t: SaySsh; entry: ImportEntry; isChosen: boolean; onChoose: (isChosen: boolean) => void }) {
  const { t, entry, isChosen, onChoose } = props
  const { name, username, host, port, jump, state, notes } = entry
  const id = useId()
  return (
    <li className={css['machine']} data-tty-import={name} data-state={state}>
      <div className={css['check']}>
        <input
          id={id}
          type="checkbox"
          checked={isChosen}
          disabled={state !== 'new'}
          onChange={({ target }) => {
            onChoose(target.checked)
          }}
        />
        <label className={css['what']} htmlFor={id}>
          <span>
            {name}
            {state === 'new' ? null : <span className={css['bad']}> · {t(`import.${state}`)}</span>}
          </span>
          <span className={css['about']}>
            {`${username}@${host}${port === 22 ? '' : `:${String(port)}`}`}
            {jump === null ? '' : ` · ${t('book.via', { jump })}`}
          </span>
        </label>
      </div>
      {notes.map(({ code, what }) => (
        <p key={`${code} ${what}`} className={css['note']}>
          {t(`note.${code}`, { what })}
        </p>
      ))}
    </li>
  )
}

function FileNotes({ t, preview }: { t: SaySsh; preview: ImportPreview }) {
  const notes = [...preview.configNotes, ...preview.hostKeyNotes]
  if (notes.length === 0) return null
  return (
    <section aria-label={t('import.notes')}>
      <h3 className={css['heading']}>{t('import.notes')}</h3>
      {notes.map(({ code, what }, at) => (
        <p key={`${String(at)} ${what}`} className={css['note']}>
          {t(`note.${code}`, { what })}
        </p>
      ))}
    </section>
  )
}
