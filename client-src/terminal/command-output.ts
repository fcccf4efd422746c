/** The text that a command printed, out of the terminal's own lines: what a person saw, without marks, prompt and filler. */
import { cellOf, textCells } from '../../screen-src/line-place.ts'
import type { LinePlace } from '../../screen-src/terminal-state.ts'
import {
  CODE_POINT_MASK,
  coreOf,
  IS_COMBINED,
  WIDTH_SHIFT,
  type BufferLine,
  type Core,
  type EmulatorTerminal,
} from '../../screen-src/xterm-internals.ts'

/** In the foreground word of a cell: reverse video. */
const INVERSE = 0x4000000
/** In the background word of a cell: faint. */
const DIM = 0x8000000
/** What fish puts where output ended without a line end. */
const FISH_SIGN = 0x23ce

/** @param to null: up to the cursor. Null when the places are the wrong way round, as after a reset of the cursor */
export function commandOutput(terminal: EmulatorTerminal, from: LinePlace, to: LinePlace | null): string | null {
  const core = coreOf(terminal)
  const { normal } = core._bufferService.buffers
  const first = cellOf(core, from)
  const end = to === null ? { row: normal.ybase + normal.y, column: normal.x } : cellOf(core, to)
  if (end.row < first.row || (end.row === first.row && end.column < first.column)) return null
  const filler = to === null ? null : fillerAt(core, end)
  const lines: string[] = []
  for (let row = first.row; row <= end.row; row++) {
    const line = normal.lines.get(row)
    if (line === undefined) break
    const start = row === first.row ? first.column : 0
    const stop = row === end.row ? end.column : textCells(normal.lines, row)
    const last = filler?.row === row ? filler.column : stop
    const isContinued = row < end.row && normal.lines.get(row + 1)?.isWrapped === true
    const text =
      filler !== null && row > filler.row
        ? ''
        : cellText(line, { start, end: last, keepsBlanks: isContinued && filler?.row !== row })
    if (line.isWrapped && lines.length > 0) lines[lines.length - 1] += text
    else lines.push(text)
  }
  // The end of the last line is no line of its own.
  if (lines.at(-1) === '') lines.pop()
  return lines.join('\n')
}

/**
 * Before its prompt zsh, like fish, prints a sign and as many blanks as a row has, so that the prompt begins on a row of its
 * own; on an empty row nothing is left of it. Where output ended within a row, the sign stays behind it.
 */
function fillerAt(core: Core, end: { row: number; column: number }): { row: number; column: number } | null {
  const { lines } = core._bufferService.buffers.normal
  const line = lines.get(end.row)
  const above = lines.get(end.row - 1)
  if (end.column !== 0 || line?.isWrapped !== true || above === undefined) return null
  for (let column = above.length - 1; column >= 0; column--) {
    const [content = 0, fg = 0, bg = 0] = above._data.subarray(column * 3, column * 3 + 3)
    const codePoint = content & CODE_POINT_MASK
    if (codePoint === 0 || codePoint === 0x20) continue
    const isSign = (fg & INVERSE) !== 0 || (codePoint === FISH_SIGN && (bg & DIM) !== 0)
    return isSign ? { row: end.row - 1, column } : null
  }
  return null
}

/** Cells nothing was written to are blanks between others; at the end of a line they are nothing. */
function cellText(
  line: BufferLine,
  { start, end, keepsBlanks }: { start: number; end: number; keepsBlanks: boolean },
): string {
  let text = ''
  let written = 0
  for (let column = start; column < Math.min(end, line.length); column++) {
    const content = line._data[column * 3] ?? 0
    if (content >> WIDTH_SHIFT === 0) continue
    const isCombined = (content & IS_COMBINED) !== 0
    const codePoint = content & CODE_POINT_MASK
    text += isCombined ? (line._combined[column] ?? '') : codePoint === 0 ? ' ' : String.fromCodePoint(codePoint)
    if (isCombined || codePoint !== 0) written = text.length
  }
  return keepsBlanks ? text : text.slice(0, written)
}
