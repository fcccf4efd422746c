/** Finds tokens of known issuers, also where they are broken into rows: a token goes on in the next row when it has to. */
import { TOKEN_RULES, type TokenRule } from './secret-rules.ts'
import type { SecretSpan } from './secret-span.ts'
import { viewWithout } from './text-view.ts'

interface Matcher {
  readonly rule: TokenRule
  readonly run: RegExp
}

const MATCHERS = new Map<string, Matcher>(
  TOKEN_RULES.flatMap((rule) => {
    const run = new RegExp(`[${rule.characters}]*`, 'y')
    return rule.prefixes.map((prefix) => [prefix, { rule, run }] as const)
  }),
)

/** A letter or digit before a prefix makes it part of a word, unless it ends an escape. Longer prefixes come first. */
const PREFIX = new RegExp(
  `(?:(?<![A-Za-z0-9])|(?<=\\\\[nrt]|%[0-9A-Fa-f]{2}|\\\\u00[0-9A-Fa-f]{2}|\\\\x[0-9A-Fa-f]{2}))(?:${[
    ...MATCHERS.keys(),
  ]
    .sort((one, other) => other.length - one.length)
    .map((prefix) => prefix.replaceAll(/[.-]/g, '\\$&'))
    .join('|')})`,
  'g',
)

/** How much of a row has to look like a token for it to be the rest of one that was long enough already. */
const SURE_REST = 12

interface Hit {
  readonly from: number
  readonly bodyFrom: number
  readonly prefix: string
}

/** @param noBreaks indices of line breaks that a terminal or program put in because the row was full */
export function findTokens(text: string, noBreaks: ReadonlySet<number>): SecretSpan[] {
  const found: SecretSpan[] = []
  /** Up to where a rule has seen the text: a hit in there is part of what was judged. */
  const seen = new Map<TokenRule, number>()
  for (const { from, bodyFrom, prefix } of hitsIn(text, noBreaks)) {
    const matcher = MATCHERS.get(prefix)
    if (matcher === undefined || bodyFrom < (seen.get(matcher.rule) ?? 0)) continue
    const { to, isToken } = bodyOf(text, bodyFrom, { ...matcher, noBreaks })
    seen.set(matcher.rule, to)
    if (isToken) found.push({ from, to, name: matcher.rule.name })
  }
  return found
}

function hitsIn(text: string, noBreaks: ReadonlySet<number>): Hit[] {
  const hits: Hit[] = [...brokenPrefixes(text)]
  for (const left of noBreaks.size === 0 ? [noBreaks] : [new Set<number>(), noBreaks]) {
    const view = viewWithout(text, left)
    for (const { 0: prefix, index } of view.text.matchAll(PREFIX))
      hits.push({ from: view.indexOf(index), bodyFrom: view.indexOf(index + prefix.length), prefix })
  }
  return hits.sort((one, other) => one.from - other.from)
}

function bodyOf(
  text: string,
  from: number,
  { rule, run, noBreaks }: Matcher & { noBreaks: ReadonlySet<number> },
): { to: number; isToken: boolean } {
  let body = ''
  let at = from
  for (;;) {
    run.lastIndex = at
    const part = run.exec(text)?.[0] ?? ''
    const isDispensable = body.length >= rule.min && !noBreaks.has(at - 1)
    // Without it the token ended before the line break.
    if (isDispensable && !isRestOfToken(part, text[at + part.length])) return judged(rule, body, at - 1)
    body += part
    at += part.length
    // It may go on after the end of the text.
    if (at >= text.length && (part !== '' || noBreaks.has(at - 1))) return { to: at, isToken: body !== '' }
    // What is painted again may have been painted before it was whole.
    if (text[at] === '\b') return { to: at, isToken: body !== '' }
    if (text[at] !== '\n' || (part === '' && at > from)) return judged(rule, body, at)
    at++
  }
}

function judged(rule: TokenRule, body: string, to: number): { to: number; isToken: boolean } {
  return { to, isToken: body.length >= rule.min && (rule.proof?.(body) ?? true) }
}

/** Whether a row that begins with `part` goes on with a token that would do without it. */
function isRestOfToken(part: string, next: string | undefined): boolean {
  const isMixed = /\d/.test(part) && /[A-Za-z]/.test(part)
  return isMixed && (part.length >= SURE_REST || next === '\n' || next === undefined)
}

const LONGEST_PREFIX = Math.max(...[...MATCHERS.keys()].map(({ length }) => length))

/** Prefixes that a line break cuts. */
function* brokenPrefixes(text: string): Generator<Hit> {
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
    if (!/^[\w./-]{2}$/.test(`${text[at - 1] ?? ''}${text[at + 1] ?? ''}`)) continue
    // One more than the longest, so that what stands before it is seen.
    const before = text.slice(Math.max(0, at - LONGEST_PREFIX), at)
    for (const { 0: prefix, index } of (before + text.slice(at + 1, at + LONGEST_PREFIX)).matchAll(PREFIX)) {
      const end = index + prefix.length
      if (index < before.length && end > before.length)
        yield { from: at - before.length + index, bodyFrom: at + 1 + end - before.length, prefix }
    }
  }
}
