/** Which key presses in a terminal go from command to command. */
import type { KeyPress } from './clipboard-keys.ts'

export type MarkDirection = 'previous' | 'next'

/**
 * Ctrl+Shift+Up and Down; on a Mac also Cmd+Up and Down, which no program gets.
 * @returns null when the key belongs to the program: always in the alternate screen
 */
export function markKey(press: KeyPress, context: { isMac: boolean; isAlternate: boolean }): MarkDirection | null {
  const { key, ctrlKey, shiftKey, altKey, metaKey } = press
  if (context.isAlternate || altKey) return null
  const isControl = ctrlKey && shiftKey && !metaKey
  const isCommand = context.isMac && metaKey && !ctrlKey && !shiftKey
  if (!isControl && !isCommand) return null
  if (key === 'ArrowUp') return 'previous'
  return key === 'ArrowDown' ? 'next' : null
}
