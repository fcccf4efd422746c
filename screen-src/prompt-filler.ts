/**
 * What zsh prints before it runs its hooks, so that the prompt begins on a row of its own: a sign in reverse video, blanks
 * for all but one column, back, a blank, and back. After a whole line nothing is left of it; after output that ended within
 * a row the sign stays behind it, and is no output.
 */
import type { BufferLine, Core } from './xterm-internals.ts'
import { CODE_POINT_MASK } from './xterm-internals.ts'

/** In the foreground word of a cell: reverse video. */
const INVERSE = 0x4000000
const BLANK = 0x20

/** How many cells before the cursor the sign stands; 0 when there is none. To be asked where the shell's hooks are run. */
export function fillerBefore(core: Core): number {
  const { lines, ybase, y, x } = core._bufferService.buffers.active
  const row = lines.get(ybase + y)
  const above = lines.get(ybase + y - 1)
  if (x !== 0 || row?.isWrapped !== true || above === undefined) return 0
  let column = above.length - 1
  while (column > 0 && codePoint(above, column) === BLANK) column -= 1
  if (((above._data[column * 3 + 1] ?? 0) & INVERSE) === 0) return 0
  // As many blanks as columns before the sign went to the next row: one less or more, and something else printed them.
  for (let at = 0; at < column; at++) if (codePoint(row, at) !== BLANK) return 0
  return codePoint(row, column) === BLANK ? 0 : above.length - column
}

const codePoint = (line: BufferLine, column: number): number => (line._data[column * 3] ?? 0) & CODE_POINT_MASK
