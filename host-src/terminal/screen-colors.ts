/** What the host says when a program asks for colours while nobody looks: its own changes, else xterm.js's defaults. */
import { requireTracked } from '../../screen-src/tracked.ts'
import { COLOR_REPORT, type ColorEvent, type EmulatorTerminal } from '../../screen-src/xterm-internals.ts'

type Rgb = readonly [number, number, number]

const FOREGROUND = 256
const BACKGROUND = 257
const CURSOR = 258

/** The sixteen named colours, by the default theme of xterm.js. */
const NAMED =
  '2e3436 cc0000 4e9a06 c4a000 3465a4 75507b 06989a d3d7cf 555753 ef2929 8ae234 fce94f 729fcf ad7fa8 34e2e2 eeeeec'
    .split(' ')
    .map((hex) => [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as unknown as Rgb)

/** The steps of the 6x6x6 cube. */
const CUBE = [0, 0x5f, 0x87, 0xaf, 0xd7, 0xff] as const

function defaultColor(index: number): Rgb {
  if (index === BACKGROUND) return [0, 0, 0]
  if (index === FOREGROUND || index === CURSOR) return [255, 255, 255]
  const named = NAMED[index]
  if (named !== undefined) return named
  if (index >= 232) {
    const grey = 8 + (index - 232) * 10
    return [grey, grey, grey]
  }
  const step = (divisor: number): number => CUBE[Math.floor((index - 16) / divisor) % 6] ?? 0
  return [step(36), step(6), step(1)]
}

/** @returns the reply to a question, empty for anything else */
export function colorReply(terminal: EmulatorTerminal, { type, index }: ColorEvent): string {
  if (type !== COLOR_REPORT || index === undefined) return ''
  const rgb = requireTracked(terminal).colors.get(index) ?? defaultColor(index)
  const name = index < FOREGROUND ? `4;${String(index)}` : String(index - FOREGROUND + 10)
  const channels = rgb.map((channel) => channel.toString(16).padStart(2, '0').repeat(2)).join('/')
  return `\u001b]${name};rgb:${channels}\u001b\\`
}
