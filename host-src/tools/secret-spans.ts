/**
 * Where secrets of clear shape are in a text: one place that asks every finder, in every way the text may have been broken
 * into rows. Every finder looks at each character a bounded number of times. A secret that the end of the text cuts counts.
 */
import { findAssignments } from './secret-assignments.ts'
import { findPrivateKeys } from './secret-private-keys.ts'
import { findTokens } from './secret-tokens.ts'
import { findCredentials } from './secret-credentials.ts'

/** From `from` up to and without `to`, as indices of the text. */
export interface SecretSpan {
  readonly from: number
  readonly to: number
  readonly name: string
}

/** Rows that are one line, without what breaks them. */
interface View {
  readonly text: string
  /** Index of the text, of each index of the view and of its end. */
  readonly indexOf: (at: number) => number
}

/** @returns spans that do not overlap, in order @param fullRows indices of line breaks that may be no breaks */
export function findSecrets(text: string, fullRows: readonly number[]): SecretSpan[] {
  const noBreaks = new Set(fullRows)
  const found = findTokens(text, noBreaks)
  const views = noBreaks.size === 0 ? [identity(text)] : [identity(text), without(text, noBreaks)]
  for (const view of views) {
    for (const find of [findPrivateKeys, findAssignments, findCredentials]) {
      for (const { from, to, name } of find(view.text))
        found.push({ from: view.indexOf(from), to: view.indexOf(to - 1) + 1, name })
    }
  }
  return merged(found)
}

function identity(text: string): View {
  return { text, indexOf: (at) => at }
}

function without(text: string, left: ReadonlySet<number>): View {
  const kept: number[] = []
  const characters: string[] = []
  for (let at = 0; at < text.length; at++) {
    if (left.has(at)) continue
    kept.push(at)
    characters.push(text[at] as string)
  }
  return { text: characters.join(''), indexOf: (at) => kept[at] ?? text.length }
}

function merged(spans: readonly SecretSpan[]): SecretSpan[] {
  const result: SecretSpan[] = []
  for (const span of [...spans].sort((one, other) => one.from - other.from || other.to - one.to)) {
    const last = result.at(-1)
    if (last === undefined || span.from >= last.to) result.push(span)
    else if (span.to > last.to) result[result.length - 1] = { ...last, to: span.to }
  }
  return result
}
