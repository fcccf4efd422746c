/** What programs set and xterm.js does not keep (colours, without a theme; marks) or mixes with what the user set. */
import { CommandMarks } from './marks.ts'
import { StateError } from './terminal-state.ts'
import { coreOf, type CircularList, type Core, type EmulatorTerminal } from './xterm-internals.ts'

export interface Tracked {
  /** Changed by OSC 4, 10, 11 and 12, by index; see TerminalState.colors. */
  readonly colors: Map<number, readonly [number, number, number]>
  /** DEC mode 12, null when the program left it alone. The option of the same name may be the user's wish. */
  cursorBlink: boolean | null
  /** DEC mode 2026. A browser's renderer ends it on its own after a second, which is no fact about the stream. */
  synchronizedOutput: boolean
  /** First bytes of a character whose rest has not come; see guards.ts. */
  heldBytes: Uint8Array
  /** The scrollback that has not arrived; null when all is there. */
  pending: PendingHistory | null
  readonly marks: CommandMarks
}

export interface PendingHistory {
  /** Where it will be. */
  readonly lines: CircularList
  /** Lines that are to come, and of those the ones that were pushed out or cleared meanwhile: the oldest. */
  readonly total: number
  trimmed: number
  /** Lines that came. */
  arrived: number
  /** Cells of every line that is missing; a line with other cells was filled, or is something else. */
  readonly blank: Uint32Array
  /** Put stand-ins into the list. */
  readonly fill: () => void
  /** Stop counting what is trimmed. */
  readonly release: () => void
}

const trackedByCore = new WeakMap<Core, Tracked>()

export const trackedOf = (core: Core): Tracked | undefined => trackedByCore.get(core)

export function track(core: Core): Tracked {
  const tracked: Tracked = {
    colors: new Map(),
    cursorBlink: null,
    synchronizedOutput: false,
    heldBytes: new Uint8Array(0),
    pending: null,
    marks: new CommandMarks(core),
  }
  trackedByCore.set(core, tracked)
  return tracked
}

export const marksOf = (terminal: EmulatorTerminal): CommandMarks => requireTracked(terminal).marks

/** @throws StateError when `installGuards` was not called on this terminal */
export function requireTracked(terminal: EmulatorTerminal): Tracked {
  const tracked = trackedOf(coreOf(terminal))
  if (tracked === undefined) throw new StateError('call installGuards on a terminal before anything is written to it')
  return tracked
}
