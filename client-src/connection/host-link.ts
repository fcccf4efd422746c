/**
 * The conversation with the host: requests with exactly one answer, the host's lists, and this page's attachments.
 * Survives every generation of the socket under it.
 */
import type * as z from 'zod'
import type { ClientFrameInput } from '../../protocol-src/client-frames.ts'
import type { CommandRecord } from '../../protocol-src/command.ts'
import { replySchemas, type HostFrame, type JournalHealth, type ReplyOf } from '../../protocol-src/host-frames.ts'
import type { AttachmentHandle, HostInstanceId, SessionId } from '../../protocol-src/ids.ts'
import { MAX_COMMANDS } from '../../protocol-src/limits.ts'
import type { LaunchSpec, SessionDescriptor, TerminalSize, Termination } from '../../protocol-src/session.ts'
import { clientSettingsSchema, type ClientSettings } from '../../protocol-src/settings.ts'
import { createStore, type Store, type Unsubscribe } from '../stores/store.ts'
import { Attachment, type AttachRequest, type Viewer } from './attachment.ts'
import { LinkError } from './link-error.ts'
import {
  Socket,
  type LinkState,
  type OutputFrame,
  type SnapshotFrame,
  type SocketPorts,
  type Welcome,
} from './socket.ts'

export interface HostFacts {
  readonly instance: HostInstanceId
  readonly version: string
  readonly platform: string
}

/** Frames that are no session's and not the link's own. */
export type SideFrame = Extract<HostFrame, { type: 'bookChanged' | 'ask' | 'askEnded' }>

type RequestFrame = Extract<ClientFrameInput, { id: number }>
/** A request as its sender writes it, before it has a number. */
export type Request = RequestFrame extends infer F ? (F extends RequestFrame ? Omit<F, 'id'> : never) : never

interface Pending {
  readonly type: RequestFrame['type']
  readonly resolve: (result: Record<string, unknown>) => void
  readonly reject: (error: LinkError) => void
  readonly cancelTimer: () => void
}

/** How long an answer may take. Starting a program and ending one wait for the operating system. */
const REPLY_LIMIT_MS: Readonly<Record<RequestFrame['type'], number>> = {
  open: 30_000,
  attach: 10_000,
  detach: 10_000,
  resize: 10_000,
  close: 20_000,
  rename: 10_000,
  hide: 10_000,
  decline: 10_000,
  book: 10_000,
  saveHost: 20_000,
  removeHost: 20_000,
  hostKeys: 10_000,
  forgetHostKey: 20_000,
  readSshFiles: 20_000,
  importSsh: 20_000,
  answer: 10_000,
  testConnection: 600_000,
  cancelTest: 10_000,
  list: 10_000,
  history: 10_000,
  commands: 10_000,
  verify: 60_000,
  wait: 610_000,
  hash: 20_000,
}

export class HostLink {
  readonly link: Store<LinkState>
  readonly host: Store<HostFacts | null>
  /** Null until the host said which there are. */
  readonly sessions: Store<readonly SessionDescriptor[] | null>
  readonly settings: Store<ClientSettings>
  /** Null until the host said how it keeps history. */
  readonly journal: Store<JournalHealth | null>
  /** The last error that belongs to no request and no session. */
  readonly fault: Store<LinkError | null>
  readonly #host = createStore<HostFacts | null>(null)
  readonly #sessions = createStore<readonly SessionDescriptor[] | null>(null)
  readonly #settings = createStore<ClientSettings>(clientSettingsSchema.parse({}))
  readonly #journal = createStore<JournalHealth | null>(null)
  readonly #fault = createStore<LinkError | null>(null)
  readonly #socket: Socket
  readonly #ports: SocketPorts
  readonly #pending = new Map<number, Pending>()
  readonly #attachments = new Set<Attachment>()
  readonly #asides = new Set<(frame: SideFrame) => void>()
  #lastId = 0

  constructor(ports: SocketPorts) {
    this.#ports = ports
    this.#socket = new Socket(ports, {
      opened: (welcome) => {
        this.#opened(welcome)
      },
      frame: (frame) => {
        this.#receive(frame)
      },
      output: (frame) => {
        this.#output(frame)
      },
      down: () => {
        this.#down()
      },
    })
    this.link = this.#socket.state
    this.host = this.#host
    this.sessions = this.#sessions
    this.settings = this.#settings
    this.journal = this.#journal
    this.fault = this.#fault
  }

  start(): void {
    this.#socket.start()
  }

  /** The page is on line or visible again. */
  wake(): void {
    this.#socket.wake()
  }

  /** Try again, also after a refusal. */
  retry(): void {
    this.#socket.retry()
  }

  /** @param retryOf the session that this one runs again */
  async open(spec: LaunchSpec, size: TerminalSize, retryOf: SessionId | null = null): Promise<SessionDescriptor> {
    const again = retryOf === null ? {} : { retryOf }
    const { session } = await this.#request('open', { type: 'open', spec, size, ...again })
    return session
  }

  async close(sid: SessionId): Promise<Termination> {
    const { termination } = await this.#request('close', { type: 'close', sid })
    return termination
  }

  /** Keep a session from agents, or show it to them again. */
  async hide(sid: SessionId, hidden: boolean): Promise<void> {
    await this.#request(null, { type: 'hide', sid, hidden })
  }

  /** Tell an agent that what it asks in a session will not be answered. */
  async decline(sid: SessionId, request: number): Promise<void> {
    await this.#request(null, { type: 'decline', sid, request })
  }

  async rename(sid: SessionId, title: string | null): Promise<void> {
    await this.#request(null, { type: 'rename', sid, title })
  }

  /** The newest commands of a session's shell, oldest first. */
  async commands(sid: SessionId): Promise<readonly CommandRecord[]> {
    const { commands } = await this.#request('commands', { type: 'commands', sid, limit: MAX_COMMANDS })
    return commands
  }

  /** Look at a session, now and after every reconnect, until the attachment is disposed or the session is gone. */
  attach(sid: SessionId, viewer: Viewer): Attachment {
    const attachment: Attachment = new Attachment(sid, viewer, {
      isOpen: () => this.link.getSnapshot().kind === 'open',
      attach: (request: AttachRequest) => this.#request('attach', { type: 'attach', sid, ...request }),
      detach: () => this.#request(null, { type: 'detach', sid }),
      resize: (size) => this.#request(null, { type: 'resize', sid, size }),
      ack: (handle, offset) => {
        this.#socket.send({ type: 'ack', handle, offset })
      },
      sendBytes: (frame) => this.#socket.sendBytes(frame),
      disposed: () => {
        this.#attachments.delete(attachment)
      },
    })
    this.#attachments.add(attachment)
    return attachment
  }

  dispose(): void {
    this.#socket.dispose()
    this.#attachments.clear()
  }

  /** Hear of what concerns no session. */
  listen(listener: (frame: SideFrame) => void): Unsubscribe {
    this.#asides.add(listener)
    return () => {
      this.#asides.delete(listener)
    }
  }

  /** Ask for what no method here stands for. */
  ask<T extends keyof typeof replySchemas>(reply: T, request: Request): Promise<ReplyOf<T>> {
    return this.#request(reply, request)
  }

  /** Ask for what is answered by that it was done. */
  async tell(request: Request): Promise<void> {
    await this.#request(null, request)
  }

  #request<T extends keyof typeof replySchemas>(reply: T, request: Request): Promise<ReplyOf<T>>
  #request(reply: null, request: Request): Promise<Record<string, unknown>>
  async #request(reply: keyof typeof replySchemas | null, request: Request): Promise<unknown> {
    this.#lastId += 1
    const id = this.#lastId
    const result = await new Promise<Record<string, unknown>>((resolve, reject) => {
      const limitMs = isRemoteOpen(request) ? REPLY_LIMIT_MS.testConnection : REPLY_LIMIT_MS[request.type]
      const cancelTimer = this.#ports.clock.after(limitMs, () => {
        const seconds = String(limitMs / 1000)
        this.#settle(id)?.reject(
          new LinkError('NO_REPLY', `The host did not answer "${request.type}" within ${seconds} s.`, {
            request: request.type,
            seconds: limitMs / 1000,
          }),
        )
      })
      this.#pending.set(id, { type: request.type, resolve, reject, cancelTimer })
      if (!this.#socket.send({ ...request, id } as RequestFrame)) this.#settle(id)?.reject(disconnected(request.type))
    })
    if (reply === null) return result
    const parsed = (replySchemas[reply] as z.ZodType).safeParse(result)
    if (parsed.success) return parsed.data
    throw new LinkError('BAD_REPLY', `The host's answer to "${request.type}" is not as agreed.`, {
      request: request.type,
    })
  }

  /** Take a request off the list: whoever does may answer it, so that it is answered once. */
  #settle(id: number): Pending | undefined {
    const pending = this.#pending.get(id)
    this.#pending.delete(id)
    pending?.cancelTimer()
    return pending
  }

  #opened(welcome: Welcome): void {
    const { instance, version, platform } = welcome.host
    this.#fault.set(null)
    const before = this.#host.getSnapshot()?.instance ?? instance
    this.#host.set({ instance, version, platform })
    this.#settings.set(welcome.settings)
    this.#journal.set(welcome.journal)
    // Who hears of the list may attach at once; those attach themselves.
    const attachments = [...this.#attachments]
    this.#sessions.set(welcome.sessions)
    const known = new Set(welcome.sessions.map(({ id }) => id))
    for (const attachment of attachments) {
      if (instance !== before) attachment.forget()
      if (known.has(attachment.sid)) attachment.attach()
      else attachment.end({ kind: 'unknown' })
    }
  }

  #down(): void {
    for (const attachment of this.#attachments) attachment.detached()
    for (const [id, { type }] of [...this.#pending]) this.#settle(id)?.reject(disconnected(type))
  }

  #receive(frame: HostFrame): void {
    switch (frame.type) {
      case 'ok':
        // An answer to nothing came too late, or twice: the request has had its one outcome.
        this.#settle(frame.re)?.resolve(frame.result)
        return
      case 'error':
        this.#refused(frame)
        return
      case 'sessions':
        // A session missing here says goodbye itself, with the reason.
        this.#sessions.set(frame.sessions)
        return
      case 'settings':
        this.#settings.set(frame.settings)
        return
      case 'journal':
        this.#journal.set(frame.journal)
        return
      case 'closed': {
        const { reason, termination } = frame
        for (const attachment of this.#of(({ sid }) => sid === frame.sid))
          attachment.end({ kind: 'closed', reason, termination })
        return
      }
      case 'size':
      case 'resync':
      case 'snapshotEnd':
      case 'inputAck':
      case 'exited':
        for (const attachment of this.#on(frame.handle)) attachment.frame(frame)
        return
      case 'command':
        for (const attachment of this.#of(({ sid }) => sid === frame.sid)) attachment.command(frame.command)
        return
      case 'bookChanged':
      case 'ask':
      case 'askEnded':
        for (const listener of [...this.#asides]) listener(frame)
        return
      case 'welcome':
      case 'pong':
        return
      default:
        frame satisfies never
    }
  }

  #refused({ re, sid, error }: Extract<HostFrame, { type: 'error' }>): void {
    const failure = LinkError.fromWire(error)
    if (re !== undefined) this.#settle(re)?.reject(failure)
    else if (sid === undefined) this.#fault.set(failure)
    else for (const attachment of this.#of((each) => each.sid === sid)) attachment.refused(failure)
  }

  #output(frame: OutputFrame | SnapshotFrame): void {
    // Frames of a handle that was given up (a detach is on its way) belong to nobody.
    for (const attachment of this.#on(frame.handle)) {
      if (frame.kind === 'output') attachment.output(frame)
      else attachment.snapshot(frame)
    }
  }

  #of(isMeant: (attachment: Attachment) => boolean): Attachment[] {
    return [...this.#attachments].filter(isMeant)
  }

  #on(handle: AttachmentHandle): Attachment[] {
    return this.#of((attachment) => attachment.handle === handle)
  }
}

/** On the way to another machine a person may be asked several things. */
const isRemoteOpen = (request: Request): boolean => request.type === 'open' && request.spec.kind === 'ssh'

function disconnected(request: string): LinkError {
  return new LinkError('DISCONNECTED', `The connection broke before the host answered "${request}".`, { request })
}
