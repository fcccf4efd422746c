/** The one popup menu: beside what it belongs to, gone with Escape, a choice or a press elsewhere; the keyboard goes back. */
import { useEffect, useLayoutEffect, useRef } from 'react'
import { joined } from './joined.ts'
import type { MenuItem } from './menu-model.ts'
import { MenuList } from './MenuList.tsx'
import { placeBeside, type Edges, type Point } from './place.ts'
import css from './Popup.module.css'

export interface MenuProps {
  /** For tests and styles: which menu it is. */
  readonly name: string
  readonly label: string
  readonly items: readonly MenuItem[]
  /** What it belongs to: an element, or a point of the window. */
  readonly anchor: HTMLElement | Point
  /** The item that has the keyboard at first; the first one by default. */
  readonly initial?: string
  readonly onClose: () => void
}

const edgesOf = (anchor: MenuProps['anchor']): Edges =>
  anchor instanceof HTMLElement
    ? anchor.getBoundingClientRect()
    : { left: anchor.x, top: anchor.y, right: anchor.x, bottom: anchor.y }

export function Menu({ name, label, items, anchor, initial, onClose }: MenuProps) {
  const popup = useRef<HTMLDivElement>(null)
  const wantsBack = useRef(true)
  useLayoutEffect(() => {
    const element = popup.current
    if (element === null) return
    const size = { width: element.offsetWidth, height: element.offsetHeight }
    const { x, y } = placeBeside(edgesOf(anchor), size, { width: window.innerWidth, height: window.innerHeight })
    // In a window that has been dragged nothing is laid out again before the keyboard goes to an item.
    element.style.left = `${String(x)}px`
    element.style.top = `${String(y)}px`
  }, [anchor, items.length])
  useLayoutEffect(() => {
    const element = popup.current
    const before = document.activeElement
    return () => {
      // Whoever has put the keyboard elsewhere meanwhile meant it.
      const isHere = element?.contains(document.activeElement) === true || document.activeElement === document.body
      if (wantsBack.current && isHere && before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  useEffect(() => {
    const handlePress = (event: PointerEvent): void => {
      const target = event.target as Node
      // A press on what it belongs to says itself what is to be open.
      if (popup.current?.contains(target) === true || (anchor instanceof HTMLElement && anchor.contains(target))) return
      wantsBack.current = false
      onClose()
    }
    document.addEventListener('pointerdown', handlePress, true)
    window.addEventListener('resize', onClose)
    return () => {
      document.removeEventListener('pointerdown', handlePress, true)
      window.removeEventListener('resize', onClose)
    }
  }, [anchor, onClose])
  return (
    <div
      ref={popup}
      className={joined(css['popup'], css['floating'])}
      data-tty-menu={name}
      onPointerDown={(event) => {
        // What is around it may be something that is dragged.
        event.stopPropagation()
      }}
      onContextMenu={(event) => {
        event.preventDefault()
      }}
      onBlur={(event) => {
        const to = event.relatedTarget
        if (to !== null && !event.currentTarget.contains(to)) onClose()
      }}
    >
      <MenuList label={label} items={items} {...(initial === undefined ? {} : { initial })} onClose={onClose} />
    </div>
  )
}
