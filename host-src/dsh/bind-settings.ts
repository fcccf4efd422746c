/** Ties our settings store to the host's settings document, in both directions of failure without taking either down. */
import type { Context } from '@deepseek-ai/cordis'
import type { SettingsProvider } from '@deepseek-ai/dsh-settings'
import { SETTINGS_NAMESPACE } from '../../protocol-src/settings.ts'
import { detached } from '../base/async.ts'
import { messageOf } from '../base/errors.ts'
import type { Logger } from '../base/logger.ts'
import { parseSettings, type SettingsStore } from '../settings/settings-store.ts'
import { toHostSchema } from './config-schema.ts'

/**
 * @param base the row's own config: defaults of this installation, below what the user set
 */
export function bindSettings(
  ctx: Context,
  { store, base, logger }: { store: SettingsStore; base: Record<string, unknown>; logger: Logger },
): void {
  const adopt = (value: unknown): void => {
    try {
      store.adopt(value)
    } catch (error) {
      logger.warn('settings.invalid', { message: messageOf(error) })
    }
  }
  adopt(base)
  ctx.inject(['settings'], (scope) => {
    detached(logger, 'register the settings', async () => {
      // Present wherever DSH is, absent elsewhere: then the row's config alone is in force.
      const { default: library } = await import('@deepseek-ai/schemastery')
      const bound = scope.settings.register(
        SETTINGS_NAMESPACE as Parameters<SettingsProvider['register']>[0],
        toHostSchema(library),
        {
          base,
          applies: 'live',
          validate: (value) => {
            parseSettings(value)
          },
        },
      )
      adopt(bound.get())
      bound.watch(adopt)
    })
  })
}
