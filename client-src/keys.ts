/**
 * The keys that mean the panel or the terminal, and not the program in it: the one table that presses are matched with and
 * that is shown to people. Knows no effects.
 */

export interface KeyPress {
  readonly key: string
  readonly ctrlKey: boolean
  readonly shiftKey: boolean
  readonly altKey: boolean
  readonly metaKey: boolean
}

/** `mac`: what works on a Mac as well, and is shown there instead. */
interface Keys {
  readonly keys: readonly string[]
  readonly mac?: readonly string[]
}

export const BINDINGS = {
  copy: { keys: ['Ctrl+Shift+C'], mac: ['Cmd+C'] },
  paste: { keys: ['Ctrl+Shift+V'], mac: ['Cmd+V'] },
  previousCommand: { keys: ['Ctrl+Shift+ArrowUp'], mac: ['Cmd+ArrowUp'] },
  nextCommand: { keys: ['Ctrl+Shift+ArrowDown'], mac: ['Cmd+ArrowDown'] },
  find: { keys: ['Ctrl+F', 'Ctrl+Shift+F'], mac: ['Cmd+F'] },
  links: { keys: ['Ctrl+Shift+O'], mac: ['Cmd+Shift+O'] },
} satisfies Record<string, Keys>

export type BindingId = keyof typeof BINDINGS

/** @returns null when the press means none of them */
export function bindingOf(press: KeyPress, isMac: boolean): BindingId | null {
  for (const [id, { keys, mac = [] }] of Object.entries<Keys>(BINDINGS)) {
    if ([...keys, ...(isMac ? mac : [])].some((chord) => isChord(press, chord))) return id as BindingId
  }
  return null
}

function isChord(press: KeyPress, chord: string): boolean {
  const key = /[^+]+$|\+$/.exec(chord)?.[0] ?? ''
  const has = (modifier: string): boolean => chord.startsWith(`${modifier}+`) || chord.includes(`+${modifier}+`)
  return (
    press.key.toLowerCase() === key.toLowerCase() &&
    press.ctrlKey === has('Ctrl') &&
    press.metaKey === has('Cmd') &&
    !press.altKey &&
    // Whether a sign takes Shift is the keyboard's affair.
    (press.shiftKey === has('Shift') || /^[^a-z]$/i.test(key))
  )
}

/**
 * What the panel does, wherever in it the keyboard is.
 * @param isAlternate a program has the whole screen: then keys that programs use are its own
 */
export function panelKey(press: KeyPress, isAlternate = false): 'find' | 'links' | null {
  const binding = bindingOf(press, isMac())
  if (binding === 'find') return isAlternate && press.ctrlKey && !press.shiftKey ? null : binding
  return binding === 'links' ? binding : null
}

export const isMac = (): boolean => /mac/i.test(navigator.platform)
