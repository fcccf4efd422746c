/** What a restore does besides the state: what it says, what it refuses, and what may happen before the scrollback is there. */
import { expect, it } from 'vitest'
import { capture } from '../../../screen-src/capture.ts'
import { hashState } from '../../../screen-src/hash.ts'
import { prependHistory, reapplyColors, restore } from '../../../screen-src/restore.ts'
import { encodeState, type EncodedState } from '../../../screen-src/state-codec.ts'
import { coreOf, type ColorEvent } from '../../../screen-src/xterm-internals.ts'
import { differenceOf } from './differences.ts'
import { feed, newEmulator, type Emulator } from './emulator.ts'

const stateOf = (emulator: Emulator): EncodedState => encodeState(capture(emulator))

const restoreAll = (emulator: Emulator, { screenPart, historyParts }: EncodedState): void => {
  restore(emulator, screenPart)
  for (const part of historyParts) prependHistory(emulator, part)
}

const SIZE = { cols: 20, rows: 4 }

it('says nothing to the program, whatever was asked before', () => {
  const source = newEmulator(SIZE)
  feed(source, '\u001b[?1004h\u001b[?1003h\u001b[6n\u001b]11;#102030\u0007\u001b]0;title\u0007')
  const target = newEmulator({ cols: 10, rows: 2 })
  const said: string[] = []
  const titles: string[] = []
  target.onData((data) => said.push(data))
  target.onBinary((data) => said.push(data))
  target.onTitleChange((title) => titles.push(title))
  restoreAll(target, stateOf(source))
  expect(said).toEqual([])
  expect(titles).toEqual(['title'])
})

it('forgets everything that was there, also half a sequence, half a character and colours', () => {
  const target = newEmulator({ cols: 33, rows: 9 })
  feed(
    target,
    `${'old\r\n'.repeat(60)}\u001b]4;7;#112233\u0007\u001b]8;id=1;http://old\u001b\\x\u001b[?12h\u001b[20h\u001b[?25l\u001b]2;half`,
  )
  const other = newEmulator({ cols: 33, rows: 9 })
  feed(other, new TextEncoder().encode('汉').subarray(0, 2))
  const source = newEmulator(SIZE)
  feed(source, 'new')
  for (const each of [target, other]) {
    restoreAll(each, stateOf(source))
    expect(differenceOf(capture(source), capture(each))).toBeNull()
    feed(each, '\u0007…')
  }
  feed(source, '\u0007…')
  expect([target, other].map(hashState)).toEqual([hashState(source), hashState(source)])
})

it('keeps what happened to lines above the screen before they arrived', () => {
  const source = newEmulator(SIZE)
  // One line over ten rows; erasing up to the last column ends the wrapping of a line counted from the oldest.
  feed(source, 'w'.repeat(200))
  const target = newEmulator(SIZE)
  const { screenPart, historyParts } = stateOf(source)
  restore(target, screenPart)
  for (const each of [source, target]) feed(each, '\u001b[2;20H\u001b[1J')
  for (const part of historyParts) prependHistory(target, part)
  expect(differenceOf(capture(source), capture(target))).toBeNull()
  expect(capture(source).normal.lines[2]?.isWrapped).toBe(false)
})

it('goes on in a full list, and takes each line that was not pushed out', () => {
  const full = { ...SIZE, scrollback: 30 }
  const source = newEmulator(full)
  for (let line = 0; line < 60; line += 1) feed(source, `${'w'.repeat(SIZE.cols)}${String(line)}\r\n`)
  const target = newEmulator(full)
  const { screenPart, historyParts } = stateOf(source)
  restore(target, screenPart)
  for (const each of [source, target]) {
    for (let line = 0; line < SIZE.rows + 3; line += 1) feed(each, `pushed ${String(line)}\r\n`)
    feed(each, `\u001b[${String(SIZE.rows)};${String(SIZE.cols)}H\u001b[1J`)
  }
  for (const part of historyParts) prependHistory(target, part)
  expect(differenceOf(capture(source), capture(target))).toBeNull()
})

it.each(['\u001b[3J', '\u001bc', 'x\r\n'.repeat(200)])(
  'does not bring back lines that went before they arrived: %j',
  (text) => {
    const source = newEmulator(SIZE)
    feed(source, 'line\r\n'.repeat(40))
    const target = newEmulator(SIZE)
    const { screenPart, historyParts } = stateOf(source)
    restore(target, screenPart)
    for (const each of [source, target]) feed(each, text)
    for (const part of historyParts) prependHistory(target, part)
    expect(differenceOf(capture(source), capture(target))).toBeNull()
  },
)

it('announces the colours of the program, and again when asked', () => {
  const source = newEmulator(SIZE)
  feed(source, '\u001b]4;1;#112233\u0007\u001b]10;#445566\u0007')
  const target = newEmulator(SIZE)
  const events: ColorEvent[] = []
  coreOf(target)._inputHandler.onColor((event) => events.push(...event))
  restoreAll(target, stateOf(source))
  const announced = events.splice(0).filter(({ type }) => type === 1)
  expect(announced).toEqual([
    { type: 1, index: 1, color: [0x11, 0x22, 0x33] },
    { type: 1, index: 256, color: [0x44, 0x55, 0x66] },
  ])
  reapplyColors(target)
  expect(events.filter(({ type }) => type === 1)).toEqual(announced)
  expect(hashState(target)).toBe(hashState(source))
})

it('leaves the terminal as it was when the bytes are no state', () => {
  const target = newEmulator(SIZE)
  feed(target, 'kept')
  const before = hashState(target)
  expect(() => restore(target, new Uint8Array([0x53, 1, 20]))).toThrow()
  expect(hashState(target)).toBe(before)
})

it('refuses a terminal that counts columns by other tables, and one without guards', () => {
  const { screenPart } = stateOf(newEmulator(SIZE))
  const other = newEmulator(SIZE)
  other.unicode.activeVersion = '6'
  expect(() => restore(other, screenPart)).toThrow('measures characters')
  expect(() => restore(newEmulator(SIZE, { isGuarded: false }), screenPart)).toThrow('installGuards')
})
