/**
 * Notices that a session's shell put another program in its place (`exec`): that one writes no marks, so the command which
 * did it would seem to run for ever. Looks only while a command runs, after its output or its start.
 */

/** How often at most, and how late at least. */
const LOOK_MS = 100

export interface ShellWatchPorts {
  /** Names what the first process runs; null where that cannot be known, and once it is gone. */
  readonly image: () => string | null
  readonly isCommandRunning: () => boolean
  readonly replaced: () => void
}

export class ShellWatch {
  readonly #ports: ShellWatchPorts
  /** Of the shell that wrote the first mark; undefined before. */
  #image: string | null | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(ports: ShellWatchPorts) {
    this.#ports = ports
  }

  /** The shell wrote a mark: whoever runs now is the one that writes them. */
  marked(): void {
    if (this.#image === undefined) this.#image = this.#ports.image()
  }

  /** Something happened after which the shell may be another. */
  plan(): void {
    if (this.#timer !== undefined || typeof this.#image !== 'string' || !this.#ports.isCommandRunning()) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#look()
    }, LOOK_MS).unref()
  }

  dispose(): void {
    clearTimeout(this.#timer)
    this.#image = null
  }

  #look(): void {
    const image = this.#ports.image()
    if (image !== null && image !== this.#image && this.#ports.isCommandRunning()) this.#ports.replaced()
  }
}
