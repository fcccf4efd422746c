/** How many columns a character takes: as close as terminals agree, for the ones that matter when a line wraps. */

/** Ranges of East Asian wide characters and emoji, as pairs of first and last. */
const WIDE = [
  0x1100, 0x115f, 0x231a, 0x231b, 0x23e9, 0x23ec, 0x2614, 0x2615, 0x2648, 0x2653, 0x26a1, 0x26a1, 0x2705, 0x2705,
  0x2728, 0x2728, 0x274c, 0x274c, 0x2753, 0x2755, 0x2795, 0x2797, 0x2b1b, 0x2b1c, 0x2b50, 0x2b50, 0x2e80, 0x303e,
  0x3041, 0x33ff, 0x3400, 0x4dbf, 0x4e00, 0xa4cf, 0xa960, 0xa97f, 0xac00, 0xd7a3, 0xf900, 0xfaff, 0xfe30, 0xfe6f,
  0xff00, 0xff60, 0xffe0, 0xffe6, 0x1f300, 0x1f64f, 0x1f680, 0x1f6ff, 0x1f900, 0x1f9ff, 0x1fa70, 0x1faff, 0x20000,
  0x3fffd,
]

/** 1 or 2, for characters that take a place of their own. */
export function widthOf(codePoint: number): 1 | 2 {
  if (codePoint < 0x1100) return 1
  for (let at = 0; at < WIDE.length; at += 2) {
    if (codePoint < (WIDE[at] as number)) return 1
    if (codePoint <= (WIDE[at + 1] as number)) return 2
  }
  return 1
}

/** `joins`: drawn with the character before it. `invisible`: shows nothing, or turns the direction of the text. */
export type CharacterKind = 'plain' | 'joins' | 'invisible'

export function kindOf(codePoint: number): CharacterKind {
  if (codePoint < 0xad) return 'plain'
  if (isInvisible(codePoint)) return 'invisible'
  return joins(codePoint) ? 'joins' : 'plain'
}

const SOFT_HYPHEN = 0xad

function isInvisible(code: number): boolean {
  return (
    code === SOFT_HYPHEN ||
    code === 0x034f ||
    code === 0x061c ||
    (code >= 0x115f && code <= 0x1160) ||
    code === 0x180e ||
    code === 0x200b ||
    (code >= 0x200e && code <= 0x200f) ||
    (code >= 0x2028 && code <= 0x202e) ||
    (code >= 0x2060 && code <= 0x206f) ||
    code === 0x3164 ||
    code === 0xfeff ||
    (code >= 0xfff9 && code <= 0xfffb) ||
    (code & 0xfffe) === 0xfffe ||
    (code >= 0xe0000 && code <= 0xe0fff)
  )
}

/** Marks, joiners, variation selectors and skin tones. */
function joins(code: number): boolean {
  return (
    (code >= 0x200c && code <= 0x200d) ||
    (code >= 0xfe00 && code <= 0xfe0f) ||
    (code >= 0x1f3fb && code <= 0x1f3ff) ||
    (code >= 0x300 && !isIdeograph(code) && MARK.test(String.fromCodePoint(code)))
  )
}

const MARK = /^\p{M}$/u

/** No marks among them, and many of them in a text. */
function isIdeograph(code: number): boolean {
  return code >= 0x3400 && code <= 0xd7a3
}
