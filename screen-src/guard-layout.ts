/** Faults of xterm.js 6.0 in where lines and cells go when the size changes, and at the edges. */
import { IS_COMBINED, type BufferLine, type CircularList, type Core } from './xterm-internals.ts'

/**
 * When the window shrinks while the alternate screen is away, xterm.js leaves it room for its old height; once back, it
 * scrolls lines into that room as if it had a scrollback, and loses count of them at the next resize.
 * And a resize may move the cursor: a mark that comes after it would be joined to whatever is left of it by then.
 */
export function guardResize(core: Core): void {
  const { buffers } = core._bufferService
  const resize = buffers.resize.bind(buffers)
  buffers.resize = (cols, rows) => {
    resize(cols, rows)
    if (buffers.alt.lines.length === 0) buffers.alt.lines.maxLength = rows
    core._inputHandler._parser.precedingJoinState = 0
  }
}

/**
 * ED 1 in the last column marks the line below as not wrapped, counts that line from the oldest and not from the screen,
 * and throws where there is none. A spare line takes the mark.
 */
export function guardEraseAbove(core: Core): void {
  for (const prefix of ['', '?'])
    core._inputHandler.registerCsiHandler({ ...(prefix === '' ? {} : { prefix }), final: 'J' }, ({ params }) => {
      const { lines, y } = core._bufferService.buffers.active
      if (params[0] === 1 && lines.get(y + 1) === undefined) lines.set(y + 1, lines.get(0)?.clone())
      return false
    })
}

const guarded = new WeakSet()

/** Prototypes are shared by all terminals of one copy of xterm.js. */
export function guardReflow(core: Core): void {
  const { lines } = core._bufferService.buffers.normal
  const list = Object.getPrototypeOf(lines) as CircularList
  if (guarded.has(list)) return
  guarded.add(list)
  guardPlaces(list)
  guardCopies(Object.getPrototypeOf(lines.get(0)) as BufferLine)
}

/**
 * Lines that find no room above the oldest are written to places below zero, which in a list that has gone round are those
 * of the newest lines. Let them go.
 */
function guardPlaces(list: CircularList): void {
  // oxlint-disable-next-line unbound-method -- called with the list it belongs to
  const { set } = list
  list.set = function (this: CircularList, at, line) {
    if (at >= 0) set.call(this, at, line)
  }
}

/**
 * Copying cells copies the joined text of every cell from a column on, wanted or stale, over that of other cells; and
 * within one line it reads what it has just overwritten. Copy that of the cells in question, taken beforehand.
 */
function guardCopies(line: BufferLine): void {
  // oxlint-disable-next-line unbound-method -- called with the line it belongs to
  const { copyCellsFrom } = line
  // oxlint-disable-next-line max-params -- xterm.js calls it
  line.copyCellsFrom = function (this: BufferLine, source, from, to, length, inReverse) {
    const texts: [column: number, text: string][] = []
    for (const key in source._combined) {
      const column = Number(key)
      const isWanted = column >= from && column < from + length
      if (isWanted && ((source._data[column * 3] ?? 0) & IS_COMBINED) !== 0)
        texts.push([column - from + to, source._combined[column] as string])
    }
    const { _combined: all } = source
    source._combined = {}
    copyCellsFrom.call(this, source, from, to, length, inReverse)
    source._combined = all
    for (const [column, text] of texts) this._combined[column] = text
  }
}
