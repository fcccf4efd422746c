/** What each client frame means: exactly one handler per type, and exactly one reply per request. */
import type { ClientFrame, ClientRequest } from '../../protocol-src/client-frames.ts'
import type { ReplyOf } from '../../protocol-src/host-frames.ts'
import type { AttachmentHandle } from '../../protocol-src/ids.ts'
import { detached } from '../base/async.ts'
import { TtyError } from '../base/errors.ts'
import type { Logger } from '../base/logger.ts'
import type { AttachmentSink, ViewStart } from '../sessions/attachment.ts'
import { withSecretsOf } from '../sessions/public-spec.ts'
import type { SessionRegistry } from '../sessions/session-registry.ts'
import type { BookRequests } from './book-requests.ts'
import type { ClientConnection, NumberedInput, Viewing } from './client-connection.ts'
import type { ConnectionTests } from './connection-tests.ts'
import type { Questions } from './questions.ts'

type Reply = Record<string, unknown>
type FrameOf<T extends ClientFrame['type']> = Extract<ClientFrame, { type: T }>

type RequestHandlers = {
  readonly [T in ClientRequest['type']]: (frame: FrameOf<T>, connection: ClientConnection) => Reply | Promise<Reply>
}

export interface FrameHandlersPorts {
  readonly registry: SessionRegistry
  readonly book: BookRequests
  readonly questions: Questions
  readonly tests: ConnectionTests
  readonly logger: Logger
}

export class FrameHandlers {
  readonly #ports: FrameHandlersPorts
  readonly #requests: RequestHandlers = {
    open: async (frame, connection) => {
      const { registry } = this.#ports
      const { size, retryOf = null } = frame
      const before = retryOf === null ? undefined : registry.get(retryOf)
      const spec = withSecretsOf(frame.spec, before?.launchSpec)
      const kept = registry.findKept(spec)
      if (kept !== undefined) {
        connection.keep(kept)
        return { session: kept.descriptor } satisfies ReplyOf<'open'>
      }
      const request = { spec, size, owner: { kind: 'user' as const }, retryOf }
      const session = registry.reserve(request)
      connection.keep(session)
      await registry.launch(session, request)
      return { session: session.descriptor } satisfies ReplyOf<'open'>
    },
    attach: (frame, connection) => this.#attach(frame, connection),
    detach: (frame, connection) => {
      connection.cancelPrepared(frame.sid)
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
    hide: (frame) => {
      this.#ports.registry.require(frame.sid).setHidden(frame.hidden)
      return {}
    },
    decline: (frame) => {
      this.#ports.registry.require(frame.sid).requests.decline(frame.request)
      return {}
    },
    book: () => this.#ports.book.book(),
    saveHost: (frame) => this.#ports.book.saveHost(frame),
    removeHost: (frame) => this.#ports.book.removeHost(frame),
    hostKeys: () => this.#ports.book.hostKeys(),
    forgetHostKey: (frame) => this.#ports.book.forgetHostKey(frame),
    readSshFiles: () => this.#ports.book.readSshFiles(),
    importSsh: (frame) => this.#ports.book.importSsh(frame),
    answer: (frame, connection) => {
      this.#ports.questions.answer(frame.ask, frame.answer, connection)
      return {}
    },
    testConnection: async (frame, connection) =>
      (await this.#ports.tests.run(frame, connection)) satisfies ReplyOf<'testConnection'>,
    cancelTest: (frame, connection) => {
      this.#ports.tests.cancel(frame.test, connection)
      return {}
    },
    list: () => ({ sessions: this.#ports.registry.list() }) satisfies ReplyOf<'list'>,
    history: (frame) => {
      const { journal } = this.#ports.registry.require(frame.sid)
      const records = journal.read({ after: frame.after, limit: frame.limit })
      return { records: [...records], lastSeq: journal.lastSeq } satisfies ReplyOf<'history'>
    },
    commands: (frame) =>
      ({ commands: this.#ports.registry.require(frame.sid).commands.list(frame) }) satisfies ReplyOf<'commands'>,
    verify: async (frame) => {
      const result = await this.#ports.registry.require(frame.sid).journal.verify()
      return (result.ok ? { ok: true, ...result.head } : result) satisfies ReplyOf<'verify'>
    },
    wait: async (frame) =>
      (await this.#ports.registry.require(frame.sid).wait(frame.timeoutMs)) satisfies ReplyOf<'wait'>,
    hash: async (frame) => (await this.#ports.registry.require(frame.sid).hash()) satisfies ReplyOf<'hash'>,
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
      case 'hide':
      case 'decline':
      case 'book':
      case 'saveHost':
      case 'removeHost':
      case 'hostKeys':
      case 'forgetHostKey':
      case 'readSshFiles':
      case 'importSsh':
      case 'answer':
      case 'testConnection':
      case 'cancelTest':
      case 'list':
      case 'history':
      case 'commands':
      case 'verify':
      case 'wait':
      case 'hash':
        detached(this.#ports.logger, `answer ${frame.type}`, () => this.#answer(frame, connection))
    }
  }

  /** A client is gone. */
  closed(connection: ClientConnection): void {
    this.#ports.tests.cancelAll(connection)
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
    let answered: (() => void) | undefined
    try {
      answered = connection.beginRequest()
      const handler = this.#requests[frame.type] as (
        frame: ClientRequest,
        connection: ClientConnection,
      ) => Reply | Promise<Reply>
      // A reply that is ready is sent in this turn: what a handler announces later comes after it.
      const outcome = handler(frame, connection)
      connection.send({ type: 'ok', re: frame.id, result: outcome instanceof Promise ? await outcome : outcome })
      // After the reply: first the state that it promised, then the stream.
      if (frame.type !== 'attach') return
      connection.viewingOf(frame.sid)?.attachment.begin()
      this.#ports.questions.joined(connection, frame.sid)
    } catch (error) {
      connection.sendError(error, { re: frame.id })
    } finally {
      answered?.()
    }
  }

  #attach(frame: FrameOf<'attach'>, connection: ClientConnection): Reply | Promise<Reply> {
    const plan = this.#ports.registry.require(frame.sid).planView(frame)
    if (!(plan instanceof Promise)) {
      connection.cancelPrepared(frame.sid)
      return this.#attachWith(plan, frame, connection)
    }
    // A client that meanwhile detached or attached anew would have a viewer here that it does not know, and never acknowledge.
    const isWanted = connection.prepare(frame.sid)
    return plan.then((start) => {
      if (isWanted()) return this.#attachWith(start, frame, connection)
      throw new TtyError('CANCELLED', 'A later attach or detach of this connection took the place of this one.')
    })
  }

  #attachWith(plan: ViewStart, frame: FrameOf<'attach'>, connection: ClientConnection): Reply {
    const session = this.#ports.registry.require(frame.sid) // it may have been closed meanwhile
    const before = connection.viewingOf(frame.sid)
    if (before !== undefined) connection.dropViewing(before)
    const handle = connection.nextHandle()
    const attachment = session.attach(sinkOf(handle, session.id, connection), {
      size: frame.size,
      from: plan.start.from,
      snapshot: plan.snapshot,
      noSnapshot: frame.noSnapshot,
    })
    connection.addViewing({ handle, session, attachment })
    return {
      session: session.descriptor,
      handle,
      start: plan.start,
      inputSeq: connection.client === null ? 0 : session.lastInputOf(connection.client),
      markNonce: session.markNonce,
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
    resync: (start) => {
      connection.send({ type: 'resync', handle, start })
    },
    snapshotPart: (part, bytes) => {
      connection.sendSnapshotPart(handle, part, bytes)
    },
    snapshotEnd: (parts, hash) => {
      connection.send({ type: 'snapshotEnd', handle, parts, hash })
    },
    size: (size, at, driver) => {
      connection.send({ type: 'size', handle, at, size, driver })
    },
    command: (command) => {
      connection.send({ type: 'command', sid, command })
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
