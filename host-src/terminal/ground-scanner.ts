/**
 * Follows just enough of the VT grammar to tell where a stream may be cut: between characters and outside any escape
 * sequence (the parser's "ground" state, https://vt100.net/emu/dec_ansi_parser). It decides nothing else.
 *
 * Where xterm.js gives a malformed sequence up early, this stays in it until the next byte that ends both: it may miss a
 * cut, it never invents one.
 */

const ESC = 0x1b
const CAN = 0x18
const SUB = 0x1a
const BEL = 0x07
/** First byte of every C1 control in UTF-8; 0x80 to 0x9f follows. */
const C1_LEAD = 0xc2

type State = 'ground' | 'escape' | 'escape-intermediate' | 'csi' | 'osc' | 'string'

export class GroundScanner {
  #state: State = 'ground'
  /** Continuation bytes of a UTF-8 character that are still to come. */
  #utf8Left = 0
  /** The last byte was C1_LEAD. */
  #isC1Open = false

  /** Whether a cut right here is safe. */
  get isGround(): boolean {
    return this.#state === 'ground' && this.#utf8Left === 0
  }

  /**
   * Take the next bytes.
   * @returns the first index in 0…length at which a cut is safe, or -1 when there is none
   */
  feed(bytes: Uint8Array): number {
    let first = this.isGround ? 0 : -1
    let at = 0
    while (at < bytes.length) {
      const byte = bytes[at] as number
      if (this.#isC1Open) {
        this.#isC1Open = false
        if (byte >= 0x80 && byte <= 0x9f) {
          this.#utf8Left = 0
          this.#state = stateAfterC1(byte)
          at += 1
          if (first === -1 && this.isGround) first = at
          continue
        }
      }
      if (this.#state === 'ground') {
        const end = controlFrom(bytes, at)
        const start = this.#skipContinuation(bytes, at, end)
        if (start < end) this.#utf8Left = openCharacter(bytes, start, end)
        if (first === -1 && (start < end || this.#utf8Left === 0)) first = start
        if (end === bytes.length) return first
        at = end + 1
        if (bytes[end] === ESC) {
          this.#utf8Left = 0
          this.#state = 'escape'
        } else {
          this.#utf8Left = 1
          this.#isC1Open = true
        }
        continue
      }
      this.#isC1Open = byte === C1_LEAD
      this.#step(byte)
      at += 1
      if (first === -1 && this.isGround) first = at
    }
    return first
  }

  #skipContinuation(bytes: Uint8Array, from: number, end: number): number {
    let at = from
    while (this.#utf8Left > 0 && at < end) {
      if (((bytes[at] as number) & 0xc0) !== 0x80) {
        this.#utf8Left = 0
        break
      }
      this.#utf8Left -= 1
      at += 1
    }
    return at
  }

  #step(byte: number): void {
    if (byte === CAN || byte === SUB) {
      this.#state = 'ground'
      return
    }
    switch (this.#state) {
      case 'ground':
        return
      case 'escape':
      case 'escape-intermediate':
        if (byte === ESC) this.#state = 'escape'
        else if (byte >= 0x20 && byte <= 0x2f) this.#state = 'escape-intermediate'
        else if (this.#state === 'escape') this.#state = stateAfterEscape(byte)
        else if (byte >= 0x30 && byte <= 0x7e) this.#state = 'ground'
        return
      case 'csi':
        if (byte === ESC) this.#state = 'escape'
        else if (byte >= 0x40 && byte <= 0x7e) this.#state = 'ground'
        return
      case 'osc':
        // Only an OSC ends with BEL; in the other strings it is a byte like any other.
        if (byte === BEL) this.#state = 'ground'
        else if (byte === ESC) this.#state = 'escape'
        return
      case 'string':
        if (byte === ESC) this.#state = 'escape'
    }
  }
}

function stateAfterEscape(byte: number): State {
  if (byte === 0x5b) return 'csi'
  if (byte === 0x5d) return 'osc'
  if (byte === 0x50 || byte === 0x58 || byte === 0x5e || byte === 0x5f) return 'string'
  return byte >= 0x30 && byte <= 0x7e ? 'ground' : 'escape'
}

/** C1 controls act in every state: CSI, OSC, DCS, SOS, PM and APC begin something, the others end whatever is open. */
function stateAfterC1(byte: number): State {
  if (byte === 0x9b) return 'csi'
  if (byte === 0x9d) return 'osc'
  return byte === 0x90 || byte === 0x98 || byte === 0x9e || byte === 0x9f ? 'string' : 'ground'
}

/** Index of the next ESC or possible C1 control from `from` on, or the length. */
function controlFrom(bytes: Uint8Array, from: number): number {
  const escape = bytes.indexOf(ESC, from)
  const end = escape === -1 ? bytes.length : escape
  for (let at = from; at < end; at += 1) {
    if (bytes[at] === C1_LEAD) return at
  }
  return end
}

/** How many continuation bytes the last character of `bytes[from…end)` still lacks; `from` is at a character's start. */
function openCharacter(bytes: Uint8Array, from: number, end: number): number {
  let at = end - 1
  while (at > from && end - at < 4 && ((bytes[at] as number) & 0xc0) === 0x80) at -= 1
  const lead = bytes[at] as number
  const wants = lead >= 0xf0 && lead <= 0xf4 ? 3 : lead >= 0xe0 && lead < 0xf0 ? 2 : lead >= 0xc2 && lead < 0xe0 ? 1 : 0
  return Math.max(0, wants - (end - 1 - at))
}
