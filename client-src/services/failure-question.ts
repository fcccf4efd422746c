/** A question about a command that failed, as text for a person to send. Knows nobody to send it to, and masks nothing itself. */
import type { Translate } from '../locales.ts'

/** Of the output, from its end. */
const MAX_OUTPUT_CHARS = 4_000
const MAX_COMMAND_CHARS = 1_000

export interface FailedCommand {
  readonly text: string
  readonly exitCode: number
  readonly output: string
}

/** The end of what was printed, from the beginning of a line. */
export function endOf(output: string): string {
  const end = output.trimEnd()
  if (end.length <= MAX_OUTPUT_CHARS) return end
  const tail = end.slice(-MAX_OUTPUT_CHARS)
  const line = tail.indexOf('\n')
  return line < 0 ? tail : tail.slice(line + 1)
}

/**
 * @param mask leaves out secrets
 * @throws when it cannot: then there is no question
 */
export async function failureQuestion(
  t: Translate,
  { text, exitCode, output }: FailedCommand,
  mask: (text: string) => Promise<string>,
): Promise<string> {
  const end = endOf(output)
  const [command, printed] = await Promise.all([
    mask(text.slice(0, MAX_COMMAND_CHARS)),
    end === '' ? Promise.resolve('') : mask(end),
  ])
  const parts = [t('ask.question', { code: exitCode }), fenced(command)]
  return [...parts, ...(printed === '' ? [] : [t('ask.output'), fenced(printed)])].join('\n\n')
}

/** What is quoted cannot end its quotation. */
function fenced(text: string): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}\n${text}\n${fence}`
}
