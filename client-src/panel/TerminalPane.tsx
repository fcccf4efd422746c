/** The active tab's terminal, with what has to be said about it. */
import { useLayoutEffect, useRef, type ReactNode } from 'react'
import { say, type Translate } from '../locales.ts'
import type { LinkLine, Strip, TabModel } from '../stores/panel-model.ts'
import { BellFlash } from './BellFlash.tsx'
import { CommandMarks } from './CommandMarks.tsx'
import { KeyBar } from './KeyBar.tsx'
import type { PanelProps, TerminalActions } from './props.ts'
import { tabId } from './TabItem.tsx'
import css from './TerminalPane.module.css'

export interface TerminalPaneProps {
  readonly t: Translate
  readonly tab: TabModel
  readonly line: LinkLine | null
  readonly useMarks: PanelProps['useMarks']
  readonly actions: TerminalActions
  /** Its name where it is in no tab; in a tab that one names it. */
  readonly label?: string
  /** Over the terminal. */
  readonly children?: ReactNode
  readonly above?: ReactNode
  /** Show the keys by which machines are known, where that can be done. */
  readonly onHostKeys?: () => void
  /** Beside the terminal. */
  readonly beside?: ReactNode
}

export function TerminalPane(props: TerminalPaneProps) {
  const { t, tab, line, useMarks, actions, label } = props
  const { mount } = actions
  const { key, viewId, strip, cover } = tab
  const container = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => (container.current === null ? undefined : mount(key, container.current)), [key, viewId, mount])
  const act = {
    restart: actions.restart,
    reconnect: actions.restart,
    retry: actions.retry,
    dismiss: actions.dismissStrip,
    decline: actions.dismissStrip,
  }
  return (
    <div
      className={css['pane']}
      {...(label === undefined
        ? { role: 'tabpanel', id: 'dsh-tty-pane', 'aria-labelledby': tabId(key) }
        : { role: 'group', 'aria-label': label })}
    >
      {props.above}
      {strip === null ? null : (
        <StripLine
          t={t}
          strip={strip}
          onAct={(action) => {
            act[action](key)
          }}
        />
      )}
      <div className={css['split']}>
        <div className={css['stage']}>
          <div className={css['terminal']} ref={container} data-letterboxed={tab.isLetterboxed} />
          {cover === null ? <CommandMarks key={viewId} t={t} tab={key} useMarks={useMarks} actions={actions} /> : null}
          {props.children}
          <BellFlash key={`bell-${String(viewId)}`} bells={tab.bells} />
          {tab.isLetterboxed ? (
            <div className={css['hint']}>{t('strip.size', { cols: tab.size.cols, rows: tab.size.rows })}</div>
          ) : null}
          {cover === null ? null : (
            <div className={css['cover']} data-cover={cover.kind}>
              <p className={css['coverText']}>
                {cover.kind === 'connecting' ? t('cover.connecting') : say(t, cover.message)}
              </p>
              {cover.kind === 'failed' ? (
                <button
                  type="button"
                  className={css['primary']}
                  onClick={() => {
                    actions.retry(key)
                  }}
                >
                  {t('action.retry')}
                </button>
              ) : null}
              {cover.kind === 'failed' && cover.isHostKey === true && props.onHostKeys !== undefined ? (
                <button type="button" className={css['link']} onClick={props.onHostKeys}>
                  {t('action.hostKeys')}
                </button>
              ) : null}
            </div>
          )}
          {line === null ? null : (
            <div className={css['line']} data-tone={line.tone} data-tty-line={line.message.key}>
              <span>{say(t, line.message)}</span>
              {line.canRetry ? (
                <button type="button" className={css['link']} onClick={actions.retryLink}>
                  {t('action.retry')}
                </button>
              ) : null}
            </div>
          )}
        </div>
        {props.beside}
      </div>
      {cover === null ? (
        <KeyBar
          t={t}
          isCtrlHeld={tab.isCtrlHeld}
          onKey={(touch) => {
            actions.pressKey(key, touch)
          }}
        />
      ) : null}
    </div>
  )
}

function StripLine(props: { t: Translate; strip: Strip; onAct: (action: NonNullable<Strip['action']>) => void }) {
  const { t, strip, onAct } = props
  const { action } = strip
  const text = say(t, strip.message)
  return (
    <div className={css['strip']} data-tone={strip.tone} data-tty-strip={strip.message.key}>
      <span className={css['stripText']} title={text}>
        {text}
      </span>
      {action === null ? null : (
        <button
          type="button"
          className={css['link']}
          onClick={() => {
            onAct(action)
          }}
        >
          {t(`action.${action}`)}
        </button>
      )}
    </div>
  )
}
