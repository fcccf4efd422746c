/** How much of the window's lower edge an on-screen keyboard covers, in CSS pixels; 0 without one. */
import { useSyncExternalStore } from 'react'

/** Bars of the browser that come and go are smaller. */
const SMALLEST_KEYBOARD_PX = 80

const subscribe = (listener: () => void): (() => void) => {
  const view = window.visualViewport
  view?.addEventListener('resize', listener)
  view?.addEventListener('scroll', listener)
  return () => {
    view?.removeEventListener('resize', listener)
    view?.removeEventListener('scroll', listener)
  }
}

function inset(): number {
  // Absent in older browsers.
  const view = (window as { readonly visualViewport?: VisualViewport | null }).visualViewport ?? null
  // A page that is pinched larger is no page with a keyboard.
  if (view === null || view.scale > 1.01) return 0
  const covered = Math.round(window.innerHeight - view.height - view.offsetTop)
  return covered < SMALLEST_KEYBOARD_PX ? 0 : covered
}

export const useKeyboardInset = (): number => useSyncExternalStore(subscribe, inset)
