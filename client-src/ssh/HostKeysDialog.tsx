/** The keys by which machines are known, to be looked at and deleted. */
import { useState } from 'react'
import type { HostKeyRecord } from '../../protocol-src/ssh.ts'
import { Dialog } from './Dialog.tsx'
import { TextField } from './Field.tsx'
import type { SaySsh } from './words.ts'
import type { SshProps } from './ssh-props.ts'
import { useAnswer } from './use-answer.ts'
import css from './ssh.module.css'

/** Longer lists are searched rather than read. */
const MAX_SHOWN = 100

export function HostKeysDialog({ kit, t, requests, sayError, onClose }: SshProps) {
  const [answer, follow] = useAnswer(() => requests.hostKeys())
  const [filter, setFilter] = useState('')
  const { Button } = kit
  const records = answer.kind === 'here' ? answer.value : []
  const wanted = filter.trim().toLowerCase()
  const shown = records.filter(({ host, fingerprints, revoked }) =>
    [host, ...fingerprints, ...revoked].some((text) => text.toLowerCase().includes(wanted)),
  )
  return (
    <Dialog
      kit={kit}
      name="host-keys"
      title={t('hostKeys')}
      closeLabel={t('close')}
      onClose={onClose}
      footer={
        <div className={css['buttons']}>
          <span className={css['spring']} />
          <Button variant="primary" onClick={onClose}>
            {t('close')}
          </Button>
        </div>
      }
    >
      <p className={css['about']}>{t('hostKeys.about')}</p>
      {records.length > 0 ? (
        <TextField name="filter" label={t('hostKeys.search')} value={filter} onChange={setFilter} />
      ) : null}
      {answer.kind === 'waiting' ? <output>{t('loading')}</output> : null}
      {answer.kind === 'failed' ? (
        <p className={css['bad']} role="alert">
          {sayError(answer.error)}
        </p>
      ) : null}
      {answer.kind === 'here' && shown.length === 0 ? (
        <p className={css['about']}>{records.length === 0 ? t('hostKeys.empty') : t('hostKeys.none')}</p>
      ) : null}
      <ul className={css['list']}>
        {shown.slice(0, MAX_SHOWN).map((record) => (
          <Machine
            key={`${record.host} ${String(record.port)}`}
            t={t}
            record={record}
            onForget={(fingerprint) => {
              follow(requests.forgetHostKey(record, fingerprint))
            }}
          />
        ))}
      </ul>
    </Dialog>
  )
}

function Machine(props: { t: SaySsh; record: HostKeyRecord; onForget: (fingerprint: string) => void }) {
  const { t, record, onForget } = props
  const host = record.host.startsWith('|') ? t('hostKeys.hashed') : nameOf(record)
  const keys = [
    ...record.fingerprints.map((key) => ({ key, isRevoked: false })),
    ...record.revoked.map((key) => ({ key, isRevoked: true })),
  ]
  return (
    <li className={css['machine']} data-tty-machine={nameOf(record)}>
      <span>{host}</span>
      {keys.map(({ key, isRevoked }) => (
        <span key={`${String(isRevoked)} ${key}`} className={css['item']}>
          <code className={css['fingerprint']}>{key}</code>
          {isRevoked ? <span className={css['bad']}>{t('hostKeys.revoked')}</span> : null}
          <button
            type="button"
            className={css['link']}
            aria-label={t('hostKeys.delete', { host, fingerprint: key })}
            onClick={() => {
              onForget(key)
            }}
          >
            {t('delete')}
          </button>
        </span>
      ))}
    </li>
  )
}

function nameOf({ host, port }: HostKeyRecord): string {
  return port === 22 ? host : `[${host}]:${String(port)}`
}
