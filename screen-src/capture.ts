/** Takes the state out of an emulator. */
import { charsetNumber } from './charsets.ts'
import {
  DEAD_LINK,
  MOUSE_ENCODINGS,
  MOUSE_PROTOCOLS,
  StateError,
  type BufferState,
  type LineState,
  type LinkState,
  type TerminalState,
} from './terminal-state.ts'
import { requireTracked, type Tracked } from './tracked.ts'
import {
  coreOf,
  DRAWING_BITS,
  HAS_EXTENDED,
  type Buffer,
  type BufferLine,
  type Core,
  type EmulatorTerminal,
  type ExtendedAttributes,
} from './xterm-internals.ts'

/** Number of a link in the state, by its number in the emulator. */
type LinkNumbers = ReadonlyMap<number, number>

/**
 * Whether the state may be taken here: the parser is between sequences and characters. Elsewhere a snapshot is the state
 * at the last such point and the bytes after it.
 */
export function isAtGround(terminal: EmulatorTerminal): boolean {
  const { _parser, _utf8Decoder } = coreOf(terminal)._inputHandler
  return _parser.currentState === 0 && requireTracked(terminal).heldBytes.length === 0 && _utf8Decoder.interim[0] === 0
}

/**
 * The state of a terminal, as a view: cells are not copied, so it is valid until the terminal parses or resizes again.
 * @param options.history without it the lines above the screen are only counted, not looked at
 * @throws StateError away from ground, or with `history` while part of the scrollback has not arrived
 */
export function capture(terminal: EmulatorTerminal, options: { history: boolean } = { history: true }): TerminalState {
  const tracked = requireTracked(terminal)
  if (!isAtGround(terminal)) throw new StateError('the parser is inside a sequence: take the state at a ground point')
  const core = coreOf(terminal)
  const { _inputHandler: input, _charsetService: charsets, coreService, optionsService } = core
  const { normal, alt, active } = core._bufferService.buffers
  const links = linkStates(core)
  const modes = coreService.decPrivateModes
  const { fg, bg, extended } = input._curAttrData
  return {
    cols: core._bufferService.cols,
    rows: core._bufferService.rows,
    unicode: core.unicodeService.activeVersion,
    isAlternate: active === alt,
    normal: bufferState(core, normal, {
      from: options.history ? 0 : historyLength(normal),
      links: links.numbers,
      tracked,
    }),
    alternate: bufferState(core, alt, { from: 0, links: links.numbers, tracked }),
    // Bit operations leave signed numbers; cells hold unsigned ones.
    current: { fg: fg >>> 0, bg: bg >>> 0, ...extendedState(extended, links.numbers) },
    charsets: {
      active: charsetNumber(core, charsets.charset),
      level: charsets.glevel,
      designated: [0, 1, 2, 3].map((at) => charsetNumber(core, charsets._charsets[at])),
    },
    modes: {
      insert: coreService.modes.insertMode,
      convertEol: optionsService.options.convertEol,
      applicationCursorKeys: modes.applicationCursorKeys,
      applicationKeypad: modes.applicationKeypad,
      bracketedPaste: modes.bracketedPasteMode,
      origin: modes.origin,
      reverseWraparound: modes.reverseWraparound,
      sendFocus: modes.sendFocus,
      synchronizedOutput: tracked.synchronizedOutput,
      wraparound: modes.wraparound,
      cursorHidden: coreService.isCursorHidden,
    },
    cursorStyle: modes.cursorStyle ?? null,
    cursorStyleBlink: modes.cursorBlink ?? null,
    cursorBlink: tracked.cursorBlink,
    mouseProtocol: known(MOUSE_PROTOCOLS, core.coreMouseService.activeProtocol),
    mouseEncoding: known(MOUSE_ENCODINGS, core.coreMouseService.activeEncoding),
    title: input._windowTitle,
    iconName: input._iconName,
    titleStack: [...input._windowTitleStack],
    iconNameStack: [...input._iconNameStack],
    colors: [...tracked.colors].map(([index, rgb]) => ({ index, rgb })).sort((a, b) => a.index - b.index),
    links: links.states,
    marks: tracked.marks.state(),
    joinState: input._parser.precedingJoinState,
  }
}

/** Lines above the screen. */
const historyLength = (buffer: Buffer): number => Math.min(buffer.ybase, buffer.lines.length)

function known<T extends string>(names: readonly T[], name: string): T {
  const found = names.find((each) => each === name)
  if (found === undefined)
    throw new StateError(`the terminal has a mouse mode that this package does not know: ${name}`)
  return found
}

function linkStates(core: Core): { numbers: LinkNumbers; states: LinkState[] } {
  const numbers = new Map<number, number>()
  const states: LinkState[] = []
  if (core._oscLinkService._dataByLinkId.size === 0) return { numbers, states }
  const { normal, alt } = core._bufferService.buffers
  const places = new Map<object, 0 | 1>()
  for (const marker of normal.markers) places.set(marker, 0)
  for (const marker of alt.markers) places.set(marker, 1)
  for (const entry of core._oscLinkService._dataByLinkId.values()) {
    const lines = entry.lines.map((marker) => ({ buffer: places.get(marker) ?? (2 as const), line: marker.line }))
    states.push({ id: entry.data.id ?? null, uri: entry.data.uri, lines })
    numbers.set(entry.id, states.length)
  }
  return { numbers, states }
}

const extendedState = (extended: ExtendedAttributes | undefined, links: LinkNumbers): { ext: number; link: number } =>
  extended === undefined
    ? { ext: 0, link: 0 }
    : {
        ext: (extended._ext & ~DRAWING_BITS) >>> 0,
        link: extended._urlId === 0 ? 0 : (links.get(extended._urlId) ?? DEAD_LINK),
      }

function bufferState(
  core: Core,
  buffer: Buffer,
  { from, links, tracked }: { from: number; links: LinkNumbers; tracked: Tracked },
): BufferState {
  const lines: (LineState | null)[] = []
  const missing = tracked.pending?.blank
  for (let at = from; at < buffer.lines.length; at++) {
    const line = buffer.lines.get(at)
    if (line !== undefined && line._data === missing)
      throw new StateError('part of the scrollback has not arrived: wait for its last part')
    lines.push(line === undefined ? null : lineState(line, links))
  }
  return {
    lines,
    historyLines: from,
    maxLines: buffer.lines.maxLength,
    base: buffer.ybase,
    x: buffer.x,
    y: buffer.y,
    scrollTop: buffer.scrollTop,
    scrollBottom: buffer.scrollBottom,
    tabs: Object.keys(buffer.tabs)
      .map(Number)
      .filter((column) => buffer.tabs[column] === true)
      .sort((a, b) => a - b),
    saved: {
      x: buffer.savedX,
      line: buffer.savedY,
      fg: buffer.savedCurAttrData.fg >>> 0,
      bg: buffer.savedCurAttrData.bg >>> 0,
      charset: charsetNumber(core, buffer.savedCharset),
    },
  }
}

function lineState(line: BufferLine, links: LinkNumbers): LineState {
  return {
    length: line.length,
    isWrapped: line.isWrapped,
    cells: line._data,
    combined: line._combined,
    extended: extendedCells(line, links),
  }
}

function extendedCells(line: BufferLine, links: LinkNumbers): LineState['extended'] {
  let found: Map<number, { ext: number; link: number }> | null = null
  for (const key in line._extendedAttrs) {
    const column = Number(key)
    if (column >= line.length || ((line._data[column * 3 + 2] ?? 0) & HAS_EXTENDED) === 0) continue
    found ??= new Map()
    found.set(column, extendedState(line._extendedAttrs[column], links))
  }
  return found
}
