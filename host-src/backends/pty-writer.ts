/**
 * Writes input to a non-blocking PTY master. node-pty's own writer spins the event loop on EAGAIN while a program does not
 * read; this one waits between tries and bounds what it holds.
 */
import { writeSync } from 'node:fs'
import { TtyError, systemCodeOf } from '../base/errors.ts'

const RETRY_MS = 2
/** After this long without progress the retries become rarer, so that a stopped program costs nothing. */
const IDLE_RETRY_MS = 50
const PATIENT_TRIES = 50

export class PtyWriter {
  readonly #fd: number
  readonly #maxPendingBytes: number
  readonly #queue: Uint8Array[] = []
  #pendingBytes = 0
  #tries = 0
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(fd: number, maxPendingBytes: number) {
    this.#fd = fd
    this.#maxPendingBytes = maxPendingBytes
  }

  /** Take all of `data` or nothing. @throws TtyError INPUT_BACKLOG, SESSION_EXITED */
  write(data: Uint8Array): void {
    if (this.#isClosed)
      throw new TtyError('SESSION_EXITED', 'The program of this session has ended, so nothing can be typed into it.')
    if (this.#pendingBytes + data.length > this.#maxPendingBytes) {
      throw new TtyError(
        'INPUT_BACKLOG',
        `The program is not reading its input; ${String(this.#pendingBytes)} bytes already wait. Nothing of this input was sent. Try again when it reads, or end it.`,
        {
          details: { pendingBytes: this.#pendingBytes, limitBytes: this.#maxPendingBytes },
        },
      )
    }
    if (data.length === 0) return
    this.#queue.push(data.slice())
    this.#pendingBytes += data.length
    if (this.#timer === undefined) this.#flush()
  }

  /** Must be called before the descriptor is closed: its number may belong to another file right after. */
  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#queue.length = 0
    this.#pendingBytes = 0
  }

  #flush(): void {
    this.#timer = undefined
    for (let head = this.#queue[0]; head !== undefined && !this.#isClosed; head = this.#queue[0]) {
      let written: number
      try {
        written = writeSync(this.#fd, head)
      } catch (error) {
        if (systemCodeOf(error) === 'EAGAIN') this.#retryLater()
        else this.close() // EIO: the last reader of the terminal is gone; the exit follows on its own path
        return
      }
      this.#tries = 0
      this.#pendingBytes -= written
      if (written === head.length) this.#queue.shift()
      else this.#queue[0] = head.subarray(written)
    }
  }

  #retryLater(): void {
    this.#tries += 1
    this.#timer = setTimeout(
      () => {
        this.#flush()
      },
      this.#tries > PATIENT_TRIES ? IDLE_RETRY_MS : RETRY_MS,
    )
    this.#timer.unref()
  }
}
