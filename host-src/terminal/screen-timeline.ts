/** What happened to a session's screen, in the order of its output: resizes, who answers questions, what must be left out. */
import type { StreamOffset } from '../../protocol-src/ids.ts'
import type { TerminalSize } from '../../protocol-src/session.ts'

/** What is to be done next at some offset. */
export type Step =
  | { kind: 'resize'; size: TerminalSize; sizeChanges: number }
  | { kind: 'skip'; to: StreamOffset }
  | { kind: 'write'; to: StreamOffset; answers: boolean }

interface SizeChange {
  readonly offset: StreamOffset
  readonly size: TerminalSize
  /** Changes up to and with this one, since the session began. */
  readonly sizeChanges: number
}

/** Resizes to the same size, which tell who drives, that are worth following one by one. */
const MAX_EMPTY_CHANGES = 64

export class ScreenTimeline {
  #sizes: SizeChange[] = []
  #sizeChanges = 0
  #lastSize: TerminalSize | null = null
  /** Where answering begins and ends, ascending; before the first nobody answers here. */
  #answering: { offset: StreamOffset; isOn: boolean }[] = []
  #skips: { from: StreamOffset; to: StreamOffset }[] = []
  /** Questions before it were answered; when the same bytes are parsed again, they are not answered again. */
  #answeredThrough: StreamOffset = 0

  /** Resizes so far. */
  get sizeChanges(): number {
    return this.#sizeChanges
  }

  /** Null while it is the first. */
  get lastSize(): TerminalSize | null {
    return this.#lastSize
  }

  /** Whether every resize after the first `sizeChanges`, of which there are few, changed nothing. */
  keepsSize({ sizeChanges, size }: { sizeChanges: number; size: TerminalSize }): boolean {
    const later = this.#sizes.filter((each) => each.sizeChanges > sizeChanges)
    return (
      later.length <= MAX_EMPTY_CHANGES &&
      later.every((each) => each.size.cols === size.cols && each.size.rows === size.rows)
    )
  }

  /** In force from the byte at `offset` on. Offsets never decrease. */
  resize(offset: StreamOffset, size: TerminalSize): void {
    this.#sizeChanges += 1
    this.#lastSize = size
    this.#sizes.push({ offset, size, sizeChanges: this.#sizeChanges })
  }

  /** What is asked from `offset` on is, or is not, for this screen to answer. Offsets never decrease. */
  answer(offset: StreamOffset, isOn: boolean): void {
    if ((this.#answering.at(-1)?.isOn ?? false) !== isOn) this.#answering.push({ offset, isOn })
  }

  answered(through: StreamOffset): void {
    this.#answeredThrough = Math.max(this.#answeredThrough, through)
  }

  skip(from: StreamOffset, to: StreamOffset): void {
    this.#skips.push({ from, to })
  }

  /** What is before `offset` and the resizes up to `sizeChanges` will not be asked for again. */
  forget(offset: StreamOffset, sizeChanges: number): void {
    this.#sizes = this.#sizes.filter((each) => each.sizeChanges > sizeChanges)
    this.#skips = this.#skips.filter((each) => each.to > offset)
    const current = this.#answering.findLastIndex((each) => each.offset <= offset)
    if (current > 0) this.#answering = this.#answering.slice(current)
  }

  /**
   * @param at how far the emulator was fed
   * @param applied the resizes it has had
   * @param until how far it is to be fed now
   * @returns null when there is nothing to do
   */
  next(at: StreamOffset, applied: number, until: StreamOffset): Step | null {
    const size = this.#sizes.find((each) => each.sizeChanges > applied)
    if (size !== undefined && size.offset <= at)
      return { kind: 'resize', size: size.size, sizeChanges: size.sizeChanges }
    if (at >= until) return null
    let to = Math.min(until, size?.offset ?? until)
    const skip = this.#skips.find((each) => each.from <= at && each.to > at)
    if (skip !== undefined) return { kind: 'skip', to: Math.min(size?.offset ?? skip.to, skip.to) }
    for (const { from } of this.#skips) if (from > at) to = Math.min(to, from)
    let isOn = false
    for (const each of this.#answering) {
      if (each.offset <= at) isOn = each.isOn
      else to = Math.min(to, each.offset)
    }
    if (isOn && at < this.#answeredThrough) {
      isOn = false
      to = Math.min(to, this.#answeredThrough)
    }
    return { kind: 'write', to, answers: isOn }
  }
}
