/** Which texts name something that a click may open, and what exactly that is. Pure. */

/** Longer ones cannot be shown whole before they are opened. */
const MAX_TARGET_CHARS = 2048
const WEB = /^https?:\/\//i
/** A parser of addresses would leave these out, so that the text is not what it reads like. */
// oxlint-disable-next-line no-control-regex -- control characters are the point
const LEFT_OUT = /[\s\u0000-\u0020\u007f-\u009f]/
const IN_TEXT = /\bhttps?:\/\/[^\s"'`<>\\^{}|\u2026\u3000-\u303f\uff00-\uffef]+/gi

/** @returns the address as it will be opened, or null: nothing but http and https is */
export function linkTarget(text: string): string | null {
  if (!WEB.test(text) || LEFT_OUT.test(text) || text.length > MAX_TARGET_CHARS) return null
  try {
    const { protocol, href } = new URL(text)
    return (protocol === 'http:' || protocol === 'https:') && href.length <= MAX_TARGET_CHARS ? href : null
  } catch {
    return null
  }
}

/** The addresses in a text: without the punctuation behind them. */
export function linksIn(text: string): { readonly index: number; readonly text: string; readonly href: string }[] {
  return Array.from(text.matchAll(IN_TEXT)).flatMap(({ 0: found, index }) => {
    const link = withoutTail(found)
    const href = linkTarget(link)
    return href === null ? [] : [{ index, text: link, href }]
  })
}

/** Signs at the end belong to the sentence, and a bracket that was not opened in the address to what is around it. */
function withoutTail(found: string): string {
  for (let text = found; ; text = text.slice(0, -1)) {
    const last = text.at(-1) ?? ''
    const opening = { ')': '(', ']': '[' }[last]
    const isUnopened = opening !== undefined && text.split(last).length > text.split(opening).length
    if (!isUnopened && !/[.,;:!?*~]/.test(last)) return text
  }
}
