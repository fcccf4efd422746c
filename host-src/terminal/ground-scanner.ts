/**
 * Follows just enough of the VT grammar to tell where a stream may be cut: between characters and outside any escape
 * sequence (the parser's "ground" state, https://vt100.net/emu/dec_ansi_parser). It decides nothing else.
 *
 * Where xterm.js gives a malformed sequence up early, this stays in it until the next byte that ends both: it may miss a
 * cut, it never invents one. Every byte of every session passes here, so what cannot matter is not looked at: ESC means the
 * same in every state, so that what comes before the last one in a read decides nothing about its end.
 */

const ESC = 0x1b
/** After ESC. */
const CSI_INTRODUCER = 0x5b
const CAN = 0x18
const SUB = 0x1a
const BEL = 0x07
/** First byte of every C1 control in UTF-8; 0x80 to 0x9f follows. */
const C1_LEAD = 0xc2
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
  feed(chunk: Uint8Array): number {
    // Buffer's search is the C library's, many times that of a plain array.
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length)
    const { length } = bytes
    let at = 0
    for (; this.#state !== GROUND && at < length; at += 1) this.#state = after(this.#state, bytes[at] as number)
    if (this.#state !== GROUND) return -1
    this.#follow(bytes, lastTurn(bytes, at))
    return at
  }

  #follow(bytes: Buffer, from: number): void {
    let state = this.#state
    for (let at = from; at < bytes.length; at += 1) state = after(state, bytes[at] as number)
    this.#state = state
  }
}

/**
 * Where the table has to begin, at or after `from`, which is ground, to know the state at the end: an ESC leads out of
 * every state into the same one; in text alone the first possible control counts, else only a character cut by the end.
 */
function lastTurn(bytes: Buffer, from: number): number {
  const escape = bytes.lastIndexOf(ESC)
  if (escape >= from) return escape
  const lead = bytes.indexOf(C1_LEAD, from)
  return lead === -1 ? Math.max(from, bytes.length - LONGEST_REST) : lead
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
