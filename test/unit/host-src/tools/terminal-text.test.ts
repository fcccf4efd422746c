/** The reader of lines against an emulator: what they make of the same bytes is the same text. */
import { describe, expect, it } from 'vitest'
import { modelText } from '../../../../host-src/tools/model-text.ts'
import { randomForTest } from '../../../support/random.ts'
import { feed, newEmulator, type Emulator } from '../../screen-src/emulator.ts'
import { loadStreams } from '../../screen-src/streams.ts'

/** All lines of the emulator, those that wrapped as one. */
const linesOf = ({ buffer: { active } }: Emulator): string[] => {
  const lines: string[] = []
  for (let at = 0; at < active.length; at++) {
    const line = active.getLine(at)
    if (line === undefined) continue
    const text = line.translateToString(active.getLine(at + 1)?.isWrapped !== true)
    if (line.isWrapped && lines.length > 0) lines[lines.length - 1] += text
    else lines.push(text)
  }
  return trimmed(lines)
}

/** Blanks at the end of lines, and blank lines at the end, are no text. */
const trimmed = (lines: readonly string[]): string[] =>
  lines
    .map((line) => line.trimEnd())
    .join('\n')
    .trimEnd()
    .split('\n')

const readLines = (bytes: Uint8Array, size: { cols: number; rows: number }): string[] =>
  trimmed(modelText(bytes, { maxChars: 1_000_000, maskSecrets: false, size }).text.split('\n'))

/** Wide enough for nothing to wrap. */
const WIDE = 400

describe('reading lines', () => {
  it.each(loadStreams().filter(({ name }) => ['build-log', 'progress'].includes(name)))(
    'reads the stream $name as an emulator does',
    ({ bytes, cols, rows }) => {
      const emulator = newEmulator({ cols, rows, scrollback: 5000 })
      feed(emulator, bytes)
      expect(readLines(bytes, { cols, rows })).toEqual(linesOf(emulator))
    },
  )

  it('reads what programs do to lines as an emulator does', () => {
    const random = randomForTest()
    const csi = (final: string) => () => `\u001b[${String(random.integer(1, 4))}${final}`
    const narrow = ['a', 'bc', 'word ', 'x'.repeat(9), '[##] ', 'é']
    // An emulator leaves a blank where a wide character did not fit, which is no text.
    const words = (cols: number) => (cols === WIDE ? [...narrow, '字', '👍'] : narrow)
    const acts: readonly ((cols: number) => string)[] = [
      ...Array.from({ length: 8 }, () => (cols: number) => random.pick(words(cols))),
      () => '\r\n',
      () => '\r',
      () => '\b',
      () => '\u001b[32m',
      ...['A', 'B', 'C', 'D', 'G', 'P', '@', 'X', 'E', 'F', 'd', 'L', 'M', 'b'].map(csi),
      () => `\u001b[${String(random.integer(0, 2))}K`,
      () => `\u001b[${String(random.integer(1, 5))};${String(random.integer(1, 12))}H`,
      () => '\u001b[J',
      () => '\u001b7',
      () => '\u001b8',
    ]
    for (let run = 0; run < 1000; run++) {
      const size = { cols: random.boolean() ? WIDE : random.integer(4, 30), rows: random.integer(2, 8) }
      const text = Array.from({ length: random.integer(1, 40) }, () => random.pick(acts)(size.cols)).join('')
      const emulator = newEmulator({ ...size, scrollback: 5000 })
      feed(emulator, text)
      const bytes = new TextEncoder().encode(text)
      expect(readLines(bytes, size), `${JSON.stringify(size)} ${JSON.stringify(text)}`).toEqual(linesOf(emulator))
    }
  })
})
