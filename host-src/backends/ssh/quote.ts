/** Text as one word of a command line, for the shells that may be somebody's login shell: POSIX ones, fish, csh. */

/**
 * A backslash is put outside the quotes, because fish gives it a meaning inside; the rest means nothing inside to any of them.
 */
export function quoted(text: string): string {
  if (/^[A-Za-z0-9_@%+=:,./-]+$/.test(text)) return text
  return text === ''
    ? "''"
    : text
        .split(/(['\\])/)
        .map(part)
        .join('')
}

function part(text: string): string {
  if (text === '') return ''
  return text === "'" || text === '\\' ? `\\${text}` : `'${text}'`
}

export const commandLine = (argv: readonly string[]): string => argv.map(quoted).join(' ')
