/**
 * Inside tmux two terminals hear what a program asks: tmux, which answers, and ours. What tmux answers by itself must not
 * reach the program again, or the surplus is typed. Everything else that our terminal says goes through.
 */

/** Answers to DA1, DA2, DSR 5, XTVERSION and the size report; a program gets each of them from tmux. */
const ANSWERED =
  // oxlint-disable-next-line no-control-regex -- these are control sequences
  /\u001b\[[?>][\d;]*c|\u001b\[0n|\u001b\[8;\d+;\d+t|\u001bP>\|[^\u001b\u0007]*\u001b\\/g
/** The place of the cursor; with a small column of the first row it is also what F3 with Shift, Ctrl or Alt sends. */
// oxlint-disable-next-line no-control-regex -- it is a control sequence
const CURSOR = /\u001b\[\d+;\d+R/g
const CURSOR_QUESTION = Buffer.from('\u001b[6n', 'latin1')
const ESC = 0x1b

export class TmuxReplies {
  #tail = Buffer.alloc(0)
  /** Times that the program asked for the place of the cursor and our terminal has not answered. */
  #asked = 0

  /** The program printed something. */
  printed(bytes: Uint8Array): void {
    const text = Buffer.concat([this.#tail, bytes])
    for (let at = text.indexOf(CURSOR_QUESTION); at !== -1; at = text.indexOf(CURSOR_QUESTION, at + 1)) this.#asked += 1
    this.#tail = Buffer.from(text.subarray(Math.max(0, text.length - CURSOR_QUESTION.length + 1)))
  }

  /** @returns what of `input` is for the program */
  sift(input: Uint8Array): Uint8Array {
    if (!input.includes(ESC)) return input
    const text = Buffer.from(input).toString('latin1')
    const kept = text.replace(ANSWERED, '').replace(CURSOR, (sequence) => {
      if (this.#asked === 0) return sequence
      this.#asked -= 1
      return ''
    })
    return kept.length === text.length ? input : Buffer.from(kept, 'latin1')
  }
}
