/** What the plugin does once it is loaded: settings first, then the object graph, then its routes. */
import type { Context } from '@deepseek-ai/cordis'
import type { Logger } from './base/logger.ts'
import { compose, type Composition } from './compose.ts'
import { registerGuidance } from './dsh/agent-guidance.ts'
import { bindSettings } from './dsh/bind-settings.ts'
import { credentialStoreOf, dataDirectoryOf, registerWeb, trustedHostsOf } from './dsh/host-ports.ts'
import { provideService } from './dsh/provide-service.ts'
import { registerTools } from './dsh/tool-adapter.ts'
import { shellCandidates } from './settings/shell-candidates.ts'
import { SettingsStore } from './settings/settings-store.ts'

export interface StartPorts {
  /** The row's config: defaults of this installation. */
  readonly config: Record<string, unknown>
  readonly logger: Logger
  /** Aborted when the plugin is unloaded; nothing is registered any more then. */
  readonly unloaded: AbortSignal
}

/** @returns what has to be disposed of; null when the plugin was unloaded before anything was begun */
export async function start(ctx: Context, { config, logger, unloaded }: StartPorts): Promise<Composition | null> {
  if (unloaded.aborted) return null
  const settings = new SettingsStore(logger)
  const file = await bindSettings(ctx, { store: settings, base: config, logger })
  if (unloaded.aborted) return null
  const composition = await compose({
    logger,
    settings,
    trustedHosts: () => trustedHostsOf(ctx),
    hostEnv: process.env,
    startDirectory: process.cwd(),
    credentials: () => credentialStoreOf(ctx),
    dataDirectory: dataDirectoryOf(process.env),
  })
  if (unloaded.aborted) return composition
  registerWeb(ctx, {
    ...composition,
    settingFacts: async () => ({ fileProblem: file.problem(), suggestions: { shell: await shellCandidates() } }),
    logger,
  })
  registerTools(ctx, composition.tools)
  provideService(ctx, composition.tools)
  registerGuidance(ctx, composition.tools, composition.shell)
  return composition
}
