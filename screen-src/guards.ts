/**
 * Makes an emulator fit for streams from anywhere. Host and browser install the same guards, so that the same bytes mean
 * the same to both, however they were cut into chunks.
 */
import { guardCounts } from './guard-counts.ts'
import { guardEraseAbove, guardReflow, guardResize } from './guard-layout.ts'
import { guardJoinedText, guardLinks, guardTitles } from './guard-sizes.ts'
import { track, trackedOf, type Tracked } from './tracked.ts'
import {
  checkInternals,
  COLOR_RESTORE,
  COLOR_SET,
  coreOf,
  type Core,
  type EmulatorTerminal,
} from './xterm-internals.ts'

/**
 * Call once, on a new terminal, after its addons were loaded and before anything is written.
 * @throws InternalsError when this version of xterm.js is not the one the guards were written for
 */
export function installGuards(terminal: EmulatorTerminal): void {
  checkInternals(terminal)
  const core = coreOf(terminal)
  if (trackedOf(core) !== undefined) return
  const tracked = track(core)
  trackColors(core, tracked)
  trackModes(core, tracked)
  guardDecoding(core, tracked)
  guardMargin(core)
  guardCounts(core)
  guardResize(core)
  guardEraseAbove(core)
  guardTitles(core)
  guardLinks(core)
  guardReflow(core)
  guardJoinedText(core)
}

function trackColors(core: Core, tracked: Tracked): void {
  core._inputHandler.onColor((requests) => {
    for (const { type, index, color } of requests) {
      if (type === COLOR_SET && index !== undefined && color !== undefined)
        tracked.colors.set(index, [color[0], color[1], color[2]])
      else if (type === COLOR_RESTORE && index !== undefined) tracked.colors.delete(index)
      else if (type === COLOR_RESTORE)
        for (const each of tracked.colors.keys()) if (each < 256) tracked.colors.delete(each)
    }
  })
}

function trackModes(core: Core, tracked: Tracked): void {
  for (const [final, isOn] of [
    ['h', true],
    ['l', false],
  ] as const)
    core._inputHandler.registerCsiHandler({ prefix: '?', final }, ({ params, length }) => {
      for (let at = 0; at < length; at++) {
        if (params[at] === 12) tracked.cursorBlink = isOn
        else if (params[at] === 2026) tracked.synchronizedOutput = isOn
      }
      return false
    })
  const { coreService } = core
  const reset = coreService.reset.bind(coreService)
  coreService.reset = () => {
    tracked.synchronizedOutput = false
    reset()
  }
}

/**
 * xterm.js 6.0 ends the bytes it keeps of an unfinished character with a zero, and takes the continuation byte 0x80 for
 * it (`& 0x3f`): a `…` cut after its second byte is lost. So an unfinished character is kept here, and decoded whole.
 */
function guardDecoding(core: Core, tracked: Tracked): void {
  const decoder = core._inputHandler._utf8Decoder
  const decode = decoder.decode.bind(decoder)
  const clear = decoder.clear.bind(decoder)
  decoder.clear = () => {
    tracked.heldBytes = new Uint8Array(0)
    clear()
  }
  decoder.decode = (input, target) => {
    let bytes = input
    if (tracked.heldBytes.length > 0) {
      bytes = new Uint8Array(tracked.heldBytes.length + input.length)
      bytes.set(tracked.heldBytes)
      bytes.set(input, tracked.heldBytes.length)
    }
    const whole = bytes.length - unfinishedBytes(bytes)
    // A copy, also of a Node Buffer, whose `slice` makes none.
    tracked.heldBytes = new Uint8Array(bytes.subarray(whole))
    return decode(bytes.subarray(0, whole), target)
  }
}

/** How many bytes at the end begin a character that is not complete. */
export function unfinishedBytes(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] as number
    if ((byte & 0xc0) === 0x80) continue
    const length = byte >= 0xf8 ? 0 : byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 0
    return length > back ? back : 0
  }
  return 0
}

/**
 * Without DECAWM, a wide character that finds no room leaves the cursor on the second half of the one before it. xterm.js
 * then clears that one at the start of the next chunk, and not within a chunk: print one by one, so that chunks are alike.
 */
function guardMargin(core: Core): void {
  const input = core._inputHandler
  const modes = core.coreService
  input._parser.setPrintHandler((codes, start, end) => {
    if (modes.decPrivateModes.wraparound) input.print(codes, start, end)
    else for (let at = start; at < end; at++) input.print(codes, at, at + 1)
  })
}
