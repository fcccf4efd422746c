/** Which key presses in a terminal mean the clipboard and not the program. */

export type ClipboardKey =
  | 'copy'
  /** Copy and then drop the selection, so that the next press interrupts. */
  | 'copy-or-interrupt'
  | 'paste'
  /** Swallow: would be a browser shortcut, and means nothing here. */
  | 'nothing'

export interface KeyPress {
  readonly key: string
  readonly ctrlKey: boolean
  readonly shiftKey: boolean
  readonly altKey: boolean
  readonly metaKey: boolean
}

/** @returns null when the key belongs to the program */
export function clipboardKey(press: KeyPress, context: { isMac: boolean; hasSelection: boolean }): ClipboardKey | null {
  const { isMac, hasSelection } = context
  const key = press.key.toLowerCase()
  if (press.altKey || (key !== 'c' && key !== 'v')) return null
  const isCommand = press.metaKey && !press.ctrlKey && !press.shiftKey && isMac
  const isShifted = press.ctrlKey && press.shiftKey && !press.metaKey
  if (isCommand || isShifted) {
    if (key === 'v') return 'paste'
    return hasSelection ? 'copy' : 'nothing'
  }
  const isPlainControl = press.ctrlKey && !press.shiftKey && !press.metaKey
  return isPlainControl && key === 'c' && hasSelection ? 'copy-or-interrupt' : null
}
