/** Finds values assigned to names that say what they are: `PASSWORD=…`, `"apiKey": "…"`, `--token …`. */
import type { SecretSpan } from './secret-span.ts'
import { isCode, isMixed, isPathOrName, isPlaceholder } from './secret-values.ts'

/** The end of a name. What stands before it in the name does not matter; more after it makes it another name. */
const NAME = new RegExp(
  '(?:' +
    [
      'pass(?:word|wd|phrase|code)',
      '(?<=_)pass',
      '(?<!OLD)(?<=[A-Za-z_;])pwd',
      'secret(?:[_-]?(?:access[_-]?)?key|[_-]?token)?',
      '(?:access|auth|api|private|signing|encryption|account|shared[_-]?access|master|app|session)[_-]?key',
      'api[_-]?key',
      'token',
      'credentials?',
      '_auth(?:token)?',
      '(?<=")auth(?=")',
    ].join('|') +
    ')\\d{0,2}(?![A-Za-z0-9_-])',
  'gi',
)

/** Between name and value; `==` compares, `::` names. */
const ASSIGNED = /(?:\\?["'`]|\])?(?<before>[ \t]{0,8})(?:=>|:=|[:=](?![:=]))(?<after>[ \t]{0,8})/y
/** `--name value`: one space, as in manuals there are more. */
const OPTION_SPACE = / (?=[^\s-])/y
const QUOTED = /\\?(?<quote>["'`])(?<value>[^"'`\n]{0,4096})/y
const BARE = /[^\s"'`;&<>|]{1,4096}/y

interface Assignment {
  readonly isPassword: boolean
  /** `NAME=value`, as in environments, URLs and options. */
  readonly isTight: boolean
  readonly isQuoted: boolean
  /** Whether the text ends in it. */
  readonly isOpen: boolean
}

export function findAssignments(text: string): SecretSpan[] {
  const found: SecretSpan[] = []
  let end = 0
  for (const { 0: name, index } of text.matchAll(NAME)) {
    // What lies in a value that was found is no name.
    if (index < end) continue
    const span = valueAfter(text, index, name)
    if (span === null) continue
    found.push(span)
    end = span.to
  }
  return found
}

function valueAfter(text: string, index: number, name: string): SecretSpan | null {
  const nameEnd = index + name.length
  const assigned = execAt(ASSIGNED, text, nameEnd)
  const space = assigned === null && isOption(text, index) ? execAt(OPTION_SPACE, text, nameEnd) : null
  const separator = assigned ?? space
  if (separator === null) return null
  const from = nameEnd + separator[0].length
  const isTight = separator.groups?.['before'] === '' && separator.groups['after'] === ''
  const quoted = execAt(QUOTED, text, from)
  const value = quoted?.groups?.['value'] ?? trimmed(execAt(BARE, text, from)?.[0] ?? '')
  const at = quoted === null ? from : from + quoted[0].length - value.length
  const assignment: Assignment = {
    isPassword: /^pass|^pwd/i.test(name),
    isTight: isTight && separator[0].includes('='),
    isQuoted: quoted !== null,
    isOpen: at + value.length === text.length,
  }
  const isSecret = isClear(value, name, assignment)
  return isSecret ? { from: at, to: at + value.length, name: assignment.isPassword ? 'password' : 'secret' } : null
}

function isClear(value: string, name: string, assignment: Assignment): boolean {
  const { isPassword, isTight, isQuoted, isOpen } = assignment
  if (value === '' || isPlaceholder(value) || value.toLowerCase() === name.toLowerCase()) return false
  // Whatever it will be: when it is whole it can be judged.
  if (isOpen) return true
  if (value.length < (isPassword ? 4 : 8)) return false
  if (isQuoted) return isClearQuoted(value, assignment)
  if (isCode(value) || (!isPassword && isPathOrName(value))) return false
  if (isPathOrName(value) && /^[/~.]|^[A-Za-z]:\\/.test(value)) return false
  if (isTight) return isPassword || isMixed(value) || value.length >= 16
  return isMixed(value) && (isPassword || isRandom(value))
}

function isClearQuoted(value: string, { isPassword, isTight }: Assignment): boolean {
  if (/\s/.test(value)) return isTight && isPassword && isMixed(value)
  if (isCode(value) || isPathOrName(value)) return isPassword && isMixed(value) && !/^[./~]/.test(value)
  // One word with a capital is a label.
  if (isPassword) return !/^[A-Z][a-z]+$/.test(value)
  return isMixed(value) || value.length >= 20
}

/** No chain of words with a number. */
function isRandom(value: string): boolean {
  return value.length >= 8 && !/^[A-Za-z_]+\d{0,3}[,;)]*$/.test(value)
}

/** Whether the name belongs to an option: `--db-password`. */
function isOption(text: string, index: number): boolean {
  return /(?:^|[\s"'])--[\w-]{0,40}$/.test(text.slice(Math.max(0, index - 44), index))
}

/** Without what ends a sentence or a list. */
function trimmed(value: string): string {
  return value.replace(/[.,)\]}]{1,3}$/, '')
}

function execAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}
