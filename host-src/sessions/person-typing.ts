/**
 * Whether a person is in the middle of something in one session, so that others do not type into it. Counts keys; keeps
 * nothing of what was typed.
 */
import { Emitter, type Disposable, type Event } from '../base/lifecycle.ts'
import type { Logger } from '../base/logger.ts'

/** Others wait for as long after a person's last key. */
export const TYPING_PAUSE_MS = 3_000

/** What an emulator says by itself in answer to the program, or as the pointer and the focus move: nobody typed it. */
const REPORTS = new RegExp(
  [
    String.raw`\u001b\[[?>=]?[\d;:]*\$?[cRnytuIO]`,
    String.raw`\u001b\[<[\d;]*[Mm]`,
    String.raw`\u001b\[M[^]{3}`,
    String.raw`\u001b[\]P_^X][^\u0007\u001b]*(?:\u0007|\u001b\\)`,
  ].join('|'),
  'g',
)

const ESC = 0x1b
const BACKSPACES = new Set([0x08, 0x7f])
/** Enter, and what drops the line: interrupt, end of input, kill. */
const LINE_ENDS = new Set([0x0a, 0x0d, 0x03, 0x04, 0x15])

export class PersonTyping implements Disposable {
  /** The person pressed a key; true when it sent a line. */
  readonly onKey: Event<boolean>
  readonly #keys: Emitter<boolean>
  #lastAt = Number.NEGATIVE_INFINITY
  #lineLength = 0

  constructor(logger: Logger) {
    this.#keys = new Emitter(logger)
    this.onKey = this.#keys.event
  }

  /** The person typed something since the last line was sent or dropped, as far as keys can tell. */
  get hasUnsentLine(): boolean {
    return this.#lineLength > 0
  }

  /** @param now epoch milliseconds */
  isRecent(now: number): boolean {
    return now - this.#lastAt < TYPING_PAUSE_MS
  }

  /** Input came from a viewer. */
  note(bytes: Uint8Array, now: number): void {
    const keys = Buffer.from(bytes).toString('latin1').replaceAll(REPORTS, '')
    if (keys.length === 0) return
    this.#lastAt = now
    let isSent = false
    for (let at = 0; at < keys.length; at += 1) {
      const code = keys.charCodeAt(at)
      if (LINE_ENDS.has(code)) {
        isSent ||= code === 0x0a || code === 0x0d
        this.#lineLength = 0
      } else if (BACKSPACES.has(code)) this.#lineLength = Math.max(0, this.#lineLength - 1)
      // A key that moves may also have fetched an old line; the rest of its sequence is no text.
      else if (code === ESC) {
        this.#lineLength += 1
        while (at + 1 < keys.length && !isFinal(keys.charCodeAt(at + 1))) at += 1
        at += 1
      } else this.#lineLength += 1
    }
    this.#keys.fire(isSent)
  }

  dispose(): void {
    this.#keys.dispose()
  }
}

const isFinal = (code: number): boolean => code >= 0x40 && code <= 0x7e && code !== 0x5b && code !== 0x4f
