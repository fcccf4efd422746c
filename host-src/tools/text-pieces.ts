/** Text in pieces that are shown whole or not at all, and the part of them that fits. */

export interface TextPiece {
  readonly text: string
  /** Offset after its last byte. */
  readonly end: number
}

export interface TextBounds {
  /** In UTF-16 units. */
  readonly maxChars: number
  readonly maxLines?: number | undefined
  readonly keep?: 'head' | 'tail' | undefined
}

/** @returns the indices of the first that is shown and of that after the last */
export function boundPieces(pieces: readonly TextPiece[], bounds: TextBounds): { first: number; end: number } {
  const isHead = bounds.keep === 'head'
  const taken = fitting(pieces, bounds)
  if (isHead) return { first: 0, end: taken }
  const first = pieces.length - taken
  return { first: first === 0 ? 0 : lineStart(pieces, first), end: pieces.length }
}

/** How many fit, counted from the end that stays. */
function fitting(pieces: readonly TextPiece[], { maxChars, maxLines = Infinity, keep }: TextBounds): number {
  const isHead = keep === 'head'
  let chars = 0
  let breaks = 0
  for (let taken = 0; taken < pieces.length; taken++) {
    const { text } = pieces[isHead ? taken : pieces.length - 1 - taken] as TextPiece
    chars += text.length
    if (chars > maxChars) return taken
    // The break that ends the last line begins no other.
    if (text !== '\n' || (!isHead && taken === 0)) continue
    breaks++
    if (breaks >= maxLines) return isHead ? taken + 1 : taken
  }
  return pieces.length
}

/** A tail begins with a whole line where that costs little of it. */
function lineStart(pieces: readonly TextPiece[], first: number): number {
  if (pieces[first - 1]?.text === '\n') return first
  const limit = first + Math.floor((pieces.length - first) / 4)
  for (let at = first; at < limit; at++) if (pieces[at]?.text === '\n') return at + 1
  return first
}

/** The offset from which a reader finds all that was left out after `end`, and something new. */
export function offsetAfter(pieces: readonly TextPiece[], end: number, from: number): number {
  let lowest = Infinity
  for (const piece of pieces.slice(end)) if (piece.end > from) lowest = Math.min(lowest, piece.end)
  const shown = pieces[end - 1]?.end ?? from
  return lowest === Infinity ? shown : Math.max(Math.min(shown, lowest - 1), Math.min(from + 1, lowest))
}

export function textOf(pieces: readonly TextPiece[]): string {
  return pieces.map(({ text }) => text).join('')
}
