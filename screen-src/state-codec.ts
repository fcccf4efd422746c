/**
 * A state as bytes: one part with everything but the scrollback, which is enough to paint and to go on, and parts with the
 * scrollback, newest lines first. Equal states give equal bytes, so that a hash of them compares states.
 */
import { ByteReader, ByteWriter, FormatError } from './bytes.ts'
import { readBuffer, readSettings, writeBuffer, writeSettings } from './screen-codec.ts'
import { LineDecoder, LineEncoder, MAX_LINE_CELLS } from './line-codec.ts'
import type { BufferState, HistoryState, LineState, TerminalState } from './terminal-state.ts'

/** Raised by every change of the format. Both ends of a connection come from one package, so there is no older reader. */
const VERSION = 2
const SCREEN = 0x53
const HISTORY = 0x48
/** Part of the format: it decides where parts begin, and so their bytes. */
const HISTORY_PART_LINES = 2500

const MAX_HISTORY_LINES = 200_000
/** 12 bytes each: what all lines of a part may take. */
const MAX_PART_CELLS = 2 ** 22

export interface EncodedState {
  readonly screenPart: Uint8Array
  /** Newest lines first; empty without scrollback. */
  readonly historyParts: readonly Uint8Array[]
}

export function encodeState(state: TerminalState): EncodedState {
  const { normal } = state
  const above = Math.max(0, Math.min(normal.base - normal.historyLines, normal.lines.length))
  const historyParts: Uint8Array[] = []
  for (let end = above; end > 0; end -= HISTORY_PART_LINES) {
    const first = Math.max(0, end - HISTORY_PART_LINES)
    historyParts.push(encodeHistory(normal.lines.slice(first, end), { cols: state.cols, total: above, first }))
  }
  return { screenPart: encodeScreen(state), historyParts }
}

/** The part without the scrollback; the state may have been captured without it. */
export function encodeScreen(state: TerminalState): Uint8Array {
  const { normal } = state
  const skip = Math.max(0, Math.min(normal.base - normal.historyLines, normal.lines.length))
  const writer = begin(SCREEN, 16 * 1024)
  writer.unsigned(state.cols)
  writer.unsigned(state.rows)
  writeSettings(writer, state)
  const encoder = new LineEncoder(writer, state.cols)
  const screen = { ...normal, lines: normal.lines.slice(skip), historyLines: normal.historyLines + skip }
  writeBuffer(writer, screen, encoder)
  writeBuffer(writer, state.alternate, encoder)
  return writer.finish()
}

function encodeHistory(
  lines: readonly (LineState | null)[],
  { cols, total, first }: { cols: number; total: number; first: number },
): Uint8Array {
  const writer = begin(HISTORY, lines.length * (cols + 16))
  writer.unsigned(cols)
  writer.unsigned(total)
  writer.unsigned(first)
  const encoder = new LineEncoder(writer, cols)
  writer.list(lines, (line) => {
    encoder.write(line)
  })
  return writer.finish()
}

/** @throws FormatError for anything but a screen part of this version */
export function decodeScreen(bytes: Uint8Array): TerminalState {
  const reader = open(bytes, SCREEN)
  const cols = reader.unsigned(MAX_LINE_CELLS)
  const rows = reader.unsigned(MAX_LINE_CELLS)
  if (cols < 2 || rows < 1) throw new FormatError('the screen is too small')
  const settings = readSettings(reader)
  const decoder = new LineDecoder(reader, { cols, maxCells: MAX_PART_CELLS })
  const normal = readBuffer(reader, decoder)
  const alternate = readBuffer(reader, decoder)
  reader.end()
  if (normal.historyLines > MAX_HISTORY_LINES || alternate.historyLines !== 0)
    throw new FormatError('there are more lines above the screen than a terminal keeps')
  checkBuffer(normal, { cols, rows, isUsed: true })
  checkBuffer(alternate, { cols, rows, isUsed: settings.isAlternate })
  return { cols, rows, ...settings, normal, alternate }
}

/** What an emulator relies on without looking. @throws FormatError */
function checkBuffer(
  buffer: BufferState,
  { cols, rows, isUsed }: { cols: number; rows: number; isUsed: boolean },
): void {
  const { x, y, scrollTop, scrollBottom, lines, base, historyLines } = buffer
  const isOnScreen = x >= 0 && x <= cols && y >= 0 && y < rows
  if (!isOnScreen || scrollTop < 0 || scrollBottom >= rows || scrollTop > scrollBottom)
    throw new FormatError('the cursor or a margin is outside the screen')
  if (!isUsed && lines.length === 0) return
  const screen = lines.slice(base - historyLines, base - historyLines + rows)
  if (screen.length < rows || !screen.every((line) => line !== null && line.length >= cols))
    throw new FormatError('a line of the screen is missing')
}

/** @throws FormatError for anything but a history part of this version */
export function decodeHistory(bytes: Uint8Array): HistoryState {
  const reader = open(bytes, HISTORY)
  const cols = reader.unsigned(MAX_LINE_CELLS)
  const total = reader.unsigned(MAX_HISTORY_LINES)
  const first = reader.unsigned(total)
  const decoder = new LineDecoder(reader, { cols, maxCells: MAX_PART_CELLS })
  const lines = reader.list(Math.min(total - first, HISTORY_PART_LINES), () => decoder.read())
  reader.end()
  return { total, first, lines }
}

/** The whole state from its parts, for tools and tests; a terminal takes them one by one. @throws FormatError */
export function decodeState({ screenPart, historyParts }: EncodedState): TerminalState {
  const screen = decodeScreen(screenPart)
  const parts = historyParts.map(decodeHistory).sort((a, b) => a.first - b.first)
  const lines = parts.flatMap((part) => part.lines)
  if (lines.length !== screen.normal.historyLines) throw new FormatError('a part of the scrollback is missing')
  return { ...screen, normal: { ...screen.normal, historyLines: 0, lines: [...lines, ...screen.normal.lines] } }
}

function begin(kind: number, capacity: number): ByteWriter {
  const writer = new ByteWriter(capacity + 64)
  writer.unsigned(kind)
  writer.unsigned(VERSION)
  return writer
}

function open(bytes: Uint8Array, kind: number): ByteReader {
  const reader = new ByteReader(bytes)
  if (reader.byte() !== kind) throw new FormatError('these bytes are something else')
  if (reader.unsigned() !== VERSION) throw new FormatError('these bytes are of another version: reload the page')
  return reader
}
