/** Hide the window when somebody presses beside it. What lies above the app (dialogs, menus) is not beside it. */
import { useEffect } from 'react'

export function useOutsidePress(
  isActive: boolean,
  { root, onOutside }: { root: { readonly current: HTMLElement | null }; onOutside: () => void },
): void {
  useEffect(() => {
    if (!isActive) return
    const handle = (event: PointerEvent): void => {
      const target = event.target as Element
      const isBeside = target.closest('#root') !== null && root.current?.contains(target) === false
      if (isBeside && target.closest('[data-tty-entry]') === null) onOutside()
    }
    document.addEventListener('pointerdown', handle, true)
    return () => {
      document.removeEventListener('pointerdown', handle, true)
    }
  }, [isActive, root, onOutside])
}
