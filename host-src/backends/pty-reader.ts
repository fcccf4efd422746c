/**
 * Reads the output of a PTY master. The kernel gives at most 4 KiB at a time and the event loop one of those per turn, so
 * each wake-up also takes what else is there, into one buffer that all sessions share.
 */
/** One chunk for the listener: as much as one frame carries. */
const BATCH_BYTES = 64 * 1024
/** A batch that has less room left than a read may bring is full. */
const READ_BYTES = 4 * 1024
/** A read that brings less has found the end of what waits: one more would fail, and a thrown EAGAIN costs most of all. */
const FULL_READ_BYTES = 4_000
/** A read may wait for the kernel to move bytes up, which takes milliseconds on a busy machine; other sessions wait with it. */
const MAX_TURN_MS = 1
/** The kernel can hold about this much for a terminal whose program is gone. */
const MAX_LAST_BATCHES = 64
/** After a key the echo of any session is worth more than the throughput of another. */
const TYPING_MS = 50

/** Used during one call only, because reading and announcing happen in the same turn. */
const batch = Buffer.allocUnsafeSlow(BATCH_BYTES)

/** When somebody last typed into any session of this host. */
export class TypingClock {
  #lastMs = -Infinity

  typed(): void {
    this.#lastMs = performance.now()
  }

  get isTyping(): boolean {
    return performance.now() - this.#lastMs < TYPING_MS
  }
}

export interface PtyReaderPorts {
  /**
   * Read from the non-blocking master into `target` from `offset` on. @returns how much came, 0 at the end
   * @throws when nothing waits or nobody holds the terminal any more
   */
  readonly read: (target: Uint8Array, offset: number) => number
  /** Bytes that the stream on the master has read but not announced: they come before anything read here. */
  readonly heldByStream: () => number
  readonly typing: TypingClock
  /** The bytes belong to the listener only during the call. */
  readonly announce: (bytes: Uint8Array) => void
}

export class PtyReader {
  readonly #ports: PtyReaderPorts

  constructor(ports: PtyReaderPorts) {
    this.#ports = ports
  }

  /** The stream on the master announced `chunk`: pass it on, with what else is there. */
  take(chunk: Uint8Array): void {
    const { announce, heldByStream, typing } = this.#ports
    if (heldByStream() > 0 || chunk.length > BATCH_BYTES - READ_BYTES || typing.isTyping) {
      announce(chunk)
      return
    }
    batch.set(chunk)
    announce(batch.subarray(0, this.#fill(chunk.length, performance.now() + MAX_TURN_MS)))
  }

  /** The program is gone and the master is about to be closed: announce all that is left in it. */
  readRest(): void {
    for (let batches = 0; batches < MAX_LAST_BATCHES; batches += 1) {
      const length = this.#fill(0, Infinity)
      if (length === 0) return
      this.#ports.announce(batch.subarray(0, length))
    }
  }

  /** Read until nothing more seems to wait, the batch is full or it is `deadline`. @returns how much of the batch is used */
  #fill(used: number, deadline: number): number {
    let length = used
    while (length <= BATCH_BYTES - READ_BYTES) {
      let read: number
      try {
        read = this.#ports.read(batch, length)
      } catch {
        break // EAGAIN: nothing waits; EIO: nobody holds the terminal any more, which the stream finds out as well
      }
      length += read
      if (read < FULL_READ_BYTES || performance.now() >= deadline) break
    }
    return length
  }
}
