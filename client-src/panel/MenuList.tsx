/**
 * The items of a menu and the keyboard among them: one has it, arrow keys and typing go to others, Escape and Tab leave.
 * Knows no place: a popup or a card shows it.
 */
import { useEffect, useRef, type KeyboardEvent } from 'react'
import { RemoveGlyph } from './icons.tsx'
import { movedSpot, typedRow, type MenuAction, type MenuItem } from './menu-model.ts'
import css from './Popup.module.css'

/** What was typed longer ago is no beginning any more. */
const TYPING_MS = 600

export interface MenuListProps {
  readonly label: string
  readonly items: readonly MenuItem[]
  /** The item that has the keyboard at first; the first one by default. */
  readonly initial?: string
  /** @param wantsBack whether the keyboard goes back to where it was */
  readonly onClose: (wantsBack: boolean) => void
}

export function MenuList({ label, items, initial, onClose }: MenuListProps) {
  const list = useRef<HTMLDivElement>(null)
  /** What an item does on the way may put the keyboard elsewhere; the menu stays and takes it back. */
  const isStaying = useRef(false)
  const typing = useRef({ text: '', at: Number.NEGATIVE_INFINITY })
  const stops = (): HTMLElement[][] =>
    Array.from(list.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [], (row) => [
      ...row.querySelectorAll<HTMLElement>('button'),
    ])
  const focus = (row: number, column = 0): void => {
    const stop = stops()[row]
    ;(stop?.[column] ?? stop?.[0])?.focus()
  }
  const lastRow = useRef(0)
  useEffect(() => {
    const at = items.findIndex(({ key }) => key === initial)
    focus(Math.max(0, at))
    // Only at first: later the person says where the keyboard is.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [])
  useEffect(() => {
    // The item that had the keyboard is gone: the one in its place gets it.
    if (document.activeElement === document.body) focus(Math.min(lastRow.current, items.length - 1))
  })

  const stay = (act: () => void): void => {
    isStaying.current = true
    act()
    isStaying.current = false
    if (list.current?.contains(document.activeElement) === false) focus(lastRow.current)
  }

  const handleKey = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return
    const rows = stops()
    const row = rows.findIndex((each) => each.includes(document.activeElement as HTMLElement))
    const column = Math.max(0, rows[row]?.indexOf(document.activeElement as HTMLElement) ?? 0)
    const spot = movedSpot(
      event.key,
      { row, column },
      rows.map(({ length }) => length),
    )
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey
    const isTyping = event.timeStamp - typing.current.at < TYPING_MS
    if (spot !== null) focus(spot.row, spot.column)
    else if (event.key === 'Escape' || event.key === 'Tab') onClose(true)
    else if (event.key === 'Delete' && items[row]?.onRemove !== undefined) stay(items[row].onRemove)
    else if (isPlain && event.key.length === 1 && (event.key !== ' ' || isTyping)) {
      typing.current = { text: isTyping ? typing.current.text + event.key : event.key, at: event.timeStamp }
      const found = typedRow(
        items.map((item) => item.label),
        row,
        typing.current.text,
      )
      if (found >= 0) focus(found)
    } else {
      // Enter and space press the button; nobody around the menu hears of them.
      if (event.key === 'Enter' || event.key === ' ') event.stopPropagation()
      return
    }
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <div
      ref={list}
      className={css['list']}
      role="menu"
      aria-label={label}
      tabIndex={-1}
      onKeyDown={handleKey}
      onFocus={(event) => {
        lastRow.current = stops().findIndex((row) => row.includes(event.target))
      }}
      onBlur={(event) => {
        if (isStaying.current) event.stopPropagation()
      }}
      onMouseDown={(event) => {
        // Where a press does not focus a button, it would take the focus from the menu and so close it.
        event.preventDefault()
      }}
    >
      {items.map((item) => (
        <Row key={item.key} item={item} onClose={onClose} onStay={stay} />
      ))}
    </div>
  )
}

function Row(props: { item: MenuItem; onClose: (wantsBack: boolean) => void; onStay: (act: () => void) => void }) {
  const { item, onClose, onStay } = props
  const { label, content, hint, dot, isChecked, isDisabled = false } = item
  const select = (act: () => void, isStaying: boolean): void => {
    if (isStaying) {
      onStay(act)
      return
    }
    // The menu goes first, so that what comes next finds the keyboard where it was before the menu.
    onClose(true)
    act()
  }
  const actions: readonly MenuAction[] =
    item.onRemove === undefined
      ? (item.actions ?? [])
      : [
          ...(item.actions ?? []),
          {
            key: 'remove',
            label: item.removeLabel ?? label,
            icon: <RemoveGlyph />,
            onSelect: item.onRemove,
            isStaying: true,
          },
        ]
  return (
    <>
      {item.separatorBefore === true ? <hr className={css['separator']} /> : null}
      {item.titleBefore === undefined ? null : (
        <div role="presentation" className={css['title']}>
          {item.titleBefore}
        </div>
      )}
      <div role="none" className={css['row']} data-row="">
        <button
          type="button"
          role={isChecked === undefined ? 'menuitem' : 'menuitemradio'}
          aria-checked={isChecked}
          aria-disabled={isDisabled ? true : undefined}
          className={css['item']}
          data-danger={item.isDanger === true}
          data-tty-item={item.key}
          tabIndex={-1}
          onClick={() => {
            if (!isDisabled) select(item.onSelect, false)
          }}
        >
          {dot}
          {content ?? <span className={css['label']}>{label}</span>}
          {hint === undefined ? null : <span className={css['hint']}>{hint}</span>}
        </button>
        {actions.map((action) => (
          <button
            key={action.key}
            type="button"
            role="menuitem"
            className={css['action']}
            aria-label={action.label}
            title={action.label}
            tabIndex={-1}
            onClick={() => {
              select(action.onSelect, action.isStaying === true)
            }}
          >
            {action.icon}
          </button>
        ))}
      </div>
    </>
  )
}
