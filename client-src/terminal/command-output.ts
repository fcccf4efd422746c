/** The text that a command printed, out of the terminal's own lines: what a person saw, without marks and prompt. */
import { cellOf, textCells } from '../../screen-src/line-place.ts'
import type { LinePlace } from '../../screen-src/terminal-state.ts'
import {
  CODE_POINT_MASK,
  coreOf,
  IS_COMBINED,
  WIDTH_SHIFT,
  type BufferLine,
  type EmulatorTerminal,
} from '../../screen-src/xterm-internals.ts'

/** @param to null: up to the cursor. Null when the places are the wrong way round, as after a reset of the cursor */
export function commandOutput(terminal: EmulatorTerminal, from: LinePlace, to: LinePlace | null): string | null {
  const core = coreOf(terminal)
  const { normal } = core._bufferService.buffers
  const first = cellOf(core, from)
  const end = to === null ? { row: normal.ybase + normal.y, column: normal.x } : cellOf(core, to)
  if (end.row < first.row || (end.row === first.row && end.column < first.column)) return null
  const lines: string[] = []
  for (let row = first.row; row <= end.row; row++) {
    const line = normal.lines.get(row)
    if (line === undefined) break
    const text = cellText(line, {
      start: row === first.row ? first.column : 0,
      end: row === end.row ? end.column : textCells(normal.lines, row),
      keepsBlanks: row < end.row && normal.lines.get(row + 1)?.isWrapped === true,
    })
    if (line.isWrapped && lines.length > 0) lines[lines.length - 1] += text
    else lines.push(text)
  }
  // The end of the last line is no line of its own.
  if (lines.at(-1) === '') lines.pop()
  return lines.join('\n')
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
