/** The one error type of the host half, and the one place that turns anything thrown into it. */
import type { ErrorDetails, TtyErrorCode, WireError } from '../../protocol-src/errors.ts'

export class TtyError extends Error {
  readonly code: TtyErrorCode
  readonly details: ErrorDetails | undefined

  /** @param message what failed, why as far as we know, what to do - in one or two sentences */
  constructor(code: TtyErrorCode, message: string, options: { cause?: unknown; details?: ErrorDetails } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'TtyError'
    this.code = code
    this.details = options.details
  }

  toWire(): WireError {
    return { code: this.code, message: this.message, ...(this.details === undefined ? {} : { details: this.details }) }
  }
}

/** Convert at an edge; a TtyError passes unchanged, anything else becomes INTERNAL with its message kept as the cause. */
export function toTtyError(thrown: unknown): TtyError {
  if (thrown instanceof TtyError) return thrown
  return new TtyError(
    'INTERNAL',
    `The terminal plugin failed unexpectedly: ${messageOf(thrown)}. This is a bug; the session list is still valid.`,
    { cause: thrown },
  )
}

/** The message of anything thrown. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}

/** The `code` of a Node system error (`ENOENT` …), if it is one. */
export function systemCodeOf(thrown: unknown): string | undefined {
  return thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : undefined
}

/** Compile-time proof that a union is exhausted. */
export function assertNever(value: never): never {
  throw new TypeError(`unexpected value ${JSON.stringify(value)}`)
}
