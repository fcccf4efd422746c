/** What a person looks for, as a pattern. Pure. */
import type { FindQuery } from '../stores/popup-model.ts'

export type FindPattern =
  | { readonly kind: 'none' }
  | { readonly kind: 'bad'; readonly reason: string }
  | { readonly kind: 'good'; readonly regExp: RegExp }

/** Letters of every script; a person's own pattern is read by the rules without `u`, which has fewer errors. */
const WORD = { text: '[\\p{L}\\p{N}_]', pattern: '\\w' } as const

export function findPattern({ text, isCase, isWord, isRegExp }: FindQuery): FindPattern {
  if (text === '') return { kind: 'none' }
  const word = isRegExp ? WORD.pattern : WORD.text
  const flags = `g${isCase ? '' : 'i'}${isRegExp ? '' : 'u'}`
  try {
    // By itself first, so that the reason speaks of what was typed.
    const own = new RegExp(isRegExp ? text : escaped(text), flags)
    return { kind: 'good', regExp: isWord ? new RegExp(`(?<!${word})(?:${own.source})(?!${word})`, flags) : own }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { kind: 'bad', reason: reason.slice(reason.lastIndexOf(': ') + 1).trim() }
  }
}

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)

/** Beginning and end of everything that is found in a text, of nothing else than text. */
export function placesOf(regExp: RegExp, text: string): (readonly [number, number])[] {
  return Array.from(text.matchAll(regExp)).flatMap(({ 0: found, index }) =>
    found === '' ? [] : [[index, index + found.length] as const],
  )
}
