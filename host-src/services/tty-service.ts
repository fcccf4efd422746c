/**
 * The service `tty`: what other plugins of the host may do with the terminals. The same sessions, the same gate and the same
 * view as an agent's tools have; who calls is a plugin. Knows nothing of how DSH provides it.
 */
import { setTimeout as after } from 'node:timers/promises'
import type { Owner } from '../../protocol-src/session.ts'
import type { Settings } from '../../protocol-src/settings.ts'
import { TtyError, toTtyError } from '../base/errors.ts'
import type { Disposable } from '../base/lifecycle.ts'
import type { Logger } from '../base/logger.ts'
import type { Session } from '../sessions/session.ts'
import type { SessionRegistry } from '../sessions/session-registry.ts'
import { AGENT_SIZE } from '../tools/open-session.ts'
import { readText } from '../tools/output-text.ts'
import { plainLine } from '../tools/plain-line.ts'
import { requireVisible } from '../tools/session-view.ts'
import { shownCommand, shownInput } from '../tools/shown-command.ts'
import type { GatedAction, Pass } from '../tools/tool-gate.ts'
import { refuseTooLong, refuseWhileTyping } from '../tools/typing-rules.ts'
import { waitForEnd } from '../tools/wait-for-end.ts'
import { SessionEvents, seenIn } from './session-events.ts'
import { sessionFacts } from './session-facts.ts'
import { SessionReader } from './session-reader.ts'
import {
  TTY_SERVICE_VERSION,
  type TtyAttachment,
  type TtyAttachRequest,
  type TtyCall,
  type TtyEvent,
  type TtyOpenRequest,
  type TtyRunRequest,
  type TtyRunResult,
  type TtyService,
  type TtySession,
  type TtyToolCall,
} from './tty-contract.ts'
import {
  attachRequestSchema,
  listenerSchema,
  openRequestSchema,
  parseArguments,
  runRequestSchema,
  writtenTextSchema,
} from './tty-requests.ts'

const DEFAULT_RUN_MS = 120_000

export interface TtyServicePorts {
  readonly registry: SessionRegistry
  readonly settings: () => Readonly<Settings>
  readonly logger: Logger
  /** The gate in front of everything that acts. @throws TtyError when it may not be done */
  readonly gate: (action: GatedAction, request: () => string, call: TtyToolCall | undefined) => Promise<Pass>
  /** Where the agent of a call works. */
  readonly directoryOf: (call: TtyToolCall | undefined) => string | null
}

export class PluginTerminals implements TtyService, Disposable {
  readonly version = TTY_SERVICE_VERSION
  readonly #ports: TtyServicePorts
  readonly #events: SessionEvents

  constructor(ports: TtyServicePorts) {
    this.#ports = ports
    this.#events = new SessionEvents(ports.registry, ports.logger)
  }

  list = (): readonly TtySession[] => [...seenIn(this.#ports.registry).values()]

  open = async (request: TtyOpenRequest): Promise<TtySession> => {
    const wish = parseArguments<TtyOpenRequest>('open', openRequestSchema, request)
    const session = await this.#open('tty.open', wish)
    if (wish.title !== undefined) session.rename(wish.title.trim())
    return sessionFacts(session.descriptor)
  }

  run = async (request: TtyRunRequest): Promise<TtyRunResult> => {
    const wish = parseArguments<TtyRunRequest>('run', runRequestSchema, request)
    const session = await this.#open('tty.run', wish)
    const signal = signalOf(wish)
    const wait = await waitForEnd(session, { timeoutMs: wish.timeoutMs ?? DEFAULT_RUN_MS, signal })
    if (wait === 'aborted') {
      await session.close('plugin')
      throw cancelled('tty.run')
    }
    requireVisible(this.#ports, session.id)
    const { text, bytesOmitted } = readText(session, { from: 0 }, this.#ports)
    const { sid, exitCode, signal: by, phase } = sessionFacts(session.descriptor)
    const isRunning = phase !== 'exited'
    if (!isRunning) await session.close('plugin')
    return { sid, text, bytesOmitted, exitCode, signal: by, isRunning, timedOut: wait.timedOut }
  }

  attach = (request: TtyAttachRequest): TtyAttachment => {
    const wish = parseArguments<TtyAttachRequest>('attach', attachRequestSchema, request)
    const session = requireVisible(this.#ports, wish.sid)
    const reader = new SessionReader(session, wish.from ?? 'now', {
      onOutput: wish.onOutput,
      onEnd: () => wish.onEnd?.(sessionFacts(session.descriptor)),
      logger: this.#ports.logger,
    })
    // Not before the caller has what this returns.
    void after(0, null, { ref: false }).then(() => {
      reader.read()
    })
    return {
      sid: session.id,
      write: (text, options) => this.#write(session, wish, { text, isForced: options?.force === true }),
      close: () => this.#close(session, wish),
      dispose: () => {
        reader.dispose()
      },
    }
  }

  onEvent = (listener: (event: TtyEvent) => void): (() => void) => {
    parseArguments('onEvent', listenerSchema, listener)
    return this.#events.event(listener)
  }

  dispose(): void {
    this.#events.dispose()
  }

  async #open(name: string, wish: TtyOpenRequest): Promise<Session> {
    const { registry, gate, directoryOf } = this.#ports
    const { command, cols = AGENT_SIZE.cols, rows = AGENT_SIZE.rows, call } = wish
    const cwd = wish.cwd ?? directoryOf(call)
    const signal = signalOf(wish)
    const { confine } = await gate(
      { name, risk: 'execute', isConfinable: true },
      () => {
        const where = cwd === null ? '' : ` in ${plainLine(cwd)}`
        const what =
          command === undefined ? `Open a shell${where}` : `Run in a terminal${where}:\n${shownCommand(command)}`
        return `${plainLine(wish.plugin)}: ${what}`
      },
      call,
    )
    if (signal.aborted) throw cancelled(name)
    const owner: Owner = { kind: 'plugin', plugin: wish.plugin }
    const spec = {
      kind: 'local' as const,
      ...(cwd === null ? {} : { cwd }),
      ...(command === undefined ? {} : { command }),
    }
    const request = { spec, owner, size: { cols, rows }, confine }
    const session = registry.reserve(request)
    const abort = (): void => {
      session.close('cancelled').catch(() => {}) // it never rejects
    }
    signal.addEventListener('abort', abort, { once: true })
    try {
      await registry.launch(session, request)
    } finally {
      signal.removeEventListener('abort', abort)
    }
    return session
  }

  async #write(session: Session, by: TtyCall, { text, isForced }: { text: string; isForced: boolean }): Promise<void> {
    try {
      parseArguments('attach().write', writtenTextSchema, text)
      this.#requireOwnOrUsers(session, by)
      await this.#ports.gate(
        { name: 'tty.write', risk: 'execute' },
        () => {
          const { title, target } = session.descriptor
          return `${plainLine(by.plugin)}: Type into ${plainLine(title ?? target)}: ${shownInput(text)}`
        },
        by.call,
      )
      this.#requireOwnOrUsers(session, by)
      await refuseTooLong(session, text)
      if (!isForced) refuseWhileTyping(session, Date.now())
      session.type(Buffer.from(text), { source: 'plugin', isForced })
    } catch (error) {
      throw toTtyError(error)
    }
  }

  async #close(session: Session, { plugin }: TtyCall): Promise<void> {
    const { owner } = session
    if (owner.kind !== 'plugin' || owner.plugin !== plugin)
      throw new TtyError(
        'NOT_YOUR_SESSION',
        `${plainLine(plugin)} did not open this terminal, so it was not closed. Leave it open, or ask the user to close it.`,
      )
    await session.close('plugin')
  }

  /** What an agent or another plugin opened is theirs to type into. It may have been hidden since it was attached. */
  #requireOwnOrUsers(session: Session, { plugin }: TtyCall): void {
    const { owner } = requireVisible(this.#ports, session.id)
    if (owner.kind === 'user' || (owner.kind === 'plugin' && owner.plugin === plugin)) return
    throw new TtyError(
      'NOT_YOUR_SESSION',
      'An agent or another plugin opened this terminal: it can be read, but not typed into. Open one with tty.open.',
    )
  }
}

const cancelled = (name: string): TtyError => new TtyError('CANCELLED', `${name} was cancelled.`)

function signalOf({ signal, call }: TtyCall): AbortSignal {
  const signals = [signal, call?.signal].filter((each) => each !== undefined)
  return signals.length === 1 && signals[0] !== undefined ? signals[0] : AbortSignal.any(signals)
}
