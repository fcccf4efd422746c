/**
 * The host's settings document as the settings form wants it: our namespace's values by key, and saves that are one write
 * each. Reads every answer as foreign data: the host may be of another version than this page.
 */
import { parseSetting, type SettingValue } from '../../protocol-src/setting-fields.ts'
import { DEFAULT_SETTINGS, SETTINGS_NAMESPACE, SETTING_KEYS, type SettingKey } from '../../protocol-src/settings.ts'
import type { HostSettings, SaveAnswer, SettingEdit, SettingsHost } from '../stores/settings-draft.ts'
import { createStore, type Unsubscribe } from '../stores/store.ts'

/** The part that is read of what the app knows of a namespace. */
export interface NamespaceSnapshot {
  readonly status: 'loading' | 'ready' | 'unavailable'
  readonly value: unknown
  /** Below what the user set. */
  readonly base: unknown
  readonly user: unknown
  readonly revision: number | undefined
  readonly writable: boolean
}

type PathOp = { op: 'set'; path: string[]; value: unknown } | { op: 'unset'; path: string[] }

/** An answer of the app's API. */
export type ApiResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: { readonly code: string; readonly message: string } }

/** What this needs of the app. `View` is the app's own form of a namespace, which is only handed on. */
export interface SettingsPorts<View extends { readonly ns: string }> {
  /** The app's mirror of our namespace. */
  readonly scope: { getSnapshot(): NamespaceSnapshot; subscribe(listener: () => void): Unsubscribe }
  mutate(request: { ns: string; ops: PathOp[]; expectedRevision?: number }): Promise<ApiResult<View>>
  describe(): Promise<ApiResult<{ readonly namespaces: readonly View[] }>>
  /** Put what the host answered into the app's mirror. */
  accept(view: View): void
}

/** @returns the host, and what ends following it */
export function followSettings<View extends { readonly ns: string }>(
  ports: SettingsPorts<View>,
): { readonly host: SettingsHost; readonly stop: Unsubscribe } {
  const settings = createStore<HostSettings | null>(toHostSettings(ports.scope.getSnapshot()))
  const stop = ports.scope.subscribe(() => {
    settings.set(toHostSettings(ports.scope.getSnapshot()))
  })
  const refresh = async (): Promise<void> => {
    const answer = await ports.describe()
    const view = answer.ok ? answer.value.namespaces.find(({ ns }) => ns === SETTINGS_NAMESPACE) : undefined
    if (view !== undefined) ports.accept(view)
  }
  const save = async (edits: readonly SettingEdit[]): Promise<SaveAnswer> => {
    const { revision } = ports.scope.getSnapshot()
    const answer = await ports.mutate({
      ns: SETTINGS_NAMESPACE,
      ops: edits.map((edit) =>
        edit.op === 'set' ? { op: 'set', path: [edit.key], value: edit.value } : { op: 'unset', path: [edit.key] },
      ),
      ...(revision === undefined ? {} : { expectedRevision: revision }),
    })
    if (answer.ok) {
      ports.accept(answer.value)
      return { kind: 'saved' }
    }
    if (answer.error.code !== 'settings-conflict') return { kind: 'refused', reason: answer.error.message }
    await refresh()
    return { kind: 'moved' }
  }
  return { host: { settings, save }, stop }
}

function toHostSettings({ status, value, base, user, writable }: NamespaceSnapshot): HostSettings | null {
  if (status !== 'ready') return null
  const inForce = known(value)
  const own = toRecord(user)
  return {
    inForce,
    own: new Set(SETTING_KEYS.filter((key) => Object.hasOwn(own, key))),
    inherited: new Map<SettingKey, SettingValue>([
      ...[...inForce.keys()].map((key) => [key, DEFAULT_SETTINGS[key]] as const),
      ...known(base),
    ]),
    isWritable: writable,
  }
}

/** The settings in a section of the host's that this page knows, too. */
function known(section: unknown): ReadonlyMap<SettingKey, SettingValue> {
  const record = toRecord(section)
  return new Map(
    SETTING_KEYS.flatMap((key) => {
      const value = Object.hasOwn(record, key) ? parseSetting(key, record[key]) : undefined
      return value === undefined ? [] : [[key, value] as const]
    }),
  )
}

function toRecord(section: unknown): Readonly<Record<string, unknown>> {
  return typeof section === 'object' && section !== null ? { ...section } : {}
}
