/**
 * A backend around the local one: sessions that are to outlive the host run in tmux, on a server of this host's own. All
 * others, and all where tmux cannot be used, are the inner backend's.
 */
import { randomBytes } from 'node:crypto'
import { realpathSync } from 'node:fs'
import type { PersistName } from '../../protocol-src/ids.ts'
import type { SessionNotice } from '../../protocol-src/session.ts'
import type { Settings } from '../../protocol-src/settings.ts'
import { detached } from '../base/async.ts'
import { TtyError, messageOf } from '../base/errors.ts'
import type { Logger } from '../base/logger.ts'
import type { AdoptRequest, LaunchRequest, Launched, SessionBackend, Survivor, Target, SpecOf } from './backend.ts'
import { KeptSessions, type KeptSession } from './kept-sessions.ts'
import type { LocalBackend } from './local-backend.ts'
import { LocalMachine, type Machine } from './machine.ts'
import type { Platform } from './platform.ts'
import { writeStartFile } from './start-file.ts'
import { findTmux, type TmuxFound } from './tmux-abilities.ts'
import { TmuxControl } from './tmux-control.ts'
import { serverEnv } from './tmux-env.ts'
import { writeServerFiles } from './tmux-files.ts'
import { TmuxHandle } from './tmux-handle.ts'
import { recordEndIn } from './tmux-record.ts'
import { TmuxServer, type Pane } from './tmux-server.ts'

export interface TmuxBackendPorts {
  readonly inner: LocalBackend
  readonly platform: Platform
  /** Read at the moment of use. */
  readonly settings: () => Readonly<Settings>
  readonly hostEnv: Readonly<Record<string, string | undefined>>
  /** Its own, absolute, and nobody else's who runs now. */
  readonly directory: string
  /** Whether another host owns the directory. */
  readonly isLocked: () => boolean
  readonly logger: Logger
}

type Usable = Extract<TmuxFound, { kind: 'usable' }>

/** What is there once tmux was found. */
interface Ready {
  readonly found: Usable
  readonly server: TmuxServer
  readonly directory: string
  readonly env: Readonly<Record<string, string>>
  readonly sessions: KeptSessions
}

export class TmuxBackend implements SessionBackend<'local'> {
  readonly kind = 'local'
  readonly #ports: TmuxBackendPorts
  #found: Promise<TmuxFound> | undefined
  #ready: Promise<Ready> | undefined

  constructor(ports: TmuxBackendPorts) {
    this.#ports = ports
  }

  describe(spec: SpecOf<'local'>): Target {
    return this.#ports.inner.describe(spec)
  }

  async launch(request: LaunchRequest<'local'>): Promise<Launched> {
    const { persist } = request.spec
    if (typeof persist !== 'string') return this.#ports.inner.launch(request)
    const found = await this.#find()
    if (found.kind === 'unusable') return this.#launchOrdinary(request, found)
    if (this.#ports.isLocked()) return this.#launchOrdinary(request, { reason: 'locked', version: found.version })
    return this.#launchKept(request, persist, await this.#prepare(found))
  }

  async survivors(): Promise<readonly Survivor[]> {
    return (await this.#remembered()).filter(({ isAlive }) => isAlive).map(({ session }) => session)
  }

  /** Remove what is remembered of sessions that are gone. Never rejects. */
  async clean(): Promise<void> {
    const { logger, directory } = this.#ports
    const sessions = new KeptSessions(directory)
    for (const { session, isAlive } of await this.#remembered()) {
      if (isAlive) continue
      try {
        await sessions.remove(session.persist)
      } catch (error) {
        logger.warn('tmux.not-removed', { message: messageOf(error) })
      }
    }
  }

  async #remembered(): Promise<readonly { readonly session: KeptSession; readonly isAlive: boolean }[]> {
    const { logger, directory } = this.#ports
    try {
      const sessions = await new KeptSessions(directory).all()
      if (sessions.length === 0) return []
      const found = await this.#find()
      // Without tmux nobody knows; it may be there again at the next start.
      if (found.kind === 'unusable') return []
      const { server } = await this.#prepare(found)
      return await Promise.all(
        sessions.map(async (session) => ({ session, isAlive: await server.has(session.persist) })),
      )
    } catch (error) {
      logger.warn('tmux.survivors-unknown', { message: messageOf(error) })
      return []
    }
  }

  async adopt({ survivor, sessionId, from }: AdoptRequest): Promise<Launched> {
    const { persist } = survivor
    const found = await this.#find()
    if (found.kind === 'unusable') throw notThere(persist)
    const ready = await this.#prepare(found)
    const { server, sessions } = ready
    const remembered = (await sessions.all()).find((each) => each.persist === persist)
    const pane = await server.pane(persist)
    if (remembered === undefined || pane === null) throw notThere(persist)
    const end = recordEndIn(sessions.folder(persist))
    // A record that ends before what is known of it was begun anew.
    const shift = Math.min(remembered.shift, end - from)
    const kept = { ...remembered, sessionId, shift }
    const notices = limitsOf(found)
    if (!pane.isDead && !pane.isRecorded) {
      await server.record(persist, end)
      notices.push({ code: 'OUTPUT_LOST' })
    }
    await sessions.write(kept)
    return { handle: this.#handle(kept, pane, { ready, from }), cwd: null, notices, persist }
  }

  async #launchOrdinary(
    request: LaunchRequest<'local'>,
    { reason, version }: Pick<Extract<SessionNotice, { code: 'PERSIST_UNAVAILABLE' }>, 'reason' | 'version'>,
  ): Promise<Launched> {
    const launched = await this.#ports.inner.launch(request)
    return {
      ...launched,
      persist: null,
      notices: [{ code: 'PERSIST_UNAVAILABLE', reason, version }, ...launched.notices],
    }
  }

  async #launchKept(request: LaunchRequest<'local'>, persist: PersistName, ready: Ready): Promise<Launched> {
    const { sessionId, spec, owner, markNonce, size } = request
    const { server, sessions, env: hidden } = ready
    if (await server.has(persist))
      throw new TtyError(
        'SPAWN_FAILED',
        `A session named "${persist}" is in tmux already, and this host knows nothing of it. Choose another name; nothing was started.`,
        { details: { path: 'tmux', reason: `"${persist}" is there already` } },
      )
    const start = await this.#ports.inner.prepare(request)
    const fence = randomBytes(16).toString('hex')
    const kept = { v: 1 as const, sessionId, persist, spec, owner, markNonce, startedAt: Date.now(), fence, shift: 0 }
    try {
      await sessions.begin(kept)
      const { argv, env, cwd, notices } = start
      const file = { argv, env, cwd, without: [...Object.keys(hidden), ...TMUX_VARIABLES] }
      const pane = await server.start(persist, await writeStartFile(sessions.folder(persist), file), size)
      const handle = this.#handle(kept, pane, { ready, from: 0 })
      detached(this.#ports.logger, 'shell-integration.release', () => handle.exited.then(() => start.release()))
      return { handle, cwd, notices: [...notices, ...limitsOf(ready.found)], persist }
    } catch (error) {
      await server.kill(persist)
      await sessions.remove(persist)
      await start.release()
      throw error
    }
  }

  #handle(kept: KeptSession, pane: Pane, { ready, from }: { ready: Ready; from: number }): TmuxHandle {
    const { platform, logger } = this.#ports
    const { server, sessions, found, directory, env } = ready
    const canBeQuiet = !found.missing.includes('quiet-control')
    return new TmuxHandle({
      kept,
      pane,
      from: from + kept.shift,
      server,
      sessions,
      platform,
      logger,
      connect: (closed) =>
        new TmuxControl({ argv: server.controlArgv(kept.persist, canBeQuiet), env, cwd: directory, closed, logger }),
    })
  }

  /** Asked once: a tmux that is installed later is found at the next start of the host. */
  #find(): Promise<TmuxFound> {
    this.#found ??= findTmux(this.#machine(serverEnv(this.#ports.hostEnv, '/')))
    return this.#found
  }

  #prepare(found: Usable): Promise<Ready> {
    this.#ready ??= this.#makeReady(found).catch((error: unknown) => {
      this.#ready = undefined // a directory that can be written again works at the next try
      throw error
    })
    return this.#ready
  }

  async #makeReady(found: Usable): Promise<Ready> {
    const { hostEnv, settings } = this.#ports
    await writeServerFiles(this.#ports.directory, settings().scrollback)
    // One home is one server, by whatever path it is named.
    const directory = realpathSync(this.#ports.directory)
    const env = serverEnv(hostEnv, directory)
    const server = new TmuxServer({ machine: this.#machine(env, directory), directory })
    return { found, server, directory, env, sessions: new KeptSessions(directory) }
  }

  #machine(env: Readonly<Record<string, string>>, cwd?: string): Machine {
    return new LocalMachine(cwd === undefined ? { env } : { env, cwd })
  }
}

/** What tmux adds to the environment of what it starts. */
const TMUX_VARIABLES = ['TMUX', 'TMUX_PANE', 'TERM_PROGRAM', 'TERM_PROGRAM_VERSION', 'COLORTERM', 'TERMCAP']

function limitsOf({ version, missing }: Usable): SessionNotice[] {
  return missing.length === 0 ? [] : [{ code: 'PERSIST_LIMITED', version, missing: [...missing] }]
}

function notThere(persist: PersistName): TtyError {
  return new TtyError('SESSION_NOT_FOUND', `The session "${persist}" is not in tmux any more.`)
}
