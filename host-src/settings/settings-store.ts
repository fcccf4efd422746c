/** The settings in force: read at the moment of use, announced when they change, never invalid. */
import { isDeepStrictEqual } from 'node:util'
import {
  DEFAULT_SETTINGS,
  SETTING_KEYS,
  clientSettingsSchema,
  settingsSchema,
  type ClientSettings,
  type SettingKey,
  type Settings,
} from '../../protocol-src/settings.ts'
import { TtyError, messageOf } from '../base/errors.ts'
import { Emitter, type Event, type Unsubscribe } from '../base/lifecycle.ts'
import type { Logger } from '../base/logger.ts'
import { migrateSettings } from './migrate-settings.ts'

/**
 * Puts a change where settings are kept.
 * @returns all settings, as they are in force then
 */
export type SettingsWriter = (patch: Partial<Settings>) => Promise<unknown>

export interface SettingsChange {
  readonly next: Readonly<Settings>
  readonly previous: Readonly<Settings>
  readonly keys: readonly SettingKey[]
}

export class SettingsStore {
  #current: Readonly<Settings> = DEFAULT_SETTINGS
  readonly #changes: Emitter<SettingsChange>
  #writer: SettingsWriter | null = null
  #lastEdit: Promise<void> = Promise.resolve()
  readonly onChange: Event<SettingsChange>

  constructor(logger: Logger) {
    this.#changes = new Emitter(logger)
    this.onChange = this.#changes.event
  }

  get current(): Readonly<Settings> {
    return this.#current
  }

  /** The share that every client is sent. */
  get forClients(): ClientSettings {
    const shared = Object.keys(clientSettingsSchema.shape) as (keyof ClientSettings)[]
    return clientSettingsSchema.parse(Object.fromEntries(shared.map((key) => [key, this.#current[key]])))
  }

  /**
   * Put `candidate` in force; fields it lacks get their defaults.
   * @returns the keys that changed
   * @throws TtyError SETTINGS_INVALID naming each field and why; what was in force stays
   */
  adopt(candidate: unknown): readonly SettingKey[] {
    const next = parseSettings(candidate)
    const previous = this.#current
    const keys = SETTING_KEYS.filter((key) => !isDeepStrictEqual(next[key], previous[key]))
    if (keys.length === 0) return keys
    this.#current = Object.freeze(next)
    this.#changes.fire({ next, previous, keys })
    return keys
  }

  /** From now on edits are kept by `writer`; before that, and where there is none, they end with the host. */
  keepWith(writer: SettingsWriter): void {
    this.#writer = writer
  }

  /**
   * Change some settings; edits are made one after the other, each of what the one before left.
   * @param change must throw nothing but TtyError
   * @throws TtyError what `change` throws, or SETTINGS_NOT_SAVED
   */
  edit(change: (current: Readonly<Settings>) => Partial<Settings>): Promise<void> {
    const edit = this.#lastEdit.then(() => this.#edit(change(this.#current)))
    this.#lastEdit = edit.catch(() => {}) // said to whoever asked for it
    return edit
  }

  async #edit(patch: Partial<Settings>): Promise<void> {
    const whole = { ...this.#current, ...patch }
    parseSettings(whole)
    try {
      this.adopt(this.#writer === null ? whole : await this.#writer(patch))
    } catch (error) {
      throw new TtyError(
        'SETTINGS_NOT_SAVED',
        `The settings could not be saved (${messageOf(error)}). Check that the settings file of DSH can be written.`,
        { cause: error, details: { reason: messageOf(error) } },
      )
    }
  }

  /** Hear of changes of some keys only. */
  watch(keys: readonly SettingKey[], listener: (change: SettingsChange) => void): Unsubscribe {
    return this.onChange((change) => {
      if (keys.some((key) => change.keys.includes(key))) listener(change)
    })
  }
}

/** @throws TtyError SETTINGS_INVALID */
export function parseSettings(candidate: unknown): Settings {
  const parsed = settingsSchema.safeParse(migrateSettings(candidate))
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map((issue) =>
    issue.code === 'unrecognized_keys'
      ? `unknown setting ${issue.keys.join(', ')}`
      : `${issue.path.join('.')}: ${issue.message}`,
  )
  throw new TtyError(
    'SETTINGS_INVALID',
    `The terminal's settings are not valid (${problems.join('; ')}). Correct them; until then the last valid ones are in force.`,
    {
      details: { problems: problems.join('; ') },
    },
  )
}
