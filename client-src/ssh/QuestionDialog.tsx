/** What the host asks on the way to a machine: whether it is the one, or what only the person knows. */
import { useId, useState } from 'react'
import type { Answer, Question } from '../../protocol-src/question.ts'
import type { Kit } from '../panel/kit.ts'
import { Dialog } from './Dialog.tsx'
import type { SaySsh } from './words.ts'
import css from './ssh.module.css'

interface QuestionProps<K extends Question['kind']> {
  readonly kit: Kit
  readonly t: SaySsh
  readonly question: Extract<Question, { kind: K }>
  readonly onAnswer: (answer: Answer) => void
}

export function HostKeyDialog({ kit, t, question, onAnswer }: QuestionProps<'host-key'>) {
  const { where, keyType, fingerprint, others } = question
  const { Button } = kit
  const reject = (): void => {
    onAnswer({ kind: 'cancel' })
  }
  return (
    <Dialog
      kit={kit}
      name="host-key"
      title={t('ask.hostKey', { host: placeOf(where) })}
      closeLabel={t('ask.reject')}
      onClose={reject}
      footer={
        <div className={css['buttons']}>
          <span className={css['spring']} />
          <Button variant="ghost" onClick={reject}>
            {t('ask.reject')}
          </Button>
          <Button
            variant="primary"
            onClick={() => {
              onAnswer({ kind: 'accept' })
            }}
          >
            {t('ask.accept')}
          </Button>
        </div>
      }
    >
      <Where t={t} where={where} />
      <p className={css['about']}>{t('ask.hostKey.about')}</p>
      {/* Holds the keyboard first: a key that was meant for a terminal accepts nothing. */}
      <section
        className={css['key']}
        aria-label={t('ask.fingerprint', { type: keyType })}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        data-tty-first=""
      >
        <span className={css['about']}>{t('ask.fingerprint', { type: keyType })}</span>
        <code className={css['fingerprint']} data-tty-fingerprint="">
          {fingerprint}
        </code>
      </section>
      {others.length === 0 ? null : (
        <p className={css['bad']} role="alert">
          {t('ask.hostKey.others', { others: others.join(', ') })}
        </p>
      )}
    </Dialog>
  )
}

export function PromptsDialog({ kit, t, question, onAnswer }: QuestionProps<'prompts'>) {
  const { where, purpose, name, instructions, prompts, again, keyPath } = question
  const [values, setValues] = useState(() => prompts.map(() => ''))
  const id = useId()
  const { Button } = kit
  const { user, host } = where
  const titles = {
    password: t('ask.password', { user, host }),
    passphrase: t('ask.passphrase', { keyPath: keyPath ?? '' }),
    'keyboard-interactive': t('ask.questions', { user, host }),
  }
  const cancel = (): void => {
    onAnswer({ kind: 'cancel' })
  }
  const answer = (): void => {
    onAnswer({ kind: 'prompts', values })
  }
  const ownLabel = (at: number): string =>
    purpose === 'keyboard-interactive' ? t('ask.input.other', { number: at + 1 }) : t(`ask.input.${purpose}`)
  const words = [name, instructions].filter((text) => text !== '')
  return (
    <Dialog
      kit={kit}
      name="prompts"
      title={titles[purpose]}
      closeLabel={t('cancel')}
      onClose={cancel}
      footer={
        <div className={css['buttons']}>
          <span className={css['spring']} />
          <Button variant="ghost" onClick={cancel}>
            {t('cancel')}
          </Button>
          <Button variant="primary" onClick={answer}>
            {t('ask.answer')}
          </Button>
        </div>
      }
    >
      <Where t={t} where={where} />
      {again ? (
        <p className={css['bad']} role="alert">
          {t('ask.again')}
        </p>
      ) : null}
      {purpose === 'keyboard-interactive' ? <p className={css['about']}>{t('ask.fromHost')}</p> : null}
      {words.map((text) => (
        <p key={text} className={css['theirs']}>
          {text}
        </p>
      ))}
      <div>
        {prompts.map(({ text, echo }, at) => (
          <div key={String(at)} className={css['field']}>
            <label className={css['label']} htmlFor={`${id}-${String(at)}`}>
              {text === '' ? ownLabel(at) : text}
            </label>
            <div className={css['control']}>
              <input
                id={`${id}-${String(at)}`}
                className={css['text']}
                type={echo ? 'text' : 'password'}
                autoComplete="off"
                spellCheck={false}
                value={values[at] ?? ''}
                onKeyDown={(event) => {
                  if (event.key === 'Enter' && !event.nativeEvent.isComposing) answer()
                }}
                onChange={({ target }) => {
                  setValues(values.map((value, index) => (index === at ? target.value : value)))
                }}
              />
            </div>
          </div>
        ))}
      </div>
    </Dialog>
  )
}

function Where({ t, where }: { t: SaySsh; where: Question['where'] }) {
  const name = `${where.user}@${placeOf(where)}`
  return (
    <p className={css['where']}>
      {where.book === null ? name : `${where.book} · ${name}`}
      {where.hop === 'jump' ? ` · ${t('ask.jump')}` : ''}
    </p>
  )
}

function placeOf({ host, port }: Question['where']): string {
  if (port === 22) return host
  return host.includes(':') ? `[${host}]:${String(port)}` : `${host}:${String(port)}`
}
