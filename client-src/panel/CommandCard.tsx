/** What is known of one command, and what can be done with it. */
import type { CSSProperties } from 'react'
import type { Translate } from '../locales.ts'
import type { CommandMarkModel } from '../stores/marks-model.ts'
import css from './CommandMarks.module.css'
import { joined } from './joined.ts'
import { stateText, timeText } from './mark-text.ts'
import { MenuList } from './MenuList.tsx'
import popup from './Popup.module.css'
import type { Hover } from './use-hover.ts'

export interface CommandCardProps {
  readonly t: Translate
  readonly mark: CommandMarkModel
  readonly place: CSSProperties
  /** Whether it offers something, or only tells. */
  readonly isMenu: boolean
  readonly hover: Hover
  /** The shell waits, and nothing is typed. */
  readonly isAtPrompt: boolean
  readonly onAct: (action: MarkAction) => void
  /** @param wantsMark whether the keyboard goes back to the mark */
  readonly onClose: (wantsMark: boolean) => void
}

export type MarkAction = 'command' | 'output' | 'runAgain' | 'ask'

const LABELS = {
  command: 'mark.copyCommand',
  output: 'mark.copyOutput',
  runAgain: 'mark.runAgain',
  ask: 'mark.ask',
} as const satisfies Record<MarkAction, string>

/** What can be done with a command: nothing with what is not whole. */
export function actionsOf({ text, isCut, hasOutput, outcome }: CommandMarkModel): MarkAction[] {
  const isWhole = text !== null && text !== '' && !isCut
  return [
    ...(isWhole ? (['command'] as const) : []),
    ...(hasOutput ? (['output'] as const) : []),
    ...(isWhole ? (['runAgain'] as const) : []),
    ...(isWhole && typeof outcome === 'number' && outcome !== 0 ? (['ask'] as const) : []),
  ]
}

export function CommandCard({ t, mark, place, isMenu, isAtPrompt, hover, onAct, onClose }: CommandCardProps) {
  const { text, cwd, outcome } = mark
  const time = timeText(t, mark)
  const actions = actionsOf(mark)
  return (
    <div
      className={joined(popup['popup'], css['card'])}
      style={place}
      data-tty-card={isMenu ? 'menu' : 'facts'}
      onBlur={(event) => {
        const to = event.relatedTarget
        // A press on a mark says itself what is to be open.
        const isMark = to !== null && to.closest('[data-tty-mark]') !== null
        if (isMenu && !isMark && !event.currentTarget.contains(to)) onClose(false)
      }}
      {...hover}
    >
      {/* The mark's own name says the same. */}
      <div aria-hidden="true" className={css['facts']}>
        {text === null ? null : <div className={css['command']}>{text}</div>}
        <div className={css['state']} data-failed={typeof outcome === 'number' && outcome !== 0}>
          {stateText(t, mark)}
          {time === null ? null : <span className={css['time']}>{time}</span>}
        </div>
        {cwd === null ? null : <div className={css['cwd']}>{t('mark.cwd', { path: cwd })}</div>}
      </div>
      {isMenu && actions.length > 0 ? (
        <div className={css['menu']}>
          <MenuList
            label={t('mark.menu')}
            items={actions.map((action) => ({
              key: action,
              label: t(LABELS[action]),
              isDisabled: action === 'runAgain' && !isAtPrompt,
              separatorBefore: action === 'runAgain',
              onSelect: () => {
                onAct(action)
              },
            }))}
            onClose={onClose}
          />
        </div>
      ) : null}
    </div>
  )
}
