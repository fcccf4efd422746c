/** Makes pasted text harmless: a paste is text, so it must not be able to speak to the terminal or end its own bracket. */

/** ESC, and the C1 controls, of which U+009B is a CSI. */
// oxlint-disable-next-line no-control-regex -- control characters are the point
const SEQUENCE_STARTERS = /[\u001b\u0080-\u009f]/g

export function harmlessPaste(text: string): string {
  return text.replaceAll(SEQUENCE_STARTERS, '')
}
