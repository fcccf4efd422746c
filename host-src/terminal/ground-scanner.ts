/**
 * Follows just enough of the VT grammar to tell where a stream may be cut: between characters and outside any escape
 * sequence (the parser's "ground" state, https://vt100.net/emu/dec_ansi_parser). It decides nothing else.
 *
 * Where xterm.js gives a malformed sequence up early, this stays in it until the next byte that ends both: it may miss a
 * cut, it never invents one. Every byte of every session passes here, so the grammar is one table, and what coloured text is
 * made of does not even need that.
 */

const ESC = 0x1b
/** After ESC. */
const CSI_INTRODUCER = 0x5b
const CAN = 0x18
const SUB = 0x1a
const BEL = 0x07
/** First byte of every C1 control in UTF-8; 0x80 to 0x9f follows. */
const C1_LEAD = 0xc2
/** An escape sequence this near is found sooner byte by byte than with a call. */
const NEAR_BYTES = 32
/** Bytes of a character after its first one. */
const LONGEST_REST = 3

const GROUND = 0
/** In the text, and so many continuation bytes of a character are still to come. */
const CHARACTER_1 = 1
const CHARACTER_2 = 2
const CHARACTER_3 = 3
/** In the text after C1_LEAD: the next byte makes it a control or a character. */
const GROUND_C1 = 4
const ESCAPE = 5
const ESCAPE_INTERMEDIATE = 6
const CSI = 7
const OSC = 8
/** DCS, SOS, PM and APC. */
const STRING = 9
/** A state from ESCAPE to STRING and this much more: the same after C1_LEAD. */
const AFTER_C1_LEAD = 5
const STATES = STRING + AFTER_C1_LEAD + 1

export class GroundScanner {
  #state = GROUND

  /** Whether a cut right here is safe. */
  get isGround(): boolean {
    return this.#state === GROUND
  }

  /**
   * Take the next bytes.
   * @returns the first index in 0…length at which a cut is safe, or -1 when there is none
   */
  feed(bytes: Uint8Array): number {
    const { length } = bytes
    let state = this.#state
    let at = 0
    for (; state !== GROUND && at < length; at += 1) state = after(state, bytes[at] as number)
    const first = state === GROUND ? at : -1
    let nextEscape = -1
    let nextLead = -1
    while (at < length) {
      if (state === GROUND) {
        const from = at
        if (nextLead < at) nextLead = indexOrEnd(bytes, C1_LEAD, at)
        const near = Math.min(at + NEAR_BYTES, nextLead)
        while (at < near && bytes[at] !== ESC) at += 1
        if (at === near && near < nextLead) {
          if (nextEscape < at) nextEscape = indexOrEnd(bytes, ESC, at)
          at = Math.min(nextEscape, nextLead)
        }
        // An unfinished character matters at the end only: what ends the text ends the character with it.
        if (at === length) {
          for (at = Math.max(from, length - LONGEST_REST); at < length; at += 1)
            state = after(state, bytes[at] as number)
          break
        }
        const end = endOfSequence(bytes, at)
        if (end !== -1) {
          at = end
          continue
        }
      }
      state = after(state, bytes[at] as number)
      at += 1
    }
    this.#state = state
    return first
  }
}

/** Index of the first `byte` from `from` on, or the length. */
function indexOrEnd(bytes: Uint8Array, byte: number, from: number): number {
  const index = bytes.indexOf(byte, from)
  return index === -1 ? bytes.length : index
}

/**
 * Index after the control sequence at `from`, when it is whole and made as nearly all are: ESC [, digits, ':' and ';', and
 * a final byte. Otherwise -1, and the table has to follow it.
 */
function endOfSequence(bytes: Uint8Array, from: number): number {
  if (from + 2 >= bytes.length || bytes[from] !== ESC || bytes[from + 1] !== CSI_INTRODUCER) return -1
  let at = from + 2
  let byte = bytes[at] as number
  while (byte >= 0x30 && byte <= 0x3b) {
    at += 1
    if (at === bytes.length) return -1
    byte = bytes[at] as number
  }
  return byte >= 0x40 && byte <= 0x7e ? at + 1 : -1
}

const TABLE = new Uint8Array(STATES * 256)
for (let state = 0; state < STATES; state += 1) {
  for (let byte = 0; byte < 256; byte += 1) TABLE[(state << 8) | byte] = transition(state, byte)
}

function after(state: number, byte: number): number {
  return TABLE[(state << 8) | byte] as number
}

function transition(state: number, byte: number): number {
  const isAfterLead = state === GROUND_C1 || state > STRING
  if (isAfterLead && byte >= 0x80 && byte <= 0x9f) return afterC1(byte)
  if (state <= GROUND_C1) return inText(state, byte)
  const next = inSequence(state > STRING ? state - AFTER_C1_LEAD : state, byte)
  return byte === C1_LEAD ? next + AFTER_C1_LEAD : next
}

function inText(state: number, byte: number): number {
  if (byte === ESC) return ESCAPE
  if (byte === C1_LEAD) return GROUND_C1
  const isContinuation = byte >= 0x80 && byte <= 0xbf
  if (isContinuation) return state === CHARACTER_3 ? CHARACTER_2 : state === CHARACTER_2 ? CHARACTER_1 : GROUND
  if (byte >= 0xf0 && byte <= 0xf4) return CHARACTER_3
  if (byte >= 0xe0 && byte < 0xf0) return CHARACTER_2
  return byte > C1_LEAD && byte < 0xe0 ? CHARACTER_1 : GROUND
}

function inSequence(state: number, byte: number): number {
  if (byte === CAN || byte === SUB) return GROUND
  if (byte === ESC) return ESCAPE
  switch (state) {
    case ESCAPE:
      return byte >= 0x20 && byte <= 0x2f ? ESCAPE_INTERMEDIATE : afterEscape(byte)
    case ESCAPE_INTERMEDIATE:
      return byte >= 0x30 && byte <= 0x7e ? GROUND : state
    case CSI:
      return byte >= 0x40 && byte <= 0x7e ? GROUND : state
    case OSC:
      // Only an OSC ends with BEL; in the other strings it is a byte like any other.
      return byte === BEL ? GROUND : state
    default:
      return state
  }
}

function afterEscape(byte: number): number {
  if (byte === CSI_INTRODUCER) return CSI
  if (byte === 0x5d) return OSC
  if (byte === 0x50 || byte === 0x58 || byte === 0x5e || byte === 0x5f) return STRING
  return byte >= 0x30 && byte <= 0x7e ? GROUND : ESCAPE
}

/** C1 controls act in every state: CSI, OSC, DCS, SOS, PM and APC begin something, the others end whatever is open. */
function afterC1(byte: number): number {
  if (byte === 0x9b) return CSI
  if (byte === 0x9d) return OSC
  return byte === 0x90 || byte === 0x98 || byte === 0x9e || byte === 0x9f ? STRING : GROUND
}
