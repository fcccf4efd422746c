/** Ties our settings store to the host's settings document, in both directions of failure without taking either down. */
import type { Context } from '@deepseek-ai/cordis'
import type { SettingsProvider } from '@deepseek-ai/dsh-settings'
import { SETTINGS_NAMESPACE, SETTING_KEYS, metaOf, type Settings } from '../../protocol-src/settings.ts'
import { delay, detached, withDeadline } from '../base/async.ts'
import { TtyError, messageOf } from '../base/errors.ts'
import type { Logger } from '../base/logger.ts'
import { migrateSettings } from '../settings/migrate-settings.ts'
import { parseSettings, type SettingsStore } from '../settings/settings-store.ts'
import { toHostSchema } from './config-schema.ts'

type Namespace = Parameters<SettingsProvider['register']>[0]

/** How long a start waits for the host's settings before the row's own config is taken for now. */
const SETTINGS_WAIT_MS = 1_000
/** The host tells nobody of a file that it cannot take, nor of one that it could take again: somebody has to look. */
const LOOK_MS = 3_000

/** The user's settings file, as far as it is ours. */
export interface SettingsFile {
  /** What is wrong in it, by the names of the settings; null when nothing is. */
  problem(): string | null
}

export interface BindPorts {
  readonly store: SettingsStore
  /** The row's own config: defaults of this installation, below what the user set. */
  readonly base: Record<string, unknown>
  readonly logger: Logger
  readonly lookMs?: number
}

/**
 * @returns when the settings are in force, or when the host has had its time to provide them
 */
export async function bindSettings(
  ctx: Context,
  { store, base, logger, lookMs = LOOK_MS }: BindPorts,
): Promise<SettingsFile> {
  let problem: string | null = null
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
    const unload = new AbortController()
    scope.effect(
      () => () => {
        unload.abort()
      },
      'tty: look at the settings file',
    )
    detached(logger, 'follow the settings', async () => {
      await follow(scope, unload.signal)
    })
  })
  await withDeadline(bound, SETTINGS_WAIT_MS)
  return { problem: () => problem }

  /** Registers as soon as the file lets us, and says from then on when it is wrong. */
  async function follow(scope: Context, unloaded: AbortSignal): Promise<void> {
    let isRegistered = false
    while (!unloaded.aborted) {
      try {
        if (!isRegistered) await register(scope)
        isRegistered = true
        name(problemOf({ ...base, ...sectionOf(scope.settings) }))
      } catch (error) {
        if (!unloaded.aborted) name(messageOf(error))
      }
      settle()
      await delay(lookMs)
    }
  }

  function name(found: string | null): void {
    if (found !== null && found !== problem) logger.warn('settings.invalid', { message: found })
    problem = found
  }

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
    const take = (value: unknown): void => {
      adopt(value)
      const section = sectionOf(scope.settings)
      if (migrateSettings(section) === section) return
      // Once, so that the file says what is meant.
      detached(logger, 'rewrite settings of an older shape', () => store.edit(({ hostKeys }) => ({ hostKeys })))
    }
    take(handle.get())
    handle.watch(take)
  }
}

function problemOf(section: unknown): string | null {
  try {
    parseSettings(section)
    return null
  } catch (error) {
    const problems = error instanceof TtyError ? error.details?.['problems'] : undefined
    return typeof problems === 'string' ? problems : messageOf(error)
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
