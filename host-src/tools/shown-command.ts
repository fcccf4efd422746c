/** A command as the person who is asked must see it: nothing of it hidden, nothing that acts on the page. */

const MAX_SHOWN_CHARS = 4_000

/** Controls, characters without width, those that change the direction of text, and tags. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|\u{34f}|\u{115f}|\u{1160}|\u{17b4}|\u{17b5}|\u{3164}|\u{ffa0}/gu

/** Exactly what would be typed; of a very long one the beginning and the end. */
export function shownCommand(command: string): string {
  const shown = command.replaceAll(UNSEEN, (character) => (character === '\n' ? '\n' : escaped(character)))
  if (shown.length <= MAX_SHOWN_CHARS) return shown
  const half = MAX_SHOWN_CHARS / 2
  return `${shown.slice(0, half)}\n[… ${String(shown.length - 2 * half)} characters more, see the call …]\n${shown.slice(-half)}`
}

/** The same on one line, in quotes. */
export function shownInput(text: string): string {
  return `"${shownCommand(text).replaceAll('\n', String.raw`\n`)}"`
}

function escaped(character: string): string {
  if (character === '\t') return String.raw`\t`
  if (character === '\r') return String.raw`\r`
  return String.raw`\u{${(character.codePointAt(0) ?? 0).toString(16)}}`
}
