/**
 * This page's window on one session. Checks that output has neither gap nor repetition, tells the host what was parsed,
 * numbers what is typed, and attaches again whenever the link comes back.
 */
import { encodeBinaryFrame } from '../../protocol-src/binary-frame.ts'
import type { CommandRecord } from '../../protocol-src/command.ts'
import type { ReplyOf, HostFrame, StreamStart } from '../../protocol-src/host-frames.ts'
import type { AttachmentHandle, MarkNonce, SessionId, StreamOffset, StreamPosition } from '../../protocol-src/ids.ts'
import { ACK_EVERY_BYTES } from '../../protocol-src/limits.ts'
import type { CloseReason, ExitStatus, TerminalSize, Termination } from '../../protocol-src/session.ts'
import { createStore, type Store } from '../stores/store.ts'
import { InputQueue } from './input-queue.ts'
import { LinkError, toLinkError } from './link-error.ts'
import type { OutputFrame, SnapshotFrame } from './socket.ts'

export type AttachmentState =
  /** No link, or not attached yet. */
  | { readonly kind: 'waiting' }
  | { readonly kind: 'attached' }
  | { readonly kind: 'failed'; readonly error: LinkError }
  /** The session is gone; there is no way back. */
  | { readonly kind: 'ended' }

export interface AttachStart extends StreamStart {
  /** Bytes that this viewer never saw and that are no longer held. */
  readonly lostBytes: number
  /** By which the marks of the session's shell are told from what programs print; null when none are believed. */
  readonly markNonce: MarkNonce | null
}

export type SessionEnd =
  | { readonly kind: 'closed'; readonly reason: CloseReason; readonly termination: Termination | null }
  /** The host does not know the session (any more). */
  | { readonly kind: 'unknown' }

export type InputRefusal = 'disconnected' | 'backlog' | 'lost' | 'exited'

/** What the attachment tells; a terminal, seen from the connection. */
export interface Viewer {
  /** What it could show. */
  wantedSize(): TerminalSize
  started(start: AttachStart): void
  /** Part of the state that `started` promised, the screen first. */
  snapshot(part: number, bytes: Uint8Array): void
  /** The state is complete, and this is its hash. */
  snapshotEnd(hash: string): void
  output(bytes: Uint8Array, from: StreamOffset): void
  resized(size: TerminalSize, isDriver: boolean): void
  exited(exit: ExitStatus): void
  /** A command started or ended. */
  command(command: CommandRecord): void
  ended(end: SessionEnd): void
  inputRefused(why: InputRefusal): void
}

export interface AttachRequest {
  readonly size: TerminalSize
  readonly resumeFrom: StreamPosition | null
  readonly noSnapshot?: true
}

/** What the attachment needs of the link. */
export interface AttachmentPorts {
  isOpen(): boolean
  attach(request: AttachRequest): Promise<ReplyOf<'attach'>>
  detach(): Promise<unknown>
  resize(size: TerminalSize): Promise<unknown>
  ack(handle: AttachmentHandle, offset: StreamOffset): void
  sendBytes(frame: Uint8Array<ArrayBuffer>): boolean
  disposed(): void
}

/** Breaks in the numbering, one after another, after which attaching again is given up. */
const MAX_BREAKS = 3

type HandleFrame = Extract<HostFrame, { handle: AttachmentHandle }>

export class Attachment {
  readonly sid: SessionId
  readonly state: Store<AttachmentState>
  readonly #state = createStore<AttachmentState>({ kind: 'waiting' })
  readonly #viewer: Viewer
  readonly #ports: AttachmentPorts
  readonly #input = new InputQueue()
  #handle: AttachmentHandle | null = null
  /** Where the viewer is, once it has parsed what it was given; null before the first attach. */
  #received: StreamPosition | null = null
  /** Number of the next part of a state that is not complete; null when nothing is missing. */
  #nextPart: number | null = null
  /** A snapshot was not what it said: from now on output only. */
  #noSnapshot = false
  #parsed: StreamOffset = 0
  #acked: StreamOffset = 0
  #markNonce: MarkNonce | null = null
  /** Counts attach requests, so that the answer to an older one is not taken for the newer. */
  #round = 0
  #breaks = 0
  #isResizing = false
  #nextSize: TerminalSize | null = null

  constructor(sid: SessionId, viewer: Viewer, ports: AttachmentPorts) {
    this.sid = sid
    this.state = this.#state
    this.#viewer = viewer
    this.#ports = ports
    if (ports.isOpen()) this.attach()
  }

  get handle(): AttachmentHandle | null {
    return this.#handle
  }

  /** The link is open, or a person asked to try again. */
  attach(): void {
    if (this.#state.getSnapshot().kind === 'ended') return
    this.#round += 1
    const round = this.#round
    this.#handle = null
    this.#isResizing = false
    this.#nextSize = null
    this.#state.set({ kind: 'waiting' })
    // Without all parts of the state, what was received continues nothing.
    const resumeFrom = this.#nextPart === null ? this.#received : null
    this.#nextPart = null
    this.#received = resumeFrom
    const request = { size: this.#viewer.wantedSize(), resumeFrom }
    this.#ports.attach(this.#noSnapshot ? { ...request, noSnapshot: true } : request).then(
      (reply) => {
        if (round === this.#round) this.#attached(reply)
      },
      (error: unknown) => {
        if (round === this.#round) this.#attachFailed(toLinkError(error))
      },
    )
  }

  /** The link is down: nothing can be typed until it is back. */
  detached(): void {
    if (this.#state.getSnapshot().kind === 'ended') return
    this.#round += 1
    this.#handle = null
    this.#state.set({ kind: 'waiting' })
  }

  /** Another run of the host counts its stream anew: where the viewer is means nothing to it. */
  forget(): void {
    this.#received = null
  }

  /** The session was released by the host, or is not known to it. */
  end(end: SessionEnd): void {
    if (this.#state.getSnapshot().kind === 'ended') return
    this.#round += 1
    this.#handle = null
    this.#input.clear()
    this.#state.set({ kind: 'ended' })
    this.#viewer.ended(end)
  }

  /** Bytes of output on this attachment's handle. */
  output({ offset, bytes }: OutputFrame): void {
    const received = this.#received
    if (received === null || offset !== received.offset || this.#nextPart !== null) {
      this.#broken()
      return
    }
    this.#breaks = 0
    this.#received = { ...received, offset: offset + bytes.length }
    this.#viewer.output(bytes, offset)
  }

  /** Part of a snapshot on this attachment's handle. */
  snapshot({ part, bytes }: SnapshotFrame): void {
    if (part !== this.#nextPart) {
      this.#broken()
      return
    }
    this.#nextPart += 1
    this.#viewer.snapshot(part, bytes)
  }

  /** The viewer's terminal is not what the snapshot said: start anew, with output alone. */
  snapshotFailed(): void {
    this.#noSnapshot = true
    this.#received = null
    this.#broken()
  }

  /** A control frame on this attachment's handle. */
  frame(frame: HandleFrame): void {
    switch (frame.type) {
      case 'size': {
        const { offset = -1, change = -1 } = this.#received ?? {}
        if (frame.at.offset !== offset || frame.at.change !== change + 1) {
          this.#broken()
          return
        }
        this.#received = frame.at
        this.#viewer.resized(frame.size, frame.driver)
        return
      }
      case 'resync':
        this.#start(frame.start)
        return
      case 'snapshotEnd':
        if (this.#nextPart === null || this.#nextPart === 0 || frame.parts !== this.#nextPart) {
          this.#broken()
          return
        }
        this.#nextPart = null
        this.#viewer.snapshotEnd(frame.hash)
        return
      case 'inputAck':
        this.#input.acknowledge(frame.seq)
        this.#pumpInput()
        return
      case 'exited':
        if (frame.offset === this.#received?.offset) this.#viewer.exited(frame.exit)
        else this.#broken()
        return
      default:
        frame satisfies never
    }
  }

  /** A command of this session started or ended. */
  command(command: CommandRecord): void {
    this.#viewer.command(command)
  }

  /** The host refused something of this session outside of any request: only input is such. */
  refused(error: LinkError): void {
    switch (error.code) {
      case 'INPUT_OUT_OF_ORDER': {
        const { expected } = error.details
        if (typeof expected !== 'number') return
        if (this.#input.reconcile(expected - 1) > 0) this.#viewer.inputRefused('lost')
        this.#pumpInput()
        return
      }
      case 'INPUT_BACKLOG':
        // The rest of the same paste must not arrive without its middle.
        this.#input.clear()
        this.#viewer.inputRefused('backlog')
        return
      case 'SESSION_EXITED':
        this.#input.clear()
        this.#viewer.inputRefused('exited')
        return
      default:
        this.#input.clear()
        this.#viewer.inputRefused('lost')
    }
  }

  /** The viewer's terminal has parsed everything before `offset`. */
  acknowledge(offset: StreamOffset): void {
    if (offset <= this.#parsed) return
    this.#parsed = offset
    if (this.#handle === null || offset <= this.#acked) return
    if (offset - this.#acked < ACK_EVERY_BYTES && offset !== this.#received?.offset) return
    this.#acked = offset
    this.#ports.ack(this.#handle, offset)
  }

  /** Type. Without a link nothing is taken, and the viewer is told. */
  input(bytes: Uint8Array): void {
    if (this.#handle === null) this.#viewer.inputRefused('disconnected')
    else if (this.#input.push(bytes)) this.#pumpInput()
    else this.#viewer.inputRefused('backlog')
  }

  /** What the viewer can show has changed. Only the newest size is sent, one at a time. */
  resize(size: TerminalSize): void {
    if (this.#handle === null) return
    if (this.#isResizing) {
      this.#nextSize = size
      return
    }
    const round = this.#round
    const done = (): void => {
      if (round !== this.#round) return
      this.#isResizing = false
      const next = this.#nextSize
      this.#nextSize = null
      if (next !== null) this.resize(next)
    }
    this.#isResizing = true
    // A resize that fails needs no word: the size in force comes in its own frame, and the next one is sent anyway.
    this.#ports.resize(size).then(done, done)
  }

  /** Stop looking; the session goes on. */
  dispose(): void {
    const mayBeAttached = this.#state.getSnapshot().kind !== 'ended' && this.#ports.isOpen()
    this.#round += 1
    this.#handle = null
    this.#state.set({ kind: 'ended' })
    this.#ports.disposed()
    // Also while the answer to an attach is still on its way. Nothing is to be done when there was nothing to leave.
    if (mayBeAttached) this.#ports.detach().catch(() => {})
  }

  #attached(reply: ReplyOf<'attach'>): void {
    const { start } = reply
    const { offset, change } = this.#received ?? {}
    if (start.mode === 'delta' && (start.from.offset !== offset || start.from.change !== change)) {
      const message = `The host continues at ${String(start.from.offset)}, which is not where this page is.`
      this.#attachFailed(new LinkError('BAD_REPLY', message))
      return
    }
    this.#handle = reply.handle
    this.#markNonce = reply.markNonce
    this.#start(start)
    this.#state.set({ kind: 'attached' })
    if (this.#handle === null) return
    if (this.#input.reconcile(reply.inputSeq) > 0) this.#viewer.inputRefused('lost')
    this.#pumpInput()
  }

  #attachFailed(error: LinkError): void {
    if (error.code === 'SESSION_NOT_FOUND') this.end({ kind: 'unknown' })
    else if (error.code !== 'DISCONNECTED') this.#state.set({ kind: 'failed', error })
  }

  #start(start: StreamStart): void {
    const { offset } = start.from
    // A viewer that had something lost what lies between; one that starts empty, what the host says.
    const missed = this.#received === null ? start.lostBytes : Math.max(0, offset - this.#received.offset)
    const lostBytes = start.mode === 'replay' ? missed : 0
    this.#received = start.from
    this.#nextPart = start.mode === 'snapshot' ? 0 : null
    this.#acked = offset
    if (start.mode !== 'delta') this.#parsed = offset
    this.#viewer.started({ ...start, lostBytes, markNonce: this.#markNonce })
  }

  /** Output does not continue where it ended: ask for it again from there. */
  #broken(): void {
    this.#breaks += 1
    this.#handle = null
    if (this.#breaks > MAX_BREAKS) {
      this.#round += 1
      this.#state.set({
        kind: 'failed',
        error: new LinkError('BAD_REPLY', 'The output of this session arrives out of order.'),
      })
      return
    }
    this.#ports.detach().catch(() => {
      // Not attached any more: attaching anew is what follows in any case.
    })
    this.attach()
  }

  #pumpInput(): void {
    while (this.#handle !== null) {
      const frame = this.#input.takeNext()
      if (frame === undefined) return
      // A frame that could not be sent stays in the queue and goes out after the next attach.
      if (!this.#ports.sendBytes(encodeBinaryFrame({ kind: 'input', handle: this.#handle, ...frame }))) return
    }
  }
}
