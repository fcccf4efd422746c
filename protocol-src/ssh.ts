/**
 * Machines that can be reached over SSH, as the settings keep them and as pages see them. A page sees of a secret whether it is
 * set and which reference stands for it, never the value.
 */
import * as z from 'zod'
import { MAX_COMMAND_CHARS, MAX_PATH_CHARS } from './limits.ts'

export const MAX_BOOK_ENTRIES = 200
export const MAX_HOST_KEYS = 2000
export const MAX_FINGERPRINTS = 32
export const MAX_SECRET_CHARS = 4096

export const SSH_PORT = 22

/** One line, without blanks around it. */
export const bookNameSchema = z
  .string()
  .regex(/^[^\s\p{Cc}](?:[^\p{Cc}]{0,62}[^\s\p{Cc}])?$/u, 'one line, at most 64 characters')

/** A name or an address; an address may stand in brackets. Nothing that a shell or an option could be. */
export const sshHostSchema = z
  .string()
  .max(255)
  .regex(/^(?:\[[0-9A-Za-z:.%_-]+\]|(?!-)[^\s\p{Cc}"'`\\/@[\](){}<>|;&$!*?#,]+)$/u, 'a host name or an address')
  .transform((host) => (host.startsWith('[') ? host.slice(1, -1) : host))

export const sshUserSchema = z
  .string()
  .max(128)
  .regex(/^(?!-)[^\s\p{Cc}]+$/u, 'a user name without blanks')

export const sshPortSchema = z.int().min(1).max(65_535)

const keyPathSchema = z
  .string()
  .min(1)
  .max(MAX_PATH_CHARS)
  .refine((path) => !path.includes('\0'), 'a path has no NUL')

/** A text, or `env:NAME` for what the host's credential store or the environment has under that name. */
const secretSchema = z
  .string()
  .min(1)
  .max(MAX_SECRET_CHARS)
  .refine((text) => !text.includes('\0'), 'a secret has no NUL')
  .meta({ role: 'secret' })

const REFERENCE = /^env:([A-Za-z_][A-Za-z0-9_]{0,127})$/

/** @returns the name that `text` refers to, or null when it is a value itself */
export function referenceOf(text: string): string | null {
  return REFERENCE.exec(text)?.[1] ?? null
}

/** What is no secret of a connection. */
const openFields = {
  host: sshHostSchema,
  port: sshPortSchema.default(SSH_PORT),
  username: sshUserSchema,
  auth: z.enum(['agent', 'key', 'password']).default('agent'),
  /** `~` stands for the home directory of the host's user. */
  keyPath: keyPathSchema.optional(),
  agentForward: z.boolean().default(false),
  /** Sessions may be kept by tmux on that machine. */
  persist: z.boolean().default(true),
  /** Name of the entry that stands before it. */
  jump: bookNameSchema.optional(),
  proxyCommand: z
    .string()
    .min(1)
    .max(MAX_COMMAND_CHARS)
    .regex(/^[^\p{Cc}]+$/u, 'one line')
    .optional(),
  /** Name under which its host keys are kept, instead of host and port. */
  hostKeyAlias: sshHostSchema.optional(),
}

export const sshConnectionSchema = z.strictObject({
  ...openFields,
  password: secretSchema.optional(),
  passphrase: secretSchema.optional(),
})
export type SshConnection = z.output<typeof sshConnectionSchema>

export const SECRET_FIELDS = ['password', 'passphrase'] as const
export type SecretField = (typeof SECRET_FIELDS)[number]

export const bookEntrySchema = z.strictObject({ name: bookNameSchema, ...sshConnectionSchema.shape })
export type BookEntry = z.output<typeof bookEntrySchema>

/** The connection book. Two entries of one name are an error: neither wins by surprise. */
export const connectionBookSchema = z
  .array(bookEntrySchema)
  .max(MAX_BOOK_ENTRIES)
  .superRefine((entries, context) => {
    const names = new Set<string>()
    for (const [index, { name }] of entries.entries()) {
      if (names.has(name))
        context.addIssue({ code: 'custom', path: [index, 'name'], message: `there are two entries named "${name}"` })
      names.add(name)
    }
  })

/** `<key type> SHA256:<hash>`; the type is missing where nobody recorded it. */
export const fingerprintSchema = z
  .string()
  .regex(
    /^(?:[A-Za-z0-9@._-]{1,64} )?SHA256:[A-Za-z0-9+/]{43}$/,
    'SHA256: and 43 characters, with the key type before it',
  )

/** Keys by which one machine is known. `host` may be the hashed name of a known_hosts line, which holds the port, too. */
export const hostKeyRecordSchema = z.strictObject({
  host: z
    .string()
    .max(512)
    .regex(/^[^\s\p{Cc}]+$/u, 'a host name, an address or a hashed name'),
  port: sshPortSchema.default(SSH_PORT),
  fingerprints: z.array(fingerprintSchema).max(MAX_FINGERPRINTS).default([]),
  /** Keys that must never be accepted again, from any machine. */
  revoked: z.array(fingerprintSchema).max(MAX_FINGERPRINTS).default([]),
})
export type HostKeyRecord = z.output<typeof hostKeyRecordSchema>

export const hostKeysSchema = z.array(hostKeyRecordSchema).max(MAX_HOST_KEYS)

/**
 * Where to go: an entry of the book, or a connection that is not saved. `secretsOf` names the entry that a page is editing: secrets
 * that the page left as they are come from there.
 */
export const hostRefSchema = z.union([
  z.strictObject({ book: bookNameSchema }),
  z.strictObject({ connection: sshConnectionSchema, secretsOf: bookNameSchema.optional() }),
])
export type HostRef = z.output<typeof hostRefSchema>

/** What a page may know of a secret. A reference is no secret. */
export const secretStateSchema = z.strictObject({ isSet: z.boolean(), reference: z.string().nullable() })
export type SecretState = z.output<typeof secretStateSchema>

export const publicEntrySchema = z.strictObject({
  name: bookNameSchema,
  ...openFields,
  password: secretStateSchema,
  passphrase: secretStateSchema,
})
export type PublicEntry = z.output<typeof publicEntrySchema>

/** What a page wants to become of a secret. `store`: in the host's credential store, so that the settings hold a reference only. */
export const secretEditSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('keep') }),
  z.strictObject({ kind: z.literal('clear') }),
  z.strictObject({ kind: z.literal('set'), value: secretSchema, store: z.boolean() }),
])
export type SecretEdit = z.output<typeof secretEditSchema>

export const entryDraftSchema = z.strictObject({
  name: bookNameSchema,
  ...openFields,
  password: secretEditSchema,
  passphrase: secretEditSchema,
})
export type EntryDraft = z.output<typeof entryDraftSchema>

export type OpenField = keyof typeof openFields
export const OPEN_FIELDS = Object.keys(openFields) as readonly OpenField[]

/** The connection without the values of its secrets; references stay. */
export function withoutSecrets(connection: SshConnection): SshConnection {
  const open = { ...connection }
  for (const field of SECRET_FIELDS) {
    const text = open[field]
    if (text !== undefined && referenceOf(text) === null) delete open[field]
  }
  return open
}

/** Whether both are the same account of the same machine, so that a secret of one is none to the other. */
export function isSameAccount(
  one: Pick<SshConnection, 'host' | 'port' | 'username'>,
  other: Pick<SshConnection, 'host' | 'port' | 'username'>,
): boolean {
  return (
    one.username === other.username && one.port === other.port && one.host.toLowerCase() === other.host.toLowerCase()
  )
}
