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

export interface Keys {
  readonly keys: readonly string[]
  /** What works on a Mac as well, and is shown there instead. */
  readonly mac?: readonly string[]
  /** Heard by the part that has the keyboard, or meant for the mouse: here for people only. */
  readonly isShownOnly?: true
}

export const BINDINGS = {
  toggle: { keys: ['Ctrl+`'], isShownOnly: true },
  copy: { keys: ['Ctrl+Shift+C'], mac: ['Cmd+C'] },
  paste: { keys: ['Ctrl+Shift+V'], mac: ['Cmd+V'] },
  find: { keys: ['Ctrl+F', 'Ctrl+Shift+F'], mac: ['Cmd+F'] },
  links: { keys: ['Ctrl+Shift+O'], mac: ['Cmd+Shift+O'] },
  openLink: { keys: ['Ctrl+Click'], mac: ['Cmd+Click'], isShownOnly: true },
  previousCommand: { keys: ['Ctrl+Shift+ArrowUp'], mac: ['Cmd+ArrowUp'] },
  nextCommand: { keys: ['Ctrl+Shift+ArrowDown'], mac: ['Cmd+ArrowDown'] },
  zoomIn: { keys: ['Ctrl++', 'Ctrl+='], mac: ['Cmd++', 'Cmd+='] },
  zoomOut: { keys: ['Ctrl+-'], mac: ['Cmd+-'] },
  zoomReset: { keys: ['Ctrl+0'], mac: ['Cmd+0'] },
  help: { keys: ['Ctrl+?', '?'] },
  changeTab: { keys: ['ArrowLeft', 'ArrowRight'], isShownOnly: true },
  enterTab: { keys: ['ArrowDown'], isShownOnly: true },
  moveTab: { keys: ['Shift+ArrowLeft', 'Shift+ArrowRight'], isShownOnly: true },
  tabMenu: { keys: ['Shift+F10'], isShownOnly: true },
  renameTab: { keys: ['F2'], isShownOnly: true },
  closeTab: { keys: ['Delete'], isShownOnly: true },
  minimise: { keys: ['Esc'], isShownOnly: true },
} satisfies Record<string, Keys>

export type BindingId = keyof typeof BINDINGS

/** @returns null when the press means none of them */
export function bindingOf(press: KeyPress, isMac: boolean): BindingId | null {
  for (const [id, { keys, mac = [], isShownOnly }] of Object.entries<Keys>(BINDINGS)) {
    if (isShownOnly === true) continue
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

/** Where the keyboard is; `alternate`: a program has the whole screen, and keys that programs use are its own. */
export type KeyPlace = 'panel' | 'terminal' | 'alternate'
type PanelBinding = Extract<BindingId, 'find' | 'links' | 'zoomIn' | 'zoomOut' | 'zoomReset' | 'help'>

/** What the panel does for the terminal it shows. */
export function panelKey(press: KeyPress, place: KeyPlace): PanelBinding | null {
  const binding = bindingOf(press, isMac())
  switch (binding) {
    case 'find':
      return place === 'alternate' && press.ctrlKey && !press.shiftKey ? null : binding
    case 'links':
      return binding
    case 'help':
      return place === 'panel' || press.ctrlKey ? binding : null
    case 'zoomIn':
    case 'zoomOut':
    case 'zoomReset':
      // Elsewhere they are the browser's.
      return place === 'panel' ? null : binding
    default:
      return null
  }
}

export const isMac = (): boolean => /mac/i.test(navigator.platform)
