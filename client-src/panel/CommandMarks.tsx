/**
 * The commands beside the terminal: a glyph in the gutter for each, which says how the command went and offers what can be
 * done with it. One of them takes part in the order of Tab; the arrow keys go to the others.
 */
import { useEffect, useRef, useState, type CSSProperties, type KeyboardEvent } from 'react'
import type { Translate } from '../locales.ts'
import type { CommandMarkModel, EndedCommand, MarksModel } from '../stores/marks-model.ts'
import type { TabKey } from '../stores/tab-store.ts'
import { actionsOf, CommandCard, type MarkAction } from './CommandCard.tsx'
import css from './CommandMarks.module.css'
import { endedText, spokenText } from './mark-text.ts'
import popup from './Popup.module.css'
import type { PanelActions, PanelProps } from './props.ts'
import { StickyCommand } from './StickyCommand.tsx'
import { useHover } from './use-hover.ts'

const GUTTER_PX = 14
const CARD_GAP_PX = 2

export interface CommandMarksProps {
  readonly t: Translate
  readonly tab: TabKey
  readonly useMarks: PanelProps['useMarks']
  readonly actions: Pick<PanelActions, 'goToMark' | 'leaveMark' | 'copyOfMark' | 'showMark' | 'runAgain' | 'askAbout'>
}

export function CommandMarks({ t, tab, useMarks, actions }: CommandMarksProps) {
  const model = useMarks((all) => all)
  const layer = useRef<HTMLDivElement>(null)
  const [focused, setFocused] = useState<number | null>(null)
  const [menu, setMenu] = useState<number | null>(null)
  const [said, setSaid] = useState('')
  const hover = useHover()
  const { marks } = model.tab === tab ? model : { marks: [] }
  const buttonOf = (id: number): HTMLElement | null =>
    layer.current?.querySelector<HTMLElement>(`[data-tty-mark="${String(id)}"]`) ?? null
  useKeyboard({
    jump: model.tab === tab ? model.jump : null,
    buttonOf,
    isLost: [focused, menu].some((lost) => lost !== null && !marks.some(({ id }) => id === lost)),
    onLost: () => {
      setFocused(null)
      setMenu(null)
      actions.leaveMark(tab)
    },
  })
  const stop = marks.find(({ id }) => id === focused)?.id ?? marks.at(-1)?.id
  const shown = marks.find(({ id }) => id === (menu ?? hover.id ?? focused))

  const handleKey = (event: KeyboardEvent, { id }: CommandMarkModel): void => {
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey
    if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
      actions.goToMark(tab, event.key === 'ArrowUp' ? 'previous' : 'next', id)
    } else if (event.key === 'Escape') actions.leaveMark(tab)
    else {
      // Whoever types means the program: the terminal gets this press, too.
      if (isPlain && event.key.length === 1 && event.key !== ' ') actions.leaveMark(tab)
      return
    }
    event.preventDefault()
  }
  const act = (id: number, action: MarkAction): void => {
    setMenu(null)
    hover.hide()
    const say = (word: string): void => {
      setSaid(word)
      if (action !== 'ask') actions.leaveMark(tab)
    }
    if (action === 'runAgain') say(actions.runAgain(tab, id) ? t('mark.filled') : '')
    else if (action === 'ask') {
      void actions.askAbout(tab, id).then((asked) => {
        say(asked === null ? '' : t(`mark.asked.${asked}`))
      })
    } else {
      void actions.copyOfMark(tab, id, action).then((isDone) => {
        say(isDone ? t(`mark.copied.${action}`) : '')
      })
    }
  }
  const ended = useNews(model.tab === tab ? model.ended : null)
  const sticky = model.tab === tab ? model.sticky : null

  return (
    <div className={css['layer']} data-tty-marks={marks.length} ref={layer}>
      <div className={css['gutter']} role="toolbar" aria-label={t('marks')} aria-orientation="vertical">
        {marks.map((mark) => (
          <button
            key={mark.id}
            type="button"
            className={css['mark']}
            style={{
              left: model.left - GUTTER_PX,
              top: model.top + mark.row * model.rowHeight,
              width: GUTTER_PX,
              height: model.rowHeight,
            }}
            data-tty-mark={mark.id}
            data-outcome={outcomeOf(mark)}
            aria-label={spokenText(t, mark)}
            aria-haspopup={actionsOf(mark).length > 0 ? 'menu' : undefined}
            aria-expanded={actionsOf(mark).length > 0 ? menu === mark.id : undefined}
            tabIndex={mark.id === stop ? 0 : -1}
            onClick={() => {
              setMenu(menu === mark.id || actionsOf(mark).length === 0 ? null : mark.id)
            }}
            onFocus={() => {
              setFocused(mark.id)
            }}
            onBlur={() => {
              setFocused(null)
            }}
            onKeyDown={(event) => {
              handleKey(event, mark)
            }}
            {...hover.on(mark.id)}
          >
            <Glyph outcome={outcomeOf(mark)} />
          </button>
        ))}
      </div>
      {sticky === null ? null : (
        <StickyCommand
          t={t}
          model={model}
          mark={sticky}
          outcome={outcomeOf(sticky)}
          onShow={() => {
            actions.showMark(tab, sticky.id)
          }}
        />
      )}
      {shown === undefined ? null : (
        <CommandCard
          t={t}
          mark={shown}
          place={placeOf(model, shown)}
          isMenu={menu === shown.id}
          isAtPrompt={model.isAtPrompt}
          hover={hover.on(shown.id)}
          onAct={(action) => {
            act(shown.id, action)
          }}
          onClose={(wantsMark) => {
            setMenu(null)
            if (wantsMark) buttonOf(shown.id)?.focus()
          }}
        />
      )}
      <output className={popup['unseen']} aria-live="polite">
        {said}
      </output>
      <output className={popup['unseen']} aria-live="polite" data-tty-ended={ended?.id}>
        {ended === null ? '' : endedText(t, ended)}
      </output>
    </div>
  )
}

/** The command that ended last, unless that was before this tab came into view. */
function useNews(ended: EndedCommand | null): EndedCommand | null {
  const [before] = useState(ended?.id)
  return ended?.id === before ? null : ended
}

type Outcome = 'running' | 'unknown' | 'success' | 'failure'

function outcomeOf({ outcome }: CommandMarkModel): Outcome {
  if (typeof outcome !== 'number') return outcome
  return outcome === 0 ? 'success' : 'failure'
}

/** Told apart by form: a dot, a cross, an open ring, a dash. */
function Glyph({ outcome }: { outcome: Outcome }) {
  return (
    <svg className={css['glyph']} width="9" height="9" viewBox="0 0 10 10" aria-hidden="true">
      {outcome === 'success' ? <circle cx="5" cy="5" r="2.25" fill="currentColor" /> : null}
      {outcome === 'failure' ? <path d="m2 2 6 6M8 2 2 8" /> : null}
      {outcome === 'running' ? <circle cx="5" cy="5" r="3.2" /> : null}
      {outcome === 'unknown' ? <path d="M2 5h6" /> : null}
    </svg>
  )
}

/** Under the row, or above it in the lower half; never over what was typed. */
function placeOf({ left, top, rowHeight, rows }: MarksModel, { row }: CommandMarkModel): CSSProperties {
  const above = top + row * rowHeight
  return row * 2 >= rows
    ? { left, top: above - CARD_GAP_PX, translate: '0 -100%' }
    : { left, top: above + rowHeight + CARD_GAP_PX }
}

/**
 * Gives the mark that was asked for the keyboard, once it is there.
 * @param isLost the mark that had the keyboard left the screen, and took it along
 */
function useKeyboard({
  jump,
  buttonOf,
  isLost,
  onLost,
}: {
  jump: MarksModel['jump']
  buttonOf: (id: number) => HTMLElement | null
  isLost: boolean
  onLost: () => void
}): void {
  const done = useRef(jump?.count ?? 0)
  useEffect(() => {
    if (jump === null || jump.count === done.current) {
      if (isLost) onLost()
      return
    }
    const button = buttonOf(jump.id)
    if (button === null) return
    done.current = jump.count
    button.focus({ preventScroll: true })
  })
}
