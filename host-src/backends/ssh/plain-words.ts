/** Words of another machine, made fit to be shown: no control characters, no direction overrides, bounded. */

// oxlint-disable-next-line no-control-regex -- these are what is taken out
const UNSHOWN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g

/** On one line. */
export function plainWords(text: string, maxChars: number): string {
  return cut(text.replaceAll(/\s+/g, ' ').replaceAll(UNSHOWN, '').trim(), maxChars)
}

/** With its lines. */
export function plainLines(text: string, maxChars: number): string {
  return cut(text.replaceAll(/\r\n?/g, '\n').replaceAll(UNSHOWN, ''), maxChars)
}

function cut(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : `${text.slice(0, maxChars - 1)}…`
}
