/**
 * The line that a person is about to type: whether it waits and is empty, and how text gets into it. Never presses Enter. Where
 * the prompt is say the marks of the shell; without them nothing is known of it.
 */
import { cellOf } from '../../screen-src/line-place.ts'
import { marksOf } from '../../screen-src/tracked.ts'
import { coreOf, type EmulatorTerminal } from '../../screen-src/xterm-internals.ts'
import { harmlessPaste, hasLineEnd } from './pasted-text.ts'

export interface PromptTerminal extends EmulatorTerminal {
  readonly modes: { readonly bracketedPasteMode: boolean }
}

export class PromptLine {
  readonly #terminal: PromptTerminal
  /** Something may have been typed since the prompt was made. */
  #isTouched = true

  constructor(terminal: PromptTerminal) {
    this.#terminal = terminal
    coreOf(terminal)._inputHandler.registerOscHandler(133, (data) => {
      const { nonce } = marksOf(terminal)
      if (nonce !== null && data.startsWith('A') && data.includes(nonce)) this.#isTouched = false
      return false
    })
  }

  /** Something was typed, or may have been before anybody looked. */
  touch(): void {
    this.#isTouched = true
  }

  /** Whether a command runs, as far as the marks tell. */
  get isRunning(): boolean {
    return marksOf(this.#terminal).state().commands.at(-1)?.outcome === 'running'
  }

  /** Whether the shell waits at its prompt and nothing is typed yet. */
  get isEmpty(): boolean {
    const core = coreOf(this.#terminal)
    const { active, normal } = core._bufferService.buffers
    // A command that runs has none.
    const { prompt } = marksOf(this.#terminal).state()
    if (active !== normal || prompt === null) return false
    const { row, column } = cellOf(core, prompt)
    // A shell that tells the end of its prompt says it best; the others only when they make one.
    return !this.#isTouched || (row === normal.ybase + normal.y && column === normal.x)
  }

  /** What may be written into it of `text`; null when that would run something, or be another text. */
  fitting(text: string): string | null {
    const isSame = harmlessPaste(text) === text && text !== ''
    const isSafe = !hasLineEnd(text) || this.#terminal.modes.bracketedPasteMode
    return this.isEmpty && isSame && isSafe ? text : null
  }
}
