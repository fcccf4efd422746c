/**
 * Exactly one terminal may answer what a program asks of "the terminal". While this gate is shut (the bytes are history,
 * or another viewer drives the session) no question in the output is answered here.
 */
import type { Terminal } from '@xterm/xterm'

type TerminalParser = Pick<Terminal['parser'], 'registerCsiHandler' | 'registerDcsHandler' | 'registerOscHandler'>
type Params = readonly (number | number[])[]

/**
 * Every sequence by which output can make xterm.js 6.0 send something, found by reading its input handler and trying
 * (test/unit/client-src/terminal/reply-gate.test.ts), and those of the same kind that a later version may answer.
 * `swallow` rows only ask. `silence` rows also change something: they are carried out, and what they send is dropped.
 */
export const QUERIES = {
  csi: [
    { name: 'DA1', id: { final: 'c' }, effect: 'swallow' },
    { name: 'DA2', id: { prefix: '>', final: 'c' }, effect: 'swallow' },
    { name: 'DA3', id: { prefix: '=', final: 'c' }, effect: 'swallow' },
    { name: 'DSR and CPR', id: { final: 'n' }, effect: 'swallow' },
    { name: 'DEC DSR and CPR', id: { prefix: '?', final: 'n' }, effect: 'swallow' },
    { name: 'DECRQM, ANSI modes', id: { intermediates: '$', final: 'p' }, effect: 'swallow' },
    { name: 'DECRQM, DEC modes', id: { prefix: '?', intermediates: '$', final: 'p' }, effect: 'swallow' },
    { name: 'XTVERSION', id: { prefix: '>', final: 'q' }, effect: 'swallow' },
    { name: 'DECREQTPARM', id: { final: 'x' }, effect: 'swallow' },
    { name: 'DECRQCRA', id: { intermediates: '*', final: 'y' }, effect: 'swallow' },
    { name: 'DECRQTSR', id: { intermediates: '$', final: 'u' }, effect: 'swallow' },
    { name: 'DECRQPSR', id: { intermediates: '$', final: 'w' }, effect: 'swallow' },
    { name: 'DECRQUPSS', id: { intermediates: '&', final: 'u' }, effect: 'swallow' },
    { name: 'kitty keyboard query', id: { prefix: '?', final: 'u' }, effect: 'swallow' },
    { name: 'XTQMODKEYS', id: { prefix: '?', final: 'm' }, effect: 'swallow' },
    { name: 'XTSMGRAPHICS', id: { prefix: '?', final: 'S' }, effect: 'swallow' },
    { name: 'window reports', id: { final: 't' }, effect: 'silence' },
    // Turning focus reports on sends one at once.
    { name: 'focus reports on', id: { prefix: '?', final: 'h' }, effect: 'silence' },
  ],
  dcs: [
    { name: 'DECRQSS', id: { intermediates: '$', final: 'q' }, effect: 'swallow' },
    { name: 'XTGETTCAP', id: { intermediates: '+', final: 'q' }, effect: 'swallow' },
  ],
  osc: [
    { name: 'palette colour', id: 4, effect: 'silence' },
    { name: 'special colour', id: 5, effect: 'silence' },
    { name: 'foreground', id: 10, effect: 'silence' },
    { name: 'background', id: 11, effect: 'silence' },
    { name: 'cursor colour', id: 12, effect: 'silence' },
    { name: 'selection background', id: 17, effect: 'silence' },
    { name: 'selection foreground', id: 19, effect: 'silence' },
    { name: 'clipboard', id: 52, effect: 'swallow' },
  ],
} as const

export class ReplyGate {
  #isHistory = false
  #isDriver = true
  /** A question was let through to be carried out: what the terminal sends in the same breath is its answer. */
  #isSilencing = false

  constructor(parser: TerminalParser) {
    for (const { id, effect } of QUERIES.csi)
      parser.registerCsiHandler(id, (params) => this.#judge(effect, isQuestion(id.final, params)))
    for (const { id, effect } of QUERIES.dcs) parser.registerDcsHandler(id, () => this.#judge(effect, true))
    for (const { id, effect } of QUERIES.osc)
      parser.registerOscHandler(id, (data) => this.#judge(effect, id === 52 || data.includes('?')))
  }

  get isShut(): boolean {
    return this.#isHistory || !this.#isDriver
  }

  /** From the next byte that is parsed, output is history (or is not any more). */
  setHistory(isHistory: boolean): void {
    this.#isHistory = isHistory
    this.#isSilencing = false
  }

  /** From the next byte that is parsed, this viewer is (or is not) the one that answers. */
  setDriver(isDriver: boolean): void {
    this.#isDriver = isDriver
    this.#isSilencing = false
  }

  /**
   * Whether something the terminal wants to send may be sent. Focus reports of a viewer that does not drive are dropped as
   * well: looking at a session is not typing into it.
   */
  lets(data: string): boolean {
    if (this.#isSilencing) return false
    return !(this.isShut && (data === '\u001b[I' || data === '\u001b[O'))
  }

  /** @returns true when the terminal shall not see the sequence */
  #judge(effect: 'swallow' | 'silence', isQuestion: boolean): boolean {
    if (!isQuestion || !this.isShut) return false
    if (effect === 'swallow') return true
    this.#isSilencing = true
    // Parsing is one task: nobody can type before this microtask runs.
    queueMicrotask(() => {
      this.#isSilencing = false
    })
    return false
  }
}

const FOCUS_REPORTS = 1004
/** Window operations below 10 and the title stack (22, 23) change something; the others report. */
const isWindowReport = (operation: number): boolean => operation >= 11 && operation !== 22 && operation !== 23

function isQuestion(final: string, params: Params): boolean {
  if (final === 'h') return params.includes(FOCUS_REPORTS)
  if (final === 't') return typeof params[0] === 'number' && isWindowReport(params[0])
  return true
}
