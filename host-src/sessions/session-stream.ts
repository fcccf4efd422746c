/**
 * What a session's viewers see, in one order: bytes of output, and between them changes of the size and of who drives it.
 * A viewer that has followed it up to a position has the same terminal as every other at that position.
 */
import type { StreamOffset, StreamPosition } from '../../protocol-src/ids.ts'
import type { TerminalSize } from '../../protocol-src/session.ts'
import type { SessionJournal } from '../journal/journal.ts'
import { GroundScanner } from '../terminal/ground-scanner.ts'

const CUT_EVERY_BYTES = 32 * 1024
/** Changes kept; older ones matter only to viewers that will be sent a snapshot. */
const MAX_CHANGES = 4096

/** From `offset` on, this size is in force and `driver` (a viewer, or null: nobody) sets it and answers device queries. */
export interface StreamChange {
  readonly offset: StreamOffset
  readonly size: TerminalSize
  readonly driver: object | null
}

export class SessionStream {
  readonly #journal: SessionJournal
  readonly #scanner = new GroundScanner()
  /** Offsets between sequences and characters, ascending, about CUT_EVERY_BYTES apart. */
  readonly #safeCuts: StreamOffset[] = []
  #changes: StreamChange[] = []
  /** Number of changes before the first kept one. */
  #droppedChanges = 0
  /** In force before the first kept change. */
  #sizeBefore: TerminalSize
  #size: TerminalSize
  #driver: object | null = null

  constructor(journal: SessionJournal, size: TerminalSize) {
    this.#journal = journal
    this.#sizeBefore = size
    this.#size = size
  }

  get start(): StreamOffset {
    return this.#journal.output.start
  }

  get end(): StreamPosition {
    return { offset: this.#journal.output.end, change: this.#droppedChanges + this.#changes.length }
  }

  /** In force at the end. */
  get size(): TerminalSize {
    return this.#size
  }

  append(chunk: Uint8Array): void {
    const before = this.#journal.output.end
    this.#journal.appendOutput(chunk)
    const safe = this.#scanner.feed(chunk)
    if (safe >= 0 && before + safe >= (this.#safeCuts.at(-1) ?? -CUT_EVERY_BYTES) + CUT_EVERY_BYTES)
      this.#safeCuts.push(before + safe)
    this.#dropOldCuts()
  }

  /** Output is going to follow what an earlier run left: find out whether that ends inside a sequence. */
  resume(): void {
    const { start, end } = this.#journal.output
    for (let at = Math.max(start, end - CUT_EVERY_BYTES); at < end;) {
      const bytes = this.read(at, CUT_EVERY_BYTES)
      if (bytes === null || bytes.length === 0) return
      this.#scanner.feed(bytes)
      at += bytes.length
    }
  }

  /** @returns whether anything changed */
  change(size: TerminalSize, driver: object | null): boolean {
    if (driver === this.#driver && size.cols === this.#size.cols && size.rows === this.#size.rows) return false
    this.#driver = driver
    this.restoreChange(this.#journal.output.end, size)
    return true
  }

  /** A size that came into force at `offset`, after all changes before it. */
  restoreChange(offset: StreamOffset, size: TerminalSize): void {
    this.#size = size
    this.#changes.push({ offset, size, driver: this.#driver })
    if (this.#changes.length > MAX_CHANGES) {
      this.#sizeBefore = this.#changes[MAX_CHANGES / 2 - 1]?.size ?? this.#sizeBefore
      this.#changes = this.#changes.slice(MAX_CHANGES / 2)
      this.#droppedChanges += MAX_CHANGES / 2
    }
  }

  /** Who drives at the end: null when nobody is there. */
  get driver(): object | null {
    return this.#driver
  }

  /** Whether a viewer may go on from `position`. */
  holds({ offset, change }: StreamPosition): boolean {
    const { output } = this.#journal
    return output.holds(offset) && change >= this.#droppedChanges && change <= this.end.change
  }

  /** The change number `number` (from 0), when it happened and is kept. */
  changeAt(number: number): StreamChange | undefined {
    return this.#changes[number - this.#droppedChanges]
  }

  /** The size in force after the first `count` changes. */
  sizeAfter(count: number): TerminalSize {
    return count <= this.#droppedChanges ? this.#sizeBefore : (this.changeAt(count - 1)?.size ?? this.#size)
  }

  /** Up to `maxBytes` from `from`, empty only at the end; null when they are not held. */
  read(from: StreamOffset, maxBytes: number): Uint8Array | null {
    return this.#journal.output.read(from, maxBytes)
  }

  /**
   * The oldest position from which an empty terminal may be fed: the beginning as long as it is held, else never inside an
   * escape sequence or a character.
   */
  get replayStart(): StreamPosition {
    if (this.start === 0 && this.#droppedChanges === 0) return { offset: 0, change: 0 }
    this.#dropOldCuts()
    const offset = this.#safeCuts[0] ?? this.#firstLineStart()
    const next = this.#changes.findIndex((change) => change.offset >= offset)
    return { offset, change: this.#droppedChanges + (next === -1 ? this.#changes.length : next) }
  }

  /** Output goes when it was written and when it was parsed; neither is told here. */
  #dropOldCuts(): void {
    while ((this.#safeCuts[0] ?? Infinity) < this.start) this.#safeCuts.shift()
  }

  /** For the output of an earlier run, which nobody scanned: lines begin between sequences, as good as always. */
  #firstLineStart(): StreamOffset {
    const { start, end } = this.#journal.output
    const bytes = start < end ? this.read(start, CUT_EVERY_BYTES) : null
    const newline = bytes?.indexOf(0x0a) ?? -1
    return newline === -1 ? end : start + newline + 1
  }
}
