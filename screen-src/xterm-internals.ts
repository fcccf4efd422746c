/**
 * The only file that knows private names of xterm.js. The shapes below are those of @xterm/xterm and @xterm/headless
 * 6.0.0, which share this code; `checkInternals` says what a version lacks before anything relies on it.
 */

/** What this package needs of a terminal's public face; both the browser's and the headless one have it. */
export interface EmulatorTerminal {
  readonly cols: number
  readonly rows: number
  resize(columns: number, rows: number): void
}

/** Underline style and colour (`_ext`) and link number (`_urlId`) of cells; shared between cells, so never changed. */
export interface ExtendedAttributes {
  _ext: number
  _urlId: number
}

export interface AttributeData {
  fg: number
  bg: number
  extended: ExtendedAttributes
}

export interface BufferLine {
  /** Three words per cell: content, foreground, background. May hold more cells than the screen is wide. */
  _data: Uint32Array
  /** Text of cells whose content says "combined", by column; also stale entries of cells that no longer say so. */
  _combined: Record<number, string>
  _extendedAttrs: Record<number, ExtendedAttributes | undefined>
  length: number
  isWrapped: boolean
  copyCellsFrom(source: BufferLine, from: number, to: number, length: number, inReverse: boolean): void
  addCodepointToCell(column: number, codePoint: number, width: number): void
  clone(): BufferLine
}

export interface CircularList {
  length: number
  maxLength: number
  get(at: number): BufferLine | undefined
  set(at: number, line: BufferLine | undefined): void
  push(line: BufferLine | undefined): void
  /** So many lines left at the top. */
  onTrim(listener: (amount: number) => void): { dispose(): void }
  onInsert(listener: (event: LinesEvent) => void): unknown
  onDelete(listener: (event: LinesEvent) => void): unknown
}

export interface LinesEvent {
  readonly index: number
  readonly amount: number
}

export interface Marker {
  /** Line in its buffer, scrollback included. */
  readonly line: number
  onDispose(listener: () => void): unknown
  dispose(): void
}

export type Charset = Readonly<Record<string, string>> | undefined

export interface Buffer {
  readonly lines: CircularList
  ybase: number
  ydisp: number
  x: number
  y: number
  scrollTop: number
  scrollBottom: number
  tabs: Record<number, boolean | undefined>
  savedX: number
  savedY: number
  savedCurAttrData: AttributeData
  savedCharset: Charset
  readonly markers: readonly Marker[]
  addMarker(line: number): Marker
  /** A row is erased. */
  clearMarkers(row: number): void
}

export interface BufferSet {
  readonly normal: Buffer
  readonly alt: Buffer
  readonly active: Buffer
  reset(): void
  activateAltBuffer(): void
  resize(cols: number, rows: number): void
}

export interface LinkEntry {
  readonly id: number
  readonly key?: string
  readonly data: { readonly id?: string; readonly uri: string }
  /** Lines the link is on; when the last goes, the link is forgotten. */
  readonly lines: { readonly line: number }[]
}

export interface LinkService {
  _nextId: number
  readonly _entriesWithId: Map<string, LinkEntry>
  readonly _dataByLinkId: Map<number, LinkEntry>
  registerLink(data: { id?: string; uri: string }): number
  addLineToLink(id: number, line: number): void
  _removeMarkerFromLink(entry: LinkEntry, marker: Marker): void
}

export interface CharsetService {
  charset: Charset
  glevel: number
  _charsets: Charset[]
}

export type CursorStyle = 'block' | 'underline' | 'bar'

export interface CoreService {
  isCursorHidden: boolean
  readonly modes: { insertMode: boolean }
  readonly decPrivateModes: {
    applicationCursorKeys: boolean
    applicationKeypad: boolean
    bracketedPasteMode: boolean
    cursorBlink: boolean | undefined
    cursorStyle: CursorStyle | undefined
    origin: boolean
    reverseWraparound: boolean
    sendFocus: boolean
    synchronizedOutput: boolean
    wraparound: boolean
  }
  reset(): void
}

export interface ColorEvent {
  readonly type: 0 | 1 | 2
  readonly index?: number
  readonly color?: readonly [number, number, number]
}

export interface SequenceParams {
  readonly length: number
  readonly params: Int32Array
}

interface Parser {
  currentState: number
  precedingJoinState: number
  reset(): void
  setPrintHandler(handler: (codes: Uint32Array, start: number, end: number) => void): void
}

export interface Utf8Decoder {
  interim: Uint8Array
  clear(): void
  decode(input: Uint8Array, target: Uint32Array): number
}

export interface InputHandler {
  readonly _curAttrData: AttributeData
  readonly _parser: Parser
  readonly _utf8Decoder: Utf8Decoder
  readonly _stringDecoder: { clear(): void }
  _windowTitle: string
  _iconName: string
  _windowTitleStack: string[]
  _iconNameStack: string[]
  readonly _onColor: { fire(event: ColorEvent[]): void }
  readonly _onTitleChange: { fire(title: string): void }
  readonly _onRequestSyncScrollBar: { fire(): void }
  onColor(listener: (event: ColorEvent[]) => void): unknown
  parse(bytes: Uint8Array): void | Promise<boolean>
  print(codes: Uint32Array, start: number, end: number): void
  selectCharset(designation: string): boolean
  setTitle(title: string): boolean
  setIconName(name: string): boolean
  setHyperlink(data: string): boolean
  registerCsiHandler(
    id: { prefix?: string; intermediates?: string; final: string },
    handler: (params: SequenceParams) => boolean,
  ): unknown
  registerOscHandler(code: number, handler: (data: string) => boolean): unknown
}

export interface Core {
  readonly _bufferService: {
    readonly cols: number
    readonly rows: number
    isUserScrolling: boolean
    buffers: BufferSet
  }
  readonly _inputHandler: InputHandler
  readonly _charsetService: CharsetService
  readonly _oscLinkService: LinkService
  readonly coreService: CoreService
  readonly coreMouseService: { activeProtocol: string; activeEncoding: string }
  readonly unicodeService: { readonly activeVersion: string }
  readonly optionsService: {
    readonly options: { cursorBlink: boolean; convertEol: boolean; scrollback: number }
  }
  /** Absent in the headless terminal. */
  refresh?(start: number, end: number): void
}

/** Content word of a cell nothing was written to: no code point, one column wide. */
export const NULL_CONTENT = 0x400000
export const IS_COMBINED = 0x200000
export const CODE_POINT_MASK = 0x1fffff
export const WIDTH_SHIFT = 22
/** In the background word: the cell has an entry in `_extendedAttrs`. */
export const HAS_EXTENDED = 0x10000000
/** Bits of `_ext` in which a renderer notes how to draw; no program sets them. */
export const DRAWING_BITS = 0xe0000000

export const COLOR_REPORT = 0
export const COLOR_SET = 1
export const COLOR_RESTORE = 2

export class InternalsError extends Error {
  override readonly name = 'InternalsError'
}

export const coreOf = (terminal: EmulatorTerminal): Core => (terminal as unknown as { _core: Core })._core

const MODES =
  'applicationCursorKeys,applicationKeypad,bracketedPasteMode,cursorBlink,cursorStyle,origin,reverseWraparound,sendFocus,synchronizedOutput,wraparound'

/** Type of every private place, by path from the core; `[]` steps into the first line of the normal buffer. */
const EXPECTED: Readonly<Record<string, string>> = {
  '_bufferService.isUserScrolling': 'boolean',
  '_bufferService.buffers.reset': 'function',
  '_bufferService.buffers.activateAltBuffer': 'function',
  '_bufferService.buffers.resize': 'function',
  ...Object.fromEntries(
    'ybase,ydisp,x,y,scrollTop,scrollBottom,savedX,savedY,lines.maxLength,lines.length,savedCurAttrData.fg'
      .split(',')
      .flatMap((name) => [`_bufferService.buffers.normal.${name}`, `_bufferService.buffers.alt.${name}`])
      .map((path) => [path, 'number']),
  ),
  '_bufferService.buffers.normal.tabs': 'object',
  '_bufferService.buffers.normal.addMarker': 'function',
  '_bufferService.buffers.normal.markers': 'object',
  '_bufferService.buffers.normal.clearMarkers': 'function',
  '_bufferService.buffers.normal.lines.onTrim': 'function',
  '_bufferService.buffers.normal.lines.onInsert': 'function',
  '_bufferService.buffers.normal.lines.onDelete': 'function',
  '_bufferService.buffers.normal.lines.push': 'function',
  '_bufferService.buffers.normal.lines.set': 'function',
  '[]._data': 'object',
  '[]._combined': 'object',
  '[]._extendedAttrs': 'object',
  '[].length': 'number',
  '[].isWrapped': 'boolean',
  '[].copyCellsFrom': 'function',
  '[].addCodepointToCell': 'function',
  '_inputHandler._curAttrData.extended._ext': 'number',
  '_inputHandler._curAttrData.extended._urlId': 'number',
  '_inputHandler._parser.currentState': 'number',
  '_inputHandler._parser.precedingJoinState': 'number',
  '_inputHandler._parser.setPrintHandler': 'function',
  '_inputHandler._utf8Decoder.decode': 'function',
  '_inputHandler._utf8Decoder.interim': 'object',
  '_inputHandler._stringDecoder.clear': 'function',
  '_inputHandler._windowTitle': 'string',
  '_inputHandler._iconName': 'string',
  '_inputHandler._windowTitleStack': 'object',
  '_inputHandler._iconNameStack': 'object',
  '_inputHandler._onColor.fire': 'function',
  '_inputHandler._onTitleChange.fire': 'function',
  '_inputHandler._onRequestSyncScrollBar.fire': 'function',
  '_inputHandler.parse': 'function',
  '_inputHandler.print': 'function',
  '_inputHandler.selectCharset': 'function',
  '_charsetService.glevel': 'number',
  '_charsetService._charsets': 'object',
  '_oscLinkService._nextId': 'number',
  '_oscLinkService._entriesWithId': 'object',
  '_oscLinkService._dataByLinkId': 'object',
  '_oscLinkService.registerLink': 'function',
  '_oscLinkService.addLineToLink': 'function',
  '_oscLinkService._removeMarkerFromLink': 'function',
  'coreService.isCursorHidden': 'boolean',
  'coreService.modes.insertMode': 'boolean',
  'coreService.decPrivateModes': 'object',
  'coreMouseService.activeProtocol': 'string',
  'coreMouseService.activeEncoding': 'string',
  'unicodeService.activeVersion': 'string',
  'optionsService.options.convertEol': 'boolean',
}

const step = (from: unknown, name: string): unknown => (from as Record<string, unknown> | null | undefined)?.[name]
const valueAt = (root: unknown, path: string): unknown => path.split('.').reduce(step, root)

/**
 * Say whether this terminal is built as this package expects. Cheap enough for every new terminal.
 * @throws InternalsError naming every missing or added place, so that an upgrade of xterm.js cannot go unnoticed
 */
export function checkInternals(terminal: EmulatorTerminal): void {
  const core: unknown = coreOf(terminal)
  const line = (
    step(valueAt(core, '_bufferService.buffers.normal.lines'), 'get') as CircularList['get'] | undefined
  )?.call((core as Core)._bufferService.buffers.normal.lines, 0)
  const problems = Object.entries(EXPECTED)
    .map(([path, type]) => {
      const value = path.startsWith('[].') ? step(line, path.slice(3)) : valueAt(core, path)
      return value !== null && typeof value === type ? '' : `${path} is not a ${type}`
    })
    .filter((problem) => problem !== '')
  const modes = Object.keys((valueAt(core, 'coreService.decPrivateModes') ?? {}) as object)
    .sort()
    .join(',')
  if (modes !== MODES) problems.push(`the DEC modes are ${modes}`)
  if (problems.length > 0)
    throw new InternalsError(
      `this version of xterm.js keeps its state elsewhere (known: 6.0.0): ${problems.join('; ')}`,
    )
}
