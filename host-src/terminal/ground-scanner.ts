/**
 * Follows just enough of the VT grammar to tell where a stream may be cut: between characters and outside any escape
 * sequence (the parser's "ground" state, https://vt100.net/emu/dec_ansi_parser). It decides nothing else.
 */

const ESC = 0x1b
const CAN = 0x18
const SUB = 0x1a
const BEL = 0x07

type State = 'ground' | 'escape' | 'escape-intermediate' | 'csi' | 'string' | 'string-escape'

export class GroundScanner {
  #state: State = 'ground'
  /** Continuation bytes of a UTF-8 character that are still to come. */
  #utf8Left = 0

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
      if (this.#state === 'ground') {
        const escape = bytes.indexOf(ESC, at)
        const end = escape === -1 ? bytes.length : escape
        const start = this.#skipContinuation(bytes, at, end)
        if (start < end) this.#utf8Left = openCharacter(bytes, start, end)
        if (first === -1 && (start < end || this.#utf8Left === 0)) first = start
        if (escape === -1) return first
        this.#utf8Left = 0
        this.#state = 'escape'
        at = escape + 1
        continue
      }
      this.#step(bytes[at] as number)
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
        else if (this.#state === 'escape' && byte === 0x5b) this.#state = 'csi'
        else if (
          this.#state === 'escape' &&
          (byte === 0x5d || byte === 0x50 || byte === 0x58 || byte === 0x5e || byte === 0x5f)
        )
          this.#state = 'string'
        else if (byte >= 0x30 && byte <= 0x7e) this.#state = 'ground'
        return
      case 'csi':
        if (byte === ESC) this.#state = 'escape'
        else if (byte >= 0x40 && byte <= 0x7e) this.#state = 'ground'
        return
      case 'string':
        if (byte === BEL) this.#state = 'ground'
        else if (byte === ESC) this.#state = 'string-escape'
        return
      case 'string-escape':
        if (byte === 0x5c) this.#state = 'ground'
        else {
          this.#state = 'escape'
          this.#step(byte)
        }
    }
  }
}

/** How many continuation bytes the last character of `bytes[from…end)` still lacks; `from` is at a character's start. */
function openCharacter(bytes: Uint8Array, from: number, end: number): number {
  let at = end - 1
  while (at > from && end - at < 4 && ((bytes[at] as number) & 0xc0) === 0x80) at -= 1
  const lead = bytes[at] as number
  const wants = lead >= 0xf0 && lead <= 0xf4 ? 3 : lead >= 0xe0 && lead < 0xf0 ? 2 : lead >= 0xc2 && lead < 0xe0 ? 1 : 0
  return Math.max(0, wants - (end - 1 - at))
}
