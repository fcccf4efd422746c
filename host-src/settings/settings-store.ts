/** The settings in force: read at the moment of use, announced when they change, never invalid. */
import {
  DEFAULT_SETTINGS,
  SETTING_KEYS,
  clientSettingsSchema,
  settingsSchema,
  type ClientSettings,
  type SettingKey,
  type Settings,
} from '../../protocol-src/settings.ts'
import { TtyError } from '../base/errors.ts'
import { Emitter, type Event, type Unsubscribe } from '../base/lifecycle.ts'
import type { Logger } from '../base/logger.ts'

export interface SettingsChange {
  readonly next: Readonly<Settings>
  readonly previous: Readonly<Settings>
  readonly keys: readonly SettingKey[]
}

export class SettingsStore {
  #current: Readonly<Settings> = DEFAULT_SETTINGS
  readonly #changes: Emitter<SettingsChange>
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
    const keys = SETTING_KEYS.filter((key) => next[key] !== previous[key])
    if (keys.length === 0) return keys
    this.#current = Object.freeze(next)
    this.#changes.fire({ next, previous, keys })
    return keys
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
  const parsed = settingsSchema.safeParse(candidate)
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
