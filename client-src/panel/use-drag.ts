/** Dragging with any pointer: captured, so that it ends wherever the pointer is released. */
import { useRef, type PointerEvent } from 'react'

export interface DragHandlers {
  readonly onPointerDown: (event: PointerEvent<HTMLElement>) => void
  readonly onPointerMove: (event: PointerEvent<HTMLElement>) => void
  readonly onPointerUp: (event: PointerEvent<HTMLElement>) => void
  readonly onPointerCancel: (event: PointerEvent<HTMLElement>) => void
}

/**
 * @param start called on press; returns what follows the pointer, or null when the press is none of a drag
 * @param end called once after the last move
 */
export function useDrag(
  start: (event: PointerEvent<HTMLElement>) => ((dx: number, dy: number) => void) | null,
  end: () => void,
): DragHandlers {
  const drag = useRef<{ x: number; y: number; move: (dx: number, dy: number) => void } | null>(null)
  const finish = (): void => {
    if (drag.current === null) return
    drag.current = null
    end()
  }
  return {
    onPointerDown(event) {
      if (event.button !== 0) return
      const move = start(event)
      if (move === null) return
      event.currentTarget.setPointerCapture(event.pointerId)
      drag.current = { x: event.clientX, y: event.clientY, move }
    },
    onPointerMove(event) {
      drag.current?.move(event.clientX - drag.current.x, event.clientY - drag.current.y)
    },
    onPointerUp: finish,
    onPointerCancel: finish,
  }
}
