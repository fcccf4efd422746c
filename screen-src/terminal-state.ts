/** Everything a terminal must remember to go on as if it had never been away. Plain data; knows no emulator. */

/** `fg` and `bg` are colour and flags as xterm.js packs them; `ext` is underline style and colour. */
export interface CellAttributes {
  readonly fg: number
  readonly bg: number
  readonly ext: number
  /** 0 for none, n for `TerminalState.links[n - 1]`, DEAD_LINK for one that was forgotten while its text is shown. */
  readonly link: number
}

/** Number of a link whose address is no longer known; never given to a new one. */
export const DEAD_LINK = 0x3fffffff

export interface LineState {
  /** Columns; differs from the screen's on lines of the alternate screen that were not cut when it shrank. */
  readonly length: number
  readonly isWrapped: boolean
  /** Three words per column: content, foreground, background. */
  readonly cells: Uint32Array
  /** Text of cells whose content word says "combined", by column. May have entries for other cells: ignore them. */
  readonly combined: Readonly<Record<number, string>>
  /** By column, for cells whose background word says so; null when there are none. */
  readonly extended: ReadonlyMap<number, { readonly ext: number; readonly link: number }> | null
}

/** 0 is the default, others index CHARSET_FLAGS. */
export type CharsetNumber = number

/** Final bytes of the sequences that choose a character set; `B` is the default. */
export const CHARSET_FLAGS = 'B0A4C5RQKYE6ZH7='

export interface BufferState {
  /** Lines from the first one on the screen (or from the oldest, where `historyLines` is 0); null where none exists. */
  readonly lines: readonly (LineState | null)[]
  /** Lines above `lines[0]`: those of the history parts. */
  readonly historyLines: number
  /** Most lines the buffer may hold, screen included. */
  readonly maxLines: number
  /** Line, from the oldest, at which the screen begins. */
  readonly base: number
  /** Column 0 to cols; cols means that the next character wraps. */
  readonly x: number
  readonly y: number
  readonly scrollTop: number
  readonly scrollBottom: number
  /** Columns, ascending. */
  readonly tabs: readonly number[]
  /** What DECSC kept. `line` counts from the oldest line. */
  readonly saved: {
    readonly x: number
    readonly line: number
    readonly fg: number
    readonly bg: number
    readonly charset: CharsetNumber
  }
}

export interface LinkState {
  /** As the program named it, or null. */
  readonly id: string | null
  readonly uri: string
  /** Where it was seen, in that order: `buffer` 0 normal, 1 alternate, 2 one that was thrown away by a reset. */
  readonly lines: readonly { readonly buffer: 0 | 1 | 2; readonly line: number }[]
}

/** A place in the text of the normal buffer: `cells` of text after the beginning of a line, counted from the oldest. */
export interface LinePlace {
  readonly line: number
  readonly cells: number
}

/** How a command ended, by its exit code. `unknown`: it does not run any more, and nobody said how it ended. */
export type CommandOutcome = 'running' | 'unknown' | number

export interface CommandMark {
  /** Ordinal in the session, from 1; 0 when it is not known. */
  readonly id: number
  readonly outcome: CommandOutcome
  /** Where it was typed. */
  readonly at: LinePlace
  /** Where its output begins and ends; null when that is not there (any more). */
  readonly from: LinePlace | null
  readonly to: LinePlace | null
}

/** The marks that a shell left, oldest first, as far as their lines are there. */
export interface MarksState {
  /** Commands begun so far; null when they could not all be counted. */
  readonly count: number | null
  /** Where the next command will stand. */
  readonly prompt: LinePlace | null
  readonly commands: readonly CommandMark[]
}

export const MOUSE_PROTOCOLS = ['NONE', 'X10', 'VT200', 'DRAG', 'ANY'] as const
export const MOUSE_ENCODINGS = ['DEFAULT', 'SGR', 'SGR_PIXELS'] as const
export const CURSOR_STYLES = ['block', 'underline', 'bar'] as const

/** In the order in which they are encoded. */
export const MODE_NAMES = [
  'insert',
  'convertEol',
  'applicationCursorKeys',
  'applicationKeypad',
  'bracketedPaste',
  'origin',
  'reverseWraparound',
  'sendFocus',
  'synchronizedOutput',
  'wraparound',
  'cursorHidden',
] as const

export type Modes = Readonly<Record<(typeof MODE_NAMES)[number], boolean>>

export interface TerminalState {
  readonly cols: number
  readonly rows: number
  /** Version of the width tables in use; host and browser must agree. */
  readonly unicode: string
  readonly isAlternate: boolean
  readonly normal: BufferState
  readonly alternate: BufferState
  readonly current: CellAttributes
  readonly charsets: {
    readonly active: CharsetNumber
    readonly level: number
    readonly designated: readonly CharsetNumber[]
  }
  readonly modes: Modes
  /** Set by DECSCUSR; null when left to the user. */
  readonly cursorStyle: (typeof CURSOR_STYLES)[number] | null
  readonly cursorStyleBlink: boolean | null
  /** Set by DEC mode 12; null when left to the user. */
  readonly cursorBlink: boolean | null
  readonly mouseProtocol: (typeof MOUSE_PROTOCOLS)[number]
  readonly mouseEncoding: (typeof MOUSE_ENCODINGS)[number]
  readonly title: string
  readonly iconName: string
  readonly titleStack: readonly string[]
  readonly iconNameStack: readonly string[]
  /** Colours the program changed, ascending: 0-255 the palette, 256 text, 257 background, 258 cursor. */
  readonly colors: readonly { readonly index: number; readonly rgb: readonly [number, number, number] }[]
  /** In the order in which they were first seen. */
  readonly links: readonly LinkState[]
  readonly marks: MarksState
  /** What the last character was, for joining the next one to it and for REP; 0 after anything but text. */
  readonly joinState: number
}

/** Part of the scrollback: lines `first` to `first + lines.length` of `total`, counted from the oldest. */
export interface HistoryState {
  readonly total: number
  readonly first: number
  readonly lines: readonly (LineState | null)[]
}

/** A state that cannot be taken or put where it should go: the message says what to do. */
export class StateError extends Error {
  override readonly name = 'StateError'
}
