/**
 * Where the last complete piece of a stream ends. The emulator is fed up to there, so that its state can be taken at any
 * time. A wrong answer costs nothing but that: the emulator itself says whether it is at ground.
 */
import { unfinishedBytes } from '../../screen-src/guards.ts'

const ESC = 0x1b
const BEL = 0x07
const CAN = 0x18
const SUB = 0x1a
/** First byte of the C1 controls in UTF-8. */
const C1_LEAD = 0xc2
const NOTHING = -1

/**
 * The last index of `bytes` that is between characters and sequences.
 * @param bytes a stretch of a stream that begins at such a place
 */
export function lastGround(bytes: Uint8Array): number {
  let at = 0
  let nextC1 = bytes.indexOf(C1_LEAD)
  for (;;) {
    const escape = bytes.indexOf(ESC, at)
    while (nextC1 !== NOTHING && (nextC1 < at || !isC1(bytes[nextC1 + 1]))) nextC1 = bytes.indexOf(C1_LEAD, nextC1 + 1)
    const isC1First = nextC1 !== NOTHING && (escape === NOTHING || nextC1 < escape)
    const start = isC1First ? nextC1 : escape
    if (start === NOTHING) return Math.max(at, bytes.length - unfinishedBytes(bytes))
    const end = isC1First
      ? endOf(bytes, start + 2, (bytes[start + 1] as number) - 0x40)
      : endOf(bytes, start + 2, bytes[start + 1])
    if (end === NOTHING) return start
    at = end
  }
}

const isC1 = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x80 && byte <= 0x9f

/** The index after a sequence, or NOTHING. @param at after its introducer @param kind what an ESC would be followed by */
function endOf(bytes: Uint8Array, at: number, kind: number | undefined): number {
  switch (kind) {
    case undefined:
      return NOTHING
    case 0x5b: // [
      return endOfCsi(bytes, at)
    case 0x5d: // ]
      return endOfString(bytes, at, BEL)
    case 0x50: // P
    case 0x58: // X
    case 0x5e: // ^
    case 0x5f: // _
      return endOfString(bytes, at, CAN)
    case ESC:
      return at - 1
    default:
      return kind >= 0x20 && kind <= 0x2f ? endOfEscape(bytes, at) : at
  }
}

function endOfEscape(bytes: Uint8Array, from: number): number {
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at] as number
    if (byte === ESC) return at
    if (byte >= 0x30 || byte === CAN || byte === SUB) return at + 1
  }
  return NOTHING
}

function endOfCsi(bytes: Uint8Array, from: number): number {
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at] as number
    if (byte === ESC) return at
    if ((byte >= 0x40 && byte !== 0x7f) || byte === CAN || byte === SUB) return at + 1
  }
  return NOTHING
}

/** Strings end with any ESC, which begins a sequence of its own, mostly `ESC \`; those of OSC end with BEL as well. */
function endOfString(bytes: Uint8Array, from: number, also: number): number {
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at] as number
    if (byte === also || byte === CAN || byte === SUB) return at + 1
    // An ESC that is the last byte here leaves open what it begins; the string is not over for the cut.
    if (byte === ESC) return at + 1 < bytes.length ? at : NOTHING
  }
  return NOTHING
}
