/** Finds the bodies of private keys in PEM armour: whole, quoted, indented, numbered, and without their beginning or end. */
import type { SecretSpan } from './secret-span.ts'

const BEGIN = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g
const END = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g
const NAME = 'private key'

/** A body is no longer, not even that of a key of 16384 bits in quotes and colours. */
const LONGEST_BODY = 16 * 1024
/** Less than this is no key, unless the text ends in it. */
const SHORTEST_BODY = 16
/** So near to the end of the text there is at most an END that it cuts. */
const OPEN_END = 30

/** Lines before the last have at least so much: words of a log do not. */
const FULL_LINE = 40

/** What may stand in a line of a body beside base64: signs of quotes, diffs and tables, line numbers, escaped line ends. */
const BODY_LINE =
  /^[^A-Za-z0-9+/=\n]{0,12}(?:\d{1,5}[^A-Za-z0-9+/=\n]{1,4})?(?:\\[nr]|[A-Za-z0-9+/=]){0,4096}[^A-Za-z0-9+/=\n]{0,12}$/
const HEADER_LINE = /^.{0,12}(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset): /

export function findPrivateKeys(text: string): SecretSpan[] {
  const begins = [...text.matchAll(BEGIN)].map(({ 0: line, index }) => ({ from: index, to: index + line.length }))
  const ends = [...text.matchAll(END)].map(({ index }) => index)
  const found: SecretSpan[] = []
  let nextEnd = 0
  for (const [at, begin] of begins.entries()) {
    while ((ends[nextEnd] ?? Infinity) < begin.to) addHeadless(text, ends[nextEnd++] as number, found)
    const limit = Math.min(begins[at + 1]?.from ?? text.length, begin.to + LONGEST_BODY)
    const end = ends[nextEnd] ?? Infinity
    const isWhole = end <= limit
    if (isWhole) nextEnd++
    const to = isWhole ? end : endOfBody(text, begin.to, limit)
    add(text, { from: begin.to, to, name: NAME }, found)
  }
  for (const end of ends.slice(nextEnd)) addHeadless(text, end, found)
  return found
}

function add(text: string, { from, to, name }: SecretSpan, found: SecretSpan[]): void {
  const body = text.slice(from, to)
  const isOpen = text.length - to < OPEN_END
  if (base64Of(body).length < (isOpen ? 1 : SHORTEST_BODY)) return
  const lead = /^\s*/.exec(body)?.[0].length ?? 0
  const tail = body.length - body.trimEnd().length
  found.push({ from: from + lead, to: to - tail, name })
}

function base64Of(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9+/=]/g, '')
}

/** The lines before an END whose BEGIN was not printed. */
function addHeadless(text: string, end: number, found: SecretSpan[]): void {
  const floor = Math.max(found.at(-1)?.to ?? 0, end - LONGEST_BODY)
  let from = text.lastIndexOf('\n', end) + 1
  let least = 1
  while (from > floor) {
    const before = text.lastIndexOf('\n', from - 2) + 1
    const line = text.slice(before, from - 1)
    if (!BODY_LINE.test(line.trim()) || base64Of(line).length < least) break
    from = before
    least = FULL_LINE
  }
  add(text, { from: Math.max(from, floor), to: end, name: NAME }, found)
}

/** Where lines stop to look like a body. */
function endOfBody(text: string, from: number, mostAt: number): number {
  const dashes = text.indexOf('-----', from)
  // Perhaps an END that the text cuts.
  const limit = dashes === -1 ? mostAt : Math.min(mostAt, dashes)
  let at = from
  while (at < limit) {
    const newline = text.indexOf('\n', at)
    const lineEnd = newline === -1 ? text.length : newline
    const line = text.slice(at, Math.min(lineEnd, limit))
    if (!BODY_LINE.test(line.trim()) && !HEADER_LINE.test(line)) return at
    at = lineEnd + 1
  }
  return limit
}
