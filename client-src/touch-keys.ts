/** What the keys beside an on-screen keyboard send. Pure. */

export const TOUCH_KEYS = ['esc', 'ctrl', 'tab', 'left', 'up', 'down', 'right', '|', '/', '-', '~'] as const
export type TouchKey = (typeof TOUCH_KEYS)[number]

const ARROWS = { up: 'A', down: 'B', right: 'C', left: 'D' } as const
const PLAIN = { esc: '\u001b', tab: '\t' } as const

/** @param isApplication the program wants the arrow keys in their other form (DECCKM) */
export function touchBytes(
  key: Exclude<TouchKey, 'ctrl'>,
  { isApplication, isCtrl }: { isApplication: boolean; isCtrl: boolean },
): string {
  switch (key) {
    case 'esc':
    case 'tab':
      return PLAIN[key]
    case 'left':
    case 'up':
    case 'down':
    case 'right':
      if (isCtrl) return `\u001b[1;5${ARROWS[key]}`
      return `\u001b${isApplication ? 'O' : '['}${ARROWS[key]}`
    default:
      return isCtrl ? withCtrl(key) : key
  }
}

/** A typed character as it is while Ctrl is held; anything else stays. */
export function withCtrl(data: string): string {
  if (data === ' ' || data === '@') return '\0'
  if (data === '?') return '\u007f'
  if (data === '/' || data === '-') return '\u001f'
  return /^[A-Za-z[\\\]^_]$/.test(data) ? String.fromCharCode(data.toUpperCase().charCodeAt(0) & 0x1f) : data
}
