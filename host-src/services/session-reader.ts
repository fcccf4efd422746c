/** Reads a session's output for one listener, in order and from where it is kept; never holds the program up. */
import { messageOf } from '../base/errors.ts'
import type { Disposable } from '../base/lifecycle.ts'
import type { Logger } from '../base/logger.ts'
import type { Session } from '../sessions/session.ts'

const MAX_READ_BYTES = 64 * 1024

export interface ReaderPorts {
  readonly onOutput: (bytes: Uint8Array, offset: number) => void
  /** The session ended, was closed, or may not be seen any more. Called once, after the last byte. */
  readonly onEnd: () => void
  readonly logger: Logger
}

export class SessionReader implements Disposable {
  readonly #session: Session
  readonly #ports: ReaderPorts
  readonly #unsubscribe: readonly (() => void)[]
  #at: number
  #isReading = false
  #isOver = false

  /** Begins when `read` is called first. */
  constructor(session: Session, from: 'start' | 'now', ports: ReaderPorts) {
    this.#session = session
    this.#ports = ports
    const { output } = session.journal
    this.#at = from === 'start' ? output.start : output.end
    const read = (): void => {
      this.read()
    }
    this.#unsubscribe = [session.onOutput(read), session.onChange(read)]
  }

  read(): void {
    // A listener that types may bring output of its own.
    if (this.#isReading || this.#isOver) return
    this.#isReading = true
    if (!this.#session.isHidden) this.#readAll()
    this.#isReading = false
    const { phase, isHidden } = this.#session
    if (phase === 'exited' || phase === 'closed' || isHidden) this.#end()
  }

  dispose(): void {
    this.#isOver = true
    for (const unsubscribe of this.#unsubscribe) unsubscribe()
  }

  #readAll(): void {
    const { output } = this.#session.journal
    while (!this.#isOver && this.#at < output.end) {
      this.#at = Math.max(this.#at, output.start)
      const bytes = output.read(this.#at, MAX_READ_BYTES)
      if (bytes === null || bytes.length === 0) {
        // Not to be had: what follows it is.
        this.#at = output.end
        return
      }
      const at = this.#at
      this.#at += bytes.length
      this.#tell('output', () => {
        this.#ports.onOutput(Uint8Array.from(bytes), at)
      })
    }
  }

  #end(): void {
    if (this.#isOver) return
    this.dispose()
    this.#tell('end', this.#ports.onEnd)
  }

  #tell(what: string, call: () => void): void {
    try {
      call()
    } catch (error) {
      this.#ports.logger.error('plugin.listener-failed', { what, message: messageOf(error) })
    }
  }
}
