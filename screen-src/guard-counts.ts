/** Counts in sequences: xterm.js loops once per count, and a count may be two thousand million. */
import type { Core, SequenceParams } from './xterm-internals.ts'

type Limit = (core: Core, count: number) => number

/** Beyond the lines between cursor or margin and the bottom margin there is nothing left to move. */
const regionLines: Limit = ({ _bufferService }, count) => {
  const { scrollTop, scrollBottom } = _bufferService.buffers.active
  return scrollBottom < scrollTop ? count : scrollBottom - scrollTop + 1
}

/** Tabs end at the edge. */
const columns: Limit = ({ _bufferService }) => _bufferService.cols

/**
 * REP beyond the cells of the screen only pushes the same text further up: the rest that decides where the cursor stops
 * is kept. Without wrapping, everything beyond the edge overwrites one cell.
 */
const screenCells: Limit = ({ _bufferService: { cols, rows } }, count) => cols * rows + ((count - cols * rows) % cols)

/** By final byte. All other counts are bounded by the line or the screen where they are used. */
const LIMITS: Readonly<Record<string, Limit>> = {
  S: regionLines,
  T: regionLines,
  L: regionLines,
  M: regionLines,
  I: columns,
  Z: columns,
  b: screenCells,
}

/** Where no limit can be told, as with margins that a resize left upside down: still far more than any program means. */
const MAX_COUNT = 1000

export function guardCounts(core: Core): void {
  for (const [final, limit] of Object.entries(LIMITS))
    core._inputHandler.registerCsiHandler({ final }, ({ params }: SequenceParams) => {
      const count = params[0] ?? 0
      const most = limit(core, count)
      if (count > most) params[0] = most
      else if (most === count && count > MAX_COUNT && final !== 'b') params[0] = MAX_COUNT
      return false
    })
}
