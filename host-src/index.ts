/** The host half as DSH loads it. */
import type { Context } from '@deepseek-ai/cordis'
import { compose } from './compose.ts'
import { bindSettings } from './dsh/bind-settings.ts'
import { contained, loggerOf, registerWeb, trustedHostsOf } from './dsh/host-ports.ts'

export const name = 'dsh-tty'

/** Nothing is required: the plugin also loads in the headless profile and on hosts that lack a service. */
export const inject: string[] = []

/** @param config the row's config: defaults of this installation */
export function apply(ctx: Context, config: Record<string, unknown> = {}): void {
  const logger = loggerOf(ctx)
  contained(logger, 'the terminal plugin', () => {
    const composition = compose({
      logger,
      trustedHosts: () => trustedHostsOf(ctx),
      hostEnv: process.env,
      startDirectory: process.cwd(),
    })
    ctx.effect(() => () => composition.dispose(), 'tty: sessions and clients')
    contained(logger, 'settings', () => {
      bindSettings(ctx, { store: composition.settings, base: config, logger })
    })
    contained(logger, 'web', () => {
      registerWeb(ctx, { ...composition, logger })
    })
  })
}
