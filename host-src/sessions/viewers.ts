/**
 * The viewers of one session: who drives the size, whether everybody lags, who keeps the session from being an orphan.
 * The driver is the viewer that typed last; only its size reaches the program, so passive viewers cause no SIGWINCH.
 */
import type { TerminalSize } from '../../protocol-src/session.ts'
import type { Disposable } from '../base/lifecycle.ts'
import type { Attachment } from './attachment.ts'

export interface ViewersPorts {
  /** The driver is `driver` from now on (null: nobody is there), and what it could show is `size`. */
  readonly drive: (driver: Attachment | null, size: TerminalSize | null) => void
  /** Whether output should stop flowing, because every viewer has more than it can parse. */
  readonly setPaused: (isPaused: boolean) => void
  /** The number of viewers, or whether anybody holds the session, changed. */
  readonly changed: () => void
}

export class Viewers {
  /** In order of activity: the driver is last. */
  readonly #attachments = new Set<Attachment>()
  readonly #holds = new Set<object>()
  readonly #ports: ViewersPorts
  #isPaused = false

  constructor(ports: ViewersPorts) {
    this.#ports = ports
  }

  get count(): number {
    return this.#attachments.size
  }

  /** Whether a client is there that will come back to it: attached, or connected and about to attach. */
  get isHeld(): boolean {
    return this.#attachments.size > 0 || this.#holds.size > 0
  }

  get all(): Iterable<Attachment> {
    return this.#attachments
  }

  isDriver(attachment: Attachment): boolean {
    return this.#driver() === attachment
  }

  /** Keep the session from being an orphan while a client that opened it has not attached yet. */
  hold(): Disposable {
    const token = {}
    this.#holds.add(token)
    this.#ports.changed()
    return {
      dispose: () => {
        if (this.#holds.delete(token)) this.#ports.changed()
      },
    }
  }

  /** A new viewer watches; it drives only when nobody else is there. */
  add(attachment: Attachment): void {
    const driver = this.#driver()
    this.#attachments.add(attachment)
    if (driver !== undefined) {
      this.#attachments.delete(driver)
      this.#attachments.add(driver)
    }
    this.#apply()
    // One that keeps up is reason enough to go on, though all the others lag.
    this.judgeFlow()
    this.#ports.changed()
  }

  remove(attachment: Attachment): void {
    if (!this.#attachments.delete(attachment)) return
    attachment.detach()
    this.#apply()
    this.judgeFlow()
    this.#ports.changed()
  }

  /** `attachment` typed: it drives from now on. */
  activate(attachment: Attachment): void {
    if (!this.#attachments.has(attachment) || this.isDriver(attachment)) return
    this.#attachments.delete(attachment)
    this.#attachments.add(attachment)
    this.#apply()
  }

  resized(attachment: Attachment, size: TerminalSize): void {
    attachment.wantedSize = size
    if (this.isDriver(attachment)) this.#apply()
  }

  /** Pause when there are viewers and all of them are over the high-water mark. */
  judgeFlow(): void {
    const isPaused = this.#attachments.size > 0 && [...this.#attachments].every((attachment) => attachment.isHeld)
    if (isPaused === this.#isPaused) return
    this.#isPaused = isPaused
    this.#ports.setPaused(isPaused)
  }

  #driver(): Attachment | undefined {
    return [...this.#attachments].at(-1)
  }

  #apply(): void {
    const driver = this.#driver()
    this.#ports.drive(driver ?? null, driver?.wantedSize ?? null)
  }
}
