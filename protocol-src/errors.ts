/** The one table of error codes: what each means to HTTP, and whether trying again by itself can help. */
import * as z from 'zod'

interface ErrorRow {
  /** HTTP status where the error answers an HTTP request. */
  readonly status: number
  /** Whether the same request may succeed later without anybody changing anything. */
  readonly retryable: boolean
}

export const ERROR_TABLE = {
  BAD_FRAME: { status: 400, retryable: false },
  HELLO_EXPECTED: { status: 400, retryable: false },
  PROTOCOL_MISMATCH: { status: 426, retryable: false },
  FORBIDDEN: { status: 403, retryable: false },
  SESSION_NOT_FOUND: { status: 404, retryable: false },
  SESSION_EXITED: { status: 409, retryable: false },
  SESSION_LIMIT: { status: 429, retryable: false },
  NOT_ATTACHED: { status: 409, retryable: false },
  INPUT_BACKLOG: { status: 503, retryable: true },
  INPUT_OUT_OF_ORDER: { status: 409, retryable: false },
  USER_IS_TYPING: { status: 503, retryable: true },
  REQUEST_PENDING: { status: 503, retryable: true },
  NOT_ALLOWED: { status: 403, retryable: false },
  NOT_YOUR_SESSION: { status: 403, retryable: false },
  BAD_ARGUMENTS: { status: 422, retryable: false },
  SHELL_UNUSABLE: { status: 422, retryable: false },
  CWD_UNUSABLE: { status: 422, retryable: false },
  PTY_UNAVAILABLE: { status: 500, retryable: false },
  SPAWN_FAILED: { status: 500, retryable: false },
  SSH_RESOLVE: { status: 503, retryable: true },
  SSH_CONNECT: { status: 503, retryable: true },
  SSH_HANDSHAKE: { status: 502, retryable: false },
  SSH_HOST_KEY_CHANGED: { status: 403, retryable: false },
  SSH_HOST_KEY_REFUSED: { status: 403, retryable: false },
  SSH_HOST_KEY_REVOKED: { status: 403, retryable: false },
  SSH_AUTH: { status: 401, retryable: false },
  SSH_AGENT: { status: 401, retryable: false },
  SSH_KEY_FILE: { status: 422, retryable: false },
  SSH_PROXY_OFF: { status: 403, retryable: false },
  SSH_CHANNEL: { status: 503, retryable: true },
  SSH_TIMEOUT: { status: 503, retryable: true },
  SSH_LOST: { status: 503, retryable: true },
  REQUEST_GONE: { status: 410, retryable: false },
  UNKNOWN_KEY: { status: 422, retryable: false },
  PATTERN_INVALID: { status: 422, retryable: false },
  WAIT_LIMIT: { status: 429, retryable: false },
  SETTINGS_INVALID: { status: 422, retryable: false },
  SETTINGS_NOT_SAVED: { status: 503, retryable: false },
  BOOK_NAME_TAKEN: { status: 409, retryable: false },
  BOOK_NAME_UNKNOWN: { status: 404, retryable: false },
  BOOK_ENTRY_NEEDED: { status: 409, retryable: false },
  SECRET_OF_ANOTHER: { status: 409, retryable: false },
  CREDENTIALS_FAILED: { status: 503, retryable: false },
  CANCELLED: { status: 499, retryable: false },
  BUSY: { status: 503, retryable: true },
  SHUTTING_DOWN: { status: 503, retryable: true },
  INTERNAL: { status: 500, retryable: false },
} as const satisfies Record<string, ErrorRow>

export type TtyErrorCode = keyof typeof ERROR_TABLE

export const errorCodeSchema = z.enum(Object.keys(ERROR_TABLE) as [TtyErrorCode, ...TtyErrorCode[]])

/**
 * An error as it travels. `message` is an English sentence with what failed, why, and what to do; `details` carries the
 * facts (path, limit, field …) from which a client words the same in its user's language.
 */
export const wireErrorSchema = z.object({
  code: errorCodeSchema,
  message: z.string(),
  details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
})
export type WireError = z.infer<typeof wireErrorSchema>
export type ErrorDetails = NonNullable<WireError['details']>
