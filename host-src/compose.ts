/** Builds the object graph of the host half and its one ordered disposer. */
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { homedir, userInfo } from 'node:os'
import { join } from 'node:path'
import { LocalBackend } from './backends/local-backend.ts'
import { platformOf } from './backends/platform.ts'
import { testConnection } from './backends/ssh/connection-test.ts'
import { SshPool } from './backends/ssh/link-pool.ts'
import { SshBackend } from './backends/ssh/ssh-backend.ts'
import type { SshPorts } from './backends/ssh/ssh-ports.ts'
import { chosenShell } from './backends/shell-plan.ts'
import { TmuxBackend } from './backends/tmux-backend.ts'
import type { Logger } from './base/logger.ts'
import { newHostInstanceId } from './base/random-id.ts'
import { BookRequests } from './gateway/book-requests.ts'
import { ConnectionTests } from './gateway/connection-tests.ts'
import { FrameHandlers } from './gateway/frame-handlers.ts'
import { httpRoutes, type HttpRoute } from './gateway/http-gateway.ts'
import { Questions } from './gateway/questions.ts'
import { TicketOffice } from './gateway/tickets.ts'
import { WsGateway } from './gateway/ws-gateway.ts'
import { openJournal } from './journal/open-journal.ts'
import type { Journal } from './journal/journal.ts'
import { OrphanReaper } from './sessions/retention.ts'
import { SessionRegistry } from './sessions/session-registry.ts'
import { openSessionScreen } from './sessions/session-screen.ts'
import type { SettingsStore } from './settings/settings-store.ts'
import { ConnectionBook } from './ssh/connection-book.ts'
import { HostKeys } from './ssh/host-keys.ts'
import { Secrets, type CredentialStore } from './ssh/secrets.ts'
import { SshImport } from './ssh/ssh-import.ts'
import { ScreenThread } from './terminal/screen-thread.ts'
import { ShellIntegration } from './terminal/shell-integration.ts'
import { AgentSessions } from './tools/agent-sessions.ts'
import type { ToolContext } from './tools/tool.ts'

/**
 * A burst runs ahead of the parser by as much, at full speed, before it is parsed alongside, which costs more than all the
 * rest of its way. Less than DISK_BACKLOG_BYTES, so that the parser works before the program has to wait for it.
 */
const SCREEN_BACKLOG_BYTES = 192 * 1024 * 1024
const MEMORY_SCREEN_BACKLOG_BYTES = 2 * 1024 * 1024

export interface ComposePorts {
  readonly logger: Logger
  readonly settings: SettingsStore
  /** Read at the moment of use. */
  readonly trustedHosts: () => readonly string[]
  readonly hostEnv: Readonly<Record<string, string | undefined>>
  readonly startDirectory: string
  /** The host's store of credentials; read at the moment of use. */
  readonly credentials: () => CredentialStore | null
  /** The plugin's own, absolute: journal and output are kept in it. */
  readonly dataDirectory: string
}

export interface Composition {
  readonly settings: SettingsStore
  readonly journal: Journal
  readonly registry: SessionRegistry
  readonly gateway: WsGateway
  readonly tickets: TicketOffice
  readonly routes: readonly HttpRoute[]
  /** Path of the shell in force now. */
  readonly shell: string
  /** What agents' tools work with, whoever calls them. */
  readonly tools: Omit<ToolContext, 'caller' | 'confine'>
  /** Clients first, then sessions, then what is known of them; resolves when every process was looked for. */
  dispose(): Promise<void>
}

export async function compose(ports: ComposePorts): Promise<Composition> {
  const { logger, settings, trustedHosts, hostEnv, startDirectory } = ports
  const platform = platformOf(process.platform)
  const host = { instance: newHostInstanceId(), version: ownVersion(), platform: platform.name }
  const integration = new ShellIntegration({ directory: join(ports.dataDirectory, 'shells'), logger })
  await integration.clean()
  const backend = new TmuxBackend({
    inner: new LocalBackend({
      platform,
      settings: () => settings.current,
      hostEnv,
      startDirectory,
      integration,
      logger,
    }),
    platform,
    settings: () => settings.current,
    hostEnv,
    directory: join(ports.dataDirectory, 'tmux'),
    isLocked: () => isLocked(journal),
    logger,
  })
  const survivors = await backend.survivors()
  const journal = await openJournal({
    mode: settings.current.journal,
    directory: ports.dataDirectory,
    keptBytes: () => settings.current.journalMaxMb * 1024 * 1024,
    survivors: new Set(survivors.map(({ sessionId }) => sessionId)),
    logger,
  })
  const thread = new ScreenThread({ logger })
  const questions = new Questions()
  const secrets = new Secrets({ credentials: ports.credentials, hostEnv, logger })
  const book = new ConnectionBook({ settings, secrets })
  const hostKeys = new HostKeys({ settings })
  const ssh: SshPorts = {
    book,
    secrets,
    hostKeys,
    person: questions,
    settings: () => settings.current,
    hostEnv,
    logger,
  }
  const pool = new SshPool(ssh)
  const registry = new SessionRegistry({
    backends: { local: backend, ssh: new SshBackend(ssh, pool) },
    journal,
    openScreen: ({ stream, output, markNonce }, hooks) => {
      const { scrollback: scrollbackLines } = settings.current
      const backlogBytes = (): number =>
        journal.health.mode === 'disk' ? SCREEN_BACKLOG_BYTES : MEMORY_SCREEN_BACKLOG_BYTES
      return openSessionScreen({ stream, output, markNonce, thread, scrollbackLines, backlogBytes, logger }, hooks)
    },
    maxSessions: () => settings.current.maxSessions,
    persistByDefault: () => settings.current.persistence === 'tmux',
    logger,
  })
  // Another host that owns the directory has taken over what goes on.
  if (!isLocked(journal)) await backend.clean()
  await registry.restorePast(isLocked(journal) ? [] : survivors)
  const reaper = new OrphanReaper({
    registry,
    graceSec: () => settings.current.reconnectGraceSec,
    endsKept: () => settings.current.endOnPageClose,
    onGraceChange: (listener) => settings.watch(['reconnectGraceSec', 'endOnPageClose'], listener),
    logger,
  })
  const tickets = new TicketOffice()
  const requests = new BookRequests({
    settings,
    secrets,
    book,
    hostKeys,
    files: new SshImport({ book, hostKeys, user: { home: hostEnv['HOME'] ?? homedir(), name: userInfo().username } }),
    mayProxy: hostEnv['DSH_TTY_ALLOW_PROXY_COMMAND'] === '1',
  })
  const tests = new ConnectionTests((tried, client, signal) =>
    testConnection(tried, ssh, { audience: { kind: 'client', client }, signal }),
  )
  const handlers = new FrameHandlers({ registry, book: requests, questions, tests, logger })
  const gateway = new WsGateway({
    registry,
    settings,
    journal,
    handlers,
    book: requests,
    questions,
    tickets,
    host,
    trustedHosts,
    logger,
  })
  return {
    settings,
    journal,
    registry,
    gateway,
    tickets,
    shell: chosenShell(settings.current.shell, hostEnv, platform),
    tools: { registry, agents: new AgentSessions(), settings: () => settings.current, platform: platform.name, logger },
    routes: httpRoutes({ host, trustedHosts, readBuilt, logger }),
    dispose: async () => {
      reaper.dispose()
      gateway.dispose()
      await registry.shutdown()
      pool.dispose()
      thread.dispose()
      journal.dispose()
    },
  }
}

const isLocked = ({ health }: Journal): boolean => health.mode === 'degraded' && health.reason === 'locked'

/** The same file for the built host half in lib/ and for the sources beside it. */
function readBuilt(name: string): Promise<Uint8Array> {
  return readFile(new URL(`../lib/${name}`, import.meta.url))
}

/** From the package this bundle was installed with. */
function ownVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  return typeof manifest === 'object' &&
    manifest !== null &&
    'version' in manifest &&
    typeof manifest.version === 'string'
    ? manifest.version
    : '0.0.0'
}
