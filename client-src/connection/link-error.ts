/** Why something asked of the host did not happen, as the client sees it. */
import type { ErrorDetails, TtyErrorCode, WireError } from '../../protocol-src/errors.ts'

/** The host's codes, and what only the client can notice. */
export type LinkErrorCode = TtyErrorCode | 'DISCONNECTED' | 'NO_REPLY' | 'BAD_REPLY' | 'SCRIPT_NOT_LOADED'

export class LinkError extends Error {
  readonly code: LinkErrorCode
  readonly details: ErrorDetails

  constructor(code: LinkErrorCode, message: string, details: ErrorDetails = {}) {
    super(message)
    this.name = 'LinkError'
    this.code = code
    this.details = details
  }

  static fromWire(error: WireError): LinkError {
    return new LinkError(error.code, error.message, error.details)
  }
}

export function toLinkError(error: unknown): LinkError {
  return error instanceof LinkError
    ? error
    : new LinkError('INTERNAL', error instanceof Error ? error.message : String(error))
}
