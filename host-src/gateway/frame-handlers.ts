/** What each client frame means: exactly one handler per type, and exactly one reply per request. */
import type { ClientFrame, ClientRequest } from '../../protocol-src/client-frames.ts'
import type { ReplyOf } from '../../protocol-src/host-frames.ts'
import type { AttachmentHandle } from '../../protocol-src/ids.ts'
import { detached } from '../base/async.ts'
import { TtyError } from '../base/errors.ts'
import type { Logger } from '../base/logger.ts'
import type { AttachmentSink } from '../sessions/attachment.ts'
import type { SessionRegistry } from '../sessions/session-registry.ts'
import type { ClientConnection, NumberedInput, Viewing } from './client-connection.ts'

type Reply = Record<string, unknown>
type FrameOf<T extends ClientFrame['type']> = Extract<ClientFrame, { type: T }>

type RequestHandlers = {
  readonly [T in ClientRequest['type']]: (frame: FrameOf<T>, connection: ClientConnection) => Reply | Promise<Reply>
}

export interface FrameHandlersPorts {
  readonly registry: SessionRegistry
  readonly logger: Logger
}

export class FrameHandlers {
  readonly #ports: FrameHandlersPorts
  readonly #requests: RequestHandlers = {
    open: async (frame, connection) => {
      const { registry } = this.#ports
      const request = { spec: frame.spec, size: frame.size, owner: { kind: 'user' as const } }
      const session = registry.reserve(request)
      connection.keep(session)
      await registry.launch(session, request)
      return { session: session.descriptor } satisfies ReplyOf<'open'>
    },
    attach: (frame, connection) => this.#attach(frame, connection),
    detach: (frame, connection) => {
      const viewing = connection.viewingOf(frame.sid)
      if (viewing !== undefined) connection.dropViewing(viewing)
      connection.release(frame.sid)
      return {}
    },
    resize: (frame, connection) => {
      const viewing = this.#requireViewing(connection, frame.sid)
      viewing.session.resize(viewing.attachment, frame.size)
      return {}
    },
    close: async (frame) =>
      ({ termination: await this.#ports.registry.require(frame.sid).close('user') }) satisfies ReplyOf<'close'>,
    rename: (frame) => {
      this.#ports.registry.require(frame.sid).rename(frame.title)
      return {}
    },
    list: () => ({ sessions: this.#ports.registry.list() }) satisfies ReplyOf<'list'>,
  }

  constructor(ports: FrameHandlersPorts) {
    this.#ports = ports
  }

  handle(frame: Exclude<ClientFrame, { type: 'hello' }>, connection: ClientConnection): void {
    switch (frame.type) {
      case 'ack':
        connection.viewing(frame.handle)?.attachment.acknowledge(frame.offset)
        return
      case 'ping':
        connection.send({ type: 'pong', n: frame.n })
        return
      case 'open':
      case 'attach':
      case 'detach':
      case 'resize':
      case 'close':
      case 'rename':
      case 'list':
        detached(this.#ports.logger, `answer ${frame.type}`, () => this.#answer(frame, connection))
    }
  }

  input(viewing: Viewing, input: NumberedInput, connection: ClientConnection): void {
    if (connection.client === null) return
    const { session, attachment, handle } = viewing
    try {
      session.input(attachment, { client: connection.client, seq: input.seq }, input.bytes)
    } catch (error) {
      connection.sendError(error, { sid: session.id })
    }
    connection.inputAcks.taken(handle, session.lastInputOf(connection.client), input.bytes.length)
  }

  async #answer(frame: ClientRequest, connection: ClientConnection): Promise<void> {
    try {
      const handler = this.#requests[frame.type] as (
        frame: ClientRequest,
        connection: ClientConnection,
      ) => Reply | Promise<Reply>
      // A reply that is ready is sent in this turn: what a handler announces later comes after it.
      const outcome = handler(frame, connection)
      connection.send({ type: 'ok', re: frame.id, result: outcome instanceof Promise ? await outcome : outcome })
      if (frame.type === 'attach') connection.viewingOf(frame.sid)?.attachment.begin()
    } catch (error) {
      connection.sendError(error, { re: frame.id })
    }
  }

  #attach(frame: FrameOf<'attach'>, connection: ClientConnection): Reply {
    const session = this.#ports.registry.require(frame.sid)
    const before = connection.viewingOf(frame.sid)
    if (before !== undefined) connection.dropViewing(before)
    const handle = connection.nextHandle()
    const attachment = session.attach(sinkOf(handle, session.id, connection), {
      size: frame.size,
      resumeFrom: frame.resumeFrom,
    })
    connection.addViewing({ handle, session, attachment })
    return {
      session: session.descriptor,
      handle,
      ...attachment.start,
      inputSeq: connection.client === null ? 0 : session.lastInputOf(connection.client),
      driver: session.isDriver(attachment),
    } satisfies ReplyOf<'attach'>
  }

  #requireViewing(connection: ClientConnection, sid: FrameOf<'resize'>['sid']): Viewing {
    const viewing = connection.viewingOf(sid)
    if (viewing !== undefined) return viewing
    this.#ports.registry.require(sid)
    throw new TtyError('NOT_ATTACHED', 'This connection is not attached to that session; attach first.')
  }
}

function sinkOf(handle: AttachmentHandle, sid: FrameOf<'attach'>['sid'], connection: ClientConnection): AttachmentSink {
  return {
    data: (bytes, offset) => {
      connection.sendOutput(handle, offset, bytes)
    },
    resync: (from, liveFrom) => {
      connection.send({ type: 'resync', handle, from, liveFrom })
    },
    size: (size, driver) => {
      connection.send({ type: 'size', handle, size, driver })
    },
    exited: (exit, offset) => {
      connection.send({ type: 'exited', handle, exit, offset })
    },
    closed: (reason, termination) => {
      connection.send({ type: 'closed', sid, reason, termination })
      // Else the connection would keep the session's output in memory for as long as its page is open.
      const viewing = connection.viewing(handle)
      if (viewing !== undefined) connection.dropViewing(viewing)
    },
  }
}
