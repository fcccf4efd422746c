/** Attributes by number: each is spelled out where it first occurs in a part, and named after that. */
import type { CellAttributes } from './terminal-state.ts'

export class AttributeTable {
  readonly #fg: number[] = []
  readonly #bg: number[] = []
  readonly #ext: number[] = []
  readonly #link: number[] = []
  /** Open addressing: number + 1, or 0 where free. Its length is a power of two. */
  #slots = new Int32Array(256)

  /** Number 0 is what an untouched cell has. */
  constructor() {
    this.numberOf(0, 0, 0, 0)
  }

  get size(): number {
    return this.#fg.length
  }

  /** The number of these attributes; equal to the `size` before the call when they are new. */
  // oxlint-disable-next-line max-params -- once per run of every line: an object would be made each time
  numberOf(fg: number, bg: number, ext: number, link: number): number {
    const mask = this.#slots.length - 1
    let slot = mix(fg, bg, ext ^ Math.imul(link, 0x9e3779b1)) & mask
    for (;;) {
      const at = (this.#slots[slot] as number) - 1
      if (at < 0) break
      if (this.#fg[at] === fg && this.#bg[at] === bg && this.#ext[at] === ext && this.#link[at] === link) return at
      slot = (slot + 1) & mask
    }
    const number = this.#fg.length
    this.#fg.push(fg)
    this.#bg.push(bg)
    this.#ext.push(ext)
    this.#link.push(link)
    this.#slots[slot] = number + 1
    if (number * 2 > mask) this.#grow()
    return number
  }

  add({ fg, bg, ext, link }: CellAttributes): void {
    this.#fg.push(fg)
    this.#bg.push(bg)
    this.#ext.push(ext)
    this.#link.push(link)
  }

  fg(number: number): number {
    return this.#fg[number] as number
  }

  bg(number: number): number {
    return this.#bg[number] as number
  }

  extended(number: number): { ext: number; link: number } {
    return { ext: this.#ext[number] as number, link: this.#link[number] as number }
  }

  #grow(): void {
    const slots = new Int32Array(this.#slots.length * 2)
    const mask = slots.length - 1
    for (let at = 0; at < this.#fg.length; at++) {
      const { ext, link } = this.extended(at)
      let slot = mix(this.fg(at), this.bg(at), ext ^ Math.imul(link, 0x9e3779b1)) & mask
      while (slots[slot] !== 0) slot = (slot + 1) & mask
      slots[slot] = at + 1
    }
    this.#slots = slots
  }
}

function mix(a: number, b: number, c: number): number {
  let hash = Math.imul(a, 0x85ebca6b) ^ Math.imul(b, 0xc2b2ae35) ^ Math.imul(c, 0x27d4eb2f)
  hash ^= hash >>> 15
  return Math.imul(hash, 0x2c1b3c6d) ^ (hash >>> 13)
}
