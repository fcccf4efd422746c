/**
 * One socket: parses what comes, sends what goes, owns its attachments, and notices when the other end is gone. What the
 * frames mean is frame-handlers.ts.
 */
import type { WebSocket } from 'ws'
import {
  BINARY_HEADER_BYTES,
  decodeBinaryFrame,
  encodeBinaryFrame,
  writeBinaryHeader,
} from '../../protocol-src/binary-frame.ts'
import type { ClientFrame } from '../../protocol-src/client-frames.ts'
import type { HostFrame } from '../../protocol-src/host-frames.ts'
import type { AttachmentHandle, ClientId, SessionId, StreamOffset } from '../../protocol-src/ids.ts'
import {
  DEAD_PEER_MS,
  HEARTBEAT_MS,
  HELLO_TIMEOUT_MS,
  MAX_BAD_FRAMES,
  MAX_INPUT_FRAME_BYTES,
  MAX_PENDING_REQUESTS,
  MAX_SOCKET_BACKLOG_BYTES,
} from '../../protocol-src/limits.ts'
import { TtyError, toTtyError } from '../base/errors.ts'
import { DisposableStore, type Disposable } from '../base/lifecycle.ts'
import type { Logger } from '../base/logger.ts'
import type { Attachment } from '../sessions/attachment.ts'
import type { Session } from '../sessions/session.ts'
import { CLOSE } from './close-codes.ts'
import { FrameBuffers } from './frame-buffers.ts'
import { InputAcks } from './input-acks.ts'
import { parseFrame } from './parse-frame.ts'

const frameBuffers = new FrameBuffers()

export interface Viewing {
  readonly handle: AttachmentHandle
  readonly session: Session
  readonly attachment: Attachment
}

/** Bytes to type, with the client's number for them. */
export interface NumberedInput {
  readonly seq: number
  readonly bytes: Uint8Array
}

export interface ConnectionHandlers {
  hello(frame: Extract<ClientFrame, { type: 'hello' }>, connection: ClientConnection): void
  frame(frame: ClientFrame, connection: ClientConnection): void
  input(viewing: Viewing, input: NumberedInput, connection: ClientConnection): void
  closed(connection: ClientConnection): void
}

export class ClientConnection implements Disposable {
  /** Null until hello. */
  client: ClientId | null = null
  /** Null until hello. */
  kind: 'panel' | 'cli' | null = null
  readonly inputAcks: InputAcks
  readonly #ws: WebSocket
  readonly #handlers: ConnectionHandlers
  readonly #logger: Logger
  readonly #owned = new DisposableStore()
  readonly #viewings = new Map<AttachmentHandle, Viewing>()
  readonly #holds = new Map<SessionId, Disposable>()
  /** Attaches under way whose state is still being taken; the newest of each session. */
  readonly #preparing = new Map<SessionId, object>()
  #nextHandle = 1
  #pendingRequests = 0
  #badFrames = 0
  #lastHeardMs = performance.now()

  constructor(ws: WebSocket, handlers: ConnectionHandlers, logger: Logger) {
    this.#ws = ws
    this.#handlers = handlers
    this.#logger = logger
    this.inputAcks = this.#owned.add(
      new InputAcks((handle, seq) => {
        this.send({ type: 'inputAck', handle, seq })
      }),
    )
    ws.binaryType = 'nodebuffer'
    ws.on('message', (data, isBinary) => {
      this.#guard(() => {
        this.#lastHeardMs = performance.now()
        this.#received(data as Buffer, isBinary)
      })
    })
    ws.on('pong', () => {
      this.#lastHeardMs = performance.now()
    })
    ws.on('error', (error) => {
      this.#logger.debug('connection.error', { message: error.message })
    })
    ws.on('close', (code) => {
      this.#guard(() => {
        this.#logger.debug('connection.closed', { code })
        this.dispose()
      })
    })
    const helloTimer = setTimeout(() => {
      if (this.client === null) this.close(CLOSE.policy, 'no hello in time')
    }, HELLO_TIMEOUT_MS)
    const heartbeat = setInterval(() => {
      this.#guard(() => {
        this.#beat()
      })
    }, HEARTBEAT_MS)
    this.#owned.defer(() => {
      clearTimeout(helloTimer)
      clearInterval(heartbeat)
    })
  }

  get viewings(): Iterable<Viewing> {
    return this.#viewings.values()
  }

  viewing(handle: AttachmentHandle): Viewing | undefined {
    return this.#viewings.get(handle)
  }

  viewingOf(id: SessionId): Viewing | undefined {
    return [...this.#viewings.values()].find((viewing) => viewing.session.id === id)
  }

  /** Whether it looks at a session, or opened it and will. */
  isConcernedWith(id: SessionId): boolean {
    return this.#holds.has(id) || this.viewingOf(id) !== undefined
  }

  /** Take the next handle; handles are not used again on this connection. */
  nextHandle(): AttachmentHandle {
    const handle = this.#nextHandle as AttachmentHandle
    this.#nextHandle += 1
    return handle
  }

  /**
   * A request comes whose answer may take time, and what it holds with it.
   * @returns to be called once it is answered
   * @throws TtyError BUSY while as many wait as one connection may have
   */
  beginRequest(): () => void {
    if (this.#pendingRequests >= MAX_PENDING_REQUESTS)
      throw new TtyError(
        'BUSY',
        `${String(MAX_PENDING_REQUESTS)} requests of this connection wait for their answers; ask again when some have come.`,
        { details: { limit: MAX_PENDING_REQUESTS } },
      )
    this.#pendingRequests += 1
    return () => {
      this.#pendingRequests -= 1
    }
  }

  /**
   * An attach begins that takes time; an earlier one to the same session is not wanted any more.
   * @returns to be asked once, when it is ready: whether it is still wanted
   */
  prepare(id: SessionId): () => boolean {
    const token = {}
    this.#preparing.set(id, token)
    return () => this.#preparing.get(id) === token && this.#preparing.delete(id)
  }

  /** A detach, or an attach that takes no time, came: what is being prepared is not wanted any more. */
  cancelPrepared(id: SessionId): void {
    this.#preparing.delete(id)
  }

  /** @throws TtyError CANCELLED when the socket is gone: nothing must be attached to it any more */
  addViewing(viewing: Viewing): void {
    if (this.#owned.isDisposed) {
      viewing.session.detach(viewing.attachment)
      throw new TtyError('CANCELLED', 'The connection is gone.')
    }
    this.#viewings.set(viewing.handle, viewing)
    this.release(viewing.session.id)
  }

  dropViewing(viewing: Viewing): void {
    this.#viewings.delete(viewing.handle)
    viewing.session.detach(viewing.attachment)
  }

  /** Keep a session that this client opened until it attaches or goes, or the session ends. */
  keep(session: Session): void {
    this.#holds.set(session.id, session.hold())
    void session.ended.then(() => {
      this.release(session.id)
    })
  }

  release(id: SessionId): void {
    this.#holds.get(id)?.dispose()
    this.#holds.delete(id)
  }

  send(frame: HostFrame): void {
    if (this.#ws.readyState !== this.#ws.OPEN) return
    this.#ws.send(JSON.stringify(frame))
    this.#checkBacklog()
  }

  sendOutput(handle: AttachmentHandle, offset: StreamOffset, bytes: Uint8Array): void {
    if (this.#ws.readyState !== this.#ws.OPEN) return
    const frame = frameBuffers.take(BINARY_HEADER_BYTES + bytes.length)
    writeBinaryHeader(frame, { kind: 'output', handle, offset })
    frame.set(bytes, BINARY_HEADER_BYTES)
    this.#ws.send(frame, () => {
      frameBuffers.release(frame)
    })
    this.#checkBacklog()
  }

  sendSnapshotPart(handle: AttachmentHandle, part: number, bytes: Uint8Array): void {
    if (this.#ws.readyState !== this.#ws.OPEN) return
    this.#ws.send(encodeBinaryFrame({ kind: 'snapshot', handle, part, bytes }))
  }

  sendError(error: unknown, about: { re?: number; sid?: SessionId } = {}): void {
    const ttyError = toTtyError(error)
    if (ttyError.code === 'INTERNAL') this.#logger.error('frame.failed', { message: ttyError.message })
    this.send({ type: 'error', ...about, error: ttyError.toWire() })
  }

  close(code: number, reason: string): void {
    this.#ws.close(code, reason)
    this.dispose()
  }

  /** Detach from every session; the sessions live on. */
  dispose(): void {
    if (this.#owned.isDisposed) return
    this.#owned.dispose()
    for (const viewing of [...this.#viewings.values()]) this.dropViewing(viewing)
    for (const id of [...this.#holds.keys()]) this.release(id)
    this.#handlers.closed(this)
    // A peer that does not answer the close must not keep the socket.
    if (this.#ws.readyState !== this.#ws.CLOSED)
      setTimeout(() => {
        this.#ws.terminate()
      }, 1_000).unref()
  }

  #received(data: Buffer, isBinary: boolean): void {
    if (this.#owned.isDisposed) return
    if (isBinary) {
      this.#receivedBinary(data)
      return
    }
    const frame = parseFrame(data)
    if (frame instanceof TtyError) {
      this.#bad(frame)
      return
    }
    if (frame.type !== 'hello' && this.client === null) {
      this.#bad(new TtyError('HELLO_EXPECTED', `The first frame must be hello, not ${frame.type}.`))
      return
    }
    this.#badFrames = 0
    if (frame.type === 'hello') this.#handlers.hello(frame, this)
    else this.#handlers.frame(frame, this)
  }

  #receivedBinary(data: Buffer): void {
    const frame = decodeBinaryFrame(data)
    if (frame.kind === 'input' && frame.bytes.length > MAX_INPUT_FRAME_BYTES) {
      const message = `An input frame holds at most ${String(MAX_INPUT_FRAME_BYTES)} bytes; nothing was typed.`
      this.#bad(new TtyError('BAD_FRAME', message, { details: { field: 'bytes' } }))
      return
    }
    if (frame.kind !== 'input') {
      this.#bad(
        new TtyError(
          'BAD_FRAME',
          frame.kind === 'invalid'
            ? `Invalid binary frame: ${frame.reason}.`
            : 'Only input travels to the host in binary frames.',
          { details: { field: 'header' } },
        ),
      )
      return
    }
    if (this.client === null) {
      this.#bad(new TtyError('HELLO_EXPECTED', 'The first frame must be hello, not input.'))
      return
    }
    this.#badFrames = 0
    const viewing = this.#viewings.get(frame.handle)
    if (viewing === undefined)
      this.sendError(
        new TtyError(
          'NOT_ATTACHED',
          'That input names no attachment of this connection; attach first. Nothing was typed.',
        ),
      )
    else this.#handlers.input(viewing, frame, this)
  }

  #bad(error: TtyError): void {
    this.#badFrames += 1
    this.sendError(error)
    if (this.#badFrames >= MAX_BAD_FRAMES) this.close(CLOSE.policy, 'too many invalid frames')
  }

  #beat(): void {
    if (performance.now() - this.#lastHeardMs > DEAD_PEER_MS) {
      this.#logger.info('connection.dead-peer', {})
      this.#ws.terminate()
      this.dispose()
      return
    }
    if (this.#ws.readyState === this.#ws.OPEN) this.#ws.ping()
  }

  /** Flow control keeps a socket's queue small; one that grows all the same is cut, and its client attaches again. */
  #checkBacklog(): void {
    if (this.#ws.bufferedAmount > MAX_SOCKET_BACKLOG_BYTES) {
      this.#logger.warn('connection.backlog', { bytes: this.#ws.bufferedAmount })
      this.#ws.terminate()
      this.dispose()
    }
  }

  #guard(work: () => void): void {
    try {
      work()
    } catch (error) {
      // Nothing that a client sends may reach the host process as an exception.
      this.sendError(error)
    }
  }
}
