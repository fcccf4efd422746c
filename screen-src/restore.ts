/**
 * Puts a state into an emulator, straight into its structures: nothing is parsed, so nothing is answered. First the screen
 * part, with stand-ins for the scrollback; the terminal may parse on from there, and the scrollback follows.
 */
import { charsetsOf } from './charsets.ts'
import { restoreLinks } from './restore-links.ts'
import { decodeHistory, decodeScreen } from './state-codec.ts'
import { StateError, type BufferState, type LineState, type TerminalState } from './terminal-state.ts'
import { requireTracked, type PendingHistory, type Tracked } from './tracked.ts'
import {
  COLOR_RESTORE,
  COLOR_SET,
  coreOf,
  NULL_CONTENT,
  type Buffer,
  type BufferLine,
  type CircularList,
  type Core,
  type EmulatorTerminal,
  type ExtendedAttributes,
} from './xterm-internals.ts'

/** Makes an emulator's own objects, which have no exported class. */
interface Maker {
  line(): BufferLine
  extended(ext: number, link: number): ExtendedAttributes
}

/**
 * Replace all there is by the state in `screenPart`. Nothing must be waiting to be parsed. Resizes the terminal, which
 * announces its size as any resize does. Until every history part arrived, do not resize it again and take no state;
 * parsing is free to go on.
 * @returns the size, and how many lines the history parts will bring
 * @throws FormatError for bytes that are no screen part; the terminal is then as it was
 * @throws StateError when the terminal counts columns by other tables
 */
export function restore(
  terminal: EmulatorTerminal,
  screenPart: Uint8Array,
): { cols: number; rows: number; historyLines: number } {
  const tracked = requireTracked(terminal)
  const state = decodeScreen(screenPart)
  const core = coreOf(terminal)
  if (core.unicodeService.activeVersion !== state.unicode)
    throw new StateError(
      `the terminal measures characters by "${core.unicodeService.activeVersion}", the state by "${state.unicode}"`,
    )
  const { buffers } = core._bufferService
  // New buffers first: resizing the old ones would lay out text that is thrown away.
  buffers.reset()
  core.optionsService.options.scrollback = Math.max(1, state.normal.maxLines - state.rows)
  terminal.resize(state.cols, state.rows)
  if (state.isAlternate) buffers.activateAltBuffer()
  core._bufferService.isUserScrolling = false

  const input = core._inputHandler
  input._parser.reset()
  input._utf8Decoder.clear()
  input._stringDecoder.clear()
  tracked.heldBytes = new Uint8Array(0)
  const make = makerOf(core)
  tracked.pending?.release()
  tracked.pending = missingLines(buffers.normal.lines, { state, make })
  restoreBuffer(core, buffers.normal, { state: state.normal, missing: tracked.pending, make })
  restoreBuffer(core, buffers.alt, { state: state.alternate, missing: null, make })
  restoreModes(core, state, tracked)
  input._curAttrData.fg = state.current.fg
  input._curAttrData.bg = state.current.bg
  input._curAttrData.extended = make.extended(state.current.ext, state.current.link)
  input._parser.precedingJoinState = state.joinState
  restoreLinks(core, state.links)
  tracked.marks.restore(state.marks)
  restoreColors(core, state.colors)
  restoreTitles(core, state)
  input._onRequestSyncScrollBar.fire()
  core.refresh?.(0, state.rows - 1)
  return { cols: state.cols, rows: state.rows, historyLines: state.normal.historyLines }
}

/**
 * Put a part of the scrollback where `restore` left room for it, in any order of parts. Lines that were pushed out or
 * cleared meanwhile stay away.
 * @throws FormatError for bytes that are no history part
 * @throws StateError for a part of another state
 */
export function prependHistory(terminal: EmulatorTerminal, historyPart: Uint8Array): void {
  const { pending } = requireTracked(terminal)
  const core = coreOf(terminal)
  const part = decodeHistory(historyPart)
  if (pending === null || part.total !== pending.total)
    throw new StateError('this part of the scrollback belongs to another state')
  const make = makerOf(core)
  for (const [at, state] of part.lines.entries()) {
    const place = part.first + at - pending.trimmed
    const standIn = place < 0 ? undefined : pending.lines.get(place)
    if (standIn?._data !== pending.blank) continue
    if (state === null) throw new StateError('a line of the scrollback does not exist')
    const line = fillLine(make.line(), state, make)
    // Programs can end the wrapping of a line up there, but not begin it (see missingLines).
    line.isWrapped &&= standIn.isWrapped
    pending.lines.set(place, line)
  }
  pending.arrived += part.lines.length
  if (pending.arrived >= pending.total) pending.release()
  const { normal, active } = core._bufferService.buffers
  if (active === normal && normal.ydisp < normal.ybase) core.refresh?.(0, core._bufferService.rows - 1)
}

/**
 * Making ten thousand lines takes longer than all the rest, so one stands for nearly all of them. Stand-ins share their
 * cells, by which they are recognised, say to be empty, so that the emulator gives them cells of their own before it writes
 * to one, and count as wrapped: "as it was". The oldest, one more than the screen has rows, are at any time lines of their
 * own, because those are changed: a full list takes its first line to write on, and where ED 1 ends the wrapping behind the
 * cursor's row, xterm.js takes the row for a line of the list.
 */
function missingLines(
  lines: CircularList,
  { state, make }: { state: TerminalState; make: Maker },
): PendingHistory | null {
  const total = state.normal.historyLines
  if (total === 0) return null
  const blank = new Uint32Array(state.cols * 3)
  for (let at = 0; at < blank.length; at += 3) blank[at] = NULL_CONTENT
  const newLine = (): BufferLine => {
    const line = make.line()
    line._data = blank
    line.isWrapped = true
    return line
  }
  const shared = newLine()
  const ownLines = state.rows + 1
  const listener = lines.onTrim((amount) => {
    pending.trimmed += amount
    for (let place = Math.max(0, ownLines - amount); place < ownLines; place += 1)
      if (lines.get(place) === shared) lines.set(place, newLine())
  })
  const pending: PendingHistory = {
    lines,
    total,
    trimmed: 0,
    arrived: 0,
    blank,
    fill: () => {
      for (let line = 0; line < total; line += 1) lines.push(line < ownLines ? newLine() : shared)
    },
    release: () => {
      listener.dispose()
    },
  }
  return pending
}

function restoreBuffer(
  core: Core,
  buffer: Buffer,
  { state, missing, make }: { state: BufferState; missing: PendingHistory | null; make: Maker },
): void {
  const { lines } = buffer
  lines.length = 0
  lines.maxLength = Math.max(1, state.maxLines)
  missing?.fill()
  for (const line of state.lines) lines.push(line === null ? undefined : fillLine(make.line(), line, make))
  const { x, y, scrollTop, scrollBottom, base, saved } = state
  Object.assign(buffer, {
    x,
    y,
    scrollTop,
    scrollBottom,
    ybase: base,
    ydisp: base,
    savedX: saved.x,
    savedY: saved.line,
  })
  buffer.tabs = Object.fromEntries(state.tabs.map((column) => [column, true]))
  buffer.savedCurAttrData.fg = saved.fg
  buffer.savedCurAttrData.bg = saved.bg
  buffer.savedCharset = charsetsOf(core)[saved.charset]
}

/** @returns the line; it takes over the state's cells */
function fillLine(line: BufferLine, state: LineState, make: Maker): BufferLine {
  line._data = state.cells
  line.length = state.length
  line.isWrapped = state.isWrapped
  line._combined = state.combined as Record<number, string>
  const extended: BufferLine['_extendedAttrs'] = {}
  if (state.extended !== null) {
    let before: { ext: number; link: number } | null = null
    let shared: ExtendedAttributes | undefined
    for (const [column, own] of state.extended) {
      if (own !== before) shared = make.extended(own.ext, own.link)
      before = own
      extended[column] = shared
    }
  }
  line._extendedAttrs = extended
  return line
}

function restoreModes(core: Core, state: TerminalState, tracked: Tracked): void {
  const { modes } = state
  const { coreService, optionsService, coreMouseService, _charsetService: charsets } = core
  coreService.modes.insertMode = modes.insert
  coreService.isCursorHidden = modes.cursorHidden
  Object.assign(coreService.decPrivateModes, {
    applicationCursorKeys: modes.applicationCursorKeys,
    applicationKeypad: modes.applicationKeypad,
    bracketedPasteMode: modes.bracketedPaste,
    cursorBlink: state.cursorStyleBlink ?? undefined,
    cursorStyle: state.cursorStyle ?? undefined,
    origin: modes.origin,
    reverseWraparound: modes.reverseWraparound,
    sendFocus: modes.sendFocus,
    synchronizedOutput: modes.synchronizedOutput,
    wraparound: modes.wraparound,
  } satisfies Core['coreService']['decPrivateModes'])
  tracked.synchronizedOutput = modes.synchronizedOutput
  optionsService.options.convertEol = modes.convertEol
  tracked.cursorBlink = state.cursorBlink
  if (state.cursorBlink !== null) optionsService.options.cursorBlink = state.cursorBlink
  coreMouseService.activeProtocol = state.mouseProtocol
  coreMouseService.activeEncoding = state.mouseEncoding
  const tables = charsetsOf(core)
  charsets._charsets = state.charsets.designated.map((number) => tables[number])
  charsets.glevel = state.charsets.level
  charsets.charset = tables[state.charsets.active]
}

function restoreColors(core: Core, colors: TerminalState['colors']): void {
  const { _onColor: events } = core._inputHandler
  events.fire([{ type: COLOR_RESTORE }, ...[256, 257, 258].map((index) => ({ type: COLOR_RESTORE, index }) as const)])
  if (colors.length > 0) events.fire(colors.map(({ index, rgb }) => ({ type: COLOR_SET, index, color: rgb })))
}

/**
 * Announce the program's colours again. A browser's terminal forgets them when it is opened after `restore`, and when its
 * theme changes.
 */
export function reapplyColors(terminal: EmulatorTerminal): void {
  const colors = [...requireTracked(terminal).colors].map(([index, rgb]) => ({ index, rgb }))
  restoreColors(coreOf(terminal), colors)
}

function restoreTitles(core: Core, state: TerminalState): void {
  const input = core._inputHandler
  const isNew = input._windowTitle !== state.title
  input._windowTitle = state.title
  input._iconName = state.iconName
  input._windowTitleStack = [...state.titleStack]
  input._iconNameStack = [...state.iconNameStack]
  if (isNew) input._onTitleChange.fire(state.title)
}

function makerOf(core: Core): Maker {
  const sample = core._bufferService.buffers.normal.lines.get(0) as BufferLine
  // The second argument only spares the constructor from making a cell that a line of no columns does not use.
  const Line = sample.constructor as new (cols: number, fill: object) => BufferLine
  const Extended = core._inputHandler._curAttrData.extended.constructor as new (
    ext: number,
    link: number,
  ) => ExtendedAttributes
  return { line: () => new Line(0, sample), extended: (ext, link) => new Extended(ext, link) }
}
