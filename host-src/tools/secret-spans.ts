/**
 * Where secrets of clear shape are in a text: one place that asks every finder, in every way the text may have been broken
 * into rows. Every finder looks at each character a bounded number of times. A secret that the end of the text cuts counts.
 */
import { findAssignments } from './secret-assignments.ts'
import { findCredentials } from './secret-credentials.ts'
import { findPrivateKeys } from './secret-private-keys.ts'
import type { SecretSpan } from './secret-span.ts'
import { findTokens } from './secret-tokens.ts'
import { viewWithout } from './text-view.ts'

/** @returns spans that do not overlap, in order @param fullRows indices of line breaks that may be no breaks */
export function findSecrets(text: string, fullRows: readonly number[]): SecretSpan[] {
  const noBreaks = new Set(fullRows)
  const found = findTokens(text, noBreaks)
  const whole = viewWithout(text, new Set())
  const views = noBreaks.size === 0 ? [whole] : [whole, viewWithout(text, noBreaks)]
  for (const view of views) {
    for (const find of [findPrivateKeys, findAssignments, findCredentials]) {
      for (const { from, to, name } of find(view.text))
        found.push({ from: view.indexOf(from), to: view.indexOf(to - 1) + 1, name })
    }
  }
  return merged(found)
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
