/**
 * Where a terminal shows what was just typed into it: the echo, also when it is coloured, wrapped, not complete yet, or drawn
 * again by a shell that found it waiting at its next prompt. Knows nothing of sessions.
 */
import { readable, type SearchText } from './readable-text.ts'
import { viewWithout } from './text-view.ts'

export interface EchoSpan {
  readonly from: number
  readonly to: number
}

/** What was typed, and where the output was then. */
export interface SentText {
  readonly at: number
  readonly text: string
}

/** One line of it, as a terminal shows it. */
export interface SentLine {
  readonly echo: string
  /** Whether a line end was typed after it, which is echoed too. */
  readonly isEnded: boolean
}

/** Longer lines are no echo that anybody would wait for. */
const MAX_ECHO_CHARS = 8192
const MAX_LINES = 64

export function sentLines(text: string): SentLine[] {
  const lines = text.split(/[\r\n]/)
  return lines
    .map((line, at) => ({ echo: asShown(line).trim().slice(0, MAX_ECHO_CHARS), isEnded: at < lines.length - 1 }))
    .filter(({ echo }) => echo !== '')
    .slice(0, MAX_LINES)
}

/** In the same characters as a text to search. */
function asShown(line: string): string {
  let shown = ''
  readable(new TextEncoder().encode(line), {
    offset: 0,
    from: 0,
    maskSecrets: false,
    alsoReplace: ({ text }) => {
      shown = text
      return []
    },
  })
  return shown
}

export function findEcho(search: SearchText, lines: readonly SentLine[], sentAt: number): EchoSpan[] {
  const start = search.ends.findIndex((end) => end > sentAt)
  if (start === -1) return []
  const view = viewWithout(search.text, new Set(search.fullRows), start)
  return spansIn(view.text, lines).map(({ from, to }) => ({ from: view.indexOf(from), to: view.indexOf(to - 1) + 1 }))
}

function spansIn(text: string, lines: readonly SentLine[]): EchoSpan[] {
  const spans: EchoSpan[] = []
  let at = 0
  for (const line of lines) {
    const { echo } = line
    const found = firstEcho(text, line, at)
    if (found === null) {
      const begun = begunEcho(text, echo, at)
      if (begun !== null) spans.push(begun)
      break
    }
    spans.push(found)
    at = found.to
    // A terminal echoes all that waits before a shell draws any of it, so the next line is looked for after the first echo.
    const again = redrawnEcho(text, echo, at)
    if (again !== null) spans.push(again)
  }
  return spans.sort((one, other) => one.from - other.from)
}

function firstEcho(text: string, { echo, isEnded }: SentLine, at: number): EchoSpan | null {
  for (const span of occurrences(text, echo, at)) {
    if (isAlone(text, span) ? !isInWord(text, span.from) : span.from === 0 && !isEnded) return span
  }
  return null
}

/** Once more, after a prompt; perhaps not complete yet. */
function redrawnEcho(text: string, echo: string, at: number): EchoSpan | null {
  for (const span of occurrences(text, echo, at)) if (isAlone(text, span) && isAfterPrompt(text, span.from)) return span
  const begun = begunEcho(text, echo, at)
  return begun !== null && isAfterPrompt(text, begun.from) ? begun : null
}

function* occurrences(text: string, echo: string, at: number): Generator<EchoSpan> {
  for (let from = text.indexOf(echo, at); from !== -1; from = text.indexOf(echo, from + 1))
    yield { from, to: from + echo.length }
}

/** Nothing after it on its line, but what a shell shows at the right. */
function isAlone(text: string, { to }: EchoSpan): boolean {
  return /^(?:[ \t]*(?:\n|$)| {3})/.test(text.slice(to, to + 256))
}

/** The end of the text, when it is the beginning of the echo. */
function begunEcho(text: string, echo: string, at: number): EchoSpan | null {
  const lineStart = text.lastIndexOf('\n') + 1
  const first = Math.max(at, lineStart, text.length - echo.length + 1)
  for (
    let from = text.indexOf(echo[0] as string, first);
    from !== -1;
    from = text.indexOf(echo[0] as string, from + 1)
  ) {
    if ((from === 0 || !isInWord(text, from)) && echo.startsWith(text.slice(from))) return { from, to: text.length }
  }
  return null
}

function isInWord(text: string, at: number): boolean {
  return /\w/.test(text[at - 1] ?? '') && /\w/.test(text[at] ?? '')
}

/** Whether there is something before it on its line that ends as prompts do. */
function isAfterPrompt(text: string, at: number): boolean {
  const before = text.slice(Math.max(text.lastIndexOf('\n', at - 1) + 1, at - 256), at)
  return /[^\s\w][ \t]*$/.test(before)
}
