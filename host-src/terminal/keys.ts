/**
 * Named keys and the bytes that a terminal sends for them: one table, from which the checks, the error and the list of names
 * derive. Knows nothing of sessions; whether the cursor keys are in application mode is told by the caller.
 */
import { TtyError } from '../base/errors.ts'

/** How a key with modifiers is encoded (https://invisible-island.net/xterm/ctlseqs/ctlseqs.html, "PC-Style Function Keys"). */
type KeyShape =
  /** `CSI letter`, `SS3 letter` in application cursor mode, `CSI 1 ; modifiers letter`. */
  | { readonly kind: 'cursor'; readonly letter: string }
  /** `SS3 letter`, `CSI 1 ; modifiers letter`. */
  | { readonly kind: 'function'; readonly letter: string }
  /** `CSI number ~`, `CSI number ; modifiers ~`. */
  | { readonly kind: 'tilde'; readonly number: number }
  /** A control byte of its own; `shift` and `control` where the key has other bytes with them. */
  | { readonly kind: 'plain'; readonly bytes: string; readonly shift?: string; readonly control?: string }

interface KeyRow {
  readonly name: string
  readonly aliases: readonly string[]
  readonly shape: KeyShape
}

const ESC = '\u001b'
const CSI = `${ESC}[`
const SS3 = `${ESC}O`
const BACK_TAB = `${CSI}Z`

const cursor = (letter: string): KeyShape => ({ kind: 'cursor', letter })
const tilde = (number: number): KeyShape => ({ kind: 'tilde', number })
const key = (name: string, shape: KeyShape, ...aliases: readonly string[]): KeyRow => ({ name, shape, aliases })

const FUNCTION_KEYS: readonly KeyRow[] = [
  ...['P', 'Q', 'R', 'S'].map((letter, at) => key(`F${String(at + 1)}`, { kind: 'function', letter })),
  ...[15, 17, 18, 19, 20, 21, 23, 24].map((number, at) => key(`F${String(at + 5)}`, tilde(number))),
]

const KEYS: readonly KeyRow[] = [
  key('Enter', { kind: 'plain', bytes: '\r' }, 'Return'),
  key('Tab', { kind: 'plain', bytes: '\t', shift: BACK_TAB }),
  key('BTab', { kind: 'plain', bytes: BACK_TAB }),
  key('Space', { kind: 'plain', bytes: ' ', control: '\0' }),
  key('Escape', { kind: 'plain', bytes: ESC }, 'Esc'),
  key('BSpace', { kind: 'plain', bytes: '\u007f', control: '\b' }, 'Backspace'),
  key('Up', cursor('A')),
  key('Down', cursor('B')),
  key('Right', cursor('C')),
  key('Left', cursor('D')),
  key('Home', cursor('H')),
  key('End', cursor('F')),
  key('PageUp', tilde(5), 'PgUp', 'PPage'),
  key('PageDown', tilde(6), 'PgDn', 'NPage'),
  key('Insert', tilde(2), 'Ins', 'IC'),
  key('Delete', tilde(3), 'Del', 'DC'),
  ...FUNCTION_KEYS,
]

/** Names are found in any case; single characters are not names. */
const BY_NAME = new Map(KEYS.flatMap((row) => [row.name, ...row.aliases].map((name) => [name.toLowerCase(), row])))

/** What Ctrl makes of characters other than letters. */
const CONTROL_OF: Readonly<Record<string, string>> = {
  '@': '\0',
  '[': ESC,
  '\\': '\u001c',
  ']': '\u001d',
  '^': '\u001e',
  _: '\u001f',
  '/': '\u001f',
  '?': '\u007f',
}

/** The names, for descriptions: each key by its first name. */
export const KEY_NAMES: readonly string[] = KEYS.map(({ name }) => name)

/** How keys are written, in one sentence, for tool descriptions and errors. */
export const KEY_SYNTAX =
  `Keys: ${KEY_NAMES.join(', ').replace(/F1, .*F12/, 'F1 to F12')}, or one character; ` +
  'before any of them C- (Ctrl), M- (Alt), S- (Shift), as in C-c, M-x, S-Tab, C-Up, C-M-Left.'

export interface KeyOptions {
  /** Whether the program asked for application cursor keys (DECCKM). */
  readonly applicationCursor: boolean
}

interface Modifiers {
  readonly control: boolean
  readonly alt: boolean
  readonly shift: boolean
}

/**
 * The bytes of all keys, in order.
 * @throws TtyError UNKNOWN_KEY naming the first that is none; nothing is to be sent then
 */
export function keysToBytes(names: readonly string[], options: KeyOptions): Uint8Array {
  return new TextEncoder().encode(names.map((name) => keyText(name, options)).join(''))
}

function keyText(name: string, options: KeyOptions): string {
  const { modifiers, base } = splitModifiers(name)
  const row = BY_NAME.get(base.toLowerCase())
  const text =
    row !== undefined
      ? namedText(row.shape, modifiers, options)
      : /^.$/su.test(base)
        ? characterText(base, modifiers)
        : undefined
  if (text === undefined) throw unknownKey(name)
  return text
}

/** `C-M-x`: what stands before each dash, as long as something is left behind it (`C--` is Ctrl with a dash). */
function splitModifiers(name: string): { modifiers: Modifiers; base: string } {
  const modifiers = { control: false, alt: false, shift: false }
  let base = name
  for (;;) {
    const found = /^([CMS])-(?=.)/isu.exec(base)
    if (found === null) return { modifiers, base }
    const which = ({ c: 'control', m: 'alt', s: 'shift' } as const)[
      (found[1] as string).toLowerCase() as 'c' | 'm' | 's'
    ]
    modifiers[which] = true
    base = base.slice(found[0].length)
  }
}

function namedText(shape: KeyShape, modifiers: Modifiers, options: KeyOptions): string | undefined {
  const sum = 1 + Number(modifiers.shift) + 2 * Number(modifiers.alt) + 4 * Number(modifiers.control)
  switch (shape.kind) {
    case 'cursor':
      if (sum > 1) return `${CSI}1;${String(sum)}${shape.letter}`
      return `${options.applicationCursor ? SS3 : CSI}${shape.letter}`
    case 'function':
      return sum > 1 ? `${CSI}1;${String(sum)}${shape.letter}` : `${SS3}${shape.letter}`
    case 'tilde':
      return sum > 1 ? `${CSI}${String(shape.number)};${String(sum)}~` : `${CSI}${String(shape.number)}~`
    case 'plain': {
      if (modifiers.control && modifiers.shift) return undefined
      const bytes = modifiers.control ? shape.control : modifiers.shift ? shape.shift : shape.bytes
      return bytes === undefined ? undefined : `${modifiers.alt ? ESC : ''}${bytes}`
    }
  }
}

function characterText(character: string, modifiers: Modifiers): string | undefined {
  if (isControl(character)) return undefined
  const shifted = modifiers.shift ? character.toUpperCase() : character
  // A shifted character without an upper case is another key on every keyboard.
  if (modifiers.shift && shifted === character && character.toLowerCase() === character) return undefined
  const bytes = modifiers.control ? controlOf(character, modifiers.shift) : shifted
  return bytes === undefined ? undefined : `${modifiers.alt ? ESC : ''}${bytes}`
}

function controlOf(character: string, isShifted: boolean): string | undefined {
  if (isShifted) return undefined
  if (/^[a-z]$/i.test(character)) return String.fromCharCode(character.toUpperCase().charCodeAt(0) - 0x40)
  return CONTROL_OF[character]
}

function isControl(character: string): boolean {
  const code = character.codePointAt(0) as number
  return code < 0x20 || (code >= 0x7f && code <= 0x9f) || (code >= 0xd800 && code <= 0xdfff)
}

function unknownKey(name: string): TtyError {
  const shown = JSON.stringify(name.length > 40 ? `${name.slice(0, 40)}…` : name)
  return new TtyError(
    'UNKNOWN_KEY',
    `There is no key ${shown}, or it has no bytes of its own with these modifiers; nothing was sent. ${KEY_SYNTAX} ` +
      'Text to be typed belongs in data.',
    { details: { key: name.slice(0, 40) } },
  )
}
