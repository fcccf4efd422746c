/**
 * The steps on the way to one machine: each has a name, a deadline and a time that it took; all end when the journey is
 * given up. While a person is asked, no deadline runs.
 */
import type { PhaseReport, QuestionPlace, SshHop, SshPhase } from '../../../protocol-src/question.ts'
import type { TtyError } from '../../base/errors.ts'
import { sshCancelled, sshFault, sshTimeout } from './ssh-faults.ts'

export type Deadlines = Readonly<Record<SshPhase, number>>

export const DEADLINES_MS: Deadlines = {
  resolve: 10_000,
  connect: 10_000,
  handshake: 15_000,
  'host-key': 10_000,
  authenticate: 30_000,
  open: 15_000,
}

export interface StepsPorts {
  readonly where: QuestionPlace
  readonly signal: AbortSignal
  readonly deadlines: Deadlines
  /** A step begins. */
  readonly began: (hop: SshHop, phase: SshPhase) => void
  /** A step ended. */
  readonly ended: (report: PhaseReport) => void
}

/** A deadline that can stand still. */
class Patience {
  readonly #expired: () => void
  #leftMs: number
  #timer: NodeJS.Timeout | undefined
  #since = 0
  #stops = 0

  constructor(ms: number, expired: () => void) {
    this.#leftMs = ms
    this.#expired = expired
    this.#go()
  }

  stop(): void {
    this.#stops += 1
    if (this.#stops > 1) return
    clearTimeout(this.#timer)
    this.#leftMs = Math.max(0, this.#leftMs - (performance.now() - this.#since))
  }

  go(): void {
    this.#stops -= 1
    if (this.#stops === 0) this.#go()
  }

  end(): void {
    this.#stops = Number.POSITIVE_INFINITY
    clearTimeout(this.#timer)
  }

  #go(): void {
    this.#since = performance.now()
    this.#timer = setTimeout(this.#expired, this.#leftMs)
  }
}

export class Steps {
  readonly #ports: StepsPorts
  #patience: Patience | null = null
  #askedMs = 0

  constructor(ports: StepsPorts) {
    this.#ports = ports
  }

  get where(): QuestionPlace {
    return this.#ports.where
  }

  /**
   * Take one step. Work that loses against the deadline or the signal goes on unheard: what it makes is its own to release.
   * @throws TtyError that names the machine and the step
   */
  async run<T>(phase: SshPhase, work: () => Promise<T>): Promise<T> {
    const { where, signal, deadlines, began, ended } = this.#ports
    if (signal.aborted) throw sshCancelled()
    began(where.hop, phase)
    const start = performance.now()
    this.#askedMs = 0
    let isOk = false
    let giveUp = (_error: TtyError): void => {}
    const given = new Promise<never>((_, reject) => {
      giveUp = reject
    })
    given.catch(() => {}) // heard by the race below, when it is still on
    const aborted = (): void => {
      giveUp(sshCancelled())
    }
    signal.addEventListener('abort', aborted, { once: true })
    const patience = new Patience(deadlines[phase], () => {
      giveUp(sshTimeout({ where, phase }, deadlines[phase]))
    })
    this.#patience = patience
    try {
      const value = await Promise.race([work(), given])
      isOk = true
      return value
    } catch (error) {
      throw sshFault({ where, phase }, error)
    } finally {
      patience.end()
      if (this.#patience === patience) this.#patience = null
      signal.removeEventListener('abort', aborted)
      ended({ hop: where.hop, phase, ms: Math.max(0, performance.now() - start - this.#askedMs), ok: isOk })
    }
  }

  /** Something that a person decides, within a step: it is no fault of the machine how long that takes. */
  async unhurried<T>(work: () => Promise<T>): Promise<T> {
    const patience = this.#patience
    const start = performance.now()
    patience?.stop()
    try {
      return await work()
    } finally {
      this.#askedMs += performance.now() - start
      patience?.go()
    }
  }
}
