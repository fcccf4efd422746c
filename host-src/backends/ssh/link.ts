/**
 * An established connection to a machine: channels on it, and how it ends. It is lost when the other side or the network took
 * it away, closed when the host did.
 */
import type { EventEmitter } from 'node:events'
import type { Duplex } from 'node:stream'
import type { Client, ClientChannel, PseudoTtyOptions } from 'ssh2'
import type { QuestionPlace } from '../../../protocol-src/question.ts'
import type { ExitStatus } from '../../../protocol-src/session.ts'
import { delay } from '../../base/async.ts'
import { messageOf } from '../../base/errors.ts'
import { Emitter, type Disposable, type Event } from '../../base/lifecycle.ts'
import type { Logger } from '../../base/logger.ts'
import { plainWords } from './plain-words.ts'
import { sshCancelled, sshError, sshFault, sshTimeout, type Step } from './ssh-faults.ts'

export type LinkEnd = { readonly kind: 'closed' } | { readonly kind: 'lost'; readonly why: string }

export interface LinkParts {
  readonly client: Client
  readonly where: QuestionPlace
  /** What is under it, and ends with it. */
  readonly under: Disposable
  readonly openDeadlineMs: number
  readonly logger: Logger
}

/** Time for the other side to close in order. */
const CLOSE_MS = 2_000
/** Time in which a server may still count a channel that is closed. */
const SETTLE_MS = 1_000
const SETTLE_POLL_MS = 50

/** The server opens no more channels on this connection. */
export class ChannelRefused extends Error {}

type Callback<T> = (error: Error | undefined, channel: T) => void

export class SshLink {
  readonly where: QuestionPlace
  readonly onEnd: Event<LinkEnd>
  readonly #client: Client
  readonly #parts: LinkParts
  readonly #ends: Emitter<LinkEnd>
  #end: LinkEnd | null = null
  #lastError: string | null = null
  #openChannels = 0
  /** When one of them was closed last. */
  #closedAt = Number.NEGATIVE_INFINITY
  /** The server refused a channel when so many were open. */
  #fullAt = Number.POSITIVE_INFINITY

  constructor(parts: LinkParts) {
    const { client, where, logger } = parts
    this.where = where
    this.#parts = parts
    this.#client = client
    this.#ends = new Emitter(logger)
    this.onEnd = this.#ends.event
    client.on('error', (error) => {
      this.#lastError = messageOf(error)
    })
    client.once('close', () => {
      this.#ended({ kind: 'lost', why: plainWords(this.#lastError ?? 'the other side closed it', 200) })
    })
  }

  /** Null while it is up. */
  get end(): LinkEnd | null {
    return this.#end
  }

  get isUp(): boolean {
    return this.#end === null
  }

  /** Whether the server refused a channel, and no more have been closed since. */
  get isFull(): boolean {
    return this.#openChannels >= this.#fullAt
  }

  shell(pty: PseudoTtyOptions, signal: AbortSignal): Promise<ClientChannel> {
    return this.#counted(() =>
      this.#open<ClientChannel>(signal, (opened) => {
        this.#client.shell(pty, opened)
      }),
    )
  }

  exec(command: string, pty: PseudoTtyOptions | null, signal: AbortSignal): Promise<ClientChannel> {
    return this.#counted(() =>
      this.#open<ClientChannel>(signal, (opened) => {
        if (pty === null) this.#client.exec(command, opened)
        else this.#client.exec(command, { pty }, opened)
      }),
    )
  }

  /** A TCP connection from there. */
  forwardOut(host: string, port: number, signal: AbortSignal): Promise<Duplex> {
    return this.#open<ClientChannel>(signal, (opened) => {
      this.#client.forwardOut('127.0.0.1', 0, host, port, opened)
    })
  }

  /** End it in order; what does not answer is cut. */
  close(): void {
    if (this.#end !== null) return
    this.#ended({ kind: 'closed' })
    this.#client.end()
    setTimeout(() => {
      this.#client.destroy()
      this.#parts.under.dispose()
    }, CLOSE_MS).unref()
  }

  #ended(end: LinkEnd): void {
    if (this.#end !== null) return
    this.#end = end
    this.#parts.logger.info('ssh.link-ended', {
      host: this.where.host,
      kind: end.kind,
      why: end.kind === 'lost' ? end.why : '',
    })
    this.#ends.fire(end)
    this.#ends.dispose()
    if (end.kind === 'lost') this.#parts.under.dispose()
    else this.#client.once('close', () => this.#parts.under.dispose())
  }

  async #counted(open: () => Promise<ClientChannel>): Promise<ClientChannel> {
    let channel: ClientChannel | null = null
    while (channel === null) {
      try {
        channel = await open()
      } catch (error) {
        if (!(error instanceof ChannelRefused)) throw error
        // A server counts a channel that was closed until it has collected its program.
        if (performance.now() - this.#closedAt > SETTLE_MS) {
          this.#fullAt = this.#openChannels
          throw error
        }
        await delay(SETTLE_POLL_MS)
      }
    }
    this.#openChannels += 1
    channel.once('close', () => {
      this.#openChannels -= 1
      this.#closedAt = performance.now()
    })
    return channel
  }

  /** @throws ChannelRefused when the server lets nothing more open; TtyError for everything else */
  async #open<T extends EventEmitter & { end(): unknown }>(
    signal: AbortSignal,
    start: (opened: Callback<T>) => void,
  ): Promise<T> {
    const step: Step = { where: this.where, phase: 'open' }
    if (signal.aborted) throw sshCancelled()
    if (this.#end !== null) throw this.#gone(step)
    const { openDeadlineMs } = this.#parts
    return await new Promise<T>((resolve, reject) => {
      let isSettled = false
      const settle = (act: () => void): void => {
        if (isSettled) return
        isSettled = true
        clearTimeout(timer)
        signal.removeEventListener('abort', aborted)
        stopListening()
        act()
      }
      const aborted = (): void => {
        settle(() => {
          reject(sshCancelled())
        })
      }
      const timer = setTimeout(() => {
        settle(() => {
          reject(sshTimeout(step, openDeadlineMs))
        })
      }, openDeadlineMs)
      signal.addEventListener('abort', aborted, { once: true })
      const stopListening = this.onEnd(() => {
        settle(() => {
          reject(this.#gone(step))
        })
      })
      try {
        start((error, channel) => {
          if (error !== undefined && error !== null) {
            settle(() => {
              reject(isRefusal(error) ? new ChannelRefused(error.message) : sshFault(step, error))
            })
            return
          }
          noteExit(channel)
          if (isSettled) discard(channel)
          else
            settle(() => {
              resolve(channel)
            })
        })
      } catch (error) {
        settle(() => {
          reject(sshFault(step, error))
        })
      }
    })
  }

  #gone(step: Step): Error {
    const why = this.#end?.kind === 'lost' ? `the connection was lost (${this.#end.why})` : 'the connection was closed'
    return sshError('SSH_LOST', step, { why, advice: 'Connect again.' })
  }
}

const exits = new WeakMap<object, ExitStatus>()

/** How the program of a channel ended; null while it runs, and where nobody said. */
export const exitOf = (channel: ClientChannel): ExitStatus | null => exits.get(channel) ?? null

/** At once when it opens: a short program has ended before whoever waits for its channel goes on. */
function noteExit(channel: EventEmitter): void {
  channel.once('exit', (code: number | null, signal?: string) => {
    exits.set(channel, code === null ? { exitCode: null, signal: signal ?? null } : { exitCode: code, signal: null })
  })
}

/** The reason of an SSH_MSG_CHANNEL_OPEN_FAILURE: there is none where the channel opened and a request on it failed. */
const isRefusal = (error: Error): boolean => 'reason' in error && typeof error.reason === 'number'

/** It opened after nobody waited any more. */
function discard(channel: EventEmitter & { end(): unknown; close?: () => void; resume?: () => void }): void {
  channel.on('error', () => {}) // there is nobody to tell
  channel.resume?.()
  channel.end()
  channel.close?.()
}
