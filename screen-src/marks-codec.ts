/** The marks of a state as bytes. */
import { FormatError, type ByteReader, type ByteWriter } from './bytes.ts'
import type { CommandMark, CommandOutcome, LinePlace, MarksState } from './terminal-state.ts'

const MAX_PLACE = 1_000_000
const MAX_MARKS = 1000
/** After `null` and before the numbers. */
const OUTCOMES = ['running', 'unknown'] as const

export function writeMarks(writer: ByteWriter, { count, prompt, commands }: MarksState): void {
  writer.unsigned(count === null ? 0 : 1)
  writer.unsigned(count ?? 0)
  writePlace(writer, prompt)
  writer.list(commands, ({ id, outcome, at, from, to }) => {
    writer.unsigned(id)
    writer.unsigned(typeof outcome === 'number' ? OUTCOMES.length : OUTCOMES.indexOf(outcome))
    if (typeof outcome === 'number') writer.unsigned(outcome)
    for (const place of [at, from, to]) writePlace(writer, place)
  })
}

export function readMarks(reader: ByteReader): MarksState {
  const isCounted = reader.unsigned(1) === 1
  const count = reader.unsigned()
  const prompt = readPlace(reader)
  const commands = reader.list(MAX_MARKS, (): CommandMark => {
    const id = reader.unsigned()
    const outcome: CommandOutcome = OUTCOMES[reader.unsigned(OUTCOMES.length)] ?? reader.unsigned()
    const at = readPlace(reader)
    if (at === null) throw new FormatError('a mark is nowhere')
    return { id, outcome, at, from: readPlace(reader), to: readPlace(reader) }
  })
  return { count: isCounted ? count : null, prompt, commands }
}

function writePlace(writer: ByteWriter, place: LinePlace | null): void {
  writer.unsigned(place === null ? 0 : place.line + 1)
  if (place !== null) writer.unsigned(place.cells)
}

function readPlace(reader: ByteReader): LinePlace | null {
  const line = reader.unsigned(MAX_PLACE) - 1
  return line < 0 ? null : { line, cells: reader.unsigned(MAX_PLACE) }
}
