/** How the test of a connection went, step by step. */
import { useEffect, useRef } from 'react'
import type { TestReport as Report } from './ssh-link.ts'
import type { SayError } from './ssh-props.ts'
import type { SaySsh } from './words.ts'
import css from './ssh.module.css'

export type TestState =
  | { readonly kind: 'running' }
  | { readonly kind: 'done'; readonly report: Report }
  | { readonly kind: 'failed'; readonly error: unknown }

export function TestReport({ t, sayError, state }: { t: SaySsh; sayError: SayError; state: TestState | null }) {
  const report = state?.kind === 'done' ? state.report : null
  const root = useRef<HTMLElement>(null)
  const kind = state?.kind
  useEffect(() => {
    // It lies below what fits into the dialog.
    if (kind !== undefined) root.current?.scrollIntoView({ block: 'nearest' })
  }, [kind])
  const hasJump = report?.phases.some(({ hop }) => hop === 'jump') === true
  return (
    <section className={css['report']} aria-live="polite" data-tty-test={kind ?? 'none'} ref={root}>
      {state?.kind === 'running' ? <p>{t('test.running')}</p> : null}
      {report === null ? null : (
        <ol className={css['phases']}>
          {report.phases.map(({ hop, phase, ms, ok }) => (
            <li key={`${hop}-${phase}`} data-ok={ok} data-tty-phase={phase}>
              <span>{hasJump ? `${t(`test.hop.${hop}`)} · ${t(`phase.${phase}`)}` : t(`phase.${phase}`)}</span>
              <span>
                {ok ? t('test.passed') : t('test.notPassed')} · {t('test.ms', { ms: Math.round(ms) })}
              </span>
            </li>
          ))}
        </ol>
      )}
      {report === null ? null : report.error === null ? (
        <p className={css['good']}>{t('test.ok')}</p>
      ) : (
        <p className={css['bad']}>{sayError(report.error)}</p>
      )}
      {state?.kind === 'failed' ? <p className={css['bad']}>{sayError(state.error)}</p> : null}
    </section>
  )
}
