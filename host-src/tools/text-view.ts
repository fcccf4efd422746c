/** A text without some of its characters, from which places are found again in the whole. */

export interface TextView {
  readonly text: string
  /** Index in the whole of an index here, or the length of the whole. */
  readonly indexOf: (at: number) => number
  /** Index here of an index of the whole, or of the next that is here. */
  readonly from: (index: number) => number
}

/** @param left indices of what is left out @param from where it begins */
export function viewWithout(text: string, left: ReadonlySet<number>, from = 0): TextView {
  if (left.size === 0)
    return { text: text.slice(from), indexOf: (at) => Math.min(from + at, text.length), from: (index) => index - from }
  const kept: number[] = []
  const parts: string[] = []
  for (let at = from; at < text.length; at++) {
    if (left.has(at)) continue
    kept.push(at)
    parts.push(text[at] as string)
  }
  return {
    text: parts.join(''),
    indexOf: (at) => kept[at] ?? text.length,
    from: (index) => kept.filter((each) => each < index).length,
  }
}
