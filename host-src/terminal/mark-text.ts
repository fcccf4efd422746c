/** What a mark says, once its bytes are together: fields, escapes, exit codes. Pure; knows nothing of streams and trust. */
import type { CommandRecord } from '../../protocol-src/command.ts'
import { MAX_COMMAND_TEXT_CHARS, MAX_PATH_CHARS } from '../../protocol-src/limits.ts'

/** The part of a mark that its letter and fields give. */
export type MarkBody =
  | { readonly kind: 'promptStart' | 'promptEnd' }
  | ({ readonly kind: 'commandStart' } & Pick<CommandRecord, 'text' | 'truncated'>)
  | ({ readonly kind: 'commandEnd' } & Pick<CommandRecord, 'exitCode'>)
  /** `cwd` where the shell is, `shell` what it is: each null when the mark does not say it. */
  | { readonly kind: 'property'; readonly cwd: string | null; readonly shell: string | null }

const MAX_EXIT_CODE = 0xffff_ffff
const MAX_SHELL_CHARS = 100

/**
 * The body of a mark.
 * @param fields what stands after `133;`, as Latin-1: one character for each byte
 * @returns null for a letter that means nothing here
 */
export function parseMarkBody(fields: string): MarkBody | null {
  const [letter = '', ...parts] = fields.split(';')
  switch (letter) {
    case 'A':
      return { kind: 'promptStart' }
    case 'B':
      return { kind: 'promptEnd' }
    case 'C':
      return { kind: 'commandStart', ...commandText(parts) }
    case 'D':
      return { kind: 'commandEnd', exitCode: exitCodeOf(parts[0] ?? '') }
    case 'P': {
      const cwd = fieldOf(parts, 'd')
      return {
        kind: 'property',
        cwd: cwd !== null && isUsablePath(cwd) ? cwd : null,
        shell: fieldOf(parts, 's')?.slice(0, MAX_SHELL_CHARS) ?? null,
      }
    }
    default:
      return null
  }
}

/** A code that is missing or is none is unknown: never 0, and never a guess. */
function exitCodeOf(text: string): number | null {
  if (!/^\d{1,10}$/.test(text)) return null
  const code = Number(text)
  return code <= MAX_EXIT_CODE ? code : null
}

function commandText(parts: readonly string[]): Pick<CommandRecord, 'text' | 'truncated'> {
  const whole = fieldOf(parts, 'c')
  if (whole === null) return { text: null, truncated: false }
  const text = cutText(whole, MAX_COMMAND_TEXT_CHARS)
  return { text, truncated: text.length < whole.length || fieldOf(parts, 't') === '1' }
}

/** The value of the first `key=value`, decoded. */
function fieldOf(parts: readonly string[], key: string): string | null {
  const part = parts.find((each) => each.startsWith(`${key}=`))
  return part === undefined ? null : unescapeBytes(part.slice(key.length + 1))
}

/** `\\` and `\xNN` stand for a byte; the bytes are UTF-8. Control characters that stand there bare mean nothing. */
function unescapeBytes(latin1: string): string {
  // oxlint-disable-next-line no-control-regex -- they are what is removed
  const bare = latin1.replaceAll(/[\u0000-\u001f\u007f]/g, '')
  const bytes = bare.replaceAll(/\\(?:\\|x([0-9a-fA-F]{2}))/g, (_all, hex: string | undefined) =>
    hex === undefined ? '\\' : String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

/** At most so many UTF-16 units, never half a character. */
export function cutText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text
  const last = text.charCodeAt(maxChars - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? maxChars - 1 : maxChars)
}

/** Whether it can name a directory: absolute, POSIX or Windows, and no more than that. */
export function isUsablePath(path: string): boolean {
  return path.length <= MAX_PATH_CHARS && !path.includes('\0') && /^(?:\/|[A-Za-z]:[\\/]|\\\\[^\\])/.test(path)
}
