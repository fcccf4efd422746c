/** The tabs: one per session, with its state, and the button for a new one. */
import { useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent, type WheelEvent } from 'react'
import type { Translate } from '../locales.ts'
import type { TabModel } from '../stores/panel-model.ts'
import type { TabKey } from '../stores/tab-store.ts'
import { HiddenGlyph } from './icons.tsx'
import { IconButton } from './IconButton.tsx'
import type { Kit } from './kit.ts'
import { MoreWays } from './MoreWays.tsx'
import popup from './Popup.module.css'
import type { PanelProps } from './props.ts'
import css from './TabBar.module.css'

export interface TabBarProps {
  readonly kit: Kit
  readonly t: Translate
  readonly tabs: readonly TabModel[]
  readonly active: TabKey | null
  /** Null while another terminal may be opened; else what the button says instead. */
  readonly limit: string | null
  readonly usePlus: PanelProps['usePlus']
  readonly onOpen: () => void
  readonly onActivate: (key: TabKey, wantsKeyboard: boolean) => void
  readonly onClose: (key: TabKey) => void
  readonly onRename: (key: TabKey, title: string | null) => void
}

const MAX_TITLE_CHARS = 120
const MIN_FIELD_PX = 72

export const tabId = (key: TabKey): string => `dsh-tty-${key}`
export const labelOf = (t: Translate, tab: TabModel): string => tab.label ?? t('tab.untitled')

export function TabBar(props: TabBarProps) {
  const { kit, t, tabs, active, limit, usePlus, onOpen, onActivate, onClose } = props
  const [renaming, setRenaming] = useState<TabKey | null>(null)
  const scroller = useRef<HTMLDivElement>(null)
  const [edges, setEdges] = useState('')
  const lookAtEdges = (): void => {
    const element = scroller.current
    if (element === null) return
    const hasLeft = element.scrollLeft > 1
    const hasRight = element.scrollLeft + element.clientWidth < element.scrollWidth - 1
    setEdges(`${hasLeft ? 'left' : ''} ${hasRight ? 'right' : ''}`.trim())
  }
  useEffect(() => {
    const element = scroller.current
    if (element === null) return
    const observer = new ResizeObserver(lookAtEdges)
    observer.observe(element)
    return () => {
      observer.disconnect()
    }
  }, [])
  useLayoutEffect(() => {
    if (active !== null)
      document.getElementById(tabId(active))?.parentElement?.scrollIntoView({ inline: 'nearest', block: 'nearest' })
    lookAtEdges()
  }, [active, tabs.length])

  const handleKey = (event: KeyboardEvent, key: TabKey): void => {
    const at = tabs.findIndex((tab) => tab.key === key)
    const target = targetOf(event.key, { at, count: tabs.length })
    if (target !== null) {
      const next = tabs[target]
      if (next === undefined) return
      onActivate(next.key, false)
      document.getElementById(tabId(next.key))?.focus()
    } else if (event.key === 'Delete') onClose(key)
    else if (event.key === 'F2') setRenaming(key)
    else if (event.key === 'ArrowDown') onActivate(key, true)
    else return
    event.preventDefault()
  }
  const handleWheel = (event: WheelEvent<HTMLDivElement>): void => {
    if (event.deltaX === 0) event.currentTarget.scrollLeft += event.deltaY
  }

  return (
    <div className={css['bar']}>
      <div className={css['scroller']} ref={scroller} data-edges={edges} onWheel={handleWheel} onScroll={lookAtEdges}>
        {/* The tabs have close buttons between them, which may be no children of a tablist. */}
        <div role="tablist" aria-label={t('tabs')} aria-owns={tabs.map(({ key }) => tabId(key)).join(' ')} />
        {tabs.map((tab) => (
          <TabItem
            key={tab.key}
            kit={kit}
            t={t}
            tab={tab}
            isActive={tab.key === active}
            isRenaming={tab.key === renaming}
            onActivate={() => {
              onActivate(tab.key, true)
            }}
            onClose={() => {
              onClose(tab.key)
            }}
            onKey={(event) => {
              handleKey(event, tab.key)
            }}
            onRenaming={(isRenaming) => {
              setRenaming(isRenaming ? tab.key : null)
            }}
            onRename={(title) => {
              props.onRename(tab.key, title)
            }}
          />
        ))}
      </div>
      <IconButton
        label={limit ?? t('tab.new')}
        onClick={onOpen}
        className={limit === null ? '' : (css['limited'] ?? '')}
      >
        <kit.PlusIcon size={14} />
      </IconButton>
      <MoreWays t={t} usePlus={usePlus} onOpen={onOpen} />
    </div>
  )
}

/** Where a key moves to among the tabs; null when it moves nowhere. */
function targetOf(key: string, { at, count }: { at: number; count: number }): number | null {
  switch (key) {
    case 'ArrowLeft':
      return (at - 1 + count) % count
    case 'ArrowRight':
      return (at + 1) % count
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return null
  }
}

function TabItem(props: {
  kit: Kit
  t: Translate
  tab: TabModel
  isActive: boolean
  isRenaming: boolean
  onActivate: () => void
  onClose: () => void
  onKey: (event: KeyboardEvent) => void
  onRenaming: (isRenaming: boolean) => void
  onRename: (title: string | null) => void
}) {
  const { kit, t, tab, isActive, isRenaming, onActivate, onClose, onKey, onRenaming, onRename } = props
  const label = labelOf(t, tab)
  const [width, setWidth] = useState(0)
  const beginRenaming = (title: HTMLElement): void => {
    setWidth(title.offsetWidth)
    onRenaming(true)
  }
  return (
    // The middle button closes the tab wherever in it the press is; the keyboard has Delete on the tab itself.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      className={css['tab']}
      data-active={isActive}
      data-closing={tab.isClosing}
      data-tty-tab={tab.key}
      data-tty-sid={tab.sid ?? undefined}
      data-tty-state={tab.dot}
      data-tty-hidden={tab.isHidden}
      onMouseDown={(event) => {
        // The middle button would start to scroll.
        if (event.button === 1) event.preventDefault()
      }}
      onAuxClick={(event) => {
        if (event.button === 1) onClose()
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
          tabIndex={isActive ? 0 : -1}
          title={`${label} · ${t(`state.${tab.dot}`)}${tab.isHidden ? ` · ${t('tab.hidden')}` : ''}`}
          onClick={onActivate}
          onDoubleClick={(event) => {
            beginRenaming(event.currentTarget)
          }}
          onKeyDown={onKey}
        >
          <span className={css['dot']} data-dot={tab.dot} data-asks={tab.isAsking} aria-hidden="true" />
          {tab.isAgent ? <span className={css['agent']}>{t('tab.agent')}</span> : null}
          {tab.isHidden ? <HiddenGlyph size={12} /> : null}
          <span className={css['label']}>{label}</span>
          <span className={popup['unseen']}>{t(`state.${tab.dot}`)}</span>
        </button>
      )}
      <button
        type="button"
        className={css['close']}
        aria-label={t('tab.close', { title: label })}
        title={t('tab.close', { title: label })}
        tabIndex={isActive ? 0 : -1}
        onClick={onClose}
      >
        <kit.CloseIcon size={12} />
      </button>
    </div>
  )
}

/** @param onDone gets the new title, or undefined when it stays */
function TitleField(props: {
  label: string
  title: string
  width: number
  onDone: (title: string | undefined) => void
}) {
  const { label, title, width, onDone } = props
  const field = useRef<HTMLInputElement>(null)
  const isDone = useRef(false)
  useEffect(() => {
    field.current?.select()
  }, [])
  const finish = (value: string | undefined): void => {
    if (isDone.current) return
    isDone.current = true
    onDone(value)
  }
  return (
    <input
      ref={field}
      className={css['field']}
      style={{ width: Math.max(MIN_FIELD_PX, width - 10) }}
      aria-label={label}
      defaultValue={title}
      maxLength={MAX_TITLE_CHARS}
      // The field appears because somebody asked to type into it.
      // oxlint-disable-next-line jsx-a11y/no-autofocus
      autoFocus
      onBlur={(event) => {
        finish(event.currentTarget.value.trim())
      }}
      onKeyDown={(event) => {
        event.stopPropagation()
        if (event.nativeEvent.isComposing || (event.key !== 'Enter' && event.key !== 'Escape')) return
        // The terminal gets the focus at once, and would get the rest of this press.
        event.preventDefault()
        finish(event.key === 'Enter' ? event.currentTarget.value.trim() : undefined)
      }}
    />
  )
}
