/**
 * One viewer's window on a session. It pulls from the output log by offset, so a slow viewer costs no queue: what it has
 * not been sent is in the log, or, when it fell too far behind, it starts anew.
 */
import type { StreamOffset } from '../../protocol-src/ids.ts'
import { HIGH_WATER_BYTES, LOW_WATER_BYTES, OUTPUT_FRAME_BYTES } from '../../protocol-src/limits.ts'
import type { CloseReason, ExitStatus, TerminalSize, Termination } from '../../protocol-src/session.ts'
import type { OutputLog } from './output-log.ts'

export interface AttachmentSink {
  /** `bytes` is valid only during the call. */
  data(bytes: Uint8Array, offset: StreamOffset): void
  /** The viewer starts anew with an empty terminal at `from`. */
  resync(from: StreamOffset, liveFrom: StreamOffset): void
  size(size: TerminalSize, isDriver: boolean): void
  /** After the last byte, once. */
  exited(exit: ExitStatus, offset: StreamOffset): void
  closed(reason: CloseReason, termination: Termination | null): void
}

export type AttachStart = { mode: 'delta' | 'replay'; from: StreamOffset; liveFrom: StreamOffset }

export class Attachment {
  /** What this viewer could show; in force while it drives. */
  wantedSize: TerminalSize
  readonly start: AttachStart
  readonly #log: OutputLog
  readonly #sink: AttachmentSink
  readonly #onHoldChange: () => void
  #sent: StreamOffset
  #acknowledged: StreamOffset
  #isHeld = false
  /** Between `begin` and `detach`. */
  #isActive = false
  #exit: ExitStatus | null = null
  #exitIsSent = false

  /** @param resumeFrom the offset after the last byte the viewer has, or null when it starts empty */
  constructor(
    log: OutputLog,
    sink: AttachmentSink,
    request: { size: TerminalSize; resumeFrom: StreamOffset | null; onHoldChange: () => void },
  ) {
    this.#log = log
    this.#sink = sink
    this.#onHoldChange = request.onHoldChange
    this.wantedSize = request.size
    const { resumeFrom } = request
    this.start =
      resumeFrom !== null && log.holds(resumeFrom)
        ? { mode: 'delta', from: resumeFrom, liveFrom: log.end }
        : { mode: 'replay', from: log.replayStart, liveFrom: log.end }
    this.#sent = this.start.from
    this.#acknowledged = this.start.from
  }

  /** Whether this viewer has more unparsed bytes than it may; then nothing is sent to it. */
  get isHeld(): boolean {
    return this.#isHeld
  }

  /** Start sending: not before the viewer was told `start`, so that its reply comes first. */
  begin(): void {
    this.#isActive = true
    this.flush()
  }

  announceSize(size: TerminalSize, isDriver: boolean): void {
    if (this.#isActive) this.#sink.size(size, isDriver)
  }

  announceClosed(reason: CloseReason, termination: Termination | null): void {
    this.#sink.closed(reason, termination)
  }

  /** Send what there is, as far as flow control lets. */
  flush(): void {
    if (!this.#isActive) return
    if (!this.#isHeld && !this.#log.holds(this.#sent)) this.#resync()
    while (!this.#isHeld && this.#sent < this.#log.end) {
      const bytes = this.#log.read(this.#sent, OUTPUT_FRAME_BYTES)
      const offset = this.#sent
      this.#sent += bytes.length
      this.#sink.data(bytes, offset)
      if (this.#sent - this.#acknowledged >= HIGH_WATER_BYTES) this.#hold(true)
    }
    if (this.#exit !== null && !this.#exitIsSent && this.#sent === this.#log.end) {
      this.#exitIsSent = true
      this.#sink.exited(this.#exit, this.#log.end)
    }
  }

  /** The viewer's terminal has parsed everything before `through`. Offsets that were never sent are ignored. */
  acknowledge(through: StreamOffset): void {
    if (through <= this.#acknowledged || through > this.#sent) return
    this.#acknowledged = through
    if (this.#isHeld && this.#sent - this.#acknowledged <= LOW_WATER_BYTES) {
      this.#hold(false)
      this.flush()
    }
  }

  /** No more output will come; announce the end once everything was sent. */
  finish(exit: ExitStatus): void {
    this.#exit = exit
    this.flush()
  }

  detach(): void {
    this.#isActive = false
  }

  #resync(): void {
    this.#sent = this.#log.replayStart
    this.#acknowledged = this.#sent
    this.#sink.resync(this.#sent, this.#log.end)
  }

  #hold(isHeld: boolean): void {
    if (this.#isHeld === isHeld) return
    this.#isHeld = isHeld
    this.#onHoldChange()
  }
}
