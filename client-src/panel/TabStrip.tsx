/** The tabs side by side: scrolled when there are more than fit, dragged into another order, gone through with the keyboard. */
import { useLayoutEffect, useRef, type CSSProperties, type KeyboardEvent, type RefObject, type WheelEvent } from 'react'
import type { Translate } from '../locales.ts'
import type { TabModel } from '../stores/panel-model.ts'
import type { TabKey } from '../stores/tab-store.ts'
import type { Kit } from './kit.ts'
import type { Point } from './place.ts'
import type { PanelActions } from './props.ts'
import css from './TabBar.module.css'
import { TabItem, tabId } from './TabItem.tsx'
import { stepAside } from './tab-order.ts'
import { useTabDrag, type TabDrag } from './use-tab-drag.ts'
import type { StripView } from './use-strip-view.ts'

export interface TabStripProps {
  readonly kit: Kit
  readonly t: Translate
  readonly tabs: readonly TabModel[]
  readonly active: TabKey | null
  readonly strip: RefObject<HTMLDivElement>
  readonly view: StripView & { look: () => void }
  readonly renaming: TabKey | null
  readonly actions: Pick<PanelActions, 'activate' | 'rename' | 'move'>
  readonly onClose: (key: TabKey) => void
  readonly onMenu: (key: TabKey, anchor: HTMLElement | Point) => void
  readonly onRenaming: (key: TabKey | null) => void
}

export function TabStrip(props: TabStripProps) {
  const { kit, t, tabs, active, strip, view, renaming, actions, onClose, onMenu, onRenaming } = props
  const { drag, held, press, strip: handlers } = useTabDrag({ strip, onMove: actions.move, onHold: onMenu })
  // A tab that is moved among the others loses the keyboard on the way.
  const refocus = useRef<TabKey | null>(null)
  useLayoutEffect(() => {
    if (refocus.current !== null) document.getElementById(tabId(refocus.current))?.focus()
    refocus.current = null
  })
  useLayoutEffect(() => {
    if (active !== null)
      document.getElementById(tabId(active))?.parentElement?.scrollIntoView({ inline: 'nearest', block: 'nearest' })
  }, [active, tabs.length])

  const handleKey = (event: KeyboardEvent<HTMLElement>, key: TabKey, at: number): void => {
    const target = targetOf(event.key, { at, count: tabs.length })
    if (event.shiftKey && (event.key === 'ArrowLeft' || event.key === 'ArrowRight')) {
      refocus.current = key
      actions.move(key, at + (event.key === 'ArrowLeft' ? -1 : 1))
    } else if (target !== null) {
      const next = tabs[target]
      if (next === undefined) return
      actions.activate(next.key, false)
      document.getElementById(tabId(next.key))?.focus()
    } else if (event.key === 'Delete') onClose(key)
    else if (event.key === 'F2') onRenaming(key)
    else if (event.key === 'ArrowDown') actions.activate(key, true)
    else if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) onMenu(key, event.currentTarget)
    else return
    event.preventDefault()
  }
  const handleWheel = (event: WheelEvent<HTMLDivElement>): void => {
    if (event.deltaX === 0) event.currentTarget.scrollLeft += event.deltaY
  }
  return (
    <div
      className={css['scroller']}
      ref={strip}
      data-edges={view.edges}
      data-dragging={drag !== null}
      onWheel={handleWheel}
      onScroll={view.look}
      {...handlers}
    >
      {/* The tabs have close buttons between them, which may be no children of a tablist. */}
      <div role="tablist" aria-label={t('tabs')} aria-owns={tabs.map(({ key }) => tabId(key)).join(' ')} />
      {tabs.map((tab, at) => (
        <TabItem
          key={tab.key}
          kit={kit}
          t={t}
          tab={tab}
          isActive={tab.key === active}
          isRenaming={tab.key === renaming}
          style={draggedStyle(drag, tab.key, at)}
          isDragged={drag?.key === tab.key}
          isHeld={held === tab.key}
          onPress={(event) => {
            press(event, tab.key, at)
          }}
          onActivate={() => {
            actions.activate(tab.key, true)
          }}
          onClose={() => {
            onClose(tab.key)
          }}
          onMenu={(event) => {
            event.preventDefault()
            const { pointerType } = event.nativeEvent as globalThis.PointerEvent
            // A finger opens it by leaving; keys have opened it already.
            if (pointerType !== 'touch' && event.button === 2) onMenu(tab.key, { x: event.clientX, y: event.clientY })
          }}
          onKey={(event) => {
            handleKey(event, tab.key, at)
          }}
          onRenaming={(isRenaming) => {
            onRenaming(isRenaming ? tab.key : null)
          }}
          onRename={(title) => {
            actions.rename(tab.key, title)
          }}
        />
      ))}
    </div>
  )
}

function draggedStyle(drag: TabDrag | null, key: TabKey, at: number): CSSProperties | undefined {
  if (drag === null) return undefined
  const dx = key === drag.key ? drag.dx : stepAside(at, drag)
  return dx === 0 ? undefined : { transform: `translateX(${String(dx)}px)` }
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
