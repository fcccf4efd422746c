/** What the host and the thread that parses say to each other. Offsets are those of the session's output. */
import type { MarkNonce, StreamOffset } from '../../protocol-src/ids.ts'
import type { TerminalSize } from '../../protocol-src/session.ts'
import type { EncodedState } from '../../screen-src/state-codec.ts'

/** What a caller sees of a screen: lines from the top, without spaces at their ends. */
export interface VisibleScreen {
  readonly size: TerminalSize
  readonly lines: readonly string[]
  /** The rows before them, as far as they tell what the first of them belong to. */
  readonly above: readonly string[]
  /** Column and row from 0. The column may be `size.cols`: the next character wraps. */
  readonly cursor: { readonly x: number; readonly y: number; readonly isHidden: boolean }
  readonly title: string
  readonly isAlternate: boolean
  /** The program asked for cursor keys in application mode (DECCKM). */
  readonly isApplicationCursor: boolean
}

/** Where a state was taken. */
export interface StatePlace {
  readonly offset: StreamOffset
  readonly sizeChanges: number
  readonly size: TerminalSize
}

/** What is on the screen at the last place where a state can be taken. */
export interface ThreadScreen extends StatePlace {
  readonly screenPart: Uint8Array
}

/** The state at the last place where one can be taken. */
export interface ThreadState extends StatePlace {
  readonly encoded: EncodedState
  readonly hash: string
}

/** What a screen can be made of again. */
export interface Checkpoint extends StatePlace {
  /** Null: an empty terminal. */
  readonly encoded: EncodedState | null
  readonly hash: string
}

export interface Answers {
  /** Null when the emulator had to be fed past the last such place without keeping its state. */
  state: ThreadState | null
  text: string
  visible: VisibleScreen
}

export type Question =
  /** `screenFirst`: the screen goes ahead in a `screen` message, as far as it comes earlier than the rest. */
  { kind: 'state'; screenFirst: boolean } | { kind: 'text'; scrollbackLines: number } | { kind: 'visible' }

export type ToThread =
  /** Make an emulator, in the state given or empty; one of the same id is replaced. */
  | {
      type: 'open'
      id: number
      offset: StreamOffset
      size: TerminalSize
      sizeChanges: number
      scrollbackLines: number
      markNonce: MarkNonce | null
      encoded: EncodedState | null
    }
  /** Parse. `answers`: what the program asks here is for this emulator to answer. */
  | { type: 'write'; id: number; offset: StreamOffset; bytes: Uint8Array; answers: boolean }
  | { type: 'resize'; id: number; size: TerminalSize; sizeChanges: number }
  /** Go on at `offset` as if nothing had been there. */
  | { type: 'skip'; id: number; offset: StreamOffset }
  | { type: 'ask'; id: number; request: number; question: Question }
  | { type: 'drop'; id: number }

export type FromThread =
  | { type: 'ready' }
  /** Everything before `offset` is parsed, or kept until the rest of its last sequence comes. */
  | { type: 'parsed'; id: number; offset: StreamOffset }
  /** The emulator threw between these offsets; it is of no more use. */
  | { type: 'failed'; id: number; from: StreamOffset; to: StreamOffset; message: string }
  | { type: 'answer'; id: number; request: number; answer: Answers[Question['kind']] }
  /** The beginning of an answer that is on its way. */
  | { type: 'screen'; id: number; request: number; screen: ThreadScreen }
  /** There is no such emulator any more: it failed, or was let go. */
  | { type: 'ignored'; id: number }
  /** What the emulator says to the program. */
  | { type: 'reply'; id: number; bytes: Uint8Array }

/** Bytes parsed without looking up: what a watchdog gives up at once when they take too long. */
export const PIECE_BYTES = 16 * 1024

/**
 * What the thread is doing, in memory that the host can read while the thread is stuck.
 * Whole numbers: how many things were begun, whether one is going on, the id of its screen. Then, as a double: the offset.
 */
export class ProgressBoard {
  static readonly BYTES = 24
  readonly #numbers: Int32Array
  readonly #offset: Float64Array

  constructor(memory: SharedArrayBuffer) {
    this.#numbers = new Int32Array(memory, 0, 4)
    this.#offset = new Float64Array(memory, 16, 1)
  }

  begin(id: number, offset: StreamOffset): void {
    this.#numbers[2] = id
    this.#offset[0] = offset
    Atomics.store(this.#numbers, 1, 1)
    Atomics.add(this.#numbers, 0, 1)
  }

  end(): void {
    Atomics.store(this.#numbers, 1, 0)
    Atomics.add(this.#numbers, 0, 1)
  }

  read(): { count: number; isBusy: boolean; id: number; offset: StreamOffset } {
    return {
      count: Atomics.load(this.#numbers, 0),
      isBusy: Atomics.load(this.#numbers, 1) === 1,
      id: this.#numbers[2] as number,
      offset: this.#offset[0] as number,
    }
  }
}
