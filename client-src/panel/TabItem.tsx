/** One tab: how its session is, whose it is, its name, and a button that closes it. */
import { useState, type CSSProperties, type KeyboardEvent, type MouseEvent, type PointerEvent } from 'react'
import type { Translate } from '../locales.ts'
import type { TabModel } from '../stores/panel-model.ts'
import type { TabKey } from '../stores/tab-store.ts'
import { BellGlyph, HiddenGlyph } from './icons.tsx'
import type { Kit } from './kit.ts'
import popup from './Popup.module.css'
import { StatusDot, stateText } from './StatusDot.tsx'
import css from './TabBar.module.css'
import { TitleField } from './TitleField.tsx'

export const tabId = (key: TabKey): string => `dsh-tty-${key}`
export const labelOf = (t: Translate, tab: TabModel): string => tab.label ?? t('tab.untitled')

export interface TabItemProps {
  readonly kit: Kit
  readonly t: Translate
  readonly tab: TabModel
  readonly isActive: boolean
  readonly isRenaming: boolean
  /** Where it is drawn while tabs are dragged. */
  readonly style: CSSProperties | undefined
  readonly isDragged: boolean
  /** A finger rests on it. */
  readonly isHeld: boolean
  readonly onPress: (event: PointerEvent<HTMLElement>) => void
  readonly onActivate: () => void
  readonly onClose: () => void
  readonly onMenu: (event: MouseEvent) => void
  readonly onKey: (event: KeyboardEvent<HTMLElement>) => void
  readonly onRenaming: (isRenaming: boolean) => void
  readonly onRename: (title: string | null) => void
}

export function TabItem(props: TabItemProps) {
  const { kit, t, tab, isActive, isRenaming, onActivate, onClose, onRenaming, onRename } = props
  const label = labelOf(t, tab)
  const [width, setWidth] = useState(0)
  const state = stateText(t, tab)
  const facts = [
    label,
    state,
    ...(tab.isAgent ? [t('tab.byAgent')] : []),
    ...(tab.isHidden ? [t('tab.hidden')] : []),
    ...(tab.isKept ? [t('tab.kept')] : []),
  ]
  return (
    // The middle button closes the tab wherever in it the press is; the keyboard has Delete on the tab itself.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      className={css['tab']}
      style={props.style}
      data-active={isActive}
      data-closing={tab.isClosing}
      data-dragged={props.isDragged}
      data-held={props.isHeld}
      data-tty-tab={tab.key}
      data-tty-sid={tab.sid ?? undefined}
      data-tty-state={tab.dot}
      data-tty-busy={tab.isBusy}
      data-tty-hidden={tab.isHidden}
      onMouseDown={(event) => {
        // The middle button would start to scroll.
        if (event.button === 1) event.preventDefault()
      }}
      onAuxClick={(event) => {
        if (event.button === 1) onClose()
      }}
      onContextMenu={props.onMenu}
      onPointerDown={(event) => {
        const isControl = (event.target as Element).closest('input, [data-tty-close]') !== null
        if (!isControl) props.onPress(event)
      }}
    >
      {isRenaming ? (
        <TitleField
          label={t('tab.rename')}
          title={label}
          width={width}
          onDone={(title) => {
            onRenaming(false)
            if (title !== undefined && title !== label) onRename(title === '' ? null : title)
            onActivate()
          }}
        />
      ) : (
        <button
          type="button"
          role="tab"
          id={tabId(tab.key)}
          className={css['title']}
          aria-selected={isActive}
          aria-controls={isActive ? 'dsh-tty-pane' : undefined}
          aria-haspopup="menu"
          tabIndex={isActive ? 0 : -1}
          title={facts.join(' · ')}
          onClick={onActivate}
          onDoubleClick={(event) => {
            setWidth(event.currentTarget.offsetWidth)
            onRenaming(true)
          }}
          onKeyDown={props.onKey}
        >
          <StatusDot tab={tab} />
          {tab.isAgent ? <span className={css['agent']}>{t('tab.agent')}</span> : null}
          {tab.isHidden ? <HiddenGlyph size={12} /> : null}
          {tab.hasRung ? <BellGlyph size={12} /> : null}
          <span className={css['label']}>{label}</span>
          <span className={popup['unseen']}>
            {state}
            {tab.hasRung ? `, ${t('tab.rang')}` : ''}
          </span>
        </button>
      )}
      <button
        type="button"
        className={css['close']}
        aria-label={t('tab.close', { title: label })}
        title={t('tab.close', { title: label })}
        tabIndex={isActive ? 0 : -1}
        data-tty-close=""
        onClick={onClose}
      >
        <kit.CloseIcon size={12} />
      </button>
    </div>
  )
}
