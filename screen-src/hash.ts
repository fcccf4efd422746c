/**
 * One value for a whole terminal, the same in every JavaScript engine: equal states have equal hashes, and states that
 * differ by accident have different ones (128 bits; it is no defence against somebody who looks for two that collide).
 */
import { capture } from './capture.ts'
import { encodeScreen, encodeState, type EncodedState } from './state-codec.ts'
import type { EmulatorTerminal } from './xterm-internals.ts'

/** 32 hexadecimal digits over everything, scrollback included. @throws StateError as `capture` does */
export function hashState(terminal: EmulatorTerminal): string {
  return hashEncoded(encodeState(capture(terminal)))
}

/** The same over everything but the text of the scrollback: its cost does not grow with it. @throws StateError */
export function hashScreen(terminal: EmulatorTerminal): string {
  return hashBytes(encodeScreen(capture(terminal, { history: false })))
}

/** What `hashState` gives for the terminal these parts came from. */
export function hashEncoded({ screenPart, historyParts }: EncodedState): string {
  const digests = [screenPart, ...historyParts].map(hashBytes).join('')
  return hashBytes(Uint8Array.from(digests, (digit) => digit.charCodeAt(0)))
}

const C1 = 0x239b961b
const C2 = 0xab0e9789
const C3 = 0x38b34ae5
const C4 = 0xa1e38b93

/** MurmurHash3_x86_128 (public domain, Austin Appleby) with seed 0. */
export function hashBytes(bytes: Uint8Array): string {
  let h1 = 0
  let h2 = 0
  let h3 = 0
  let h4 = 0
  const whole = bytes.length & ~15
  const word = (at: number): number =>
    (bytes[at] as number) |
    ((bytes[at + 1] as number) << 8) |
    ((bytes[at + 2] as number) << 16) |
    ((bytes[at + 3] as number) << 24)
  for (let at = 0; at < whole; at += 16) {
    h1 ^= Math.imul(rotate(Math.imul(word(at), C1), 15), C2)
    h1 = (Math.imul((rotate(h1, 19) + h2) | 0, 5) + 0x561ccd1b) | 0
    h2 ^= Math.imul(rotate(Math.imul(word(at + 4), C2), 16), C3)
    h2 = (Math.imul((rotate(h2, 17) + h3) | 0, 5) + 0x0bcaa747) | 0
    h3 ^= Math.imul(rotate(Math.imul(word(at + 8), C3), 17), C4)
    h3 = (Math.imul((rotate(h3, 15) + h4) | 0, 5) + 0x96cd1c35) | 0
    h4 ^= Math.imul(rotate(Math.imul(word(at + 12), C4), 18), C1)
    h4 = (Math.imul((rotate(h4, 13) + h1) | 0, 5) + 0x32ac3b17) | 0
  }
  const tail = [0, 0, 0, 0]
  for (let at = bytes.length - 1; at >= whole; at--) {
    const lane = (at - whole) >> 2
    tail[lane] = ((tail[lane] as number) << 8) | (bytes[at] as number)
  }
  h1 ^= Math.imul(rotate(Math.imul(tail[0] as number, C1), 15), C2)
  h2 ^= Math.imul(rotate(Math.imul(tail[1] as number, C2), 16), C3)
  h3 ^= Math.imul(rotate(Math.imul(tail[2] as number, C3), 17), C4)
  h4 ^= Math.imul(rotate(Math.imul(tail[3] as number, C4), 18), C1)
  const lanes = [h1, h2, h3, h4].map((lane) => lane ^ bytes.length) as [number, number, number, number]
  return finish(lanes)
    .map((lane) => (lane >>> 0).toString(16).padStart(8, '0'))
    .join('')
}

type Lanes = [number, number, number, number]

function finish(lanes: Lanes): Lanes {
  const mixed = spread(spread(lanes).map(avalanche) as Lanes)
  return mixed
}

function spread([a, b, c, d]: Lanes): Lanes {
  const first = (a + b + c + d) | 0
  return [first, (b + first) | 0, (c + first) | 0, (d + first) | 0]
}

function avalanche(lane: number): number {
  let mixed = lane ^ (lane >>> 16)
  mixed = Math.imul(mixed, 0x85ebca6b)
  mixed ^= mixed >>> 13
  mixed = Math.imul(mixed, 0xc2b2ae35)
  return mixed ^ (mixed >>> 16)
}

const rotate = (value: number, by: number): number => (value << by) | (value >>> (32 - by))
