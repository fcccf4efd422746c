/** What is known of one command, and what can be done with it. */
import { useEffect, useRef, type CSSProperties, type KeyboardEvent } from 'react'
import type { Translate } from '../locales.ts'
import type { CommandMarkModel } from '../stores/marks-model.ts'
import css from './CommandMarks.module.css'
import { stateText, timeText } from './mark-text.ts'
import type { Hover } from './use-hover.ts'

export interface CommandCardProps {
  readonly t: Translate
  readonly mark: CommandMarkModel
  readonly place: CSSProperties
  /** Whether it offers something, or only tells. */
  readonly isMenu: boolean
  readonly hover: Hover
  readonly onCopy: (what: 'command' | 'output') => void
  /** @param wantsMark whether the keyboard goes back to the mark */
  readonly onClose: (wantsMark: boolean) => void
}

/** What can be copied of a command: nothing that is not whole. */
export const actionsOf = ({ text, isCut, hasOutput }: CommandMarkModel): ('command' | 'output')[] => [
  ...(text === null || isCut ? [] : (['command'] as const)),
  ...(hasOutput ? (['output'] as const) : []),
]

export function CommandCard({ t, mark, place, isMenu, hover, onCopy, onClose }: CommandCardProps) {
  const card = useRef<HTMLDivElement>(null)
  const { text, cwd, outcome } = mark
  const time = timeText(t, mark)
  const actions = actionsOf(mark)
  useEffect(() => {
    if (isMenu) card.current?.querySelector<HTMLElement>('[role="menuitem"]')?.focus()
  }, [isMenu])
  const handleKey = (event: KeyboardEvent): void => {
    const items = [...(card.current?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])]
    const at = items.indexOf(document.activeElement as HTMLElement)
    const steps: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }
    const next = steps[event.key]
    if (next !== undefined) items.at(next % items.length)?.focus()
    else if (event.key === 'Escape') onClose(true)
    else if (event.key === 'Tab') onClose(false)
    else return
    if (event.key !== 'Tab') event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div
      ref={card}
      className={css['card']}
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
        <div
          className={css['menu']}
          role="menu"
          tabIndex={-1}
          aria-label={t('mark.menu')}
          onKeyDown={handleKey}
          onMouseDown={(event) => {
            // Where a press does not focus a button, it would take the focus from the menu and so close it.
            event.preventDefault()
          }}
        >
          {actions.map((what) => (
            <button
              key={what}
              type="button"
              role="menuitem"
              className={css['item']}
              tabIndex={-1}
              onClick={() => {
                onCopy(what)
              }}
            >
              {t(what === 'command' ? 'mark.copyCommand' : 'mark.copyOutput')}
            </button>
          ))}
        </div>
      ) : null}
    </div>
  )
}
