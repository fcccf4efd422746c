/** Keeps the keyboard in a dialog, which the app's own leaves to its user. */

const CONTROLS = 'button:not([hidden]), input:not(:disabled), select, [tabindex="0"]'

/** Focus `first` and keep the focus among the controls of `dialog`. @returns gives it back */
export function holdKeyboard(dialog: HTMLElement, first: HTMLElement | null): () => void {
  const before = document.activeElement
  const handleKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Tab') return
    event.preventDefault()
    const controls = [...dialog.querySelectorAll<HTMLElement>(CONTROLS)]
    const at = controls.findIndex((control) => control === document.activeElement)
    controls.at((at + (event.shiftKey ? -1 : 1)) % controls.length)?.focus()
  }
  dialog.addEventListener('keydown', handleKey)
  first?.focus()
  return () => {
    dialog.removeEventListener('keydown', handleKey)
    if (before instanceof HTMLElement && before.isConnected) before.focus()
  }
}
