/** The host half as DSH loads it: next to nothing, because the host's own start waits for it. The rest follows by itself. */
import type { Context } from '@deepseek-ai/cordis'
import { loggerOf } from './dsh/host-logger.ts'
import type { TtyService } from './services/tty-contract.ts'

export type * from './services/tty-contract.ts'

declare module '@deepseek-ai/cordis' {
  interface Context {
    /** The terminals of this host, for other plugins; inject it as an optional service. */
    tty: TtyService
  }
}

export const name = 'dsh-tty'

/** Nothing is required: the plugin also loads in the headless profile and on hosts that lack a service. */
export const inject: string[] = []

/** @param config the row's config: defaults of this installation */
export function apply(ctx: Context, config: Record<string, unknown> = {}): void {
  const logger = loggerOf(ctx)
  const unload = new AbortController()
  const started = (async () => {
    const { start } = await import('./start.ts')
    return await start(ctx, { config, logger, unloaded: unload.signal })
  })()
  started.catch((error: unknown) => {
    logger.error('startup.failed', { message: error instanceof Error ? error.message : String(error) })
  })
  ctx.effect(
    () => async () => {
      unload.abort()
      const composition = await started.catch(() => null) // said already
      await composition?.dispose()
    },
    'tty: sessions and clients',
  )
}
