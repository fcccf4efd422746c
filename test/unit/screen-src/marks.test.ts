/** Marks of a shell's commands on a terminal: which are believed, where they are, and that they stay there. */
import { expect, it } from 'vitest'
import { command, csi, ESC, lines, mark, MARK_NONCE, wide } from '../../../scripts/record-streams/sequences.ts'
import { capture } from '../../../screen-src/capture.ts'
import { hashState } from '../../../screen-src/hash.ts'
import { cellOf } from '../../../screen-src/line-place.ts'
import { restore } from '../../../screen-src/restore.ts'
import { encodeScreen } from '../../../screen-src/state-codec.ts'
import type { CommandMark } from '../../../screen-src/terminal-state.ts'
import { marksOf } from '../../../screen-src/tracked.ts'
import { coreOf } from '../../../screen-src/xterm-internals.ts'
import { feed, newEmulator, type Emulator, type Shape } from './emulator.ts'

const shell = (text = '', shape: Shape = { cols: 20, rows: 6 }): Emulator => {
  const emulator = newEmulator(shape, { markNonce: MARK_NONCE })
  feed(emulator, text)
  return emulator
}

const marks = (emulator: Emulator): readonly CommandMark[] => marksOf(emulator).state().commands
const outcomes = (emulator: Emulator): CommandMark['outcome'][] => marks(emulator).map(({ outcome }) => outcome)

/** The row of each mark as it is read, with what stands in it. */
const rows = (emulator: Emulator): string[] =>
  marks(emulator).map(({ at }) => {
    const { row } = cellOf(coreOf(emulator), at)
    return emulator.buffer.normal.getLine(row)?.translateToString(true) ?? ''
  })

it('tells of each command where it was typed and how it ended', () => {
  const emulator = shell(command('true', '') + command('ls', lines(2)) + command('false', '', 1))
  expect(rows(emulator)).toEqual(['$ true', '$ ls', '$ false'])
  expect(outcomes(emulator)).toEqual([0, 0, 1])
  expect(marks(emulator).map(({ id }) => id)).toEqual([1, 2, 3])
  expect(marks(emulator)[1]).toMatchObject({ from: { line: 2, cells: 0 }, to: { line: 4, cells: 0 } })
})

it('runs from its start to its end', () => {
  const emulator = shell(`${mark('A')}$ ${mark('B')}sleep\r\n${mark('C')}`)
  expect(outcomes(emulator)).toEqual(['running'])
  feed(emulator, mark('D;0'))
  expect(outcomes(emulator)).toEqual([0])
})

it.each([
  ['none', `${ESC}]133;C\u0007`],
  ['another nonce', `${ESC}]133;C;k=ffff6789abcdef0123456789abcdef01\u0007`],
  ['the nonce within the text', `${ESC}]133;C;c=k=${MARK_NONCE}\u0007`],
  ['the nonce and more', `${ESC}]133;C;k=${MARK_NONCE}0\u0007`],
])('believes no mark that carries %s', (_, forged) => {
  const emulator = shell(command('false', '', 1) + forged + `${ESC}]133;D;0\u0007`)
  expect(outcomes(emulator)).toEqual([1])
})

it('believes none without a nonce to go by', () => {
  const emulator = newEmulator({ cols: 20, rows: 6 })
  feed(emulator, `${command('true', '')}${ESC}]133;C;k=null\u0007${ESC}]133;C;k=\u0007`)
  expect(marks(emulator)).toEqual([])
})

it.each(['', ';', ';oops', ';-1', ';99999999999', ';1.5', ';0x1'])('knows no exit code in D%s', (field) => {
  const emulator = shell(`${mark('A')}$ \r\n${mark('C')}${mark(`D${field}`)}`)
  expect(outcomes(emulator)).toEqual(['unknown'])
})

it('says unknown, not success, of what was never seen to end', () => {
  const twice = shell(`${mark('C')}one\r\n${mark('C')}two\r\n${mark('D;0')}`)
  expect(outcomes(twice)).toEqual(['unknown', 0])
  expect(outcomes(shell(`${mark('C')}one\r\n${mark('A')}$ ${mark('D;0')}`))).toEqual(['unknown'])
})

it('makes no mark of an empty line or an interrupt at the prompt', () => {
  const idle = `${mark('A')}$ ${mark('B')}\r\n${mark('D;130')}`
  expect(outcomes(shell(command('false', '', 1) + idle + idle))).toEqual([1])
})

it('takes the prompt that was drawn last, and the line above the output without one', () => {
  const again = shell(`${mark('A')}$ ${mark('B')}\r\n${mark('A')}> ${mark('B')}ls\r\n${mark('C')}`)
  expect(rows(again)).toEqual(['> ls'])
  expect(rows(shell(`motd\r\n$ ls\r\n${mark('C')}file\r\n`))).toEqual(['$ ls'])
})

it('stands beside text, not beside the empty line that a prompt begins with', () => {
  const prompt = `${mark('A')}\r\n  \r\n[here]\r\n$ `
  expect(rows(shell(`${prompt}ls\r\n${mark('C')}file\r\n`))).toEqual(['[here]'])
  expect(rows(shell(`${mark('A')}${mark('B')}\r\n${mark('C')}file\r\n`))).toEqual([''])
})

it('stays with its line while the terminal scrolls, and goes with it', () => {
  const emulator = shell(command('first', '') + command('second', ''), { cols: 20, rows: 4, scrollback: 10 })
  feed(emulator, lines(8))
  expect(rows(emulator)).toEqual(['$ first', '$ second'])
  feed(emulator, lines(5))
  expect(rows(emulator)).toEqual([])
  feed(emulator, command('third', ''))
  expect(marks(emulator).map(({ id }) => id)).toEqual([3])
})

it.each([7, 9, 13, 40, 8])(
  'stays with its line when the terminal becomes %i columns wide, and when it is as before',
  (cols) => {
    const before =
      command('echo one two three', 'one two three\r\n') + command('printf', `${wide}end`) + command('second', '')
    const emulator = shell(before + lines(2), { cols: 20, rows: 6 })
    const places = marks(emulator)
    emulator.resize(cols, 6)
    const typed = marks(emulator).map(({ at }) => {
      const { row, column } = cellOf(coreOf(emulator), at)
      const [line, next] = [row, row + 1].map((each) => emulator.buffer.normal.getLine(each))
      return `${line?.translateToString(true, column) ?? ''}${next?.translateToString(true) ?? ''}`.slice(0, 4)
    })
    expect(typed).toEqual(['echo', 'prin', 'seco'])
    emulator.resize(20, 6)
    expect(marks(emulator)).toEqual(places)
  },
)

it('goes when its line is erased, as by clear', () => {
  const emulator = shell(command('one', '') + command('two', lines(9)))
  feed(emulator, `${mark('A')}$ ${mark('B')}clear\r\n${mark('C')}${csi('H')}${csi('2J')}${csi('3J')}${mark('D;0')}`)
  expect(marks(emulator)).toEqual([])
  feed(emulator, command('next', ''))
  expect(marks(emulator).map(({ id }) => id)).toEqual([4])
})

it('goes with a reset, also what still runs', () => {
  const emulator = shell(`${command('one', '')}${mark('A')}$ ${mark('B')}reset\r\n${mark('C')}${ESC}c${mark('D;0')}`)
  expect(marks(emulator)).toEqual([])
})

it('leaves the alternate screen alone, and counts what began there', () => {
  const emulator = shell(
    `${mark('A')}$ ${mark('B')}vim\r\n${mark('C')}${csi('?1049h')}${mark('A')}$ ${mark('C')}${csi('?1049l')}`,
  )
  expect(outcomes(emulator)).toEqual(['unknown'])
  feed(emulator, command('next', ''))
  expect(marks(emulator).map(({ id }) => id)).toEqual([1, 3])
})

it('keeps the newest two hundred', () => {
  const emulator = shell('', { cols: 20, rows: 6, scrollback: 1000 })
  for (let at = 0; at < 205; at++) feed(emulator, command('x', ''))
  expect(marks(emulator).map(({ id }) => id)).toEqual(Array.from({ length: 200 }, (_, at) => at + 6))
})

it('has no ordinal to tell once output was left out, and ends what ran', () => {
  const emulator = shell(`${command('one', '')}${mark('A')}$ \r\n${mark('C')}`)
  marksOf(emulator).lose()
  feed(emulator, `${mark('D;0')}${command('three', '')}`)
  expect(marks(emulator).map(({ id, outcome }) => [id, outcome])).toEqual([
    [1, 0],
    [2, 'unknown'],
    [0, 0],
  ])
})

it('is part of the state and of its hash', () => {
  const emulator = shell(command('ls', lines(12)) + `${mark('A')}$ ${mark('B')}`)
  const visitor = shell()
  restore(visitor, encodeScreen(capture(emulator, { history: false })))
  expect(marksOf(visitor).state()).toEqual(marksOf(emulator).state())
  for (const each of [emulator, visitor]) feed(each, `next\r\n${mark('C')}${lines(3)}${mark('D;2')}`)
  expect(outcomes(visitor)).toEqual([0, 2])
  expect(marks(visitor)).toEqual(marks(emulator))
  const other = shell(
    command('ls', lines(12), 1) + `${mark('A')}$ ${mark('B')}next\r\n${mark('C')}${lines(3)}${mark('D;2')}`,
  )
  expect(hashState(other)).not.toBe(hashState(emulator))
})
