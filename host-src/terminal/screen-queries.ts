/**
 * Tells whether output may ask the terminal something, so that a screen nobody looks at is parsed only then. It may see a
 * question where there is none, never the other way round.
 */

const ESC = 0x1b
/** Longest CSI sequence that is looked at as one; a longer one counts as a question. */
const MAX_SEQUENCE = 64

/** Final bytes of CSI sequences that are answered: DA, DSR, DECRQM, window reports. */
const FINALS = new Set(['c', 'n', 'p', 't'].map((final) => final.charCodeAt(0)))

type State = 'text' | 'escape' | 'csi' | 'string'

export class QueryScanner {
  #state: State = 'text'
  #length = 0
  /** Whether the string so far may ask: a DCS always, an OSC with a question mark. */
  #mayAsk = false

  /** Take the next bytes. @returns whether they complete something that may be a question */
  feed(bytes: Uint8Array): boolean {
    let isQuestion = false
    let at = 0
    while (at < bytes.length) {
      if (this.#state === 'text') {
        const next = nextStart(bytes, at)
        if (next === -1) return isQuestion
        // C1 controls in UTF-8 are rare enough to be taken for a question.
        if (bytes[next] !== ESC) isQuestion = true
        else this.#state = 'escape'
        at = next + 1
        continue
      }
      if (this.#step(bytes[at] as number)) isQuestion = true
      at += 1
    }
    return isQuestion
  }

  #step(byte: number): boolean {
    if (byte === ESC) {
      // A DCS or OSC that ends here may have asked (DECRQSS, colours).
      const isQuestion = this.#state === 'string' && this.#mayAsk
      this.#state = 'escape'
      return isQuestion
    }
    this.#length += 1
    switch (this.#state) {
      case 'text':
        return false
      case 'escape':
        this.#length = 0
        this.#mayAsk = byte === 0x50
        this.#state = byte === 0x5b ? 'csi' : byte === 0x50 || byte === 0x5d ? 'string' : 'text'
        return false
      case 'csi':
        if (byte < 0x40 && this.#length <= MAX_SEQUENCE) return false
        this.#state = 'text'
        return FINALS.has(byte) || this.#length > MAX_SEQUENCE
      case 'string':
        if (byte === 0x3f) this.#mayAsk = true
        if (byte !== 0x07) return false
        this.#state = 'text'
        return this.#mayAsk
    }
  }
}

/** The next ESC, or the first byte of a C1 control in UTF-8 (the second may be in the next chunk); -1 when there is none. */
function nextStart(bytes: Uint8Array, from: number): number {
  const escape = bytes.indexOf(ESC, from)
  let c1 = bytes.indexOf(0xc2, from)
  while (c1 !== -1 && (bytes[c1 + 1] ?? 0x9b) > 0x9f) c1 = bytes.indexOf(0xc2, c1 + 1)
  if (escape === -1 || c1 === -1) return Math.max(escape, c1)
  return Math.min(escape, c1)
}
