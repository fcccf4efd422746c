/** Which key presses in a terminal go from command to command. */
import { bindingOf, type KeyPress } from '../keys.ts'

export type MarkDirection = 'previous' | 'next'

/** @returns null when the key belongs to the program: always in the alternate screen */
export function markKey(press: KeyPress, context: { isMac: boolean; isAlternate: boolean }): MarkDirection | null {
  const binding = context.isAlternate ? null : bindingOf(press, context.isMac)
  if (binding === 'previousCommand') return 'previous'
  return binding === 'nextCommand' ? 'next' : null
}
