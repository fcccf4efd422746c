/** From the bytes of a text frame to a frame that its schema has checked. */
import { clientFrameSchema, type ClientFrame } from '../../protocol-src/client-frames.ts'
import { TtyError } from '../base/errors.ts'

/** @returns the frame, or an error that names the first field that is wrong */
export function parseFrame(data: Buffer): ClientFrame | TtyError {
  let json: unknown
  try {
    json = JSON.parse(data.toString('utf8'))
  } catch {
    return new TtyError('BAD_FRAME', 'A text frame is not JSON.', { details: { field: '' } })
  }
  const parsed = clientFrameSchema.safeParse(json)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  const field =
    issue === undefined ? '' : issue.code === 'unrecognized_keys' ? issue.keys.join(', ') : issue.path.join('.')
  return new TtyError(
    'BAD_FRAME',
    `Invalid frame, field "${field.slice(0, 100)}": ${(issue?.message ?? 'unknown').slice(0, 200)}.`,
    { details: { field: field.slice(0, 100) } },
  )
}
