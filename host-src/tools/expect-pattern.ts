/**
 * Regular expressions that a model writes: matched in time that grows with the text and not with its ideas, by re2js, which is
 * loaded with the first of them. Bounded, so that the largest still answers at once.
 */
import { messageOf, TtyError } from '../base/errors.ts'

export interface ExpectPattern {
  /** Instructions of the compiled pattern: each of them may be tried for each character. */
  readonly size: number
  /** The first match at or after `from`. */
  find(text: string, from: number): { readonly start: number; readonly end: number } | null
}

export const MAX_PATTERN_CHARS = 500
/** With so many instructions the worst pattern needs about a fifth of a second for a text of 64 KiB. */
const MAX_SIZE = 128
const SYNTAX =
  'Patterns are RE2: no look-around and no back-references; ^ and $ match at lines, (?i) ignores case, (?s) lets a dot match line breaks.'

/** @throws TtyError PATTERN_INVALID that says why */
export async function compilePattern(source: string): Promise<ExpectPattern> {
  if (source === '') throw invalid('it is empty')
  if (source.length > MAX_PATTERN_CHARS)
    throw invalid(`it has ${String(source.length)} characters, and at most ${String(MAX_PATTERN_CHARS)} are taken`)
  const { RE2JS } = await import('re2js')
  const compile = (): InstanceType<typeof RE2JS> => {
    try {
      return RE2JS.compile(source, RE2JS.MULTILINE)
    } catch (error) {
      throw invalid(messageOf(error).replace('error parsing regexp: ', '').replace('(?m)', ''), error)
    }
  }
  const compiled = compile()
  const size = compiled.programSize()
  if (size > MAX_SIZE) throw invalid('it is too large; use less of it, shorter counts, or * and +')
  return {
    size,
    find: (text, from) => {
      const matcher = compiled.matcher(text)
      return matcher.find(from) ? { start: matcher.start(), end: matcher.end() } : null
    },
  }
}

function invalid(why: string, cause?: unknown): TtyError {
  return new TtyError('PATTERN_INVALID', `The pattern cannot be used: ${why}. ${SYNTAX}`, { cause })
}
