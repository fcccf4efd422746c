/** Which key presses in a terminal mean the clipboard and not the program. */
import { bindingOf, type KeyPress } from '../keys.ts'

export type ClipboardKey =
  | 'copy'
  /** Copy and then drop the selection, so that the next press interrupts. */
  | 'copy-or-interrupt'
  | 'paste'
  /** Swallow: would be a browser shortcut, and means nothing here. */
  | 'nothing'

/** @returns null when the key belongs to the program */
export function clipboardKey(press: KeyPress, context: { isMac: boolean; hasSelection: boolean }): ClipboardKey | null {
  const { isMac, hasSelection } = context
  const binding = bindingOf(press, isMac)
  if (binding === 'paste') return 'paste'
  if (binding === 'copy') return hasSelection ? 'copy' : 'nothing'
  const isInterrupt = press.ctrlKey && !press.shiftKey && !press.altKey && !press.metaKey
  return isInterrupt && press.key.toLowerCase() === 'c' && hasSelection ? 'copy-or-interrupt' : null
}
