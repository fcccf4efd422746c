/** What is copied of a command's output: what was printed, and nothing that the shell or the terminal added. */
import { expect, it } from 'vitest'
import { command, csi, lines, mark, MARK_NONCE, wide } from '../../../../scripts/record-streams/sequences.ts'
import { commandOutput } from '../../../../client-src/terminal/command-output.ts'
import { marksOf } from '../../../../screen-src/tracked.ts'
import { feed, newEmulator, type Emulator } from '../../screen-src/emulator.ts'

const shell = (text: string, cols = 20): Emulator => {
  const emulator = newEmulator({ cols, rows: 6 }, { markNonce: MARK_NONCE })
  feed(emulator, text)
  return emulator
}

/** Of the newest command. */
const output = (emulator: Emulator): string | null => {
  const { from = null, to = null } = marksOf(emulator).state().commands.at(-1) ?? {}
  return from === null ? null : commandOutput(emulator, from, to)
}

it.each([
  ['nothing', '', ''],
  ['one line', 'hi\r\n', 'hi'],
  ['lines, one of them empty', 'a\r\n\r\nb\r\n', 'a\n\nb'],
  ['an empty line at the end', 'a\r\n\r\n', 'a\n'],
  ['no end of the last line', 'abc', 'abc'],
  ['a line over several rows', `${'x'.repeat(50)}\r\n`, 'x'.repeat(50)],
  ['wide characters over several rows', `${'x'.repeat(19)}${wide}\r\n`, `x${'x'.repeat(18)}${wide}`],
  ['combined characters', 'e\u0301 👨‍👩‍👧\r\n', 'e\u0301 👨‍👩‍👧'],
  ['blanks within and at the end', 'a  b  \r\n', 'a  b  '],
  ['a gap made by the cursor', `a${csi('3C')}b\r\n`, 'a   b'],
  ['colours', `${csi('31m')}red${csi('0m')}\r\n`, 'red'],
  ['a line written over', 'one\rtwo\r\n', 'two'],
])('copies %s', (_, printed, expected) => {
  const emulator = shell(command('run', printed))
  expect(output(emulator)).toBe(expected)
  feed(emulator, `${mark('A')}$ ${mark('B')}next`)
  expect(output(emulator)).toBe(expected)
})

/** Before its prompt: a sign, as many blanks as there are columns, back, and a blank over what is there. */
const filler = (sign: string, cols: number): string => `${sign}${' '.repeat(cols - 1)}\r \r`
const zsh = `${csi('1m')}${csi('7m')}%${csi('27m')}${csi('1m')}${csi('0m')}`

const inverse = (text: string): string => `${csi('7m')}${text}${csi('0m')}`

it.each([
  ['hi\r\n', 'hi'],
  ['', ''],
  ['abc', 'abc'],
  ['x'.repeat(19), 'x'.repeat(19)],
  ['x'.repeat(20), 'x'.repeat(20)],
  ['x'.repeat(25), 'x'.repeat(25)],
  ['a\r\n100%', 'a\n100%'],
  [inverse('x'.repeat(20)), 'x'.repeat(20)],
  [`${'x'.repeat(19)}${inverse('y')}`, `${'x'.repeat(19)}y`],
])('leaves out what zsh puts after %j, also once it is drawn over', (printed, expected) => {
  const emulator = shell(command('run', printed + filler(zsh, 20)))
  expect(output(emulator)).toBe(expected)
  feed(emulator, `\r${csi('0m')}${csi('J')}$ ${csi('K')}`)
  for (const cols of [20, 7, 31, 20]) {
    emulator.resize(cols, 6)
    expect(output(emulator), String(cols)).toBe(expected)
  }
})

it('keeps a sign of the program', () => {
  expect(output(shell(command('run', '100%\r\n')))).toBe('100%')
  expect(output(shell(command('run', `${csi('7m')}%${csi('0m')}\r\n`)))).toBe('%')
})

it('copies the same after the terminal became narrower and wider', () => {
  const emulator = shell(
    `${command('run', `${wide.repeat(4)}\r\nshort\r\n${'y'.repeat(33)}`)}${mark('A')}$ ${lines(2)}`,
  )
  const before = output(emulator)
  expect(before).toBe(`${wide.repeat(4)}\nshort\n${'y'.repeat(33)}`)
  for (const cols of [7, 9, 40, 20]) {
    emulator.resize(cols, 6)
    expect(output(emulator), String(cols)).toBe(before)
  }
})

it('copies what is there of a command that runs', () => {
  expect(output(shell(`${mark('C')}one\r\ntw`))).toBe('one\ntw')
})

it('copies nothing when the cursor went above where the output began', () => {
  expect(output(shell(`a\r\nb\r\n$ run\r\n${mark('C')}${csi('H')}${mark('D;0')}`))).toBeNull()
})
