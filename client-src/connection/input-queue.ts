/**
 * What was typed into one session and is not yet known to have reached it. Numbers frames from 1, so that after a broken
 * socket exactly those are sent again that the host has not. Knows no sockets.
 */
import { MAX_INPUT_FRAME_BYTES } from '../../protocol-src/limits.ts'

export interface InputFrame {
  readonly seq: number
  readonly bytes: Uint8Array
}

/** More is not taken: a paste of that size into a program that does not read. */
const MAX_QUEUED_BYTES = 8 * 1024 * 1024
/**
 * Bytes on their way without an acknowledgement. One large frame: when the host refuses a piece of a paste, no later
 * piece of it may be on the way already.
 */
const WINDOW_BYTES = MAX_INPUT_FRAME_BYTES

export class InputQueue {
  #frames: InputFrame[] = []
  #queuedBytes = 0
  #lastSeq = 0
  #sentSeq = 0

  /** @returns false when there is no room; nothing of `bytes` was taken then */
  push(bytes: Uint8Array): boolean {
    if (this.#queuedBytes + bytes.length > MAX_QUEUED_BYTES) return false
    for (let at = 0; at < bytes.length; at += MAX_INPUT_FRAME_BYTES) {
      this.#lastSeq += 1
      this.#frames.push({ seq: this.#lastSeq, bytes: bytes.slice(at, at + MAX_INPUT_FRAME_BYTES) })
    }
    this.#queuedBytes += bytes.length
    return true
  }

  /** The next frame to send, counted as sent; undefined when there is none or the window is full. */
  takeNext(): InputFrame | undefined {
    let inFlight = 0
    for (const frame of this.#frames) {
      if (frame.seq > this.#sentSeq) {
        if (inFlight > 0 && inFlight + frame.bytes.length > WINDOW_BYTES) return undefined
        this.#sentSeq = frame.seq
        return frame
      }
      inFlight += frame.bytes.length
    }
    return undefined
  }

  /** Everything through `seq` reached the session. */
  acknowledge(seq: number): void {
    this.#frames = this.#frames.filter((frame) => frame.seq > seq)
    this.#queuedBytes = this.#frames.reduce((sum, { bytes }) => sum + bytes.length, 0)
  }

  /**
   * The host says that `hostSeq` is the last number it took: continue from there.
   * @returns how many bytes had to be given up, because the host counts differently and sending them could type twice
   */
  reconcile(hostSeq: number): number {
    this.acknowledge(hostSeq)
    const expected = this.#frames[0]?.seq ?? this.#lastSeq + 1
    this.#sentSeq = hostSeq
    return expected === hostSeq + 1 ? 0 : this.clear()
  }

  /** Give up what is not acknowledged; numbers that were not sent are free again. @returns how many bytes those were */
  clear(): number {
    const lost = this.#queuedBytes
    this.#frames = []
    this.#queuedBytes = 0
    this.#lastSeq = this.#sentSeq
    return lost
  }
}
