/**
 * Dragging tabs with any pointer. A mouse drags once it has moved a little; a finger, which otherwise scrolls the strip,
 * after it has rested, and opens the tab's menu when it leaves without having moved.
 */
import { useEffect, useRef, useState, type MouseEvent, type PointerEvent, type RefObject } from 'react'
import type { TabKey } from '../stores/tab-store.ts'
import type { Point } from './place.ts'
import { keptInside, placeOf, type Box } from './tab-order.ts'

const MOUSE_SLACK_PX = 5
const TOUCH_SLACK_PX = 8
const HOLD_MS = 450
/** So close to an edge the strip scrolls along, and so fast. */
const EDGE_PX = 28
const SCROLL_PX = 7

export interface TabDrag {
  readonly key: TabKey
  readonly from: number
  readonly to: number
  readonly dx: number
  /** What the others make room for. */
  readonly room: number
}

interface Grip {
  readonly key: TabKey
  readonly from: number
  readonly element: HTMLElement
  readonly pointerId: number
  readonly isTouch: boolean
  readonly start: Point
  readonly startScroll: number
  at: Point
  boxes: readonly Box[] | null
  isHeld: boolean
  timer: ReturnType<typeof setTimeout> | undefined
}

export interface TabDragOptions {
  readonly strip: RefObject<HTMLElement | null>
  readonly onMove: (key: TabKey, to: number) => void
  /** A finger rested on a tab and left. */
  readonly onHold: (key: TabKey, at: Point) => void
}

export interface TabDragState {
  readonly drag: TabDrag | null
  /** The tab on which a finger rests. */
  readonly held: TabKey | null
  readonly press: (event: PointerEvent<HTMLElement>, key: TabKey, from: number) => void
  /** For the strip. */
  readonly strip: {
    readonly onPointerMove: (event: PointerEvent<HTMLElement>) => void
    readonly onPointerUp: () => void
    readonly onPointerCancel: () => void
    readonly onClickCapture: (event: MouseEvent) => void
  }
}

export function useTabDrag({ strip, onMove, onHold }: TabDragOptions): TabDragState {
  const [drag, setDrag] = useState<TabDrag | null>(null)
  const [held, setHeld] = useState<TabKey | null>(null)
  const grip = useRef<Grip | null>(null)
  const isClickSwallowed = useRef(false)

  const update = (): void => {
    const now = grip.current
    if (now === null || now.boxes === null) return
    const { key, from, boxes } = now
    const scrolled = (strip.current?.scrollLeft ?? 0) - now.startScroll
    const dx = keptInside(boxes, from, now.at.x - now.start.x + scrolled)
    setDrag({ key, from, to: placeOf(boxes, from, dx), dx, room: roomOf(boxes, from) })
  }
  const release = (): void => {
    clearTimeout(grip.current?.timer)
    grip.current = null
    setDrag(null)
    setHeld(null)
  }
  const begin = (taken: Grip): void => {
    taken.boxes = boxesIn(strip.current)
    taken.element.setPointerCapture(taken.pointerId)
    const follow = (): void => {
      const element = strip.current
      if (grip.current !== taken || element === null) return
      const { left, right } = element.getBoundingClientRect()
      const pull = taken.at.x < left + EDGE_PX ? -SCROLL_PX : taken.at.x > right - EDGE_PX ? SCROLL_PX : 0
      const before = element.scrollLeft
      element.scrollLeft += pull
      if (element.scrollLeft !== before) update()
      requestAnimationFrame(follow)
    }
    requestAnimationFrame(follow)
  }

  const isDragging = drag !== null
  useEffect(() => {
    if (!isDragging) return
    const handleKey = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return
      event.preventDefault()
      event.stopPropagation()
      isClickSwallowed.current = true
      release()
    }
    window.addEventListener('keydown', handleKey, true)
    return () => {
      window.removeEventListener('keydown', handleKey, true)
    }
  }, [isDragging])
  useEffect(() => {
    const element = strip.current
    // A finger that holds a tab does not scroll the strip; only a listener that is not passive can say so.
    const handleTouch = (event: TouchEvent): void => {
      if (grip.current?.isHeld === true) event.preventDefault()
    }
    // What follows a touch for pages that know only a mouse would press the tab, and take the keyboard from its menu.
    const handleTouchEnd = (event: TouchEvent): void => {
      if (!isClickSwallowed.current) return
      isClickSwallowed.current = false
      event.preventDefault()
    }
    element?.addEventListener('touchmove', handleTouch, { passive: false })
    element?.addEventListener('touchend', handleTouchEnd, { passive: false })
    return () => {
      element?.removeEventListener('touchend', handleTouchEnd)
      element?.removeEventListener('touchmove', handleTouch)
      clearTimeout(grip.current?.timer)
    }
  }, [strip])

  return {
    drag,
    held,
    press: (event, key, from) => {
      isClickSwallowed.current = false
      if (event.button !== 0 || !event.isPrimary) return
      const at = { x: event.clientX, y: event.clientY }
      const taken: Grip = {
        key,
        from,
        element: event.currentTarget,
        pointerId: event.pointerId,
        isTouch: event.pointerType === 'touch',
        start: at,
        startScroll: strip.current?.scrollLeft ?? 0,
        at,
        boxes: null,
        isHeld: false,
        timer: undefined,
      }
      if (taken.isTouch) {
        taken.timer = setTimeout(() => {
          taken.isHeld = true
          setHeld(key)
        }, HOLD_MS)
      }
      grip.current = taken
    },
    strip: {
      onPointerMove: (event) => {
        const now = grip.current
        if (now === null || event.pointerId !== now.pointerId) return
        now.at = { x: event.clientX, y: event.clientY }
        const [dx, dy] = [now.at.x - now.start.x, now.at.y - now.start.y]
        if (now.boxes === null) {
          const isFar = Math.hypot(dx, dy) > (now.isTouch ? TOUCH_SLACK_PX : MOUSE_SLACK_PX)
          if (!isFar) return
          // It scrolls, or leaves the strip.
          if (now.isTouch && !now.isHeld) {
            release()
            return
          }
          begin(now)
        }
        update()
      },
      onPointerUp: () => {
        const now = grip.current
        if (now === null) return
        if (drag !== null) {
          isClickSwallowed.current = true
          if (drag.to !== drag.from) onMove(drag.key, drag.to)
        } else if (now.isHeld) {
          isClickSwallowed.current = true
          onHold(now.key, now.at)
        }
        release()
      },
      onPointerCancel: release,
      onClickCapture: (event) => {
        if (!isClickSwallowed.current) return
        isClickSwallowed.current = false
        event.preventDefault()
        event.stopPropagation()
      },
    },
  }
}

function boxesIn(strip: HTMLElement | null): Box[] {
  return Array.from(strip?.querySelectorAll<HTMLElement>('[data-tty-tab]') ?? [], (tab) => ({
    left: tab.offsetLeft,
    width: tab.offsetWidth,
  }))
}

/** A tab's width and the gap beside it. */
function roomOf(boxes: readonly Box[], from: number): number {
  const [own, next, before] = [boxes[from], boxes[from + 1], boxes[from - 1]]
  if (own === undefined) return 0
  if (next !== undefined) return next.left - own.left
  return before === undefined ? own.width : own.left - before.left - before.width + own.width
}
