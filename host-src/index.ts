/** The host half as DSH loads it. */
import type { Context } from '@deepseek-ai/cordis'
import { detached } from './base/async.ts'
import { compose, type Composition } from './compose.ts'
import { bindSettings } from './dsh/bind-settings.ts'
import { contained, dataDirectoryOf, loggerOf, registerWeb, trustedHostsOf } from './dsh/host-ports.ts'
import { SettingsStore } from './settings/settings-store.ts'

export const name = 'dsh-tty'

/** Nothing is required: the plugin also loads in the headless profile and on hosts that lack a service. */
export const inject: string[] = []

/** @param config the row's config: defaults of this installation */
export function apply(ctx: Context, config: Record<string, unknown> = {}): void {
  const logger = loggerOf(ctx)
  contained(logger, 'the terminal plugin', () => {
    const settings = new SettingsStore(logger)
    let isUnloaded = false
    let composition: Composition | undefined
    // Nothing of this holds up the host's own start.
    const ready = (async () => {
      await bindSettings(ctx, { store: settings, base: config, logger })
      composition = await compose({
        logger,
        settings,
        trustedHosts: () => trustedHostsOf(ctx),
        hostEnv: process.env,
        startDirectory: process.cwd(),
        dataDirectory: dataDirectoryOf(process.env),
      })
      if (!isUnloaded) registerWeb(ctx, { ...composition, logger })
    })()
    detached(logger, 'start', () => ready)
    ctx.effect(
      () => async () => {
        isUnloaded = true
        await ready.catch(() => {}) // said already
        await composition?.dispose()
      },
      'tty: sessions and clients',
    )
  })
}
