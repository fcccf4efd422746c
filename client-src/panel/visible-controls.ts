/** Text with what is in it and cannot be seen, for a person who has to judge it. Pure. */

export interface TextPart {
  readonly text: string
  /** Stands for a character that would not be seen. */
  readonly isSign: boolean
}

/** Controls, what changes the direction of text, what has no width, and tag characters; not the ends of lines. */
const UNSEEN =
  // oxlint-disable-next-line no-control-regex -- control characters are the point
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]|[\u{e0000}-\u{e007f}]/gu
const LINE_ENDS = /\r\n|\r/g

export function visibleControls(text: string): TextPart[] {
  const lines = text.replaceAll(LINE_ENDS, '\n')
  const parts: TextPart[] = []
  let done = 0
  for (const { 0: unseen, index } of lines.matchAll(UNSEEN)) {
    if (index > done) parts.push({ text: lines.slice(done, index), isSign: false })
    parts.push({ text: signOf(unseen.codePointAt(0) ?? 0), isSign: true })
    done = index + unseen.length
  }
  if (done < lines.length) parts.push({ text: lines.slice(done), isSign: false })
  return parts
}

/** The old controls as terminals echo them (few fonts have their pictures), the others by their number. */
function signOf(codePoint: number): string {
  if (codePoint < 0x20 || codePoint === 0x7f) return `^${String.fromCodePoint(codePoint ^ 0x40)}`
  return `<U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}>`
}
