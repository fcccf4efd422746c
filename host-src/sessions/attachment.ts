/**
 * One viewer's window on a session. It pulls from the stream by position, so a slow viewer costs no queue: what it has not
 * been sent is in the stream, or, when it fell too far behind, it starts anew.
 */
import type { CommandRecord } from '../../protocol-src/command.ts'
import type { StreamStart } from '../../protocol-src/host-frames.ts'
import type { StreamOffset, StreamPosition } from '../../protocol-src/ids.ts'
import {
  HIGH_WATER_BYTES,
  LOW_WATER_BYTES,
  OUTPUT_FRAME_BYTES,
  RESYNC_BEHIND_BYTES,
} from '../../protocol-src/limits.ts'
import type { CloseReason, ExitStatus, TerminalSize, Termination } from '../../protocol-src/session.ts'
import type { SessionStream } from './session-stream.ts'

export interface AttachmentSink {
  /** `bytes` is valid only during the call. */
  data(bytes: Uint8Array, offset: StreamOffset): void
  size(size: TerminalSize, at: StreamPosition, isDriver: boolean): void
  /** The viewer starts anew. */
  resync(start: StreamStart): void
  /** Part of the state with which the viewer starts, the screen first. */
  snapshotPart(part: number, bytes: Uint8Array): void
  /** That was the last of so many parts; the stream follows. */
  snapshotEnd(parts: number, hash: string): void
  /** A command started or ended. In no order with the output. */
  command(command: CommandRecord): void
  /** After the last byte, once. */
  exited(exit: ExitStatus, offset: StreamOffset): void
  closed(reason: CloseReason, termination: Termination | null): void
}

/** The state of a terminal without its screen. */
export interface SnapshotRest {
  /** Newest lines first. */
  readonly historyParts: readonly Uint8Array[]
  /** Of the whole state. */
  readonly hash: string
}

/** The state of a terminal; what is above the screen may come later, or, when it rejects, not at all. */
export interface ViewSnapshot {
  /** Enough to paint and to go on. */
  readonly screenPart: Uint8Array
  readonly rest: SnapshotRest | Promise<SnapshotRest>
}

/** Where and with what a viewer starts; `snapshot` is there for the mode of that name. */
export interface ViewStart {
  readonly start: StreamStart
  readonly snapshot: ViewSnapshot | null
}

export interface AttachmentOptions {
  readonly size: TerminalSize
  /** What the viewer gets before the stream. */
  readonly snapshot?: ViewSnapshot | null
  readonly onHoldChange: () => void
  /** Plan a new start for a viewer that fell behind, or to whom no state can be told, and call back with it later. */
  readonly planResync: (restart: (plan: ViewStart) => void, wish: { noSnapshot: boolean }) => void
}

export class Attachment {
  /** What this viewer could show; in force while it drives. */
  wantedSize: TerminalSize
  readonly #stream: SessionStream
  readonly #sink: AttachmentSink
  readonly #options: AttachmentOptions
  #offset: StreamOffset
  /** Number of changes told so far. */
  #change: number
  #acknowledged: StreamOffset
  #isHeld = false
  /** Between `begin` and `detach`. */
  #isActive = false
  /** Between the decision to start anew, or the first part of a state, and the last part of it. */
  #isStarting = false
  #exit: ExitStatus | null = null
  #exitIsSent = false

  constructor(stream: SessionStream, sink: AttachmentSink, options: AttachmentOptions & { from: StreamPosition }) {
    this.#stream = stream
    this.#sink = sink
    this.#options = options
    this.wantedSize = options.size
    this.#offset = options.from.offset
    this.#change = options.from.change
    this.#acknowledged = options.from.offset
  }

  /** Whether this viewer has more unparsed bytes than it may; then nothing is sent to it. */
  get isHeld(): boolean {
    return this.#isHeld
  }

  /** Start sending: not before the viewer was told where it starts, so that its reply comes first. */
  begin(): void {
    this.#isActive = true
    this.#startWith(this.#options.snapshot ?? null)
  }

  announceCommand(command: CommandRecord): void {
    if (this.#isActive) this.#sink.command(command)
  }

  announceClosed(reason: CloseReason, termination: Termination | null): void {
    this.#sink.closed(reason, termination)
  }

  /** Send what there is, as far as flow control lets. */
  flush(): void {
    while (this.#isActive && !this.#isHeld && !this.#isStarting && this.#sendNext());
    if (this.#exit === null || this.#exitIsSent || !this.#isActive || this.#isStarting || !this.#isAtEnd) return
    this.#exitIsSent = true
    this.#sink.exited(this.#exit, this.#offset)
  }

  /** The viewer's terminal has parsed everything before `through`. Offsets that were never sent are ignored. */
  acknowledge(through: StreamOffset): void {
    if (through <= this.#acknowledged || through > this.#offset) return
    this.#acknowledged = through
    if (!this.#isHeld || this.#offset - this.#acknowledged > LOW_WATER_BYTES) return
    this.#hold(false)
    // So far behind, what it missed would only pass by: the screen as it is now serves better.
    if (this.#stream.end.offset - this.#offset > RESYNC_BEHIND_BYTES) this.#resync('if-ahead')
    this.flush()
  }

  /** No more output will come; announce the end once everything was sent. */
  finish(exit: ExitStatus): void {
    this.#exit = exit
    this.flush()
  }

  detach(): void {
    this.#isActive = false
  }

  get #isAtEnd(): boolean {
    const { offset, change } = this.#stream.end
    return this.#offset === offset && this.#change === change
  }

  /** Send the next change or the next bytes before it. @returns whether there was anything */
  #sendNext(): boolean {
    const change = this.#stream.changeAt(this.#change)
    if (change !== undefined && change.offset <= this.#offset) {
      this.#change += 1
      this.#sink.size(change.size, { offset: this.#offset, change: this.#change }, change.driver === this)
      return true
    }
    const limit = change === undefined ? OUTPUT_FRAME_BYTES : Math.min(OUTPUT_FRAME_BYTES, change.offset - this.#offset)
    const bytes = this.#stream.holds({ offset: this.#offset, change: this.#change })
      ? this.#stream.read(this.#offset, limit)
      : null
    if (bytes === null) {
      this.#resync('always')
      return false
    }
    if (bytes.length === 0) return false
    const offset = this.#offset
    this.#offset += bytes.length
    this.#sink.data(bytes, offset)
    if (this.#offset - this.#acknowledged >= HIGH_WATER_BYTES) this.#hold(true)
    return true
  }

  /** @param when `if-ahead`: go on as before when the new start would be no nearer to the end */
  #resync(when: 'always' | 'if-ahead', wish = { noSnapshot: false }): void {
    if (this.#isStarting) return
    this.#isStarting = true
    this.#options.planResync(({ start, snapshot }) => {
      this.#isStarting = false
      if (!this.#isActive) return
      const { offset, change } = start.from
      if (when === 'if-ahead' && offset <= this.#offset) {
        this.flush()
        return
      }
      this.#offset = offset
      this.#change = change
      this.#acknowledged = offset
      this.#sink.resync(start)
      this.#hold(false)
      this.#startWith(snapshot)
    }, wish)
  }

  /** The screen goes out at once, the scrollback when it is there, and then the stream. */
  #startWith(snapshot: ViewSnapshot | null): void {
    if (snapshot === null) {
      this.flush()
      return
    }
    this.#isStarting = true
    this.#sink.snapshotPart(0, snapshot.screenPart)
    const { rest } = snapshot
    if (rest instanceof Promise)
      void rest.then(
        (late) => {
          this.#complete(late)
        },
        () => {
          // Told by whoever could not make it. The viewer has a screen that nothing can follow: it gets the output itself.
          this.#isStarting = false
          if (this.#isActive) this.#resync('always', { noSnapshot: true })
        },
      )
    else this.#complete(rest)
  }

  #complete({ historyParts, hash }: SnapshotRest): void {
    this.#isStarting = false
    if (!this.#isActive) return
    for (const [at, part] of historyParts.entries()) this.#sink.snapshotPart(at + 1, part)
    this.#sink.snapshotEnd(historyParts.length + 1, hash)
    this.flush()
  }

  #hold(isHeld: boolean): void {
    if (this.#isHeld === isHeld) return
    this.#isHeld = isHeld
    this.#options.onHoldChange()
  }
}
