/** What is grabbed to make the panel larger or smaller, with a pointer or with the arrow keys. */
import { useRef, type KeyboardEvent } from 'react'
import { MIN_DOCK_HEIGHT, windowRectIn, type Rect } from '../stores/panel-store.ts'
import { useDrag } from './use-drag.ts'
import css from './Handles.module.css'

const STEP_PX = 24

export function DockHandle(props: {
  label: string
  height: number
  maxHeight: number
  onPreview: (height: number | null) => void
  onCommit: (height: number) => void
}) {
  const { label, height, maxHeight, onPreview, onCommit } = props
  const latest = useRef(height)
  const drag = useDrag(
    () => {
      latest.current = height
      return (_, dy) => {
        latest.current = height - dy
        onPreview(latest.current)
      }
    },
    () => {
      onPreview(null)
      onCommit(latest.current)
    },
  )
  const handleKey = (event: KeyboardEvent): void => {
    const step = { ArrowUp: STEP_PX, ArrowDown: -STEP_PX, PageUp: 5 * STEP_PX, PageDown: -5 * STEP_PX }[event.key]
    const wanted = event.key === 'Home' ? MIN_DOCK_HEIGHT : event.key === 'End' ? maxHeight : null
    if (step === undefined && wanted === null) return
    event.preventDefault()
    onCommit(Math.max(MIN_DOCK_HEIGHT, Math.min(maxHeight, wanted ?? height + (step ?? 0))))
  }
  return (
    <div
      className={css['dock']}
      // A splitter that takes the keyboard; a rule does not.
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
      role="separator"
      aria-orientation="horizontal"
      aria-label={label}
      aria-valuenow={height}
      aria-valuemin={MIN_DOCK_HEIGHT}
      aria-valuemax={maxHeight}
      tabIndex={0}
      {...drag}
      onKeyDown={handleKey}
    />
  )
}

type Edge = 'n' | 'e' | 's' | 'w' | 'ne' | 'nw' | 'sw' | 'se'
const EDGES: readonly Edge[] = ['n', 'e', 's', 'w', 'ne', 'nw', 'sw', 'se']

/** Move the named edges of a rectangle. */
function pulled(rect: Rect, edge: Edge, { dx, dy }: { dx: number; dy: number }): Rect {
  const left = edge.includes('w') ? dx : 0
  const top = edge.includes('n') ? dy : 0
  const right = edge.includes('e') ? dx : 0
  const bottom = edge.includes('s') ? dy : 0
  return { x: rect.x + left, y: rect.y + top, width: rect.width - left + right, height: rect.height - top + bottom }
}

export interface WindowHandlesProps {
  readonly label: string
  readonly rect: Rect
  readonly onPreview: (rect: Rect | null) => void
  readonly onCommit: (rect: Rect) => void
}

export function WindowHandles(props: WindowHandlesProps) {
  return (
    <>
      {EDGES.map((edge) => (
        <WindowHandle key={edge} edge={edge} {...props} />
      ))}
    </>
  )
}

function WindowHandle({ edge, label, rect, onPreview, onCommit }: WindowHandlesProps & { edge: Edge }) {
  const latest = useRef(rect)
  const view = (): { width: number; height: number } => ({ width: window.innerWidth, height: window.innerHeight })
  const drag = useDrag(
    () => {
      latest.current = rect
      return (dx, dy) => {
        latest.current = windowRectIn(view(), pulled(rect, edge, { dx, dy }))
        onPreview(latest.current)
      }
    },
    () => {
      onPreview(null)
      onCommit(latest.current)
    },
  )
  if (edge !== 'se') return <div className={css[edge]} {...drag} aria-hidden="true" />
  const handleKey = (event: KeyboardEvent): void => {
    const dx = { ArrowLeft: -STEP_PX, ArrowRight: STEP_PX }[event.key] ?? 0
    const dy = { ArrowUp: -STEP_PX, ArrowDown: STEP_PX }[event.key] ?? 0
    if (dx === 0 && dy === 0) return
    event.preventDefault()
    const next = event.shiftKey ? { ...rect, x: rect.x + dx, y: rect.y + dy } : pulled(rect, 'se', { dx, dy })
    onCommit(windowRectIn(view(), next))
  }
  return <button type="button" className={css['se']} aria-label={label} {...drag} onKeyDown={handleKey} />
}
