/** Makes pasted text harmless: a paste is text, so it must not be able to speak to the terminal or end its own bracket. */

/**
 * Every control but the tab and the ends of lines: ESC and the C1 controls begin sequences, and those that a terminal line
 * acts upon (U+0003 interrupts) make a shell leave the bracket and run what follows.
 */
// oxlint-disable-next-line no-control-regex -- control characters are the point
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g
const LINE_END = /\r\n|\r|\n/

export function harmlessPaste(text: string): string {
  return text.replaceAll(CONTROLS, '')
}

/** Whether a program that cannot tell a paste from typing gets Enter with it. */
export function hasLineEnd(text: string): boolean {
  return LINE_END.test(text)
}

/** The lines side by side: without indentation, empty lines, and the backslashes that joined them. */
export function asOneLine(text: string): string {
  const lines = text.split(LINE_END)
  return lines
    .map((line, at) => (at < lines.length - 1 ? withoutContinuation(line) : line))
    .map((line, at) => (at === 0 ? line.trimEnd() : line.trim()))
    .filter((line) => line !== '')
    .join(' ')
}

/** A line that ends in an odd number of backslashes goes on in the next. */
function withoutContinuation(line: string): string {
  const backslashes = /\\*$/.exec(line)?.[0].length ?? 0
  return backslashes % 2 === 1 ? line.slice(0, -1) : line
}
