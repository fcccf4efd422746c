/** Ties our settings store to the host's settings document, in both directions of failure without taking either down. */
import type { Context } from '@deepseek-ai/cordis'
import type { SettingsProvider } from '@deepseek-ai/dsh-settings'
import { SETTINGS_NAMESPACE, SETTING_KEYS, metaOf, type Settings } from '../../protocol-src/settings.ts'
import { detached, withDeadline } from '../base/async.ts'
import { TtyError, messageOf } from '../base/errors.ts'
import type { Logger } from '../base/logger.ts'
import { migrateSettings } from '../settings/migrate-settings.ts'
import { parseSettings, type SettingsStore } from '../settings/settings-store.ts'
import { toHostSchema } from './config-schema.ts'

type Namespace = Parameters<SettingsProvider['register']>[0]

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
    let inForce: (() => Settings) | null = null
    const handle = scope.settings.register(SETTINGS_NAMESPACE as Namespace, toHostSchema(library), {
      base,
      applies: 'live',
      validate: (value) => {
        const next = parseSettings(value)
        if (inForce !== null) refuseTurnedOn(next, inForce(), sectionOf(scope.settings))
      },
    })
    inForce = () => parseSettings(handle.get())
    store.keepWith(async (patch) => {
      await handle.update(patch as Record<string, unknown>)
      return handle.get()
    })
    const follow = (value: unknown): void => {
      adopt(value)
      const section = sectionOf(scope.settings)
      if (migrateSettings(section) === section) return
      // Once, so that the file says what is meant.
      detached(logger, 'rewrite settings of an older shape', () => store.edit(({ hostKeys }) => ({ hostKeys })))
    }
    follow(handle.get())
    handle.watch(follow)
  }
}

/** What the settings file says of us, as it was read last. */
function sectionOf(settings: SettingsProvider): Readonly<Record<string, unknown>> {
  const section: unknown = settings.describe().find(({ ns }) => String(ns) === SETTINGS_NAMESPACE)?.user
  return typeof section === 'object' && section !== null ? (section as Record<string, unknown>) : {}
}

/**
 * Some settings only the file can turn on. The host has read a changed file before it asks whether that is valid, while a write
 * that somebody asks for is in no file yet.
 * @throws TtyError SETTINGS_INVALID
 */
function refuseTurnedOn(next: Settings, now: Settings, file: Readonly<Record<string, unknown>>): void {
  for (const key of SETTING_KEYS) {
    if (metaOf(key).isOnlyTurnedOff !== true || next[key] !== true || now[key] === true || file[key] === true) continue
    throw new TtyError(
      'SETTINGS_INVALID',
      `${key} can only be turned on in the settings file itself, not from a page. Nothing was saved.`,
      { details: { problems: key } },
    )
  }
}
