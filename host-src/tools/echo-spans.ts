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
/** How far before the end of the text an echo begins that is being painted, with what is at its right. */
const MAX_PAINTED = 2 * MAX_ECHO_CHARS

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
  const echoes = new EchoSearch(view.text, {
    isRowEnd: (at) => search.text[view.indexOf(at - 1) + 1] === '\n',
    cursor: view.from(search.cursor),
  })
  return echoes.find(lines).map(({ from, to }) => ({ from: view.indexOf(from), to: view.indexOf(to - 1) + 1 }))
}

/** In a text whose rows are joined where they may be one line. */
class EchoSearch {
  readonly #text: string
  readonly #isRowEnd: (at: number) => boolean
  readonly #cursor: number

  /** @param facts.isRowEnd whether a row ends before an index, also one that is joined with the next */
  constructor(text: string, facts: { isRowEnd: (at: number) => boolean; cursor: number }) {
    this.#text = text
    this.#isRowEnd = facts.isRowEnd
    this.#cursor = facts.cursor
  }

  find(lines: readonly SentLine[]): EchoSpan[] {
    const spans: EchoSpan[] = []
    let at = 0
    for (const line of lines) {
      const found = this.#first(line, at)
      if (found === null) {
        const begun = this.#begun(line.echo, at)
        if (begun !== null) spans.push(begun)
        break
      }
      spans.push(found)
      at = found.to
      // A terminal echoes all that waits before a shell draws any of it: the next line is looked for after the first echo.
      const again = this.#redrawn(line.echo, at)
      if (again !== null) spans.push(again)
    }
    return spans.sort((one, other) => one.from - other.from)
  }

  #first({ echo, isEnded }: SentLine, at: number): EchoSpan | null {
    for (const span of this.#occurrences(echo, at)) {
      if (this.#isAlone(span) ? !this.#isInWord(span.from) : span.from === 0 && !isEnded) return span
    }
    return null
  }

  /** Once more, after a prompt; perhaps not complete yet. */
  #redrawn(echo: string, at: number): EchoSpan | null {
    for (const span of this.#occurrences(echo, at))
      if (this.#isAlone(span) && this.#isAfterPrompt(span.from)) return span
    const begun = this.#begun(echo, at)
    return begun !== null && this.#isAfterPrompt(begun.from) ? begun : null
  }

  *#occurrences(echo: string, at: number): Generator<EchoSpan> {
    for (let from = this.#text.indexOf(echo, at); from !== -1; from = this.#text.indexOf(echo, from + 1))
      yield { from, to: from + echo.length }
  }

  /** The beginning of the echo, as it is being painted. What a shell showed to the right of it may follow. */
  #begun(echo: string, at: number): EchoSpan | null {
    const text = this.#text
    const end = Math.max(text.trimEnd().length, this.#cursor)
    const lineStart = text.lastIndexOf('\n', Math.min(end, this.#cursor) - 1) + 1
    const [head = ''] = echo
    let from = text.indexOf(head, Math.max(at, lineStart, end - MAX_PAINTED))
    for (; from !== -1; from = text.indexOf(head, from + 1)) {
      const to = from + commonLength(text, from, echo)
      if (!this.#isInWord(from) && this.#isBeingPainted(from, to)) return { from, to }
    }
    return null
  }

  #isBeingPainted(from: number, to: number): boolean {
    // The cursor went back, to paint what is before it anew.
    if (this.#cursor <= from) return /^\s?$/.test(this.#text[to] ?? '') && this.#cursor < this.#text.length
    // It is in it or behind it; a blank between may be how a row is ended.
    return to >= this.#cursor || /^ *$/.test(this.#text.slice(to, this.#cursor))
  }

  /** Nothing after it on its line, but what a shell shows at the right. */
  #isAlone({ to }: EchoSpan): boolean {
    return this.#isRowEnd(to) || /^(?:[ \t]*(?:\n|$)| {3})/.test(this.#text.slice(to, to + 256))
  }

  #isInWord(at: number): boolean {
    return /\w/.test(this.#text[at - 1] ?? '') && /\w/.test(this.#text[at] ?? '')
  }

  /** Whether there is something before it on its line that ends as prompts do. */
  #isAfterPrompt(at: number): boolean {
    const before = this.#text.slice(Math.max(this.#text.lastIndexOf('\n', at - 1) + 1, at - 256), at)
    return /[^\s\w][ \t]*$/.test(before)
  }
}

/** How much of `echo` the text has at `from`. */
function commonLength(text: string, from: number, echo: string): number {
  let length = 0
  while (length < echo.length && text[from + length] === echo[length]) length++
  return length
}
