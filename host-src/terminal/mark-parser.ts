/**
 * Finds a shell's marks in raw output, however it is cut into reads. Only what carries the session's nonce is a mark, so the
 * nonce is what is looked for, and everything else is passed over at the speed of a search. Whether a mark makes sense after
 * the one before is command-tracker.ts.
 *
 * ESC ends every sequence that is open, so no output before a mark can swallow it. A sequence ends where the emulator lets
 * it end: with BEL, ST or any other ESC; CAN and SUB undo it.
 */
import type { MarkNonce, StreamOffset } from '../../protocol-src/ids.ts'
import { parseMarkBody, type MarkBody } from './mark-text.ts'

/** A mark and the bytes of the stream that it takes: from `start` up to, not including, `end`. */
export type Mark = MarkBody & { readonly start: StreamOffset; readonly end: StreamOffset }

export interface MarkListener {
  mark(mark: Mark): void
  /** The nonce was printed, and not by a mark: whoever reads the output knows it now. */
  nonceSeen(at: StreamOffset): void
}

/** Longest sequence that is still taken for a mark. */
const MAX_MARK_BYTES = 64 * 1024
/** How far before its nonce a mark may begin: `ESC ] 133 ; D ; 4294967295 ; k=` and some more. */
const LEAD_BYTES = 48
/** What has to stand before the nonce. */
// oxlint-disable-next-line no-control-regex -- it is a control sequence
const LEAD = /(?:\u001b\]|\u00c2\u009d)133;([A-Z](?:;[\u0020-\u007e]*)?;k=)$/

const BEL = 0x07
const CAN = 0x18
const SUB = 0x1a
const ESC = 0x1b
const BACKSLASH = 0x5c
/** U+009C, ST in one character, in UTF-8. */
const C1_LEAD = 0xc2
const C1_ST = 0x9c

/** A mark whose nonce was read and whose end was not. */
interface OpenMark {
  readonly start: StreamOffset
  /** Before the nonce. */
  readonly lead: string
  /** After the nonce, as Latin-1. */
  rest: string
  /** ESC was the last byte: the next one tells where the sequence ends. */
  isEscaped: boolean
}

export class MarkParser {
  readonly #nonce: Buffer
  readonly #listener: MarkListener
  /** The newest bytes before the next read: they may hold the beginning of a nonce, and what stands before it. */
  #tail: Buffer = Buffer.alloc(0)
  #open: OpenMark | null = null

  constructor(nonce: MarkNonce, listener: MarkListener) {
    this.#nonce = Buffer.from(nonce, 'latin1')
    this.#listener = listener
  }

  /** @param at the offset of the first of `bytes` */
  feed(bytes: Uint8Array, at: StreamOffset): void {
    if (bytes.length === 0) return
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    let from = this.#open === null ? this.#acrossSeam(chunk, at) : this.#follow(this.#open, chunk, { from: 0, at })
    while (from < chunk.length) {
      const found = chunk.indexOf(this.#nonce, from)
      if (found === -1) break
      const before =
        found >= LEAD_BYTES
          ? chunk.subarray(found - LEAD_BYTES, found)
          : Buffer.concat([this.#tail, chunk.subarray(0, found)])
      from = this.#found(before, chunk, { from: found + this.#nonce.length, at })
    }
    this.#keepTail(chunk)
  }

  /** A nonce that began in an earlier read. @returns the index in `chunk` from which to go on */
  #acrossSeam(chunk: Buffer, at: StreamOffset): number {
    const { length } = this.#nonce
    if (this.#tail.length === 0) return 0
    const seam = Buffer.concat([this.#tail, chunk.subarray(0, length - 1)])
    const found = seam.indexOf(this.#nonce, Math.max(0, this.#tail.length - length + 1))
    if (found === -1) return 0
    const from = found + length - this.#tail.length
    return this.#found(seam.subarray(0, found), chunk, { from, at })
  }

  /**
   * The nonce ends at index `from` of `chunk`.
   * @returns the index from which to go on
   */
  #found(before: Buffer, chunk: Buffer, place: { from: number; at: StreamOffset }): number {
    const lead = LEAD.exec(before.toString('latin1', Math.max(0, before.length - LEAD_BYTES)))
    const nonceAt = place.at + place.from - this.#nonce.length
    if (lead === null) {
      this.#listener.nonceSeen(nonceAt)
      return place.from
    }
    const [sequence, fields = ''] = lead
    this.#open = { start: nonceAt - sequence.length, lead: fields, rest: '', isEscaped: false }
    return this.#follow(this.#open, chunk, place)
  }

  /** Go on with a mark. @returns the index in `chunk` after it, or the length when it goes on */
  #follow(open: OpenMark, chunk: Buffer, { from, at }: { from: number; at: StreamOffset }): number {
    // The ESC was the byte before this read: when it ends no ST, it begins something else.
    if (open.isEscaped) return Math.max(0, this.#finish(open, chunk[0] === BACKSLASH ? 1 : -1, at))
    for (let index = from; index < chunk.length; index += 1) {
      const byte = chunk[index] as number
      if (byte === CAN || byte === SUB) return this.#give(index + 1)
      const isC1 =
        byte === C1_ST && (index > from ? chunk[index - 1] : open.rest.charCodeAt(open.rest.length - 1)) === C1_LEAD
      if (byte !== BEL && byte !== ESC && !isC1) continue
      open.rest += chunk.toString('latin1', from, index)
      if (isC1) open.rest = open.rest.slice(0, -1)
      if (byte !== ESC) return this.#finish(open, index + 1, at)
      open.isEscaped = true
      if (index + 1 === chunk.length) return chunk.length
      return this.#finish(open, chunk[index + 1] === BACKSLASH ? index + 2 : index, at)
    }
    open.rest += chunk.toString('latin1', from)
    if (open.rest.length > MAX_MARK_BYTES) return this.#give(chunk.length)
    return chunk.length
  }

  #finish(open: OpenMark, index: number, at: StreamOffset): number {
    this.#open = null
    const isClean = open.rest === '' || open.rest.startsWith(';')
    if (!isClean || open.rest.includes(this.#nonce.toString('latin1'))) this.#listener.nonceSeen(open.start)
    const body = isClean ? parseMarkBody(open.lead.slice(0, -';k='.length) + open.rest) : null
    if (body !== null) this.#listener.mark({ ...body, start: open.start, end: at + index })
    return index
  }

  /** It is none after all. */
  #give(index: number): number {
    this.#open = null
    return index
  }

  #keepTail(chunk: Buffer): void {
    const length = LEAD_BYTES + this.#nonce.length - 1
    const newest = chunk.subarray(Math.max(0, chunk.length - length))
    this.#tail = newest.length === length ? Buffer.from(newest) : Buffer.concat([this.#tail, newest]).subarray(-length)
  }
}
