/** Branded identifiers and their parsers. Knows nothing of what the things they name do. */
import * as z from 'zod'

/** 128 random bits in base64url (22 characters): not guessable, not sequential. */
const RANDOM_ID = /^[A-Za-z0-9_-]{22}$/

export const sessionIdSchema = z
  .string()
  .regex(RANDOM_ID, 'a session id is 22 base64url characters')
  .brand<'SessionId'>()
/** One session of the host. Issued by the host only. */
export type SessionId = z.infer<typeof sessionIdSchema>

export const clientIdSchema = z.string().regex(RANDOM_ID, 'a client id is 22 base64url characters').brand<'ClientId'>()
/** One running client (a page load, a CLI process). Chosen by the client, never stored, so that a copied page is a new client. */
export type ClientId = z.infer<typeof clientIdSchema>

export const hostInstanceIdSchema = z.string().regex(RANDOM_ID).brand<'HostInstanceId'>()
/** One run of the host half: it changes when the host restarts or the plugin is reloaded. */
export type HostInstanceId = z.infer<typeof hostInstanceIdSchema>

export const ticketSchema = z.string().regex(RANDOM_ID, 'a ticket is 22 base64url characters').brand<'Ticket'>()
/** Proof, good for one socket upgrade, that the bearer could use the host's fenced RPC channel. */
export type Ticket = z.infer<typeof ticketSchema>

export const markNonceSchema = z
  .string()
  .regex(/^[0-9a-f]{32}$/, 'a mark nonce is 32 hex digits')
  .brand<'MarkNonce'>()
/**
 * What the marks of a session's own shell carry, and no program knows. Whoever has it can forge them: it is in no record,
 * no log and no list.
 */
export type MarkNonce = z.infer<typeof markNonceSchema>

export const persistNameSchema = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,64}$/, 'a name is 1 to 64 letters, digits, - or _')
  .brand<'PersistName'>()
/**
 * Under which a session is kept alive beside the host and found again. Its alphabet means nothing to tmux, shells and file
 * systems, so a name is used as it is: no two names can become one.
 */
export type PersistName = z.infer<typeof persistNameSchema>

/** Names one attachment on one connection in binary frames; small, positive, never reused within a connection. */
export const attachmentHandleSchema = z.int().min(1).max(0xffff_ffff).brand<'AttachmentHandle'>()
export type AttachmentHandle = z.infer<typeof attachmentHandleSchema>

/** Position in a session's output: the number of bytes before it since the session began. */
export const streamOffsetSchema = z.int().min(0).max(Number.MAX_SAFE_INTEGER)
export type StreamOffset = number

/**
 * Where a viewer is in a session's stream: after `offset` bytes and after `change` changes of size or driver. Both are needed
 * to continue identically, because a terminal's text depends on the size at which each byte was laid out.
 */
export const streamPositionSchema = z.strictObject({
  offset: streamOffsetSchema,
  change: z.int().min(0).max(Number.MAX_SAFE_INTEGER),
})
export type StreamPosition = z.infer<typeof streamPositionSchema>

/** Encode 16 random bytes as an id. @param bytes exactly 16 bytes from a cryptographic source */
export function encodeRandomId(bytes: Uint8Array): string {
  if (bytes.length !== 16) throw new RangeError(`a random id takes 16 bytes, got ${String(bytes.length)}`)
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  let text = ''
  let bits = 0
  let held = 0
  for (const byte of bytes) {
    held = (held << 8) | byte
    bits += 8
    while (bits >= 6) {
      bits -= 6
      text += alphabet.charAt((held >> bits) & 63)
    }
    held &= (1 << bits) - 1
  }
  return bits > 0 ? text + alphabet.charAt((held << (6 - bits)) & 63) : text
}
