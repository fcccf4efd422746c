/** The line of a terminal on another machine: which it is, how the connection is, and what can be done about it. */
import type { Translate } from '../locales.ts'
import type { ReactNode } from 'react'
import type { Connbar, ConnbarAction } from '../services/connbar.ts'
import type { ConnectionModel } from '../stores/panel-model.ts'
import { useStore } from '../panel/use-store.ts'
import css from './ConnectionBar.module.css'

export function ConnectionBar({
  t,
  connection,
  connbar,
}: {
  t: Translate
  connection: ConnectionModel
  connbar: Connbar
}) {
  // Whatever a factory looks at may have changed with it.
  useStore(connbar.revision)
  const { tab, spec, target, bookName, state, phase } = connection
  const told = phase === undefined ? t(`conn.${state}`) : t('conn.phase', { phase: t(`conn.phase.${phase}`) })
  return (
    <div className={css['bar']} role="toolbar" aria-label={t('conn.bar')} data-tty-connbar={state}>
      <span className={css['dot']} aria-hidden="true" />
      <span className={css['name']} title={bookName === null ? target : `${bookName} · ${target}`}>
        {bookName ?? target}
      </span>
      <output className={css['state']}>{told}</output>
      {connbar.actionsFor({ tab, spec, bookName }).map((action, at) => (
        <BarButton key={`${String(at)} ${action.label}`} action={action} />
      ))}
    </div>
  )
}

function BarButton({ action }: { action: ConnbarAction }) {
  return (
    <button type="button" className={css['button']} title={action.title} onClick={action.onClick}>
      <span aria-hidden="true">{action.icon as ReactNode}</span>
      <span>{action.label}</span>
    </button>
  )
}
