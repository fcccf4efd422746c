/** Names that programs and people chose, as one harmless line for a model: titles, directories, command lines. */
import { modelText } from './model-text.ts'

const MAX_LINE_CHARS = 200

/** Cleaned, masked, cut and in quotes, so that it cannot pass for anything around it. */
export function plainLine(text: string, maxChars = MAX_LINE_CHARS): string {
  return JSON.stringify(plainText(text, maxChars))
}

/** The same without quotes. */
export function plainText(text: string, maxChars = MAX_LINE_CHARS): string {
  const { text: clean } = modelText(text.slice(0, 8 * MAX_LINE_CHARS), {
    maxChars: 8 * MAX_LINE_CHARS,
    maskSecrets: true,
  })
  const line = clean.replaceAll(/\s+/g, ' ').trim()
  // Two braces would be a variable of the host's prompt.
  const short = line.length > maxChars ? `${line.slice(0, maxChars - 1)}…` : line
  return short.replaceAll('{{', '{ {')
}
