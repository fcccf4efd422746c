/** Where the panel is drawn: what is remembered, made to fit the browser window, with what is being dragged on top. */
import { useLayoutEffect, useState, useSyncExternalStore } from 'react'
import { dockHeightIn, modeOf, windowRectIn, type PanelState, type Rect } from '../stores/panel-store.ts'

export interface Geometry {
  readonly dockHeight: number
  readonly rect: Rect
  /** Largest height of the dock. */
  readonly maxDockHeight: number
  /** Draw it so while a drag lasts; null goes back to what is remembered. */
  readonly preview: (draft: { dockHeight?: number; rect?: Rect } | null) => void
}

const subscribeToWindow = (listener: () => void): (() => void) => {
  window.addEventListener('resize', listener)
  return () => {
    window.removeEventListener('resize', listener)
  }
}
const windowSize = (): string => `${String(window.innerWidth)} ${String(window.innerHeight)}`

export function useGeometry(state: PanelState): Geometry {
  const [draft, preview] = useState<{ dockHeight?: number; rect?: Rect } | null>(null)
  useSyncExternalStore(subscribeToWindow, windowSize)
  const view = { width: window.innerWidth, height: window.innerHeight }
  const dockHeight = dockHeightIn(view.height, draft?.dockHeight ?? state.dockHeight)
  const rect = windowRectIn(view, draft?.rect ?? state.rect)
  const isDocked = modeOf(state) === 'docked'
  // The style sheet makes the app shorter by this much while the dock is there.
  useLayoutEffect(() => {
    if (!isDocked) return
    document.body.style.setProperty('--dsh-tty-dock-height', `${String(dockHeight)}px`)
    return () => {
      document.body.style.removeProperty('--dsh-tty-dock-height')
    }
  }, [isDocked, dockHeight])
  return { dockHeight, rect, maxDockHeight: dockHeightIn(view.height, Number.MAX_SAFE_INTEGER), preview }
}
