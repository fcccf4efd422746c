/** Stands where a part of the page will be that is loaded when it is needed: it is on its way, or why not and what to do. */
import { useEffect } from 'react'
import { errorMessage, say, type Translate } from '../locales.ts'
import type { ScriptSource, ScriptState } from '../stores/script-state.ts'
import { useStore } from './use-store.ts'
import css from './ScriptWait.module.css'

/** What there is of a script, which is loaded from now on. */
export function useScript<T>(source: ScriptSource<T>): ScriptState<T> {
  useEffect(() => {
    source.load()
  }, [source])
  return useStore(source.state)
}

export function ScriptWait({ t, source }: { t: Translate; source: ScriptSource<unknown> }) {
  const state = useStore(source.state)
  const isFailed = state.kind === 'failed'
  return (
    <div className={css['wait']} data-tty-script={state.kind}>
      <output>{isFailed ? say(t, errorMessage(state.error)) : t('script.loading')}</output>
      {isFailed ? (
        <button
          type="button"
          className={css['retry']}
          onClick={() => {
            source.retry()
          }}
        >
          {t('action.retry')}
        </button>
      ) : null}
    </div>
  )
}
