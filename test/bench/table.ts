/** Tables for people: plain text, columns as wide as they must be, numbers to three digits. */
import type { Cell, Row } from './measures/measure.ts'
import { show } from './statistics.ts'

const textOf = (cell: Cell | undefined): string => {
  if (cell === null || cell === undefined) return '–'
  if (typeof cell === 'boolean') return cell ? 'yes' : 'NO'
  return typeof cell === 'number' ? show(cell) : cell
}

/** @returns lines; a table without rows is one line that says so */
export const tableOf = (title: string, rows: readonly Row[]): string[] => {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  if (columns.length === 0) return [`${title}: nothing was measured`]
  const grid = [columns, ...rows.map((row) => columns.map((column) => textOf(row[column])))]
  const widths = columns.map((_, at) => Math.max(...grid.map((cells) => (cells[at] ?? '').length)))
  const lines = grid.map((cells) =>
    cells
      .map((cell, at) => {
        const isNumeric = rows.some((row) => typeof row[columns[at] ?? ''] === 'number')
        return isNumeric ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0)
      })
      .join('  ')
      .trimEnd(),
  )
  return [title, ...lines]
}
