/** Everything in a state but its lines, as bytes. Reader and writer stand side by side, field by field. */
import { FormatError, type ByteReader, type ByteWriter } from './bytes.ts'
import type { LineDecoder, LineEncoder } from './line-codec.ts'
import { readMarks, writeMarks } from './marks-codec.ts'
import {
  CHARSET_FLAGS,
  CURSOR_STYLES,
  MODE_NAMES,
  MOUSE_ENCODINGS,
  MOUSE_PROTOCOLS,
  type BufferState,
  type LinkState,
  type Modes,
  type TerminalState,
} from './terminal-state.ts'

/** A line or column number; no emulator within the protocol's limits comes near. */
const MAX_PLACE = 1_000_000
const MAX_LINES = 300_000
const MAX_TEXT = 16_384
const MAX_LINKS = 16_384
const MAX_STACK = 64
const MAX_COLORS = 259

/** A state without what comes before and after it: see `encodeScreen`. */
export type Settings = Omit<TerminalState, 'cols' | 'rows' | 'normal' | 'alternate'>

export function writeSettings(writer: ByteWriter, state: Settings): void {
  writer.text(state.unicode)
  writer.unsigned(state.isAlternate ? 1 : 0)
  writer.unsigned(state.current.fg)
  writer.unsigned(state.current.bg)
  writer.unsigned(state.current.ext)
  writer.unsigned(state.current.link)
  writer.unsigned(state.charsets.active)
  writer.unsigned(state.charsets.level)
  writer.list(state.charsets.designated, (each) => {
    writer.unsigned(each)
  })
  writer.unsigned(MODE_NAMES.reduce((bits, name, at) => bits | (state.modes[name] ? 1 << at : 0), 0))
  writer.unsigned(state.cursorStyle === null ? 0 : CURSOR_STYLES.indexOf(state.cursorStyle) + 1)
  writer.unsigned(tristate(state.cursorStyleBlink))
  writer.unsigned(tristate(state.cursorBlink))
  writer.unsigned(MOUSE_PROTOCOLS.indexOf(state.mouseProtocol))
  writer.unsigned(MOUSE_ENCODINGS.indexOf(state.mouseEncoding))
  const writeText = (text: string): void => {
    writer.text(text.slice(0, MAX_TEXT))
  }
  writeText(state.title)
  writeText(state.iconName)
  writer.list(state.titleStack, writeText)
  writer.list(state.iconNameStack, writeText)
  writer.list(state.colors, ({ index, rgb }) => {
    writer.unsigned(index)
    for (const channel of rgb) writer.unsigned(channel)
  })
  let before = ''
  writer.list(state.links, (link) => {
    before = writeLink(writer, link, before)
  })
  writeMarks(writer, state.marks)
  writer.unsigned(state.joinState)
}

export function readSettings(reader: ByteReader): Settings {
  const readText = (): string => reader.text(MAX_TEXT)
  const unicode = reader.text(MAX_STACK)
  const isAlternate = reader.unsigned(1) === 1
  const current = {
    fg: reader.unsigned(),
    bg: reader.unsigned(),
    ext: reader.unsigned(),
    link: reader.unsigned(0x3fffffff),
  }
  const active = reader.unsigned(CHARSET_FLAGS.length - 1)
  const level = reader.unsigned(3)
  const designated = reader.list(4, () => reader.unsigned(CHARSET_FLAGS.length - 1))
  if (designated.length !== 4) throw new FormatError('there are four character sets')
  const bits = reader.unsigned(2 ** MODE_NAMES.length - 1)
  const modes = Object.fromEntries(MODE_NAMES.map((name, at) => [name, (bits & (1 << at)) !== 0])) as unknown as Modes
  const style = reader.unsigned(CURSOR_STYLES.length)
  const cursorStyle = style === 0 ? null : (CURSOR_STYLES[style - 1] ?? null)
  const cursorStyleBlink = fromTristate(reader.unsigned(2))
  const cursorBlink = fromTristate(reader.unsigned(2))
  const mouseProtocol = MOUSE_PROTOCOLS[reader.unsigned(MOUSE_PROTOCOLS.length - 1)] ?? 'NONE'
  const mouseEncoding = MOUSE_ENCODINGS[reader.unsigned(MOUSE_ENCODINGS.length - 1)] ?? 'DEFAULT'
  const title = readText()
  const iconName = readText()
  const titleStack = reader.list(MAX_STACK, readText)
  const iconNameStack = reader.list(MAX_STACK, readText)
  const colors = reader.list(MAX_COLORS, () => ({
    index: reader.unsigned(MAX_COLORS - 1),
    rgb: [reader.unsigned(255), reader.unsigned(255), reader.unsigned(255)] as const,
  }))
  let before = ''
  const links = reader.list(MAX_LINKS, () => {
    const link = readLink(reader, before)
    before = link.uri
    return link
  })
  const marks = readMarks(reader)
  const joinState = reader.unsigned()
  return {
    unicode,
    isAlternate,
    current,
    charsets: { active, level, designated },
    modes,
    cursorStyle,
    cursorStyleBlink,
    cursorBlink,
    mouseProtocol,
    mouseEncoding,
    title,
    iconName,
    titleStack,
    iconNameStack,
    colors,
    links,
    marks,
    joinState,
  }
}

/** Addresses mostly differ at their end: how much is shared with the one before, then the rest. */
function writeLink(writer: ByteWriter, link: LinkState, before: string): string {
  const uri = link.uri.slice(0, MAX_TEXT)
  let shared = 0
  while (shared < uri.length && uri.charCodeAt(shared) === before.charCodeAt(shared)) shared += 1
  writer.unsigned(shared)
  writer.text(uri.slice(shared))
  writer.unsigned(link.id === null ? 0 : 1)
  if (link.id !== null) writer.text(link.id.slice(0, MAX_TEXT))
  writer.list(link.lines, ({ buffer, line }) => {
    writer.unsigned(buffer)
    writer.signed(line)
  })
  return uri
}

function readLink(reader: ByteReader, before: string): LinkState {
  const uri = before.slice(0, reader.unsigned(before.length)) + reader.text(MAX_TEXT)
  if (uri.length > MAX_TEXT) throw new FormatError('an address is too long')
  const id = reader.unsigned(1) === 0 ? null : reader.text(MAX_TEXT)
  const lines = reader.list(MAX_LINES, () => ({ buffer: reader.unsigned(2) as 0 | 1 | 2, line: place(reader) }))
  return { id, uri, lines }
}

export function writeBuffer(writer: ByteWriter, buffer: BufferState, encoder: LineEncoder): void {
  writer.unsigned(buffer.historyLines)
  writer.unsigned(buffer.maxLines)
  writer.unsigned(buffer.base)
  writer.signed(buffer.x)
  writer.signed(buffer.y)
  writer.signed(buffer.scrollTop)
  writer.signed(buffer.scrollBottom)
  let before = 0
  writer.list(buffer.tabs, (column) => {
    writer.signed(column - before)
    before = column
  })
  writer.signed(buffer.saved.x)
  writer.signed(buffer.saved.line)
  writer.unsigned(buffer.saved.fg)
  writer.unsigned(buffer.saved.bg)
  writer.unsigned(buffer.saved.charset)
  writer.list(buffer.lines, (line) => {
    encoder.write(line)
  })
}

export function readBuffer(reader: ByteReader, decoder: LineDecoder): BufferState {
  const historyLines = reader.unsigned(MAX_LINES)
  const maxLines = reader.unsigned(MAX_LINES)
  const base = reader.unsigned(MAX_LINES)
  const x = place(reader)
  const y = place(reader)
  const scrollTop = place(reader)
  const scrollBottom = place(reader)
  let before = 0
  const tabs = reader.list(MAX_LINES, () => {
    before += place(reader)
    return before
  })
  const saved = {
    x: place(reader),
    line: place(reader),
    fg: reader.unsigned(),
    bg: reader.unsigned(),
    charset: reader.unsigned(CHARSET_FLAGS.length - 1),
  }
  const lines = reader.list(MAX_LINES, () => decoder.read())
  if (historyLines > base || historyLines + lines.length > maxLines)
    throw new FormatError('a buffer has more lines than it may hold')
  return { lines, historyLines, maxLines, base, x, y, scrollTop, scrollBottom, tabs, saved }
}

function place(reader: ByteReader): number {
  const value = reader.signed()
  if (value < -MAX_PLACE || value > MAX_PLACE) throw new FormatError(`there is no line or column ${String(value)}`)
  return value
}

const tristate = (value: boolean | null): number => (value === null ? 0 : value ? 2 : 1)
const fromTristate = (value: number): boolean | null => (value === 0 ? null : value === 2)
