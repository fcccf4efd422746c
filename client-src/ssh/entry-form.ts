/**
 * What a person fills in about a machine, as texts; and what that means: an entry for the book, or a connection to try. Secrets
 * that the host has are not here: a field says that it is kept until somebody types into it.
 */
import {
  entryDraftSchema,
  isSameAccount,
  sshConnectionSchema,
  type EntryDraft,
  type HostRef,
  type PublicEntry,
  type SecretEdit,
  type SecretField,
} from '../../protocol-src/ssh.ts'

export interface SecretInput {
  /** What the host has stays as it is. */
  readonly isKept: boolean
  readonly text: string
  /** In the host's credential store, so that the settings hold a reference only. */
  readonly isStored: boolean
}

export interface EntryForm {
  readonly name: string
  readonly host: string
  readonly port: string
  readonly username: string
  readonly auth: PublicEntry['auth']
  readonly keyPath: string
  readonly password: SecretInput
  readonly passphrase: SecretInput
  readonly agentForward: boolean
  readonly persist: boolean
  /** Empty: none. */
  readonly jump: string
  readonly proxyCommand: string
  readonly hostKeyAlias: string
}

export type EntryField = keyof EntryForm
/** Fields that are not what they have to be. */
export type FieldErrors = ReadonlySet<EntryField>

export const EMPTY_FORM: EntryForm = {
  name: '',
  host: '',
  port: '22',
  username: '',
  auth: 'agent',
  keyPath: '',
  password: { isKept: false, text: '', isStored: true },
  passphrase: { isKept: false, text: '', isStored: true },
  agentForward: false,
  persist: true,
  jump: '',
  proxyCommand: '',
  hostKeyAlias: '',
}

export function formOf(entry: PublicEntry): EntryForm {
  const secret = (field: SecretField): SecretInput => ({ isKept: entry[field].isSet, text: '', isStored: true })
  return {
    name: entry.name,
    host: entry.host,
    port: String(entry.port),
    username: entry.username,
    auth: entry.auth,
    keyPath: entry.keyPath ?? '',
    password: secret('password'),
    passphrase: secret('passphrase'),
    agentForward: entry.agentForward,
    persist: entry.persist,
    jump: entry.jump ?? '',
    proxyCommand: entry.proxyCommand ?? '',
    hostKeyAlias: entry.hostKeyAlias ?? '',
  }
}

/** A secret belongs to one account: of another one the host has none. @param before the entry that is edited, or null */
export function isOfAnother(form: EntryForm, before: PublicEntry | null): boolean {
  const account = { host: form.host.trim(), port: Number(form.port), username: form.username.trim() }
  return before !== null && !isSameAccount(before, account)
}

/** What the host has of a secret, and the form leaves as it is. */
export function isSecretKept(form: EntryForm, before: PublicEntry | null, field: SecretField): boolean {
  return form[field].isKept && before?.[field].isSet === true && !isOfAnother(form, before)
}

type Parsed<T> = { readonly value: T } | { readonly errors: FieldErrors }

/** The entry that would be saved. */
export function draftOf(form: EntryForm, before: PublicEntry | null, canStore: boolean): Parsed<EntryDraft> {
  const edit = (field: SecretField): SecretEdit => {
    const { text, isStored } = form[field]
    if (isSecretKept(form, before, field)) return { kind: 'keep' }
    return text === '' ? { kind: 'clear' } : { kind: 'set', value: text, store: canStore && isStored }
  }
  return parse(entryDraftSchema, form, {
    name: form.name.trim(),
    ...openFields(form),
    password: edit('password'),
    passphrase: edit('passphrase'),
  })
}

/** Where a test, or a connection that is not saved, would go. */
export function refOf(form: EntryForm, before: PublicEntry | null): Parsed<HostRef> {
  const secrets = Object.fromEntries(
    (['password', 'passphrase'] as const).flatMap((field) =>
      form[field].text === '' ? [] : [[field, form[field].text]],
    ),
  )
  const parsed = parse(sshConnectionSchema, form, { ...openFields(form), ...secrets })
  if ('errors' in parsed) return parsed
  const keeps = (['password', 'passphrase'] as const).some((field) => isSecretKept(form, before, field))
  return { value: { connection: parsed.value, ...(keeps && before !== null ? { secretsOf: before.name } : {}) } }
}

interface Schema<T> {
  safeParse(candidate: unknown):
    | { readonly success: true; readonly data: T }
    | {
        readonly success: false
        readonly error: { readonly issues: readonly { readonly path: readonly PropertyKey[] }[] }
      }
}

function parse<T>(schema: Schema<T>, form: EntryForm, candidate: unknown): Parsed<T> {
  const parsed = schema.safeParse(candidate)
  const wrong = parsed.success ? [] : parsed.error.issues.map(({ path }) => String(path[0]) as EntryField)
  // A key file is needed by whoever logs in with one.
  const errors = new Set(form.auth === 'key' && form.keyPath.trim() === '' ? [...wrong, 'keyPath' as const] : wrong)
  return parsed.success && errors.size === 0 ? { value: parsed.data } : { errors }
}

function openFields(form: EntryForm): Record<string, unknown> {
  const { auth, agentForward, persist } = form
  const texts = {
    keyPath: form.keyPath,
    jump: form.jump,
    proxyCommand: form.proxyCommand,
    hostKeyAlias: form.hostKeyAlias,
  }
  const filled = Object.entries(texts).flatMap(([field, text]) =>
    text.trim() === '' ? [] : [[field, text.trim()] as const],
  )
  const port = form.port.trim()
  return {
    host: form.host.trim(),
    port: /^\d+$/.test(port) ? Number(port) : port,
    username: form.username.trim(),
    auth,
    agentForward,
    persist,
    ...Object.fromEntries(filled),
  }
}
