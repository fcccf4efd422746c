/** Compares two states place by place, without the codec or the hash. */
import type { LineState, TerminalState } from '../../../screen-src/terminal-state.ts'
import { IS_COMBINED } from '../../../screen-src/xterm-internals.ts'

/** Where the first difference is, or null. */
export const differenceOf = (one: TerminalState, other: TerminalState): string | null => {
  const { normal: normalOne, alternate: alternateOne, ...restOne } = one
  const { normal: normalOther, alternate: alternateOther, ...restOther } = other
  if (!isSame(restOne, restOther)) return `settings: ${firstKey(restOne, restOther)}`
  for (const [name, a, b] of [
    ['normal', normalOne, normalOther],
    ['alternate', alternateOne, alternateOther],
  ] as const) {
    const { lines: linesA, ...fieldsA } = a
    const { lines: linesB, ...fieldsB } = b
    if (!isSame(fieldsA, fieldsB)) return `${name}: ${firstKey(fieldsA, fieldsB)}`
    if (linesA.length !== linesB.length)
      return `${name}: ${String(linesA.length)} lines against ${String(linesB.length)}`
    for (const [at, line] of linesA.entries()) {
      const place = lineDifference(line, linesB[at] ?? null)
      if (place !== null) return `${name} line ${String(at)} (screen from ${String(a.base)}): ${place}`
    }
  }
  return null
}

const lineDifference = (a: LineState | null, b: LineState | null): string | null => {
  if (a === null || b === null) return a === b ? null : 'one does not exist'
  if (a.length !== b.length) return `length ${String(a.length)} against ${String(b.length)}`
  if (a.isWrapped !== b.isWrapped) return `isWrapped ${String(a.isWrapped)}`
  for (let at = 0; at < a.length * 3; at++)
    if (a.cells[at] !== b.cells[at])
      return `column ${String(Math.floor(at / 3))}, ${['content', 'fg', 'bg'][at % 3] ?? ''}: ${String(a.cells[at])} against ${String(b.cells[at])}`
  for (let column = 0; column < a.length; column++) {
    if (((a.cells[column * 3] ?? 0) & IS_COMBINED) !== 0 && a.combined[column] !== b.combined[column])
      return `column ${String(column)}, text: ${String(a.combined[column])} against ${String(b.combined[column])}`
    const extendedA = a.extended?.get(column)
    const extendedB = b.extended?.get(column)
    if (extendedA?.ext !== extendedB?.ext || extendedA?.link !== extendedB?.link)
      return `column ${String(column)}, underline or link: ${JSON.stringify(extendedA)} against ${JSON.stringify(extendedB)}`
  }
  return null
}

/** Plain data of one shape: the order of keys is the same only within one source of states. */
const isSame = (a: unknown, b: unknown): boolean => {
  if (typeof a !== 'object' || a === null || typeof b !== 'object' || b === null) return a === b
  const keys = Object.keys(a)
  if (keys.length !== Object.keys(b).length) return false
  return keys.every((key) => isSame((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]))
}

const firstKey = (a: object, b: object): string => {
  const [key = '?', value] =
    Object.entries(a).find(([name, each]) => !isSame(each, (b as Record<string, unknown>)[name])) ?? []
  return `${key} ${JSON.stringify(value)} against ${JSON.stringify((b as Record<string, unknown>)[key])}`
}
