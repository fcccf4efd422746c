/** One thing to be measured, as the measures see it: a process that can be started, spoken to and stopped. */
import type { Corpus, Expected } from '../corpora.ts'
import type { Terminal } from '../terminal.ts'

export type MeasureName = 'M1' | 'M3' | 'M4' | 'M5' | 'M6' | 'M7' | 'scanner' | 'marks'

export interface Blast {
  readonly corpus: Corpus
  readonly expected: Expected
}

export interface BlastOutcome {
  readonly ms: number
  readonly cpuMs: number
  /** Length and CRC-32 are those of the corpus. */
  readonly isIntact: boolean
  readonly wireBytes: number
  readonly payloadBytes: number
  readonly frames: number
  readonly rssKb: number
}

export interface RunningServer {
  /** Null for a limit that has no process of its own. */
  readonly pid: number | null
  readonly port: number
  /** From spawn until it could be connected to. */
  readonly startMs: number
  /** A terminal with the child behind it, ready for a command. */
  openTerminal(): Promise<Terminal>
  blast(blast: Blast): Promise<BlastOutcome>
  /** Steadies the memory figures. @returns bytes in use after it, or null where nobody can tell */
  collectGarbage(): Promise<number | null>
  stop(): Promise<void>
}

export interface Adapter {
  readonly name: string
  readonly measures: readonly MeasureName[]
  /** Why it cannot be measured here, in one sentence; null when it can. */
  missing(): string | null
  start(kid: string): Promise<RunningServer>
}

export const READY = '~~READY~~\r\n'
export const END = '~~END~~\r\n'
export const ECHOING = '~~ECHO~~'
