/** When a command may be filled in: at a prompt that waits and is empty, and as nothing that runs by itself. */
import { expect, it } from 'vitest'
import { csi, mark, MARK_NONCE } from '../../../../scripts/record-streams/sequences.ts'
import { PromptLine, type PromptTerminal } from '../../../../client-src/terminal/prompt-line.ts'
import { feed, newEmulator } from '../../screen-src/emulator.ts'

const BRACKETED = csi('?2004h')
const at = (output: string) => {
  const emulator = newEmulator({ cols: 40, rows: 6 }, { markNonce: MARK_NONCE })
  const line = new PromptLine(emulator as unknown as PromptTerminal)
  const prints = (text: string): PromptLine => {
    feed(emulator, text)
    return line
  }
  prints(output)
  return { line, prints }
}
const PROMPT = `${mark('A')}$ ${mark('B')}`
/** A shell that tells where its prompt begins and not where it ends. */
const UNTOLD = `${mark('A')}${mark('B')}> `

it('is empty at a prompt, as long as nothing is typed', () => {
  const { line, prints } = at(PROMPT)
  expect(line.isEmpty).toBe(true)
  line.touch()
  expect(prints('ls').isEmpty).toBe(false)
  // Taken back, letter by letter.
  expect(prints('\b\b').isEmpty).toBe(true)
})

it('is not empty when something was typed before this page looked', () => {
  const { line } = at(`${PROMPT}rm -r`)
  line.touch()
  expect(line.isEmpty).toBe(false)
})

it('is empty at a new prompt of a shell that does not tell its end, until something is typed', () => {
  const { line, prints } = at(UNTOLD)
  expect(line.isEmpty).toBe(true)
  line.touch()
  expect(line.isEmpty).toBe(false)
  expect(prints(`\r\n${mark('C')}${mark('D;0')}${UNTOLD}`).isEmpty).toBe(true)
})

it.each([
  ['no mark was seen', '$ '],
  ['a command runs', `${PROMPT}\r\n${mark('C')}`],
  ['a program has the screen', `${PROMPT}${csi('?1049h')}`],
])('is not empty when %s', (_, output) => {
  expect(at(output).line.isEmpty).toBe(false)
})

it('believes only marks with the nonce', () => {
  const { line, prints } = at(UNTOLD)
  line.touch()
  expect(prints('\u001b]133;A\u0007').isEmpty).toBe(false)
})

it.each([
  ['one line', 'make test', PROMPT, 'make test'],
  ['lines where the shell takes a paste for one', 'for i in 1\ndo echo\ndone', BRACKETED + PROMPT, undefined],
  ['nothing of lines that would run one by one', 'echo a\nrm b', PROMPT, null],
  ['nothing with a control character', 'echo\u0003', BRACKETED + PROMPT, null],
  ['nothing of nothing', '', PROMPT, null],
  ['nothing while a command runs', 'make', `${PROMPT}\r\n${mark('C')}`, null],
])('takes %s', (_, text, output, expected) => {
  expect(at(output).line.fitting(text)).toBe(expected === undefined ? text : expected)
})

it('knows a command that runs from one that ended', () => {
  const { line, prints } = at(`${PROMPT}\r\n${mark('C')}`)
  expect(line.isRunning).toBe(true)
  expect(prints(`${mark('D;0')}${PROMPT}`).isRunning).toBe(false)
})
