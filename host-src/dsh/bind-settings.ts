/** Ties our settings store to the host's settings document, in both directions of failure without taking either down. */
import type { Context } from '@deepseek-ai/cordis'
import type { SettingsProvider } from '@deepseek-ai/dsh-settings'
import { SETTINGS_NAMESPACE } from '../../protocol-src/settings.ts'
import { detached, withDeadline } from '../base/async.ts'
import { messageOf } from '../base/errors.ts'
import type { Logger } from '../base/logger.ts'
import { parseSettings, type SettingsStore } from '../settings/settings-store.ts'
import { toHostSchema } from './config-schema.ts'

/** How long a start waits for the host's settings before the row's own config is taken for now. */
const SETTINGS_WAIT_MS = 1_000

/**
 * @returns when the settings are in force, or when the host has had its time to provide them
 * @param base the row's own config: defaults of this installation, below what the user set
 */
export async function bindSettings(
  ctx: Context,
  { store, base, logger }: { store: SettingsStore; base: Record<string, unknown>; logger: Logger },
): Promise<void> {
  const adopt = (value: unknown): void => {
    try {
      store.adopt(value)
    } catch (error) {
      logger.warn('settings.invalid', { message: messageOf(error) })
    }
  }
  adopt(base)
  let settle = (): void => {}
  const bound = new Promise<void>((resolve) => {
    settle = resolve
  })
  ctx.inject(['settings'], (scope) => {
    detached(logger, 'register the settings', async () => {
      try {
        await register(scope)
      } finally {
        settle()
      }
    })
  })
  await withDeadline(bound, SETTINGS_WAIT_MS)

  async function register(scope: Context): Promise<void> {
    // Present wherever DSH is, absent elsewhere: then the row's config alone is in force.
    const { default: library } = await import('@deepseek-ai/schemastery')
    const handle = scope.settings.register(
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
    adopt(handle.get())
    handle.watch(adopt)
  }
}
