/**
 * What a person changed in the settings and has not saved yet, over what the host says of them. Decides what a save would
 * write and what became of it; knows no setting by name, and neither how the host is reached nor how fields look.
 */
import { fieldOf, parseSetting, type SettingValue } from '../../protocol-src/setting-fields.ts'
import { SETTING_KEYS, metaOf, type SettingKey, type SettingMeta } from '../../protocol-src/settings.ts'
import { createStore, type Store, type Unsubscribe } from './store.ts'

/** How often a save is tried again when somebody else saved other fields at the same time. */
const MAX_TRIES = 3

/** The host's word on our settings. A key that is in `inForce` only is one the user never set. */
export interface HostSettings {
  /** Settings that both this page and the host know. */
  readonly inForce: ReadonlyMap<SettingKey, SettingValue>
  /** Those that the user set, whatever the value. */
  readonly own: ReadonlySet<SettingKey>
  /** What each would be without the user's. */
  readonly inherited: ReadonlyMap<SettingKey, SettingValue>
  readonly isWritable: boolean
}

export type SettingEdit =
  | { readonly op: 'set'; readonly key: SettingKey; readonly value: SettingValue }
  | { readonly op: 'unset'; readonly key: SettingKey }

export type SaveAnswer =
  | { readonly kind: 'saved' }
  /** Somebody saved in between; `settings` tell what there is now. */
  | { readonly kind: 'moved' }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unreachable' }

export interface SettingsHost {
  /** null while the host serves none. */
  readonly settings: Store<HostSettings | null>
  /** All edits or none. `settings` are those of the answer when this resolves. */
  save(edits: readonly SettingEdit[]): Promise<SaveAnswer>
}

/** What a control holds: a text, or whether it is on; of a list, how many there are. */
export type FieldInput = string | boolean

export interface FieldState {
  readonly input: FieldInput
  readonly inForce: SettingValue
  readonly inherited: SettingValue
  /** A save would write it. */
  readonly isEdited: boolean
  /** Once saved, the user's own value stands, not the inherited one. */
  readonly isOwn: boolean
  readonly isInvalid: boolean
  /** In force since somebody else changed it under this edit. */
  readonly isMovedElsewhere: boolean
  /** The host answered a save with another value, which is shown. */
  readonly isAnsweredOtherwise: boolean
  /** The host named this field when it refused. */
  readonly isRefused: boolean
}

export type SaveOutcome =
  | { readonly kind: 'saved'; readonly applies: ReadonlySet<SettingMeta['applies']> }
  | { readonly kind: 'moved' }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unreachable' }

export interface SettingsForm {
  /** In the order of the schema. */
  readonly fields: ReadonlyMap<SettingKey, FieldState>
  readonly isWritable: boolean
  readonly isSaving: boolean
  /** How many fields hold something else than the host. */
  readonly unsaved: number
  readonly firstInvalid: SettingKey | null
  readonly outcome: SaveOutcome | null
}

interface Draft {
  /** null: what is inherited. */
  readonly input: FieldInput | null
  /** In force when the person began, or last looked. */
  readonly over: SettingValue
}

export class SettingsDraft implements Store<SettingsForm | null> {
  readonly #host: SettingsHost
  readonly #drafts = new Map<SettingKey, Draft>()
  readonly #form = createStore<SettingsForm | null>(null)
  readonly #stop: Unsubscribe
  #answeredOtherwise: ReadonlySet<SettingKey> = new Set()
  #outcome: SaveOutcome | null = null
  #isSaving = false

  constructor(host: SettingsHost) {
    this.#host = host
    this.#stop = host.settings.subscribe(() => {
      for (const [key, draft] of this.#drafts) if (this.#isDone(key, draft)) this.#drafts.delete(key)
      this.#publish()
    })
    this.#publish()
  }

  getSnapshot(): SettingsForm | null {
    return this.#form.getSnapshot()
  }

  subscribe(listener: () => void): Unsubscribe {
    return this.#form.subscribe(listener)
  }

  dispose(): void {
    this.#stop()
  }

  /** Take what a control holds now. */
  edit(key: SettingKey, input: FieldInput): void {
    this.#stage(key, input)
  }

  /** Go back to what is inherited, once saved. */
  reset(key: SettingKey): void {
    this.#stage(key, null)
  }

  resetAll(): void {
    for (const [key, { isOwn, isEdited }] of this.getSnapshot()?.fields ?? []) if (isOwn || isEdited) this.reset(key)
  }

  /** Forget the edits of one field, so that it shows what is in force. */
  drop(key: SettingKey): void {
    this.#drafts.delete(key)
    this.#touched()
  }

  discard(): void {
    this.#drafts.clear()
    this.#touched()
  }

  /** Write every edit. Does nothing while there is none, one is invalid, or a save is on its way. */
  async save(): Promise<void> {
    const form = this.getSnapshot()
    if (form === null || !form.isWritable || form.isSaving || form.unsaved === 0 || form.firstInvalid !== null) return
    const sent = new Map(this.#drafts)
    const edits = this.#edits()
    this.#isSaving = true
    this.#touched()
    const answer = await this.#send(edits)
    this.#isSaving = false
    this.#outcome = answer.kind === 'saved' ? this.#settle(sent, edits) : answer
    this.#publish()
  }

  async #send(edits: readonly SettingEdit[]): Promise<SaveAnswer> {
    for (let left = MAX_TRIES; ; left -= 1) {
      let answer: SaveAnswer
      try {
        answer = await this.#host.save(edits)
      } catch {
        // Whatever went wrong on the way, nothing is known of the outcome.
        return { kind: 'unreachable' }
      }
      // What somebody else saved is none of these fields: no reason to ask the person.
      const isTheirs = edits.some(({ key }) => this.#isMoved(key))
      if (answer.kind !== 'moved' || isTheirs || left <= 1) return answer
    }
  }

  /** The host has taken them: what it holds now is shown, whatever was asked for. */
  #settle(sent: ReadonlyMap<SettingKey, Draft>, edits: readonly SettingEdit[]): SaveOutcome {
    const settings = this.#host.settings.getSnapshot()
    for (const [key, draft] of sent) {
      const now = this.#drafts.get(key)
      if (now === draft) this.#drafts.delete(key)
      // Edited again meanwhile: over the answer, then.
      else if (now !== undefined) this.#drafts.set(key, { ...now, over: settings?.inForce.get(key) ?? now.over })
    }
    this.#answeredOtherwise = new Set(
      edits.filter((edit) => edit.op === 'set' && settings?.inForce.get(edit.key) !== edit.value).map(({ key }) => key),
    )
    return { kind: 'saved', applies: new Set(edits.map(({ key }) => metaOf(key).applies)) }
  }

  #stage(key: SettingKey, input: FieldInput | null): void {
    const settings = this.#host.settings.getSnapshot()
    const inForce = settings?.inForce.get(key)
    if (settings === null || inForce === undefined || !settings.isWritable || fieldOf(key).kind === 'list') return
    const isAsItIs = input === null ? !settings.own.has(key) : input === inputOf(key, inForce)
    if (isAsItIs) this.#drafts.delete(key)
    else this.#drafts.set(key, { input, over: this.#drafts.get(key)?.over ?? inForce })
    this.#touched()
  }

  /** What was said of the last save is about another state of the form now. */
  #touched(): void {
    this.#outcome = null
    this.#answeredOtherwise = new Set()
    this.#publish()
  }

  #edits(): SettingEdit[] {
    return SETTING_KEYS.flatMap((key) => {
      const draft = this.#drafts.get(key)
      return draft === undefined ? [] : (this.#editOf(key, draft) ?? [])
    })
  }

  /** @returns what a save would write, or undefined when that is nothing, or nothing valid */
  #editOf(key: SettingKey, { input }: Draft): SettingEdit | undefined {
    const settings = this.#host.settings.getSnapshot()
    if (input === null) return settings?.own.has(key) === true ? { op: 'unset', key } : undefined
    const value = valueOf(key, input)
    return value === undefined || value === settings?.inForce.get(key) ? undefined : { op: 'set', key, value }
  }

  /** Somebody else has saved the same. */
  #isDone(key: SettingKey, draft: Draft): boolean {
    const isValid = draft.input === null || valueOf(key, draft.input) !== undefined
    return isValid && this.#editOf(key, draft) === undefined
  }

  #isMoved(key: SettingKey): boolean {
    const draft = this.#drafts.get(key)
    return draft !== undefined && draft.over !== this.#host.settings.getSnapshot()?.inForce.get(key)
  }

  #publish(): void {
    const settings = this.#host.settings.getSnapshot()
    if (settings === null) {
      this.#form.set(null)
      return
    }
    const fields = new Map<SettingKey, FieldState>()
    for (const key of SETTING_KEYS) {
      const inForce = settings.inForce.get(key)
      if (inForce !== undefined) fields.set(key, this.#fieldState(key, inForce, settings))
    }
    this.#form.set({
      fields,
      isWritable: settings.isWritable,
      isSaving: this.#isSaving,
      unsaved: [...fields.values()].filter(({ isEdited, isInvalid }) => isEdited || isInvalid).length,
      firstInvalid: [...fields].find(([, { isInvalid }]) => isInvalid)?.[0] ?? null,
      outcome: this.#outcome,
    })
  }

  #fieldState(key: SettingKey, inForce: SettingValue, settings: HostSettings): FieldState {
    const inherited = settings.inherited.get(key) ?? inForce
    // Edited elsewhere, one by one: nothing here may empty it.
    if (fieldOf(key).kind === 'list') return { ...UNTOUCHED, input: inputOf(key, inForce), inForce, inherited }
    const draft = this.#drafts.get(key)
    const isReset = draft?.input === null
    const input = draft === undefined ? inputOf(key, inForce) : (draft.input ?? inputOf(key, inherited))
    const isInvalid = valueOf(key, input) === undefined
    const isEdited = draft !== undefined && this.#editOf(key, draft) !== undefined
    return {
      input,
      inForce,
      inherited,
      isEdited,
      isOwn: isReset ? false : settings.own.has(key) || isEdited,
      isInvalid,
      isMovedElsewhere: (isEdited || isInvalid) && !this.#isSaving && this.#isMoved(key),
      isAnsweredOtherwise: this.#answeredOtherwise.has(key),
      isRefused: isEdited && this.#outcome?.kind === 'refused' && names(this.#outcome.reason, key),
    }
  }
}

const UNTOUCHED = {
  isEdited: false,
  isOwn: false,
  isInvalid: false,
  isMovedElsewhere: false,
  isAnsweredOtherwise: false,
  isRefused: false,
} as const

function inputOf(key: SettingKey, value: SettingValue): FieldInput {
  if (Array.isArray(value)) return String(value.length)
  return fieldOf(key).kind === 'switch' ? value === true : String(value)
}

function valueOf(key: SettingKey, input: FieldInput): SettingValue | undefined {
  const isNumber = fieldOf(key).kind === 'number'
  if (!isNumber || typeof input !== 'string') return parseSetting(key, input)
  const digits = input.trim()
  return /^-?\d+$/.test(digits) ? parseSetting(key, Number(digits)) : undefined
}

function names(reason: string, key: SettingKey): boolean {
  return reason.split(/\W+/).includes(key)
}
