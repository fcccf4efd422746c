/** What the plugin uses of DSH 0.1.0-rc.8, typed in one place. Version differences belong here and nowhere else. */
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Context } from '@deepseek-ai/cordis'
import type {} from '@deepseek-ai/dsh-client-connection'
import type {} from '@deepseek-ai/dsh-host-webserver'
import type {} from '@deepseek-ai/dsh-settings'
import {
  modelTextSchema,
  RPC_CHANNEL,
  RPC_MODEL_TEXT,
  RPC_SETTING_FACTS,
  RPC_SETTING_WORDS,
  RPC_TICKET,
  type SettingFactsReply,
  type TicketReply,
} from '../../protocol-src/http-routes.ts'
import { TICKET_LIFETIME_MS } from '../../protocol-src/limits.ts'
import type { Settings } from '../../protocol-src/settings.ts'
import type { Logger } from '../base/logger.ts'
import type { HttpRoute } from '../gateway/http-gateway.ts'
import type { TicketOffice } from '../gateway/tickets.ts'
import type { WsGateway } from '../gateway/ws-gateway.ts'
import type { CredentialStore } from '../ssh/secrets.ts'
import { modelText } from '../tools/model-text.ts'
import { settingWordsReply } from './setting-words-reply.ts'
import { WS_PATH } from '../../protocol-src/http-routes.ts'

/** A service of the host that may be absent; read at the moment of use, because services come and go. */
export function optionalService(ctx: Context, name: string): unknown {
  return (ctx as unknown as { get(name: string): unknown }).get(name)
}

/** Whether the host has permission tiers at all. Services may come later than we do, so this can change. */
export function hasTiers(ctx: Context): boolean {
  return optionalService(ctx, 'sandboxPolicy') !== undefined
}

/** Authorities beside loopback that the deployment serves. */
export function trustedHostsOf(ctx: Context): readonly string[] {
  const runtime = optionalService(ctx, 'webRuntime')
  if (
    typeof runtime !== 'object' ||
    runtime === null ||
    !('trustedHosts' in runtime) ||
    !Array.isArray(runtime.trustedHosts)
  )
    return []
  return runtime.trustedHosts.filter((host) => typeof host === 'string')
}

interface Credentials {
  resolve(name: string): Promise<{ readonly value: string } | undefined>
  set(name: string, value: string): Promise<void>
  unset(name: string): Promise<void>
}

/** The host's credential store, when it has one. Its references are the bare names of variables. */
export function credentialStoreOf(ctx: Context): CredentialStore | null {
  const credentials = optionalService(ctx, 'credentials') as Credentials | undefined
  if (credentials === undefined) return null
  return {
    resolve: async (name) => (await credentials.resolve(name))?.value ?? null,
    set: (name, value) => credentials.set(name, value),
    unset: (name) => credentials.unset(name),
  }
}

/** The plugin's own directory in the DSH home. */
export function dataDirectoryOf(env: Readonly<Record<string, string | undefined>>): string {
  const home = env['DSH_HOME']
  return join(home === undefined || home === '' ? join(homedir(), '.dsh') : resolve(home), 'tty')
}

export interface WebParts {
  readonly routes: readonly HttpRoute[]
  readonly gateway: WsGateway
  readonly tickets: TicketOffice
  /** Must not reject. */
  readonly settingFacts: () => Promise<SettingFactsReply>
  readonly settings: { readonly current: Settings }
  readonly logger: Logger
}

/** Register on the web server and on the fenced RPC while they exist; both are absent in the headless profile. */
export function registerWeb(
  ctx: Context,
  { routes, gateway, tickets, settings, settingFacts, logger }: WebParts,
): void {
  ctx.inject(['webServer'], (web) => {
    for (const { path, handler } of routes)
      web.effect(() => web.webServer.register({ kind: 'exact', path, handler }), `tty: route ${path}`)
    web.effect(
      () =>
        web.webServer.registerUpgrade({
          path: WS_PATH,
          handler: (request, socket, head) => {
            gateway.upgrade(request, socket, head)
          },
        }),
      `tty: upgrade ${WS_PATH}`,
    )
  })
  ctx.inject(['connection'], (fenced) => {
    // `trusted-host` puts the host's own Host, Origin and Sec-Fetch-Site checks in front of this handler.
    fenced.connection.rpc.handle(
      RPC_CHANNEL,
      async (endpoint, payload) => {
        if (endpoint === RPC_TICKET) {
          const reply: TicketReply = { ticket: tickets.issue(), lifetimeMs: TICKET_LIFETIME_MS }
          return { ok: true, value: reply }
        }
        if (endpoint === RPC_SETTING_WORDS) {
          return { ok: true, value: settingWordsReply(hasTiers(ctx)) }
        }
        if (endpoint === RPC_SETTING_FACTS) return { ok: true, value: await settingFacts() }
        const asked = endpoint === RPC_MODEL_TEXT ? modelTextSchema.safeParse(payload) : undefined
        if (asked?.success === true) {
          const { maskSecrets } = settings.current
          const { text } = modelText(asked.data.text, { maxChars: asked.data.text.length + 1, maskSecrets })
          return { ok: true, value: { text } }
        }
        logger.warn('rpc.unknown-endpoint', { length: endpoint.length })
        return {
          ok: false,
          error: { code: 'internal', message: 'The terminal plugin has no such endpoint.', details: {} },
        }
      },
      { authority: 'trusted-host' },
    )
  })
}
