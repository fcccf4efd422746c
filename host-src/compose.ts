/** Builds the object graph of the host half and its one ordered disposer. */
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { LocalBackend } from './backends/local-backend.ts'
import { platformOf } from './backends/platform.ts'
import type { Logger } from './base/logger.ts'
import { newHostInstanceId } from './base/random-id.ts'
import { FrameHandlers } from './gateway/frame-handlers.ts'
import { httpRoutes, type HttpRoute } from './gateway/http-gateway.ts'
import { TicketOffice } from './gateway/tickets.ts'
import { WsGateway } from './gateway/ws-gateway.ts'
import { OrphanReaper } from './sessions/retention.ts'
import { SessionRegistry } from './sessions/session-registry.ts'
import { SettingsStore } from './settings/settings-store.ts'

export interface ComposePorts {
  readonly logger: Logger
  /** Read at the moment of use. */
  readonly trustedHosts: () => readonly string[]
  readonly hostEnv: Readonly<Record<string, string | undefined>>
  readonly startDirectory: string
}

export interface Composition {
  readonly settings: SettingsStore
  readonly registry: SessionRegistry
  readonly gateway: WsGateway
  readonly tickets: TicketOffice
  readonly routes: readonly HttpRoute[]
  /** Clients first, then sessions; resolves when every process was looked for. */
  dispose(): Promise<void>
}

export function compose({ logger, trustedHosts, hostEnv, startDirectory }: ComposePorts): Composition {
  const platform = platformOf(process.platform)
  const settings = new SettingsStore(logger)
  const host = { instance: newHostInstanceId(), version: ownVersion(), platform: platform.name }
  const registry = new SessionRegistry({
    backends: {
      local: new LocalBackend({ platform, settings: () => settings.current, hostEnv, startDirectory, logger }),
    },
    maxSessions: () => settings.current.maxSessions,
    logger,
  })
  const reaper = new OrphanReaper({
    registry,
    graceSec: () => settings.current.reconnectGraceSec,
    onGraceChange: (listener) => settings.watch(['reconnectGraceSec'], listener),
    logger,
  })
  const tickets = new TicketOffice()
  const gateway = new WsGateway({
    registry,
    settings,
    handlers: new FrameHandlers({ registry, logger }),
    tickets,
    host,
    trustedHosts,
    logger,
  })
  return {
    settings,
    registry,
    gateway,
    tickets,
    routes: httpRoutes({ host, trustedHosts, readBuilt, logger }),
    dispose: async () => {
      reaper.dispose()
      gateway.dispose()
      await registry.shutdown()
    },
  }
}

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
