/**
 * Makes a connection to a machine in named steps, over at most one jump host with a login and host key of its own. Where a
 * machine is not the one it was, nothing was sent to it: no user name, no key, no password.
 */
import type { Duplex } from 'node:stream'
import type { Client } from 'ssh2'
import type { QuestionPlace, SshHop } from '../../../protocol-src/question.ts'
import type { HostRef } from '../../../protocol-src/ssh.ts'
import { withDeadline } from '../../base/async.ts'
import { TtyError } from '../../base/errors.ts'
import type { Disposable } from '../../base/lifecycle.ts'
import { agentPath } from './agent-keys.ts'
import { AuthPlan } from './auth-plan.ts'
import { HostKeyJudge, hostKeyAlgorithms, placeOf } from './host-key-judge.ts'
import { ChannelRefused, SshLink } from './link.ts'
import { proxyCommandTo } from './proxy-command.ts'
import { sshError, sshFault } from './ssh-faults.ts'
import { loadSsh2, onAuthFailure, type AuthFailure, type Ssh2 } from './ssh-module.ts'
import type { ConnectContext, SshPorts, SshTarget } from './ssh-ports.ts'
import { DEADLINES_MS, Steps } from './steps.ts'
import { tcpTo } from './tcp.ts'

const KEEP_ALIVE = { everyMs: 15_000, misses: 3 }
/** Time for a proxy command to say why it ended. */
const PROXY_WORDS_MS = 300
const NAMES_SHOWN = 30
const NOTHING: Disposable = { dispose: () => {} }

/** @throws TtyError BOOK_NAME_UNKNOWN */
export function targetOf(host: HostRef, { book }: Pick<SshPorts, 'book'>): SshTarget {
  const target = book.target(host)
  if (target !== null) return target
  const name = 'book' in host ? host.book : ''
  const names = book.entries.slice(0, NAMES_SHOWN).map((entry) => `"${entry.name}"`)
  const there =
    names.length === 0
      ? 'It is empty'
      : `It has ${names.join(', ')}${book.entries.length > NAMES_SHOWN ? ' and more' : ''}`
  throw new TtyError(
    'BOOK_NAME_UNKNOWN',
    `The connection book has no entry named "${name}". Nothing was started. ${there}; entries are added in the settings of the terminal.`,
    { details: { name } },
  )
}

export function questionPlaceOf({ connection, book }: SshTarget, hop: SshHop): QuestionPlace {
  const { username: user, host, port } = connection
  return { user, host, port, hop, book }
}

export class SshConnector {
  readonly #ports: SshPorts

  constructor(ports: SshPorts) {
    this.#ports = ports
  }

  /** @throws TtyError that names the machine and the step; nothing of the attempt is left then */
  async connect(target: SshTarget, context: ConnectContext): Promise<SshLink> {
    const { jump = '' } = target.connection
    if (jump === '') return await this.#hop(target, 'target', { context, over: null })
    const before = targetOf({ book: jump }, this.#ports)
    if ((before.connection.jump ?? '') !== '')
      throw sshError(
        'SSH_CONNECT',
        { where: questionPlaceOf(before, 'jump'), phase: 'connect' },
        { why: 'it is behind a jump host itself, and there can be one only', advice: 'Choose another jump host.' },
      )
    const over = await this.#hop(before, 'jump', { context, over: null })
    try {
      return await this.#hop(target, 'target', { context, over })
    } catch (error) {
      over.close()
      throw error
    }
  }

  async #hop(
    target: SshTarget,
    hop: SshHop,
    { context: wish, over }: { context: ConnectContext; over: SshLink | null },
  ): Promise<SshLink> {
    const ports = this.#ports
    // Nobody is asked any more for an attempt that has failed.
    const failed = new AbortController()
    const context = { ...wish, signal: AbortSignal.any([wish.signal, failed.signal]) }
    const { signal } = context
    const deadlines = ports.deadlines ?? DEADLINES_MS
    const steps = new Steps({
      where: questionPlaceOf(target, hop),
      signal,
      deadlines,
      began: (...step) => context.began?.(...step),
      ended: (report) => context.ended?.(report),
    })
    const ssh2 = await (ports.loadSsh2 ?? loadSsh2)()
    const { stream, ended } = await this.#stream(target, { steps, signal, over })
    try {
      const client = await this.#login({ target, context, steps, ssh2, stream })
      const under = over === null ? NOTHING : { dispose: () => over.close() }
      return new SshLink({ client, where: steps.where, under, openDeadlineMs: deadlines.open, logger: ports.logger })
    } catch (error) {
      failed.abort()
      stream.destroy()
      // What a proxy command says is more than that it hung up.
      const said =
        ended === null || wish.signal.aborted ? { timedOut: true as const } : await withDeadline(ended, PROXY_WORDS_MS)
      if (said.timedOut) throw error
      throw sshFault({ where: steps.where, phase: 'connect' }, new Error(said.value, { cause: error }))
    }
  }

  async #stream(
    target: SshTarget,
    { steps, signal, over }: { steps: Steps; signal: AbortSignal; over: SshLink | null },
  ): Promise<{ stream: Duplex; ended: Promise<string> | null }> {
    const { host, port, proxyCommand = '' } = target.connection
    if (over === null && proxyCommand !== '') return await proxyCommandTo(target, this.#ports, steps)
    if (over === null) return { stream: await tcpTo(host, port, steps), ended: null }
    const stream = await steps.run('connect', async () => {
      try {
        return await over.forwardOut(host, port, signal)
      } catch (error) {
        if (!(error instanceof ChannelRefused)) throw error
        throw sshFault({ where: steps.where, phase: 'connect' }, new Error('the jump host could not reach it'))
      }
    })
    return { stream, ended: null }
  }

  async #login(parts: {
    target: SshTarget
    context: ConnectContext
    steps: Steps
    ssh2: Ssh2
    stream: Duplex
  }): Promise<Client> {
    const { target, context, steps, ssh2, stream } = parts
    const { settings: _, ...ports } = this.#ports
    const { connection } = target
    const plan = new AuthPlan({ target, ports: this.#ports, context, steps, ssh2 })
    const judge = new HostKeyJudge(this.#ports, context, steps)
    const client = new ssh2.Client()
    const talk = new Talk(client)
    let lastFailure: AuthFailure | null = null
    const { everyMs, misses } = ports.keepAlive ?? KEEP_ALIVE
    const agent = connection.agentForward === true ? this.#agentToForward(ssh2, steps) : null
    client.connect({
      sock: stream,
      username: connection.username,
      readyTimeout: 0,
      keepaliveInterval: everyMs,
      keepaliveCountMax: misses,
      algorithms: { serverHostKey: hostKeyAlgorithms(ports.hostKeys.knownTypes(placeOf(target))) },
      hostVerifier: (key: Buffer, verify: (isGood: boolean) => void) => {
        talk.keyShown(key, verify)
      },
      authHandler: (_methods, _isPartial, next) => {
        plan
          .next(lastFailure)
          // Its typings do not know that `false` ends the login.
          .then((method) => {
            next(method as Parameters<typeof next>[0])
          })
          .catch((error: unknown) => {
            talk.failed(error)
          })
      },
      ...(agent === null ? {} : { agent, agentForward: true }),
    })
    onAuthFailure(client, (failure) => {
      lastFailure = failure
    })
    try {
      const { key, verify } = await steps.run('handshake', () => talk.shown)
      await steps.run('host-key', () => talk.untilItFails(judge.judge(target, key)))
      await steps.run('authenticate', async () => {
        verify(true)
        try {
          await talk.ready
        } catch (error) {
          throw plan.failure(error)
        }
      })
      return client
    } catch (error) {
      client.destroy()
      throw error
    }
  }

  #agentToForward(ssh2: Ssh2, steps: Steps): InstanceType<Ssh2['BaseAgent']> {
    const path = agentPath(this.#ports.hostEnv, process.platform)
    if (path !== null) return ssh2.createAgent(path) as InstanceType<Ssh2['BaseAgent']>
    throw sshError(
      'SSH_AGENT',
      { where: steps.where, phase: 'authenticate' },
      {
        why: 'its entry forwards the SSH agent, and none runs for this host (SSH_AUTH_SOCK is not set)',
        advice: 'Start one and restart DSH from a shell that knows it, or switch the forwarding off in the entry.',
      },
    )
  }
}

/** What the other side says until somebody is logged in, as promises. */
class Talk {
  readonly shown: Promise<{ key: Buffer; verify: (isGood: boolean) => void }>
  readonly ready: Promise<void>
  #fail: (error: Error) => void = () => {}
  readonly #failed: Promise<never>
  #show: (shown: { key: Buffer; verify: (isGood: boolean) => void }) => void = () => {}
  #accepted: Buffer | null = null

  constructor(client: Client) {
    this.#failed = new Promise<never>((_, reject) => {
      this.#fail = reject
    })
    this.#failed.catch(() => {}) // heard by whoever waits for something
    const shown = new Promise<{ key: Buffer; verify: (isGood: boolean) => void }>((resolve) => {
      this.#show = resolve
    })
    const ready = new Promise<void>((resolve) => {
      client.once('ready', resolve)
    })
    this.shown = this.untilItFails(shown)
    this.ready = this.untilItFails(ready)
    for (const each of [this.shown, this.ready]) each.catch(() => {})
    client.on('error', (error) => {
      // A key that the agent will not sign with is followed by the next one.
      if (levelOf(error) !== 'agent') this.#fail(error)
    })
    client.once('close', () => {
      this.#fail(new Error('the other side closed the connection'))
    })
    client.on('change password', () => {
      this.#fail(new Error('the password has expired and has to be changed first'))
    })
  }

  /** A key is shown at the beginning, and again with every new exchange: then it must be the same. */
  keyShown(key: Buffer, verify: (isGood: boolean) => void): void {
    if (this.#accepted !== null) {
      verify(this.#accepted.equals(key))
      return
    }
    this.#accepted = Buffer.from(key)
    this.#show({ key: this.#accepted, verify })
  }

  /** Something went wrong on this side. */
  failed(error: unknown): void {
    this.#fail(error instanceof Error ? error : new Error(String(error)))
  }

  untilItFails<T>(promise: Promise<T>): Promise<T> {
    return Promise.race([promise, this.#failed])
  }
}

const levelOf = (error: Error): unknown => ('level' in error ? error.level : undefined)
